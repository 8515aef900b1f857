// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The extensions of a sequence parameter set, by the flags that announce them. ISO/IEC 23008-2, 7.3.2.2.1
public struct SPSExtensions: FieldLayout {
  /// What palette entries depend on; `nil` where it comes from a video parameter set that is not known. Set
  /// before coding.
  var paletteFormat: PaletteFormat?

  /// `sps_range_extension()`
  public var range: SPSRangeExtension?
  /// `sps_multilayer_extension()`
  public var multilayer: SPSMultilayerExtension?
  /// `sps_3d_extension()`
  public var threeDimensional: SPS3DExtension?
  /// `sps_scc_extension()`
  public var screenContent: SPSSCCExtension?
  /// `sps_extension_4bits`
  public var spsExtension4Bits: UInt8 = 0
  /// `sps_extension_data_flag`
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

/// What palette entries depend on.
struct PaletteFormat: Hashable, Sendable {
  var isMonochrome = false
  var bitDepthLuma = 8
  var bitDepthChroma = 8
}

/// `sps_range_extension()`
public struct SPSRangeExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.2.2"

  /// `transform_skip_rotation_enabled_flag`
  public var transformSkipRotationEnabledFlag = false
  /// `transform_skip_context_enabled_flag`
  public var transformSkipContextEnabledFlag = false
  /// `implicit_rdpcm_enabled_flag`
  public var implicitRdpcmEnabledFlag = false
  /// `explicit_rdpcm_enabled_flag`
  public var explicitRdpcmEnabledFlag = false
  /// `extended_precision_processing_flag`
  public var extendedPrecisionProcessingFlag = false
  /// `intra_smoothing_disabled_flag`
  public var intraSmoothingDisabledFlag = false
  /// `high_precision_offsets_enabled_flag`
  public var highPrecisionOffsetsEnabledFlag = false
  /// `persistent_rice_adaptation_enabled_flag`
  public var persistentRiceAdaptationEnabledFlag = false
  /// `cabac_bypass_alignment_enabled_flag`
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

/// `sps_multilayer_extension()`
public struct SPSMultilayerExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.2.4"

  /// `inter_view_mv_vert_constraint_flag`
  public var interViewMvVertConstraintFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("inter_view_mv_vert_constraint_flag", &interViewMvVertConstraintFlag)
  }
}

/// `sps_3d_extension()`: first what holds for texture layers, then what holds for depth layers.
public struct SPS3DExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, I.7.3.2.2.5"

  /// `iv_di_mc_enabled_flag[d]`, in bit d.
  public var ivDiMcEnabledFlags: UInt8 = 0
  /// `iv_mv_scal_enabled_flag[d]`, in bit d.
  public var ivMvScalEnabledFlags: UInt8 = 0
  /// `log2_ivmc_sub_pb_size_minus3`
  public var log2IvmcSubPbSizeMinus3: UInt32 = 0
  /// `iv_res_pred_enabled_flag`
  public var ivResPredEnabledFlag = false
  /// `depth_ref_enabled_flag`
  public var depthRefEnabledFlag = false
  /// `vsp_mc_enabled_flag`
  public var vspMcEnabledFlag = false
  /// `dbbp_enabled_flag`
  public var dbbpEnabledFlag = false
  /// `tex_mc_enabled_flag`
  public var texMcEnabledFlag = false
  /// `log2_texmc_sub_pb_size_minus3`
  public var log2TexmcSubPbSizeMinus3: UInt32 = 0
  /// `intra_contour_enabled_flag`
  public var intraContourEnabledFlag = false
  /// `intra_dc_only_wedge_enabled_flag`
  public var intraDcOnlyWedgeEnabledFlag = false
  /// `cqt_cu_part_pred_enabled_flag`
  public var cqtCuPartPredEnabledFlag = false
  /// `inter_dc_only_enabled_flag`
  public var interDcOnlyEnabledFlag = false
  /// `skip_intra_enabled_flag`
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

/// `sps_scc_extension()`
public struct SPSSCCExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.2.3"

  /// What palettes depend on. Set before coding.
  var paletteFormat: PaletteFormat?

  /// What `palette_mode_enabled_flag` announces.
  public struct Palette: Hashable, Sendable {
    /// `palette_max_size`
    public var paletteMaxSize: UInt32 = 0
    /// `delta_palette_max_predictor_size`
    public var deltaPaletteMaxPredictorSize: UInt32 = 0
    /// `sps_palette_predictor_initializer` of each component, where
    /// `sps_palette_predictor_initializers_present_flag` is set.
    public var predictorInitializers: [[UInt16]]?

    /// No palette entries.
    public init() {}
  }

  /// `sps_curr_pic_ref_enabled_flag`
  public var spsCurrPicRefEnabledFlag = false
  /// What `palette_mode_enabled_flag` announces.
  public var palette: Palette?
  /// `motion_vector_resolution_control_idc`
  public var motionVectorResolutionControlIdc: UInt8 = 0
  /// `intra_boundary_filtering_disabled_flag`
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
