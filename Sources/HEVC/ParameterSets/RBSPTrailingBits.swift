// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `rbsp_trailing_bits()`, and whatever follows. ISO/IEC 23008-2, 7.3.2.11
public struct RBSPTrailingBits: FieldLayout {
  /// The bits after the stop bit up to the byte boundary, the last in bit 0; 0 in a conforming stream.
  public var alignmentBits: UInt8 = 0
  /// Bytes after the byte boundary: usually none, or zeros.
  public var following = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var stop: UInt8 = 1
    try c.u("rbsp_stop_one_bit", &stop, 1, in: 1...1)
    try c.alignmentZeros("rbsp_alignment_zero_bit", &alignmentBits)
    let rest = c.bitsLeft.map { $0 / 8 } ?? following.count
    if rest > 0 { try c.bytes("trailing_bytes", &following, count: rest) }
  }

  /// Whether only zeros follow the stop bit, as required. If anything else follows, the writer most likely ended
  /// the structure elsewhere.
  public var isConforming: Bool { alignmentBits == 0 && following.isAllZero }
}
