// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pps_multilayer_extension()`: how pictures relate to those of reference layers.
public struct PPSMultilayerExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.3.4"

  /// The position of a reference layer in relation to this one.
  public struct ReferenceLocation: FieldLayout {
    /// The reference layer (`ref_loc_offset_layer_id`).
    public var layerID: UInt8 = 0
    /// The region of this layer; `nil` if `scaled_ref_layer_offset_present_flag` is 0.
    public var scaledRefLayerOffset: ScaledRefLayerOffset?
    /// The region of the reference layer; `nil` if `ref_region_offset_present_flag` is 0.
    public var refRegionOffset: RefRegionOffset?
    /// The phases of resampling; `nil` if `resample_phase_set_present_flag` is 0.
    public var resamplePhaseSet: ResamplePhaseSet?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("ref_loc_offset_layer_id", &layerID, 6)
      try c.announced(
        "scaled_ref_layer_offset_present_flag", "scaled_ref_layer_offset", &scaledRefLayerOffset)
      try c.announced("ref_region_offset_present_flag", "ref_region_offset", &refRegionOffset)
      try c.announced("resample_phase_set_present_flag", "resample_phase_set", &resamplePhaseSet)
    }
  }

  /// The distances of the reference layer's region from the edges of this layer's picture.
  public struct ScaledRefLayerOffset: FieldLayout {
    /// The distance from the left edge (`scaled_ref_layer_left_offset`).
    public var left: Int32 = 0
    /// The distance from the top edge (`scaled_ref_layer_top_offset`).
    public var top: Int32 = 0
    /// The distance from the right edge (`scaled_ref_layer_right_offset`).
    public var right: Int32 = 0
    /// The distance from the bottom edge (`scaled_ref_layer_bottom_offset`).
    public var bottom: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      let range: ClosedRange<Int32> = -16384...16383
      try c.se("scaled_ref_layer_left_offset", &left, in: range)
      try c.se("scaled_ref_layer_top_offset", &top, in: range)
      try c.se("scaled_ref_layer_right_offset", &right, in: range)
      try c.se("scaled_ref_layer_bottom_offset", &bottom, in: range)
    }
  }

  /// The distances of the reference region from the edges of the reference layer's picture.
  public struct RefRegionOffset: FieldLayout {
    /// The distance from the left edge (`ref_region_left_offset`).
    public var left: Int32 = 0
    /// The distance from the top edge (`ref_region_top_offset`).
    public var top: Int32 = 0
    /// The distance from the right edge (`ref_region_right_offset`).
    public var right: Int32 = 0
    /// The distance from the bottom edge (`ref_region_bottom_offset`).
    public var bottom: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      let range: ClosedRange<Int32> = -16384...16383
      try c.se("ref_region_left_offset", &left, in: range)
      try c.se("ref_region_top_offset", &top, in: range)
      try c.se("ref_region_right_offset", &right, in: range)
      try c.se("ref_region_bottom_offset", &bottom, in: range)
    }
  }

  /// The phases of resampling.
  public struct ResamplePhaseSet: FieldLayout {
    /// The horizontal phase of luma (`phase_hor_luma`).
    public var horLuma: UInt32 = 0
    /// The vertical phase of luma (`phase_ver_luma`).
    public var verLuma: UInt32 = 0
    /// The horizontal phase of chroma, plus 8 (`phase_hor_chroma_plus8`).
    public var horChromaPlus8: UInt32 = 0
    /// The vertical phase of chroma, plus 8 (`phase_ver_chroma_plus8`).
    public var verChromaPlus8: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("phase_hor_luma", &horLuma, in: 0...31)
      try c.ue("phase_ver_luma", &verLuma, in: 0...31)
      try c.ue("phase_hor_chroma_plus8", &horChromaPlus8, in: 0...63)
      try c.ue("phase_ver_chroma_plus8", &verChromaPlus8, in: 0...63)
    }
  }

  /// Whether slice headers may reset order counts (`poc_reset_info_present_flag`).
  public var pocResetInfoPresentFlag = false
  /// The layer whose scaling lists are used; `nil` if `pps_infer_scaling_list_flag` is 0
  /// (`pps_scaling_list_ref_layer_id`).
  public var ppsScalingListRefLayerID: UInt8?
  /// The reference layers whose position is described.
  public var referenceLocations: [ReferenceLocation] = []
  /// The colour mapping from a reference layer; `nil` if `colour_mapping_enabled_flag` is 0.
  public var colourMapping: ColourMappingTable?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("poc_reset_info_present_flag", &pocResetInfoPresentFlag)
    var isInferred = ppsScalingListRefLayerID != nil
    try c.flag("pps_infer_scaling_list_flag", &isInferred)
    try c.u("pps_scaling_list_ref_layer_id", &ppsScalingListRefLayerID, 6, if: isInferred)
    var count = UInt32(clamping: referenceLocations.count)
    try c.ue("num_ref_loc_offsets", &count, in: 0...62)
    try c.array("ref_loc_offsets", &referenceLocations, count: count, minimumBits: 9)
    try c.announced("colour_mapping_enabled_flag", "colour_mapping_table", &colourMapping)
  }
}
