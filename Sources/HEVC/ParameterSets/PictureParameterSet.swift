// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pic_parameter_set_rbsp()`: what the slices of pictures have in common.
public struct PictureParameterSet: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3"

  /// `pps_pic_parameter_set_id`
  public var ppsPicParameterSetID: UInt32 = 0
  /// `pps_seq_parameter_set_id`
  public var ppsSeqParameterSetID: UInt32 = 0
  /// `dependent_slice_segments_enabled_flag`
  public var dependentSliceSegmentsEnabledFlag = false
  /// `output_flag_present_flag`
  public var outputFlagPresentFlag = false
  /// `num_extra_slice_header_bits`
  public var numExtraSliceHeaderBits: UInt8 = 0
  /// `sign_data_hiding_enabled_flag`
  public var signDataHidingEnabledFlag = false
  /// `cabac_init_present_flag`
  public var cabacInitPresentFlag = false
  /// `num_ref_idx_l0_default_active_minus1`
  public var numRefIdxL0DefaultActiveMinus1: UInt32 = 0
  /// `num_ref_idx_l1_default_active_minus1`
  public var numRefIdxL1DefaultActiveMinus1: UInt32 = 0
  /// `init_qp_minus26`
  public var initQpMinus26: Int32 = 0
  /// `constrained_intra_pred_flag`
  public var constrainedIntraPredFlag = false
  /// `transform_skip_enabled_flag`
  public var transformSkipEnabledFlag = false
  /// `diff_cu_qp_delta_depth`, where `cu_qp_delta_enabled_flag` is set.
  public var diffCuQpDeltaDepth: UInt32?
  /// `pps_cb_qp_offset`
  public var ppsCbQpOffset: Int32 = 0
  /// `pps_cr_qp_offset`
  public var ppsCrQpOffset: Int32 = 0
  /// `pps_slice_chroma_qp_offsets_present_flag`
  public var ppsSliceChromaQpOffsetsPresentFlag = false
  /// `weighted_pred_flag`
  public var weightedPredFlag = false
  /// `weighted_bipred_flag`
  public var weightedBipredFlag = false
  /// `transquant_bypass_enabled_flag`
  public var transquantBypassEnabledFlag = false
  /// What `tiles_enabled_flag` announces.
  public var tiles: Tiles?
  /// `entropy_coding_sync_enabled_flag`
  public var entropyCodingSyncEnabledFlag = false
  /// `pps_loop_filter_across_slices_enabled_flag`
  public var ppsLoopFilterAcrossSlicesEnabledFlag = false
  /// What `deblocking_filter_control_present_flag` announces.
  public var deblockingFilterControl: DeblockingFilterControl?
  /// What `pps_scaling_list_data_present_flag` announces.
  public var scalingListData: ScalingListData?
  /// `lists_modification_present_flag`
  public var listsModificationPresentFlag = false
  /// `log2_parallel_merge_level_minus2`
  public var log2ParallelMergeLevelMinus2: UInt32 = 0
  /// `slice_segment_header_extension_present_flag`
  public var sliceSegmentHeaderExtensionPresentFlag = false
  /// What `pps_extension_present_flag` announces.
  public var extensions: PPSExtensions?
  /// The end of the structure.
  public var trailing = RBSPTrailingBits()

  public init() {}

  /// `tiles_enabled_flag`
  public var tilesEnabledFlag: Bool { tiles != nil }
  /// `cu_qp_delta_enabled_flag`
  public var cuQpDeltaEnabledFlag: Bool { diffCuQpDeltaDepth != nil }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("pps_pic_parameter_set_id", &ppsPicParameterSetID, in: 0...63)
    try c.ue("pps_seq_parameter_set_id", &ppsSeqParameterSetID, in: 0...15)
    try c.flag("dependent_slice_segments_enabled_flag", &dependentSliceSegmentsEnabledFlag)
    try c.flag("output_flag_present_flag", &outputFlagPresentFlag)
    try c.u("num_extra_slice_header_bits", &numExtraSliceHeaderBits, 3)
    try c.flag("sign_data_hiding_enabled_flag", &signDataHidingEnabledFlag)
    try c.flag("cabac_init_present_flag", &cabacInitPresentFlag)
    try c.ue("num_ref_idx_l0_default_active_minus1", &numRefIdxL0DefaultActiveMinus1, in: 0...14)
    try c.ue("num_ref_idx_l1_default_active_minus1", &numRefIdxL1DefaultActiveMinus1, in: 0...14)
    // 26 and QpBdOffset of the greatest bit depth, 16.
    try c.se("init_qp_minus26", &initQpMinus26, in: -74...25)
    try c.flag("constrained_intra_pred_flag", &constrainedIntraPredFlag)
    try c.flag("transform_skip_enabled_flag", &transformSkipEnabledFlag)
    var hasDelta = diffCuQpDeltaDepth != nil
    try c.flag("cu_qp_delta_enabled_flag", &hasDelta)
    try c.ue("diff_cu_qp_delta_depth", &diffCuQpDeltaDepth, if: hasDelta, in: 0...3)
    try c.se("pps_cb_qp_offset", &ppsCbQpOffset, in: -12...12)
    try c.se("pps_cr_qp_offset", &ppsCrQpOffset, in: -12...12)
    try c.flag("pps_slice_chroma_qp_offsets_present_flag", &ppsSliceChromaQpOffsetsPresentFlag)
    try c.flag("weighted_pred_flag", &weightedPredFlag)
    try c.flag("weighted_bipred_flag", &weightedBipredFlag)
    try c.flag("transquant_bypass_enabled_flag", &transquantBypassEnabledFlag)
    var hasTiles = tiles != nil
    try c.flag("tiles_enabled_flag", &hasTiles)
    try c.flag("entropy_coding_sync_enabled_flag", &entropyCodingSyncEnabledFlag)
    try c.group("tiles", &tiles, if: hasTiles)
    try c.flag("pps_loop_filter_across_slices_enabled_flag", &ppsLoopFilterAcrossSlicesEnabledFlag)
    try c.announced(
      "deblocking_filter_control_present_flag", "deblocking_filter_control", &deblockingFilterControl)
    try c.announced("pps_scaling_list_data_present_flag", "scaling_list_data", &scalingListData)
    try c.flag("lists_modification_present_flag", &listsModificationPresentFlag)
    try c.ue("log2_parallel_merge_level_minus2", &log2ParallelMergeLevelMinus2, in: 0...4)
    try c.flag(
      "slice_segment_header_extension_present_flag", &sliceSegmentHeaderExtensionPresentFlag)
    var hasExtensions = extensions != nil
    try c.flag("pps_extension_present_flag", &hasExtensions)
    let transformSkip = transformSkipEnabledFlag
    try c.group("pps_extensions", &extensions, if: hasExtensions) {
      $0.transformSkipEnabledFlag = transformSkip
    }
    try c.group("rbsp_trailing_bits", &trailing)
  }

  /// How pictures are divided into tiles.
  public struct Tiles: FieldLayout {
    /// `num_tile_columns_minus1`
    public var numTileColumnsMinus1: UInt32 = 0
    /// `num_tile_rows_minus1`
    public var numTileRowsMinus1: UInt32 = 0
    /// `uniform_spacing_flag`
    public var uniformSpacingFlag = true
    /// `column_width_minus1` of all columns but the last.
    public var columnWidthMinus1: [UInt32] = []
    /// `row_height_minus1` of all rows but the last.
    public var rowHeightMinus1: [UInt32] = []
    /// `loop_filter_across_tiles_enabled_flag`
    public var loopFilterAcrossTilesEnabledFlag = true

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      // 65535 luma samples, the widest picture, in the smallest tree blocks.
      try c.ue("num_tile_columns_minus1", &numTileColumnsMinus1, in: 0...4095)
      try c.ue("num_tile_rows_minus1", &numTileRowsMinus1, in: 0...4095)
      try c.flag("uniform_spacing_flag", &uniformSpacingFlag)
      if !uniformSpacingFlag {
        try c.array(
          "column_width_minus1", &columnWidthMinus1, count: numTileColumnsMinus1, expGolombIn: 0...4095)
        try c.array(
          "row_height_minus1", &rowHeightMinus1, count: numTileRowsMinus1, expGolombIn: 0...4095)
      }
      try c.flag("loop_filter_across_tiles_enabled_flag", &loopFilterAcrossTilesEnabledFlag)
    }
  }

  /// How the deblocking filter is controlled.
  public struct DeblockingFilterControl: FieldLayout {
    /// `deblocking_filter_override_enabled_flag`
    public var overrideEnabledFlag = false
    /// `pps_deblocking_filter_disabled_flag`
    public var filterDisabledFlag = false
    /// `pps_beta_offset_div2`
    public var betaOffsetDiv2: Int32?
    /// `pps_tc_offset_div2`
    public var tcOffsetDiv2: Int32?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("deblocking_filter_override_enabled_flag", &overrideEnabledFlag)
      try c.flag("pps_deblocking_filter_disabled_flag", &filterDisabledFlag)
      try c.se("pps_beta_offset_div2", &betaOffsetDiv2, if: !filterDisabledFlag, in: -6...6)
      try c.se("pps_tc_offset_div2", &tcOffsetDiv2, if: !filterDisabledFlag, in: -6...6)
    }
  }
}
