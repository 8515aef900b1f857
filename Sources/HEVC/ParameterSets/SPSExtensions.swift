// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The extensions of a sequence parameter set, by the flags that announce them. ISO/IEC 23008-2, 7.3.2.2.1
public struct SPSExtensions: FieldLayout {
  /// The format that palette entries depend on; `nil` if it comes from an unknown video parameter set. Set before
  /// coding.
  var paletteFormat: PaletteFormat?

  /// The range extension; `nil` if absent (`sps_range_extension()`).
  public var range: SPSRangeExtension?
  /// The multilayer extension; `nil` if absent (`sps_multilayer_extension()`).
  public var multilayer: SPSMultilayerExtension?
  /// The 3D extension; `nil` if absent (`sps_3d_extension()`).
  public var threeDimensional: SPS3DExtension?
  /// The screen content extension; `nil` if absent (`sps_scc_extension()`).
  public var screenContent: SPSSCCExtension?
  /// Flags for extensions of later editions (`sps_extension_4bits`).
  public var spsExtension4Bits: UInt8 = 0
  /// The data of extensions of later editions (`sps_extension_data_flag`).
  public var spsExtensionData = BitString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var hasRange = range != nil, hasMultilayer = multilayer != nil
    var has3D = threeDimensional != nil, hasSCC = screenContent != nil
    try c.flag("sps_range_extension_flag", &hasRange)
    try c.flag("sps_multilayer_extension_flag", &hasMultilayer)
    try c.flag("sps_3d_extension_flag", &has3D)
    try c.flag("sps_scc_extension_flag", &hasSCC)
    try c.u("sps_extension_4bits", &spsExtension4Bits, 4)
    try c.group("sps_range_extension", &range, if: hasRange)
    try c.group("sps_multilayer_extension", &multilayer, if: hasMultilayer)
    try c.group("sps_3d_extension", &threeDimensional, if: has3D)
    let format = paletteFormat
    try c.group("sps_scc_extension", &screenContent, if: hasSCC) { $0.paletteFormat = format }
    if spsExtension4Bits != 0 { try c.extensionData("sps_extension_data_flag", &spsExtensionData) }
  }
}

/// The format that palette entries depend on.
struct PaletteFormat: Hashable, Sendable {
  var isMonochrome = false
  var bitDepthLuma = 8
  var bitDepthChroma = 8
}

/// `sps_range_extension()`: tools for more bits and more chroma samples.
public struct SPSRangeExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.2.2"

  /// Whether intra blocks of 4x4 without transform are rotated (`transform_skip_rotation_enabled_flag`).
  public var transformSkipRotationEnabledFlag = false
  /// Whether blocks without transform have a context of their own for coefficients
  /// (`transform_skip_context_enabled_flag`).
  public var transformSkipContextEnabledFlag = false
  /// Whether residuals of intra blocks without transform are differences to neighbours
  /// (`implicit_rdpcm_enabled_flag`).
  public var implicitRdpcmEnabledFlag = false
  /// Whether inter blocks without transform may code residuals as differences to neighbours
  /// (`explicit_rdpcm_enabled_flag`).
  public var explicitRdpcmEnabledFlag = false
  /// Whether transform and prediction use more bits for samples of high bit depth
  /// (`extended_precision_processing_flag`).
  public var extendedPrecisionProcessingFlag = false
  /// Whether samples are never smoothed before intra prediction (`intra_smoothing_disabled_flag`).
  public var intraSmoothingDisabledFlag = false
  /// Whether offsets of weighted prediction have the precision of the samples
  /// (`high_precision_offsets_enabled_flag`).
  public var highPrecisionOffsetsEnabledFlag = false
  /// Whether the coding of large coefficients adapts to earlier ones (`persistent_rice_adaptation_enabled_flag`).
  public var persistentRiceAdaptationEnabledFlag = false
  /// Whether the arithmetic decoder is aligned before bypass bins of coefficients
  /// (`cabac_bypass_alignment_enabled_flag`).
  public var cabacBypassAlignmentEnabledFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("transform_skip_rotation_enabled_flag", &transformSkipRotationEnabledFlag)
    try c.flag("transform_skip_context_enabled_flag", &transformSkipContextEnabledFlag)
    try c.flag("implicit_rdpcm_enabled_flag", &implicitRdpcmEnabledFlag)
    try c.flag("explicit_rdpcm_enabled_flag", &explicitRdpcmEnabledFlag)
    try c.flag("extended_precision_processing_flag", &extendedPrecisionProcessingFlag)
    try c.flag("intra_smoothing_disabled_flag", &intraSmoothingDisabledFlag)
    try c.flag("high_precision_offsets_enabled_flag", &highPrecisionOffsetsEnabledFlag)
    try c.flag("persistent_rice_adaptation_enabled_flag", &persistentRiceAdaptationEnabledFlag)
    try c.flag("cabac_bypass_alignment_enabled_flag", &cabacBypassAlignmentEnabledFlag)
  }
}

