// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `tyco`: brands that apply in combination. Its container is `etyp`.
public struct TypeCombinationBox: BoxPayload {
  public static let name: StaticString = "type combination"
  public static let types: [FourCC] = ["tyco"]
  public static let scopes: [BoxScope] = [.box("etyp")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.17.3"
  public static let summary: StaticString = "Brands all of which a reader must support together."

  /// The brands.
  public var compatibleBrands: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCCsToEnd("compatible_brands", &compatibleBrands)
  }
}

/// `mere`: how two `meta` boxes are related. Its container is `meco`.
public struct MetaboxRelationBox: BoxPayload {
  public static let name: StaticString = "metabox relation"
  public static let types: [FourCC] = ["mere"]
  public static let scopes: [BoxScope] = [.box("meco")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.11.8"
  public static let summary: StaticString = "How two metadata boxes relate to each other."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
