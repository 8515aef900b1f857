// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The extensions of a picture parameter set, by the flags that announce them. ISO/IEC 23008-2, 7.3.2.3.1
public struct PPSExtensions: FieldLayout {
  /// `transform_skip_enabled_flag`. Set before coding.
  public var transformSkipEnabledFlag = false

  /// `pps_range_extension()`
  public var range: PPSRangeExtension?
  /// `pps_multilayer_extension()`
  public var multilayer: PPSMultilayerExtension?
  /// `pps_3d_extension()`
  public var threeDimensional: PPS3DExtension?
  /// `pps_scc_extension()`
  public var screenContent: PPSSCCExtension?
  /// `pps_extension_4bits`
  public var ppsExtension4Bits: UInt8 = 0
  /// `pps_extension_data_flag`
  public var ppsExtensionData = BitString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var hasRange = range != nil, hasMultilayer = multilayer != nil
    var has3D = threeDimensional != nil, hasSCC = screenContent != nil
    try c.flag("pps_range_extension_flag", &hasRange)
    try c.flag("pps_multilayer_extension_flag", &hasMultilayer)
    try c.flag("pps_3d_extension_flag", &has3D)
    try c.flag("pps_scc_extension_flag", &hasSCC)
    try c.u("pps_extension_4bits", &ppsExtension4Bits, 4)
    let transformSkip = transformSkipEnabledFlag
    try c.group("pps_range_extension", &range, if: hasRange) {
      $0.transformSkipEnabledFlag = transformSkip
    }
    try c.group("pps_multilayer_extension", &multilayer, if: hasMultilayer)
    try c.group("pps_3d_extension", &threeDimensional, if: has3D)
    try c.group("pps_scc_extension", &screenContent, if: hasSCC)
    if ppsExtension4Bits != 0 { try c.extensionData("pps_extension_data_flag", &ppsExtensionData) }
  }
}

/// `pps_range_extension()`
public struct PPSRangeExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3.2"

  /// A pair of chroma offsets.
  public struct ChromaQpOffset: Hashable, Sendable {
    /// `cb_qp_offset_list`
    public var cb: Int32 = 0
    /// `cr_qp_offset_list`
    public var cr: Int32 = 0

    /// No offsets.
    public init() {}
  }

  /// `transform_skip_enabled_flag` of the picture parameter set. Set before coding.
  public var transformSkipEnabledFlag = false

  /// `log2_max_transform_skip_block_size_minus2`
  public var log2MaxTransformSkipBlockSizeMinus2: UInt32?
  /// `cross_component_prediction_enabled_flag`
  public var crossComponentPredictionEnabledFlag = false
  /// `diff_cu_chroma_qp_offset_depth`, where `chroma_qp_offset_list_enabled_flag` is set.
  public var diffCuChromaQpOffsetDepth: UInt32?
  /// The offsets, where `chroma_qp_offset_list_enabled_flag` is set.
  public var chromaQpOffsets: [ChromaQpOffset] = []
  /// `log2_sao_offset_scale_luma`
  public var log2SaoOffsetScaleLuma: UInt32 = 0
  /// `log2_sao_offset_scale_chroma`
  public var log2SaoOffsetScaleChroma: UInt32 = 0

  public init() {}

  /// `chroma_qp_offset_list_enabled_flag`
  public var chromaQpOffsetListEnabledFlag: Bool { diffCuChromaQpOffsetDepth != nil }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue(
      "log2_max_transform_skip_block_size_minus2", &log2MaxTransformSkipBlockSizeMinus2,
      if: transformSkipEnabledFlag, in: 0...3)
    try c.flag("cross_component_prediction_enabled_flag", &crossComponentPredictionEnabledFlag)
    var hasList = diffCuChromaQpOffsetDepth != nil
    try c.flag("chroma_qp_offset_list_enabled_flag", &hasList)
    try c.ue("diff_cu_chroma_qp_offset_depth", &diffCuChromaQpOffsetDepth, if: hasList, in: 0...3)
    if hasList {
      var last = UInt32(clamping: max(1, chromaQpOffsets.count) - 1)
      try c.ue("chroma_qp_offset_list_len_minus1", &last, in: 0...5)
      try c.elements(
        "chroma_qp_offset_list", &chromaQpOffsets, at: 0..<(Int(last) + 1), minimumBits: 2,
        new: ChromaQpOffset()
      ) { c, _, offset throws(ParseError) in
        c.beginStructure("chroma_qp_offset")
        try c.se("cb_qp_offset_list", &offset.cb, in: -12...12)
        try c.se("cr_qp_offset_list", &offset.cr, in: -12...12)
        c.endScope()
      }
    } else {
      chromaQpOffsets = []
    }
    try c.ue("log2_sao_offset_scale_luma", &log2SaoOffsetScaleLuma, in: 0...6)
    try c.ue("log2_sao_offset_scale_chroma", &log2SaoOffsetScaleChroma, in: 0...6)
  }
}