/// `sps_multilayer_extension()`: a restriction on prediction between views.
public struct SPSMultilayerExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.2.4"

  /// Whether vertical motion between views is limited (`inter_view_mv_vert_constraint_flag`).
  public var interViewMvVertConstraintFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("inter_view_mv_vert_constraint_flag", &interViewMvVertConstraintFlag)
  }
}

/// `sps_3d_extension()`: first the tools for texture layers, then those for depth layers.
public struct SPS3DExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, I.7.3.2.2.5"

  /// Whether motion may be inherited from another view, for texture and depth in bits 0 and 1
  /// (`iv_di_mc_enabled_flag[d]`).
  public var ivDiMcEnabledFlags: UInt8 = 0
  /// Whether motion vectors between views are scaled, for texture and depth in bits 0 and 1
  /// (`iv_mv_scal_enabled_flag[d]`).
  public var ivMvScalEnabledFlags: UInt8 = 0
  /// Log2 of the size of blocks that inherit motion from another view, less 3 (`log2_ivmc_sub_pb_size_minus3`).
  public var log2IvmcSubPbSizeMinus3: UInt32 = 0
  /// Whether residuals may be predicted from another view (`iv_res_pred_enabled_flag`).
  public var ivResPredEnabledFlag = false
  /// Whether disparities may be refined with depth (`depth_ref_enabled_flag`).
  public var depthRefEnabledFlag = false
  /// Whether views may be synthesised for prediction (`vsp_mc_enabled_flag`).
  public var vspMcEnabledFlag = false
  /// Whether blocks may be partitioned by depth (`dbbp_enabled_flag`).
  public var dbbpEnabledFlag = false
  /// Whether depth may inherit motion from texture (`tex_mc_enabled_flag`).
  public var texMcEnabledFlag = false
  /// Log2 of the size of blocks that inherit motion from texture, less 3 (`log2_texmc_sub_pb_size_minus3`).
  public var log2TexmcSubPbSizeMinus3: UInt32 = 0
  /// Whether depth may be predicted by contours of texture (`intra_contour_enabled_flag`).
  public var intraContourEnabledFlag = false
  /// Whether depth may be predicted by wedges or coded by averages, intra (`intra_dc_only_wedge_enabled_flag`).
  public var intraDcOnlyWedgeEnabledFlag = false
  /// Whether the partitioning of depth may be predicted from texture (`cqt_cu_part_pred_enabled_flag`).
  public var cqtCuPartPredEnabledFlag = false
  /// Whether depth may be coded by averages, inter (`inter_dc_only_enabled_flag`).
  public var interDcOnlyEnabledFlag = false
  /// Whether depth blocks may be coded by intra skip (`skip_intra_enabled_flag`).
  public var skipIntraEnabledFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    c.beginStructure("texture")
    try c.flag("iv_di_mc_enabled_flag", inBit: 0, of: &ivDiMcEnabledFlags)
    try c.flag("iv_mv_scal_enabled_flag", inBit: 0, of: &ivMvScalEnabledFlags)
    try c.ue("log2_ivmc_sub_pb_size_minus3", &log2IvmcSubPbSizeMinus3, in: 0...3)
    try c.flag("iv_res_pred_enabled_flag", &ivResPredEnabledFlag)
    try c.flag("depth_ref_enabled_flag", &depthRefEnabledFlag)
    try c.flag("vsp_mc_enabled_flag", &vspMcEnabledFlag)
    try c.flag("dbbp_enabled_flag", &dbbpEnabledFlag)
    c.endScope()
    c.beginStructure("depth")
    try c.flag("iv_di_mc_enabled_flag", inBit: 1, of: &ivDiMcEnabledFlags)
    try c.flag("iv_mv_scal_enabled_flag", inBit: 1, of: &ivMvScalEnabledFlags)
    try c.flag("tex_mc_enabled_flag", &texMcEnabledFlag)
    try c.ue("log2_texmc_sub_pb_size_minus3", &log2TexmcSubPbSizeMinus3, in: 0...3)
    try c.flag("intra_contour_enabled_flag", &intraContourEnabledFlag)
    try c.flag("intra_dc_only_wedge_enabled_flag", &intraDcOnlyWedgeEnabledFlag)
    try c.flag("cqt_cu_part_pred_enabled_flag", &cqtCuPartPredEnabledFlag)
    try c.flag("inter_dc_only_enabled_flag", &interDcOnlyEnabledFlag)
    try c.flag("skip_intra_enabled_flag", &skipIntraEnabledFlag)
    c.endScope()
  }
}

