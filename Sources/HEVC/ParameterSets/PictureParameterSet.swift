// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pic_parameter_set_rbsp()`: what the slices of pictures have in common.
public struct PictureParameterSet: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3"

  /// The ID by which slices refer to this set (`pps_pic_parameter_set_id`).
  public var ppsPicParameterSetID: UInt32 = 0
  /// The sequence parameter set that it refers to (`pps_seq_parameter_set_id`).
  public var ppsSeqParameterSetID: UInt32 = 0
  /// Whether slices may consist of several segments, the later ones with short headers
  /// (`dependent_slice_segments_enabled_flag`).
  public var dependentSliceSegmentsEnabledFlag = false
  /// Whether slice headers say if the picture is output (`output_flag_present_flag`).
  public var outputFlagPresentFlag = false
  /// How many reserved or multilayer flags slice headers have (`num_extra_slice_header_bits`).
  public var numExtraSliceHeaderBits: UInt8 = 0
  /// Whether signs of coefficients may be hidden in the parity of their sum (`sign_data_hiding_enabled_flag`).
  public var signDataHidingEnabledFlag = false
  /// Whether slice headers may exchange the initial contexts of P and B slices (`cabac_init_present_flag`).
  public var cabacInitPresentFlag = false
  /// The default number of entries in list 0, less 1 (`num_ref_idx_l0_default_active_minus1`).
  public var numRefIdxL0DefaultActiveMinus1: UInt32 = 0
  /// The default number of entries in list 1, less 1 (`num_ref_idx_l1_default_active_minus1`).
  public var numRefIdxL1DefaultActiveMinus1: UInt32 = 0
  /// The initial quantisation parameter, less 26 (`init_qp_minus26`).
  public var initQpMinus26: Int32 = 0
  /// Whether intra prediction uses only samples of intra blocks (`constrained_intra_pred_flag`).
  public var constrainedIntraPredFlag = false
  /// Whether transforms may be skipped (`transform_skip_enabled_flag`).
  public var transformSkipEnabledFlag = false
  /// How many splits below a coding tree unit the quantisation parameter may change; `nil` if
  /// `cu_qp_delta_enabled_flag` is 0 (`diff_cu_qp_delta_depth`).
  public var diffCuQpDeltaDepth: UInt32?
  /// The quantisation offset for Cb (`pps_cb_qp_offset`).
  public var ppsCbQpOffset: Int32 = 0
  /// The quantisation offset for Cr (`pps_cr_qp_offset`).
  public var ppsCrQpOffset: Int32 = 0
  /// Whether slice headers have further chroma offsets (`pps_slice_chroma_qp_offsets_present_flag`).
  public var ppsSliceChromaQpOffsetsPresentFlag = false
  /// Whether P slices use weighted prediction (`weighted_pred_flag`).
  public var weightedPredFlag = false
  /// Whether B slices use weighted prediction (`weighted_bipred_flag`).
  public var weightedBipredFlag = false
  /// Whether coding units may bypass transform and quantisation, and so be lossless
  /// (`transquant_bypass_enabled_flag`).
  public var transquantBypassEnabledFlag = false
  /// How pictures are divided into tiles; `nil` if `tiles_enabled_flag` is 0.
  public var tiles: Tiles?
  /// Whether rows of coding tree blocks can be decoded in parallel, as wavefronts
  /// (`entropy_coding_sync_enabled_flag`).
  public var entropyCodingSyncEnabledFlag = false
  /// Whether in-loop filters may cross the edges of slices (`pps_loop_filter_across_slices_enabled_flag`).
  public var ppsLoopFilterAcrossSlicesEnabledFlag = false
  /// The settings of the deblocking filter; `nil` if `deblocking_filter_control_present_flag` is 0.
  public var deblockingFilterControl: DeblockingFilterControl?
  /// The quantisation matrices; `nil` if `pps_scaling_list_data_present_flag` is 0.
  public var scalingListData: ScalingListData?
  /// Whether slice headers may reorder reference picture lists (`lists_modification_present_flag`).
  public var listsModificationPresentFlag = false
  /// Log2 of the size of regions whose merge candidates can be derived in parallel, less 2
  /// (`log2_parallel_merge_level_minus2`).
  public var log2ParallelMergeLevelMinus2: UInt32 = 0
  /// Whether slice segment headers have an extension (`slice_segment_header_extension_present_flag`).
  public var sliceSegmentHeaderExtensionPresentFlag = false
  /// The extensions; `nil` if `pps_extension_present_flag` is 0.
  public var extensions: PPSExtensions?
  /// The trailing bits that end the structure.
  public var trailing = RBSPTrailingBits()

  public init() {}

  /// Whether pictures are divided into tiles (`tiles_enabled_flag`).
  public var tilesEnabledFlag: Bool { tiles != nil }
  /// Whether the quantisation parameter may change within a slice (`cu_qp_delta_enabled_flag`).
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
    // 26 plus QpBdOffset for the greatest bit depth, 16.
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
    /// The number of tile columns, less 1 (`num_tile_columns_minus1`).
    public var numTileColumnsMinus1: UInt32 = 0
    /// The number of tile rows, less 1 (`num_tile_rows_minus1`).
    public var numTileRowsMinus1: UInt32 = 0
    /// Whether columns and rows have about the same size, which is then not written (`uniform_spacing_flag`).
    public var uniformSpacingFlag = true
    /// The widths of all columns except the last in coding tree blocks, less 1 (`column_width_minus1`).
    public var columnWidthMinus1: [UInt32] = []
    /// The heights of all rows except the last in coding tree blocks, less 1 (`row_height_minus1`).
    public var rowHeightMinus1: [UInt32] = []
    /// Whether in-loop filters may cross the edges of tiles (`loop_filter_across_tiles_enabled_flag`).
    public var loopFilterAcrossTilesEnabledFlag = true

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      // 65535 luma samples, the widest possible picture, in the smallest coding tree blocks.
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
    /// Whether slice headers may override these settings (`deblocking_filter_override_enabled_flag`).
    public var overrideEnabledFlag = false
    /// Whether the deblocking filter is off unless overridden (`pps_deblocking_filter_disabled_flag`).
    public var filterDisabledFlag = false
    /// Half of the offset that controls where edges are filtered; `nil` if absent (`pps_beta_offset_div2`).
    public var betaOffsetDiv2: Int32?
    /// Half of the offset that controls how strongly edges are filtered; `nil` if absent
    /// (`pps_tc_offset_div2`).
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
