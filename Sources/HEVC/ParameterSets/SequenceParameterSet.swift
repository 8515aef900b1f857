// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `seq_parameter_set_rbsp()`: what the pictures of a layer have in common.
public struct SequenceParameterSet: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.2 and F.7.3.2.2"

  /// The values that a sequence parameter set of the multilayer form inherits from its video parameter set, as far
  /// as its own syntax depends on them.
  public struct Inherited: Hashable, Sendable {
    /// The number of temporal sub-layers, less 1 (`vps_max_sub_layers_minus1`).
    public var maxSubLayersMinus1: UInt8 = 0
    /// The picture formats, each with a sample format (`rep_format()`).
    public var repFormats: [RepFormat] = []
    /// The index of the layer's format (`vps_rep_format_idx`).
    public var repFormatIdx = 0

    /// Makes default values.
    public init() {}
  }

  /// The layer of the NAL unit, which determines the form (`nuh_layer_id`). Set before coding.
  public var nuhLayerID: UInt8 = 0
  /// The values inherited from the video parameter set; `nil` if that is unknown. Only rare fields of the
  /// multilayer form need them. Set before coding.
  public var inherited: Inherited?

  /// The video parameter set that it refers to (`sps_video_parameter_set_id`).
  public var spsVideoParameterSetID: UInt8 = 0
  /// The number of temporal sub-layers, less 1 (`sps_max_sub_layers_minus1`). If `nuh_layer_id` is not 0,
  /// `sps_ext_or_max_sub_layers_minus1`: 7 indicates the multilayer form.
  public var spsMaxSubLayersMinus1: UInt8 = 0
  /// Whether a decoder may switch to a higher temporal sub-layer at any picture; `nil` in the multilayer form
  /// (`sps_temporal_id_nesting_flag`).
  public var spsTemporalIDNestingFlag: Bool?
  /// The profile, tier and level; `nil` in the multilayer form (`profile_tier_level( 1, … )`).
  public var profileTierLevel: ProfileTierLevel?
  /// The ID by which picture parameter sets refer to this set (`sps_seq_parameter_set_id`).
  public var spsSeqParameterSetID: UInt32 = 0
  /// The index of the picture format, in the multilayer form; `nil` if `update_rep_format_flag` is 0
  /// (`sps_rep_format_idx`).
  public var spsRepFormatIdx: UInt8?
  /// Size and sample format; `nil` in the multilayer form.
  public var pictureFormat: PictureFormat?
  /// The number of coded low bits of order counts, less 4 (`log2_max_pic_order_cnt_lsb_minus4`).
  public var log2MaxPicOrderCntLsbMinus4: UInt32 = 0
  /// Whether each sub-layer has its own buffer sizes; `nil` in the multilayer form
  /// (`sps_sub_layer_ordering_info_present_flag`).
  public var spsSubLayerOrderingInfoPresentFlag: Bool?
  /// The buffer sizes of each sub-layer, or a single entry for all of them if the flag above is 0; empty in the
  /// multilayer form.
  public var subLayerOrdering: [SubLayerOrdering] = []
  /// Log2 of the size of the smallest coding block in luma samples, less 3
  /// (`log2_min_luma_coding_block_size_minus3`).
  public var log2MinLumaCodingBlockSizeMinus3: UInt32 = 0
  /// By how much log2 of the coding tree block size exceeds that of the smallest coding block
  /// (`log2_diff_max_min_luma_coding_block_size`).
  public var log2DiffMaxMinLumaCodingBlockSize: UInt32 = 0
  /// Log2 of the size of the smallest transform block in luma samples, less 2
  /// (`log2_min_luma_transform_block_size_minus2`).
  public var log2MinLumaTransformBlockSizeMinus2: UInt32 = 0
  /// By how much log2 of the largest transform block's size exceeds that of the smallest
  /// (`log2_diff_max_min_luma_transform_block_size`).
  public var log2DiffMaxMinLumaTransformBlockSize: UInt32 = 0
  /// How often an inter coding block may be split into transform blocks (`max_transform_hierarchy_depth_inter`).
  public var maxTransformHierarchyDepthInter: UInt32 = 0
  /// How often an intra coding block may be split into transform blocks (`max_transform_hierarchy_depth_intra`).
  public var maxTransformHierarchyDepthIntra: UInt32 = 0
  /// Whether quantisation matrices are used (`scaling_list_enabled_flag`).
  public var scalingListEnabledFlag = false
  /// The layer whose quantisation matrices are used, in the multilayer form; `nil` if
  /// `sps_infer_scaling_list_flag` is 0 (`sps_scaling_list_ref_layer_id`).
  public var spsScalingListRefLayerID: UInt8?
  /// The quantisation matrices; `nil` if `sps_scaling_list_data_present_flag` is 0.
  public var scalingListData: ScalingListData?
  /// Whether coding blocks may be divided asymmetrically for inter prediction (`amp_enabled_flag`).
  public var ampEnabledFlag = false
  /// Whether the sample adaptive offset filter is used (`sample_adaptive_offset_enabled_flag`).
  public var sampleAdaptiveOffsetEnabledFlag = false
  /// The settings for blocks of plain samples; `nil` if `pcm_enabled_flag` is 0.
  public var pcm: PCMParameters?
  /// The short-term reference picture sets that slices may choose from (`st_ref_pic_set()`).
  public var shortTermRefPicSets: [ShortTermReferencePictureSet] = []
  /// The long-term pictures that slices may choose from; `nil` if `long_term_ref_pics_present_flag` is 0.
  public var longTermRefPics: [LongTermRefPic]?
  /// Whether motion vectors may be predicted from other pictures (`sps_temporal_mvp_enabled_flag`).
  public var spsTemporalMvpEnabledFlag = false
  /// Whether the samples around large, smooth intra blocks may be interpolated
  /// (`strong_intra_smoothing_enabled_flag`).
  public var strongIntraSmoothingEnabledFlag = false
  /// How the pictures are meant to be shown; `nil` if `vui_parameters_present_flag` is 0.
  public var vui: VUIParameters?
  /// The extensions; `nil` if `sps_extension_present_flag` is 0.
  public var extensions: SPSExtensions?
  /// The trailing bits that end the structure.
  public var trailing = RBSPTrailingBits()

  public init() {}

  /// Whether the set has the form for enhancement layers, which inherits the picture size from the video parameter
  /// set (`MultiLayerExtSpsFlag`).
  public var isMultilayerForm: Bool { nuhLayerID != 0 && spsMaxSubLayersMinus1 == 7 }

  /// The number of short-term reference picture sets (`num_short_term_ref_pic_sets`).
  public var numShortTermRefPicSets: Int { shortTermRefPicSets.count }

  /// Whether slices may use long-term reference pictures (`long_term_ref_pics_present_flag`).
  public var longTermRefPicsPresentFlag: Bool { longTermRefPics != nil }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try layoutFormat(&c)
    try c.ue("log2_max_pic_order_cnt_lsb_minus4", &log2MaxPicOrderCntLsbMinus4, in: 0...12)
    try layoutOrdering(&c)
    try layoutBlocks(&c)
    try layoutScalingLists(&c)
    try c.flag("amp_enabled_flag", &ampEnabledFlag)
    try c.flag("sample_adaptive_offset_enabled_flag", &sampleAdaptiveOffsetEnabledFlag)
    try c.announced("pcm_enabled_flag", "pcm", &pcm)
    try layoutReferences(&c)
    try c.flag("sps_temporal_mvp_enabled_flag", &spsTemporalMvpEnabledFlag)
    try c.flag("strong_intra_smoothing_enabled_flag", &strongIntraSmoothingEnabledFlag)
    var hasVUI = vui != nil
    try c.flag("vui_parameters_present_flag", &hasVUI)
    let subLayers = maxSubLayersMinus1
    try c.group("vui_parameters", &vui, if: hasVUI) { $0.maxSubLayersMinus1 = subLayers }
    var hasExtensions = extensions != nil
    try c.flag("sps_extension_present_flag", &hasExtensions)
    let format = paletteFormat
    try c.group("sps_extensions", &extensions, if: hasExtensions) { $0.paletteFormat = format }
    try c.group("rbsp_trailing_bits", &trailing)
  }

  private mutating func layoutFormat(_ c: inout some Coder) throws(ParseError) {
    try c.u("sps_video_parameter_set_id", &spsVideoParameterSetID, 4)
    if nuhLayerID == 0 {
      try c.u("sps_max_sub_layers_minus1", &spsMaxSubLayersMinus1, 3, in: 0...6)
    } else {
      try c.u("sps_ext_or_max_sub_layers_minus1", &spsMaxSubLayersMinus1, 3)
    }
    let isMultilayer = isMultilayerForm, subLayers = spsMaxSubLayersMinus1
    try c.flag("sps_temporal_id_nesting_flag", &spsTemporalIDNestingFlag, if: !isMultilayer)
    try c.group("profile_tier_level", &profileTierLevel, if: !isMultilayer) {
      $0.maxNumSubLayersMinus1 = subLayers
    }
    try c.ue("sps_seq_parameter_set_id", &spsSeqParameterSetID, in: 0...15)
    if isMultilayer {
      var updates = spsRepFormatIdx != nil
      try c.flag("update_rep_format_flag", &updates)
      try c.u("sps_rep_format_idx", &spsRepFormatIdx, 8, if: updates)
      pictureFormat = nil
    } else {
      spsRepFormatIdx = nil
      // The fields are at the same level as the others, as in the specification.
      var format = pictureFormat ?? PictureFormat()
      defer { pictureFormat = format }
      try format.layout(&c)
    }
  }

  private mutating func layoutOrdering(_ c: inout some Coder) throws(ParseError) {
    guard !isMultilayerForm else {
      spsSubLayerOrderingInfoPresentFlag = nil
      subLayerOrdering = []
      return
    }
    try c.flag(
      "sps_sub_layer_ordering_info_present_flag", &spsSubLayerOrderingInfoPresentFlag, if: true)
    let last = Int(spsMaxSubLayersMinus1)
    try c.elements(
      "sub_layer_ordering_info", &subLayerOrdering,
      at: (spsSubLayerOrderingInfoPresentFlag == true ? 0 : last)..<(last + 1), minimumBits: 3,
      new: SubLayerOrdering()
    ) { c, _, ordering throws(ParseError) in
      c.beginStructure("sub_layer_ordering_info")
      try c.ue("sps_max_dec_pic_buffering_minus1", &ordering.maxDecPicBufferingMinus1, in: 0...15)
      try c.ue("sps_max_num_reorder_pics", &ordering.maxNumReorderPics, in: 0...15)
      try c.ue(
        "sps_max_latency_increase_plus1", &ordering.maxLatencyIncreasePlus1, in: 0...(.max - 1))
      c.endScope()
    }
  }

  private mutating func layoutBlocks(_ c: inout some Coder) throws(ParseError) {
    try c.ue("log2_min_luma_coding_block_size_minus3", &log2MinLumaCodingBlockSizeMinus3, in: 0...3)
    try c.ue("log2_diff_max_min_luma_coding_block_size", &log2DiffMaxMinLumaCodingBlockSize, in: 0...3)
    try c.ue("log2_min_luma_transform_block_size_minus2", &log2MinLumaTransformBlockSizeMinus2, in: 0...3)
    try c.ue(
      "log2_diff_max_min_luma_transform_block_size", &log2DiffMaxMinLumaTransformBlockSize, in: 0...3)
    try c.ue("max_transform_hierarchy_depth_inter", &maxTransformHierarchyDepthInter, in: 0...4)
    try c.ue("max_transform_hierarchy_depth_intra", &maxTransformHierarchyDepthIntra, in: 0...4)
  }

  private mutating func layoutScalingLists(_ c: inout some Coder) throws(ParseError) {
    try c.flag("scaling_list_enabled_flag", &scalingListEnabledFlag)
    guard scalingListEnabledFlag else {
      spsScalingListRefLayerID = nil
      scalingListData = nil
      return
    }
    var isInferred = isMultilayerForm && spsScalingListRefLayerID != nil
    if isMultilayerForm { try c.flag("sps_infer_scaling_list_flag", &isInferred) }
    try c.u("sps_scaling_list_ref_layer_id", &spsScalingListRefLayerID, 6, if: isInferred, in: 0...62)
    if isInferred {
      scalingListData = nil
    } else {
      try c.announced("sps_scaling_list_data_present_flag", "scaling_list_data", &scalingListData)
    }
  }

  private mutating func layoutReferences(_ c: inout some Coder) throws(ParseError) {
    var count = UInt32(clamping: shortTermRefPicSets.count)
    try c.ue("num_short_term_ref_pic_sets", &count, in: 0...64)
    var previous = ReferencePictureDeltas()
    try c.elements(
      "st_ref_pic_set", &shortTermRefPicSets, at: 0..<Int(count), minimumBits: 1,
      new: ShortTermReferencePictureSet()
    ) { c, index, set throws(ParseError) in
      c.beginStructure("st_ref_pic_set")
      set.position = index == 0 ? .first : .later(reference: previous)
      try set.layout(&c)
      previous = set.deltas
      c.endScope()
    }
    var hasLongTerm = longTermRefPics != nil
    try c.flag("long_term_ref_pics_present_flag", &hasLongTerm)
    guard hasLongTerm else {
      longTermRefPics = nil
      return
    }
    var pictures = longTermRefPics ?? []
    defer { longTermRefPics = pictures }
    var pictureCount = UInt32(clamping: pictures.count)
    try c.ue("num_long_term_ref_pics_sps", &pictureCount, in: 0...32)
    let bits = Int(log2MaxPicOrderCntLsbMinus4) + 4
    try c.elements(
      "lt_ref_pics_sps", &pictures, at: 0..<Int(pictureCount), minimumBits: bits + 1, new: LongTermRefPic()
    ) { c, _, picture throws(ParseError) in
      c.beginStructure("lt_ref_pic")
      try c.u("lt_ref_pic_poc_lsb_sps", &picture.pocLsb, bits)
      try c.flag("used_by_curr_pic_lt_sps_flag", &picture.usedByCurrPicFlag)
      c.endScope()
    }
  }
}

