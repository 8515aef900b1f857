// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pps_multilayer_extension()`
public struct PPSMultilayerExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.3.4"

  /// Where a reference layer lies in relation to this one.
  public struct ReferenceLocation: FieldLayout {
    /// `ref_loc_offset_layer_id`
    public var layerID: UInt8 = 0
    /// What `scaled_ref_layer_offset_present_flag` announces.
    public var scaledRefLayerOffset: ScaledRefLayerOffset?
    /// What `ref_region_offset_present_flag` announces.
    public var refRegionOffset: RefRegionOffset?
    /// What `resample_phase_set_present_flag` announces.
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

  /// Offsets of the reference layer's region in this layer.
  public struct ScaledRefLayerOffset: FieldLayout {
    /// `scaled_ref_layer_left_offset`
    public var left: Int32 = 0
    /// `scaled_ref_layer_top_offset`
    public var top: Int32 = 0
    /// `scaled_ref_layer_right_offset`
    public var right: Int32 = 0
    /// `scaled_ref_layer_bottom_offset`
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

  /// Offsets of the region in the reference layer.
  public struct RefRegionOffset: FieldLayout {
    /// `ref_region_left_offset`
    public var left: Int32 = 0
    /// `ref_region_top_offset`
    public var top: Int32 = 0
    /// `ref_region_right_offset`
    public var right: Int32 = 0
    /// `ref_region_bottom_offset`
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

  /// Phases of resampling.
  public struct ResamplePhaseSet: FieldLayout {
    /// `phase_hor_luma`
    public var horLuma: UInt32 = 0
    /// `phase_ver_luma`
    public var verLuma: UInt32 = 0
    /// `phase_hor_chroma_plus8`
    public var horChromaPlus8: UInt32 = 0
    /// `phase_ver_chroma_plus8`
    public var verChromaPlus8: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("phase_hor_luma", &horLuma, in: 0...31)
      try c.ue("phase_ver_luma", &verLuma, in: 0...31)
      try c.ue("phase_hor_chroma_plus8", &horChromaPlus8, in: 0...63)
      try c.ue("phase_ver_chroma_plus8", &verChromaPlus8, in: 0...63)
    }
  }

  /// `poc_reset_info_present_flag`
  public var pocResetInfoPresentFlag = false
  /// `pps_scaling_list_ref_layer_id`, where `pps_infer_scaling_list_flag` is set.
  public var ppsScalingListRefLayerID: UInt8?
  /// The reference layers whose place is described.
  public var referenceLocations: [ReferenceLocation] = []
  /// What `colour_mapping_enabled_flag` announces.
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
