// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Who imports this module has boxes and bitstream at hand, and sources of bytes.
@_exported public import BoxCatalogue
@_exported public import FileAccess
@_exported public import HEVC
@_exported public import ISOBMFF

// Of the bytes below, what the signatures above hand out. How fields are declared, read and written is for those that
// add a box or a message of their own: they import ByteCoding.
@_exported public import struct ByteCoding.BitString
@_exported public import struct ByteCoding.ByteView
@_exported public import struct ByteCoding.Chromaticity
@_exported public import enum ByteCoding.ColourCodes
@_exported public import struct ByteCoding.Diagnostic
@_exported public import struct ByteCoding.DiagnosticList
@_exported public import struct ByteCoding.FourCC
@_exported public import struct ByteCoding.Limits
@_exported public import struct ByteCoding.ParseError
