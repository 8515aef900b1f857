// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `tyco`: a set of brands that a reader must support together. Its container is `etyp`.
public struct TypeCombinationBox: BoxPayload {
  public static let info = BoxInfo(
    ["tyco"], name: "type combination", in: [.box("etyp")], "ISO/IEC 14496-12, 4.4",
    "A set of brands that a reader must support together.")

  /// The brands.
  public var compatibleBrands: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCCsToEnd("compatible_brands", &compatibleBrands)
  }
}

/// `mere`: how two metadata boxes are related. Its container is `meco`.
public struct MetaboxRelationBox: FullBox {
  public static let info = BoxInfo(
    ["mere"], name: "metabox relation", in: [.box("meco")], "ISO/IEC 14496-12, 8.11.8",
    "How two metadata boxes are related.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The handler of the first `meta`.
  public var firstMetaboxHandlerType: FourCC = "mp7t"
  /// The handler of the second `meta`.
  public var secondMetaboxHandlerType: FourCC = "mp7b"
  /// The relation: 1 unknown, 2 different content, 3 the first is the preferred part, 4 either may be used, 5 the
  /// same in another form.
  public var metaboxRelation: UInt8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("first_metabox_handler_type", &firstMetaboxHandlerType)
    try c.fourCC("second_metabox_handler_type", &secondMetaboxHandlerType)
    try c.u8("metabox_relation", &metaboxRelation)
  }
}
