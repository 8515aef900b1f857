// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `inter_layer_constrained_tile_sets` (161): sets of tiles that depend only on the corresponding tiles of other
/// layers. ISO/IEC 23008-2, F.14.2.3
public struct InterLayerConstrainedTileSets: SEIPayload {
  public static let payloadType = SEIPayloadType(161)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.3"
  public static let summary: StaticString = "Sets of tiles whose prediction from other layers is restricted."

  /// A rectangle of tiles.
  public struct Rectangle: FieldLayout {
    /// The first tile (`ilcts_top_left_tile_idx`).
    public var topLeft: UInt32 = 0
    /// The last tile (`ilcts_bottom_right_tile_idx`).
    public var bottomRight: UInt32 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("ilcts_top_left_tile_idx", &topLeft, in: 0...439)
      try c.ue("ilcts_bottom_right_tile_idx", &bottomRight, in: 0...439)
    }
  }

  /// A set of tiles.
  public struct TileSet: FieldLayout {
    /// The number that identifies the set (`ilcts_id`).
    public var id: UInt32 = 0
    /// The number of rectangles, less 1 (`num_tile_rects_in_set_minus1`).
    public var rectangleCountMinus1: UInt32 = 0
    /// The rectangles of the set.
    public var rectangles: [Rectangle] = [Rectangle()]
    /// How prediction from other layers is restricted (`ilc_idc`).
    public var constraint: UInt8 = 0
    /// Whether the samples are the same if only the set is decoded; `nil` if absent
    /// (`exact_sample_value_match_flag`).
    public var matchesExactly: Bool?
    package var hasMatch = false
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("ilcts_id", &id, in: 0...UInt32.max - 1)
      try c.ue("num_tile_rects_in_set_minus1", &rectangleCountMinus1, in: 0...439)
      try c.array(
        "rectangles", &rectangles, count: Int(clamping: rectangleCountMinus1) + 1, minimumBits: 2)
      try c.u("ilc_idc", &constraint, 2)
      try c.flag("exact_sample_value_match_flag", &matchesExactly, if: hasMatch)
    }
  }

  /// Whether the samples of all sets are the same if only these are decoded
  /// (`il_all_tiles_exact_sample_value_match_flag`).
  public var allMatchExactly = false
  /// Whether each tile is a set (`il_one_tile_per_tile_set_flag`).
  public var hasOneTilePerSet = false
  /// The number of sets, less 1; `nil` if absent (`il_num_sets_in_message_minus1`).
  public var setCountMinus1: UInt32?
  /// Whether there is a set of tiles that are skipped; `nil` if absent (`skipped_tile_set_present_flag`).
  public var hasSkippedSet: Bool?
  /// The sets; empty if each tile is a set.
  public var sets: [TileSet] = []
  /// How prediction from other layers is restricted for each tile; `nil` if absent (`all_tiles_ilc_idc`).
  public var constraintOfAll: UInt8?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("il_all_tiles_exact_sample_value_match_flag", &allMatchExactly)
    try c.flag("il_one_tile_per_tile_set_flag", &hasOneTilePerSet)
    let isListed = !hasOneTilePerSet
    try c.ue("il_num_sets_in_message_minus1", &setCountMinus1, if: isListed, in: 0...255)
    let last = Int(clamping: setCountMinus1 ?? 0)
    try c.flag("skipped_tile_set_present_flag", &hasSkippedSet, if: isListed && last > 0)
    let count = isListed ? last + 1 - (hasSkippedSet ?? false ? 1 : 0) : 0
    var new = TileSet()
    new.hasMatch = !allMatchExactly
    try c.array("tile_sets", &sets, count: count, minimumBits: 6, new: new) { c, set throws(ParseError) in
      c.beginStructure("tile_set")
      try set.layout(&c)
      c.endScope()
    }
    try c.u("all_tiles_ilc_idc", &constraintOfAll, 2, if: hasOneTilePerSet)
  }
}