/// `pps_scc_extension()`
public struct PPSSCCExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3.3"

  /// What `residual_adaptive_colour_transform_enabled_flag` announces.
  public struct ColourTransform: FieldLayout {
    /// `pps_slice_act_qp_offsets_present_flag`
    public var sliceActQpOffsetsPresentFlag = false
    /// `pps_act_y_qp_offset_plus5`
    public var yQpOffsetPlus5: Int32 = 0
    /// `pps_act_cb_qp_offset_plus5`
    public var cbQpOffsetPlus5: Int32 = 0
    /// `pps_act_cr_qp_offset_plus3`
    public var crQpOffsetPlus3: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("pps_slice_act_qp_offsets_present_flag", &sliceActQpOffsetsPresentFlag)
      try c.se("pps_act_y_qp_offset_plus5", &yQpOffsetPlus5, in: -7...17)
      try c.se("pps_act_cb_qp_offset_plus5", &cbQpOffsetPlus5, in: -7...17)
      try c.se("pps_act_cr_qp_offset_plus3", &crQpOffsetPlus3, in: -9...15)
    }
  }

  /// What `pps_palette_predictor_initializers_present_flag` announces.
  public struct PaletteInitializers: FieldLayout {
    /// `monochrome_palette_flag`; `nil` where there are no entries.
    public var monochromePaletteFlag: Bool?
    /// `luma_bit_depth_entry_minus8`
    public var lumaBitDepthEntryMinus8: UInt32?
    /// `chroma_bit_depth_entry_minus8`
    public var chromaBitDepthEntryMinus8: UInt32?
    /// `pps_palette_predictor_initializer` of each component.
    public var components: [[UInt16]] = []

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var count = UInt32(clamping: components.first?.count ?? 0)
      try c.ue("pps_num_palette_predictor_initializers", &count, in: 0...128)
      try c.flag("monochrome_palette_flag", &monochromePaletteFlag, if: count > 0)
      try c.ue("luma_bit_depth_entry_minus8", &lumaBitDepthEntryMinus8, if: count > 0, in: 0...8)
      try c.ue(
        "chroma_bit_depth_entry_minus8", &chromaBitDepthEntryMinus8,
        if: count > 0 && monochromePaletteFlag == false, in: 0...8)
      let luma = Int(lumaBitDepthEntryMinus8 ?? 0) + 8
      let chroma = Int(chromaBitDepthEntryMinus8 ?? 0) + 8
      guard count > 0 else {
        components = []
        return
      }
      try c.elements(
        "pps_palette_predictor_initializers", &components, at: 0..<(monochromePaletteFlag == true ? 1 : 3),
        minimumBits: 8, new: []
      ) { c, component, entries throws(ParseError) in
        try c.array(
          "pps_palette_predictor_initializer", &entries, count: count,
          bits: component == 0 ? luma : chroma)
      }
    }
  }

  /// `pps_curr_pic_ref_enabled_flag`
  public var ppsCurrPicRefEnabledFlag = false
  /// What `residual_adaptive_colour_transform_enabled_flag` announces.
  public var colourTransform: ColourTransform?
  /// What `pps_palette_predictor_initializers_present_flag` announces.
  public var paletteInitializers: PaletteInitializers?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("pps_curr_pic_ref_enabled_flag", &ppsCurrPicRefEnabledFlag)
    try c.announced(
      "residual_adaptive_colour_transform_enabled_flag", "adaptive_colour_transform", &colourTransform)
    try c.announced(
      "pps_palette_predictor_initializers_present_flag", "palette_predictor_initializers",
      &paletteInitializers)
  }
}
