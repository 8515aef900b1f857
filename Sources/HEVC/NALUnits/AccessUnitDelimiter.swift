// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// `access_unit_delimiter_rbsp()`: the begin of an access unit, and what kinds of slices are in it.
package struct AccessUnitDelimiter: FieldLayout {
  /// The document and clause that define it.
  package static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.5"

  /// `pic_type`: 0 I slices only, 1 P slices too, 2 B slices too.
  package var picType: UInt8 = 0
  /// The end of the structure.
  package var trailing = RBSPTrailingBits()

  package init() {}

  package mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("pic_type", &picType, 3, in: nil, .named(Self.name(ofPicType:)))
    try c.group("rbsp_trailing_bits", &trailing)
  }

  /// Table 7-2.
  private static func name(ofPicType raw: Int64) -> String? {
    switch raw {
    case 0: "I"
    case 1: "P, I"
    case 2: "B, P, I"
    default: nil
    }
  }
}
