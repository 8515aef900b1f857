// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The extensions of a picture parameter set, by the flags that announce them. ISO/IEC 23008-2, 7.3.2.3.1
public struct PPSExtensions: FieldLayout {
  /// Whether transforms may be skipped (`transform_skip_enabled_flag`). Set before coding.
  public var transformSkipEnabledFlag = false

  /// The range extension; `nil` if absent (`pps_range_extension()`).
  public var range: PPSRangeExtension?
  /// The multilayer extension; `nil` if absent (`pps_multilayer_extension()`).
  public var multilayer: PPSMultilayerExtension?
  /// The 3D extension; `nil` if absent (`pps_3d_extension()`).
  public var threeDimensional: PPS3DExtension?
  /// The screen content extension; `nil` if absent (`pps_scc_extension()`).
  public var screenContent: PPSSCCExtension?
  /// Flags for extensions of later editions (`pps_extension_4bits`).
  public var ppsExtension4Bits: UInt8 = 0
  /// The data of extensions of later editions (`pps_extension_data_flag`).
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

/// `pps_range_extension()`: settings for more bits and more chroma samples.
public struct PPSRangeExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3.2"

  /// A pair of chroma quantisation offsets.
  public struct ChromaQpOffset: Hashable, Sendable {
    /// The offset for Cb (`cb_qp_offset_list`).
    public var cb: Int32 = 0
    /// The offset for Cr (`cr_qp_offset_list`).
    public var cr: Int32 = 0

    /// Makes a pair of zeros.
    public init() {}
  }

  /// Whether transforms may be skipped, from the picture parameter set (`transform_skip_enabled_flag`). Set before
  /// coding.
  public var transformSkipEnabledFlag = false

  /// Log2 of the largest block whose transform may be skipped, less 2; `nil` if absent
  /// (`log2_max_transform_skip_block_size_minus2`).
  public var log2MaxTransformSkipBlockSizeMinus2: UInt32?
  /// Whether chroma residuals may be predicted from luma (`cross_component_prediction_enabled_flag`).
  public var crossComponentPredictionEnabledFlag = false
  /// How many splits below a coding tree unit chroma offsets may change; `nil` if
  /// `chroma_qp_offset_list_enabled_flag` is 0 (`diff_cu_chroma_qp_offset_depth`).
  public var diffCuChromaQpOffsetDepth: UInt32?
  /// The offsets that coding units may choose; empty if `chroma_qp_offset_list_enabled_flag` is 0.
  public var chromaQpOffsets: [ChromaQpOffset] = []
  /// By how many bits luma offsets of the sample adaptive offset filter are shifted to the left
  /// (`log2_sao_offset_scale_luma`).
  public var log2SaoOffsetScaleLuma: UInt32 = 0
  /// By how many bits chroma offsets of the sample adaptive offset filter are shifted to the left
  /// (`log2_sao_offset_scale_chroma`).
  public var log2SaoOffsetScaleChroma: UInt32 = 0

  public init() {}

  /// Whether coding units may choose chroma offsets from a list (`chroma_qp_offset_list_enabled_flag`).
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

/// `pps_scc_extension()`: settings for screen content.
public struct PPSSCCExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.3.3"

  /// The adaptive colour transform.
  public struct ColourTransform: FieldLayout {
    /// Whether slice headers have offsets for it (`pps_slice_act_qp_offsets_present_flag`).
    public var sliceActQpOffsetsPresentFlag = false
    /// The quantisation offset of the first component, plus 5 (`pps_act_y_qp_offset_plus5`).
    public var yQpOffsetPlus5: Int32 = 0
    /// The quantisation offset of the second component, plus 5 (`pps_act_cb_qp_offset_plus5`).
    public var cbQpOffsetPlus5: Int32 = 0
    /// The quantisation offset of the third component, plus 3 (`pps_act_cr_qp_offset_plus3`).
    public var crQpOffsetPlus3: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("pps_slice_act_qp_offsets_present_flag", &sliceActQpOffsetsPresentFlag)
      try c.se("pps_act_y_qp_offset_plus5", &yQpOffsetPlus5, in: -7...17)
      try c.se("pps_act_cb_qp_offset_plus5", &cbQpOffsetPlus5, in: -7...17)
      try c.se("pps_act_cr_qp_offset_plus3", &crQpOffsetPlus3, in: -9...15)
    }
  }

  /// The initial entries of palette predictors.
  public struct PaletteInitializers: FieldLayout {
    /// Whether entries have luma only; `nil` if there are no entries (`monochrome_palette_flag`).
    public var monochromePaletteFlag: Bool?
    /// The bits of the luma of an entry, less 8; `nil` if absent (`luma_bit_depth_entry_minus8`).
    public var lumaBitDepthEntryMinus8: UInt32?
    /// The bits of the chroma of an entry, less 8; `nil` if absent (`chroma_bit_depth_entry_minus8`).
    public var chromaBitDepthEntryMinus8: UInt32?
    /// The values of the entries, by component (`pps_palette_predictor_initializer`).
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

  /// Whether a picture may refer to itself (`pps_curr_pic_ref_enabled_flag`).
  public var ppsCurrPicRefEnabledFlag = false
  /// The adaptive colour transform; `nil` if `residual_adaptive_colour_transform_enabled_flag` is 0.
  public var colourTransform: ColourTransform?
  /// The initial palette entries; `nil` if `pps_palette_predictor_initializers_present_flag` is 0.
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
