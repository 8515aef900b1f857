// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension SampleEntry: DataReferring {}
extension BoxedSampleEntry: DataReferring {}
extension ProtectedSampleEntry: DataReferring {}
extension VisualSampleEntry: DataReferring {}
extension AudioSampleEntry: DataReferring {}
