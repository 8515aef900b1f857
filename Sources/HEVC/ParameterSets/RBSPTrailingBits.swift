// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `rbsp_trailing_bits()`, and whatever follows after them. ISO/IEC 23008-2, 7.3.2.11
public struct RBSPTrailingBits: FieldLayout {
  /// The bits after the stop bit up to the byte boundary, the last in bit 0; zero, unless the stream is odd.
  public var alignmentBits: UInt8 = 0
  /// Bytes after the byte boundary: nothing, or zeros.
  public var following = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var stop: UInt8 = 1
    try c.u("rbsp_stop_one_bit", &stop, 1, in: 1...1)
    try c.alignmentZeros("rbsp_alignment_zero_bit", &alignmentBits)
    let rest = c.bitsLeft.map { $0 / 8 } ?? following.count
    if rest > 0 { try c.bytes("trailing_bytes", &following, count: rest) }
  }

  /// Whether nothing but zeros follows the stop bit, as it must. Where something else does, the structure
  /// most likely ended elsewhere for its writer.
  public var isConforming: Bool { alignmentBits == 0 && following.isAllZero }
}
