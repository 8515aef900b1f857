// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Who imports this module has boxes and bitstream at hand.
@_exported public import ByteCoding
@_exported public import HEVC
@_exported public import ISOBMFF
