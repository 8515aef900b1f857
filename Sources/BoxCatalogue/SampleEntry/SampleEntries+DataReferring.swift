// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

extension RTPHintSampleEntry: DataReferring {}
extension FDHintSampleEntry: DataReferring {}
extension MPEG2TSSampleEntry: DataReferring {}
extension TimedTextSampleEntry: DataReferring {}
extension QuickTimeTextSampleEntry: DataReferring {}
extension XMLSubtitleSampleEntry: DataReferring {}
extension XMLMetadataSampleEntry: DataReferring {}
extension PlainTextSampleEntry: DataReferring {}
extension TimecodeSampleEntry: DataReferring {}
