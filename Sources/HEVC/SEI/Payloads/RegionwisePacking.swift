// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `regionwise_packing` (155): how regions of the projection are packed into the picture. ISO/IEC 23008-2, D.2.45
public struct RegionwisePacking: SEIPayload {
  public static let payloadType = SEIPayloadType(155)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.45"
  public static let summary: StaticString = "How regions of the projection are packed into the picture."

  /// Bands around a region that are not shown.
  public struct GuardBand: FieldLayout {
    /// The width of the left band (`rwp_left_guard_band_width`).
    public var left: UInt8 = 0
    /// The width of the right band (`rwp_right_guard_band_width`).
    public var right: UInt8 = 0
    /// The height of the top band (`rwp_top_guard_band_height`).
    public var top: UInt8 = 0
    /// The height of the bottom band (`rwp_bottom_guard_band_height`).
    public var bottom: UInt8 = 0
    /// Whether the bands are not used for prediction (`rwp_guard_band_not_used_for_pred_flag`).
    public var isNotUsedForPrediction = false
    /// How the left, right, top and bottom bands are filled (`rwp_guard_band_type`).
    public var types: [UInt8] = [0, 0, 0, 0]
    /// Three reserved bits (`rwp_guard_band_reserved_zero_3bits`).
    public var reserved: UInt8 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("rwp_left_guard_band_width", &left)
      try c.u8("rwp_right_guard_band_width", &right)
      try c.u8("rwp_top_guard_band_height", &top)
      try c.u8("rwp_bottom_guard_band_height", &bottom)
      try c.flag("rwp_guard_band_not_used_for_pred_flag", &isNotUsedForPrediction)
      try c.array("rwp_guard_band_type", &types, count: 4, bits: 3)
      try c.reserved("rwp_guard_band_reserved_zero_3bits", &reserved, bits: 3, expecting: 0)
    }
  }

  /// One region, in the projection and in the picture.
  public struct Region: FieldLayout {
    /// Four reserved bits (`rwp_reserved_zero_4bits`).
    public var reserved: UInt8 = 0
    /// How the region is flipped and rotated (`rwp_transform_type`).
    public var transform: UInt8 = 0
    /// Whether there are guard bands (`rwp_guard_band_flag`).
    public var hasGuardBand = false
    /// The width in the projection (`proj_region_width`).
    public var projectedWidth: UInt32 = 0
    /// The height in the projection (`proj_region_height`).
    public var projectedHeight: UInt32 = 0
    /// The top edge in the projection (`proj_region_top`).
    public var projectedTop: UInt32 = 0
    /// The left edge in the projection (`proj_region_left`).
    public var projectedLeft: UInt32 = 0
    /// The width in the picture (`packed_region_width`).
    public var packedWidth: UInt16 = 0
    /// The height in the picture (`packed_region_height`).
    public var packedHeight: UInt16 = 0
    /// The top edge in the picture (`packed_region_top`).
    public var packedTop: UInt16 = 0
    /// The left edge in the picture (`packed_region_left`).
    public var packedLeft: UInt16 = 0
    /// The guard bands; `nil` if there are none.
    public var guardBand: GuardBand?
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("rwp_reserved_zero_4bits", &reserved, bits: 4, expecting: 0)
      try c.u("rwp_transform_type", &transform, 3)
      try c.flag("rwp_guard_band_flag", &hasGuardBand)
      try c.u32("proj_region_width", &projectedWidth)
      try c.u32("proj_region_height", &projectedHeight)
      try c.u32("proj_region_top", &projectedTop)
      try c.u32("proj_region_left", &projectedLeft)
      try c.u16("packed_region_width", &packedWidth)
      try c.u16("packed_region_height", &packedHeight)
      try c.u16("packed_region_top", &packedTop)
      try c.u16("packed_region_left", &packedLeft)
      try c.group("guard_band", &guardBand, if: hasGuardBand)
    }
  }

  /// The packing.
  public struct Packing: FieldLayout {
    /// Whether the message applies to later pictures as well (`rwp_persistence_flag`).
    public var persists = false
    /// Whether the packing applies to each of the two views in a picture (`constituent_picture_matching_flag`).
    public var matchesConstituents = false
    /// Five reserved bits (`rwp_reserved_zero_5bits`).
    public var reserved: UInt8 = 0
    /// The number of regions (`num_packed_regions`).
    public var count: UInt8 = 0
    /// The width of the projection (`proj_picture_width`).
    public var projectedWidth: UInt32 = 0
    /// The height of the projection (`proj_picture_height`).
    public var projectedHeight: UInt32 = 0
    /// The width of the picture (`packed_picture_width`).
    public var packedWidth: UInt16 = 0
    /// The height of the picture (`packed_picture_height`).
    public var packedHeight: UInt16 = 0
    /// The regions.
    public var regions: [Region] = []
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("rwp_persistence_flag", &persists)
      try c.flag("constituent_picture_matching_flag", &matchesConstituents)
      try c.reserved("rwp_reserved_zero_5bits", &reserved, bits: 5, expecting: 0)
      try c.u8("num_packed_regions", &count)
      try c.u32("proj_picture_width", &projectedWidth)
      try c.u32("proj_picture_height", &projectedHeight)
      try c.u16("packed_picture_width", &packedWidth)
      try c.u16("packed_picture_height", &packedHeight)
      try c.array("regions", &regions, count: count, minimumBits: 200)
    }
  }

  /// Whether the message ends an earlier one (`rwp_cancel_flag`).
  public var cancels = false
  /// The packing; `nil` if the message ends an earlier one.
  public var packing: Packing? = Packing()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("rwp_cancel_flag", &cancels)
    try c.group("packing", &packing, if: !cancels)
  }
}