/// `sps_scc_extension()`: tools for screen content.
public struct SPSSCCExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.2.3"

  /// The format that palettes depend on. Set before coding.
  var paletteFormat: PaletteFormat?

  /// The palette mode.
  public struct Palette: Hashable, Sendable {
    /// How many entries a palette may have (`palette_max_size`).
    public var paletteMaxSize: UInt32 = 0
    /// How many more entries the predictor of a palette may have (`delta_palette_max_predictor_size`).
    public var deltaPaletteMaxPredictorSize: UInt32 = 0
    /// The initial entries of palette predictors, by component (`sps_palette_predictor_initializer`); `nil` if
    /// `sps_palette_predictor_initializers_present_flag` is 0.
    public var predictorInitializers: [[UInt16]]?

    /// Makes a palette mode without entries.
    public init() {}
  }

  /// Whether a picture may refer to itself (`sps_curr_pic_ref_enabled_flag`).
  public var spsCurrPicRefEnabledFlag = false
  /// The palette mode; `nil` if `palette_mode_enabled_flag` is 0.
  public var palette: Palette?
  /// Whether motion vectors are whole samples: 0 never, 1 always, 2 as slice headers signal
  /// (`motion_vector_resolution_control_idc`).
  public var motionVectorResolutionControlIdc: UInt8 = 0
  /// Whether the borders of intra blocks are not filtered (`intra_boundary_filtering_disabled_flag`).
  public var intraBoundaryFilteringDisabledFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("sps_curr_pic_ref_enabled_flag", &spsCurrPicRefEnabledFlag)
    var hasPalette = palette != nil
    try c.flag("palette_mode_enabled_flag", &hasPalette)
    if hasPalette {
      var present = palette ?? Palette()
      defer { palette = present }
      try present.layout(&c, paletteFormat)
    } else {
      palette = nil
    }
    try c.u("motion_vector_resolution_control_idc", &motionVectorResolutionControlIdc, 2, in: 0...2)
    try c.flag("intra_boundary_filtering_disabled_flag", &intraBoundaryFilteringDisabledFlag)
  }
}

extension SPSSCCExtension.Palette {
  fileprivate mutating func layout(
    _ c: inout some Coder, _ format: PaletteFormat?
  ) throws(ParseError) {
    try c.ue("palette_max_size", &paletteMaxSize, in: 0...64)
    try c.ue("delta_palette_max_predictor_size", &deltaPaletteMaxPredictorSize, in: 0...128)
    var hasInitializers = predictorInitializers != nil
    try c.flag("sps_palette_predictor_initializers_present_flag", &hasInitializers)
    guard hasInitializers else {
      predictorInitializers = nil
      return
    }
    guard let format else {
      throw c.failure(.missing("video parameter set"), "sps_palette_predictor_initializer")
    }
    var components = predictorInitializers ?? []
    defer { predictorInitializers = components }
    var last = UInt32(clamping: max(1, components.first?.count ?? 1) - 1)
    try c.ue("sps_num_palette_predictor_initializers_minus1", &last, in: 0...127)
    try c.elements(
      "sps_palette_predictor_initializers", &components, at: 0..<(format.isMonochrome ? 1 : 3),
      minimumBits: 8, new: []
    ) { c, component, entries throws(ParseError) in
      try c.array(
        "sps_palette_predictor_initializer", &entries, count: last + 1,
        bits: component == 0 ? format.bitDepthLuma : format.bitDepthChroma)
    }
  }
}
