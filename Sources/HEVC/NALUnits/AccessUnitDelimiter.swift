// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// `access_unit_delimiter_rbsp()`: marks the beginning of an access unit, and signals which slice types occur in it.
package struct AccessUnitDelimiter: FieldLayout {
  /// The document and clause that define it.
  package static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.5"

  /// The slice types that may occur: 0 for I only, 1 for I and P, 2 for I, P and B (`pic_type`).
  package var picType: UInt8 = 0
  /// The trailing bits that end the structure.
  package var trailing = RBSPTrailingBits()

  package init() {}

  package mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("pic_type", &picType, 3, in: nil, .named(Self.name(ofPicType:)))
    try c.group("rbsp_trailing_bits", &trailing)
  }

  /// The name of a value of `pic_type`. Table 7-2
  private static func name(ofPicType raw: Int64) -> String? {
    switch raw {
    case 0: "I"
    case 1: "P, I"
    case 2: "B, P, I"
    default: nil
    }
  }
}