/// A long-term reference picture that slices may choose. ISO/IEC 23008-2, 7.4.3.2.1
public struct LongTermRefPic: Hashable, Sendable {
  /// The low bits of its order count (`lt_ref_pic_poc_lsb_sps`).
  public var pocLsb: UInt16 = 0
  /// Whether the current picture may refer to it (`used_by_curr_pic_lt_sps_flag`).
  public var usedByCurrPicFlag = false

  /// Makes a picture that is not used.
  public init() {}
}

/// How samples are coded without prediction. ISO/IEC 23008-2, 7.4.3.2.1
public struct PCMParameters: FieldLayout {
  /// The bits of a luma sample, less 1 (`pcm_sample_bit_depth_luma_minus1`).
  public var sampleBitDepthLumaMinus1: UInt8 = 0
  /// The bits of a chroma sample, less 1 (`pcm_sample_bit_depth_chroma_minus1`).
  public var sampleBitDepthChromaMinus1: UInt8 = 0
  /// Log2 of the size of the smallest such block in luma samples, less 3
  /// (`log2_min_pcm_luma_coding_block_size_minus3`).
  public var log2MinLumaCodingBlockSizeMinus3: UInt32 = 0
  /// By how much log2 of the largest such block's size exceeds that of the smallest
  /// (`log2_diff_max_min_pcm_luma_coding_block_size`).
  public var log2DiffMaxMinLumaCodingBlockSize: UInt32 = 0
  /// Whether in-loop filters leave such blocks unchanged (`pcm_loop_filter_disabled_flag`).
  public var loopFilterDisabledFlag = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("pcm_sample_bit_depth_luma_minus1", &sampleBitDepthLumaMinus1, 4)
    try c.u("pcm_sample_bit_depth_chroma_minus1", &sampleBitDepthChromaMinus1, 4)
    try c.ue("log2_min_pcm_luma_coding_block_size_minus3", &log2MinLumaCodingBlockSizeMinus3, in: 0...2)
    try c.ue("log2_diff_max_min_pcm_luma_coding_block_size", &log2DiffMaxMinLumaCodingBlockSize, in: 0...2)
    try c.flag("pcm_loop_filter_disabled_flag", &loopFilterDisabledFlag)
  }
}
