// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `video_parameter_set_rbsp()`: what the layers of a stream have in common, and how they depend on each
/// other.
public struct VideoParameterSet: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.2.1 and F.7.3.2.1"

  /// The ID by which sequence parameter sets refer to this set (`vps_video_parameter_set_id`).
  public var vpsVideoParameterSetID: UInt8 = 0
  /// Whether the base layer is in this stream (`vps_base_layer_internal_flag`).
  public var vpsBaseLayerInternalFlag = true
  /// Whether the base layer is available, in this stream or outside of it (`vps_base_layer_available_flag`).
  public var vpsBaseLayerAvailableFlag = true
  /// The maximum number of layers, less 1 (`vps_max_layers_minus1`).
  public var vpsMaxLayersMinus1: UInt8 = 0
  /// The maximum number of temporal sub-layers, less 1 (`vps_max_sub_layers_minus1`).
  public var vpsMaxSubLayersMinus1: UInt8 = 0
  /// Whether a decoder may switch to a higher temporal sub-layer at any picture (`vps_temporal_id_nesting_flag`).
  public var vpsTemporalIDNestingFlag = true
  /// 16 reserved bits as found (`vps_reserved_0xffff_16bits`).
  public var vpsReserved0xffff16Bits: UInt16 = 0xFFFF
  /// The profile, tier and level of the base layer (`profile_tier_level( 1, vps_max_sub_layers_minus1 )`).
  public var profileTierLevel = ProfileTierLevel()
  /// Whether each sub-layer has its own buffer sizes (`vps_sub_layer_ordering_info_present_flag`).
  public var vpsSubLayerOrderingInfoPresentFlag = true
  /// The buffer sizes of each sub-layer, or a single entry for all of them if the flag above is 0.
  public var subLayerOrdering: [SubLayerOrdering] = [SubLayerOrdering()]
  /// The highest layer in any layer set (`vps_max_layer_id`).
  public var vpsMaxLayerID: UInt8 = 0
  /// The layer sets 1 to `vps_num_layer_sets_minus1`, by `nuh_layer_id`; layer set 0 is the base layer alone
  /// (`layer_id_included_flag`).
  public var layerIDIncludedFlags: [LayerIDSet] = []
  /// The clock of the stream, and its buffers; `nil` if `vps_timing_info_present_flag` is 0.
  public var timing: VPSTiming?
  /// The alignment bits before the extension as found, the last in bit 0
  /// (`vps_extension_alignment_bit_equal_to_one`).
  public var extensionAlignmentBits: UInt8 = 0xFF
  /// The layers and their dependencies; `nil` if `vps_extension_flag` is 0.
  public var vpsExtension: VPSExtension?
  /// What follows the extension; `nil` without an extension, or if `vps_extension2_flag` is 0.
  public var vpsExtension2: VPSExtension2?
  /// The trailing bits that end the structure.
  public var trailing = RBSPTrailingBits()

  public init() {}

  /// The number of layers, less 1, at most 62 (`MaxLayersMinus1`).
  public var maxLayersMinus1: Int { Int(min(62, vpsMaxLayersMinus1)) }
  /// The number of layer sets, less 1 (`vps_num_layer_sets_minus1`).
  public var vpsNumLayerSetsMinus1: Int { layerIDIncludedFlags.count }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("vps_video_parameter_set_id", &vpsVideoParameterSetID, 4)
    try c.flag("vps_base_layer_internal_flag", &vpsBaseLayerInternalFlag)
    try c.flag("vps_base_layer_available_flag", &vpsBaseLayerAvailableFlag)
    try c.u("vps_max_layers_minus1", &vpsMaxLayersMinus1, 6)
    try c.u("vps_max_sub_layers_minus1", &vpsMaxSubLayersMinus1, 3, in: 0...6)
    try c.flag("vps_temporal_id_nesting_flag", &vpsTemporalIDNestingFlag)
    try c.reserved("vps_reserved_0xffff_16bits", &vpsReserved0xffff16Bits, bits: 16, expecting: 0xFFFF)
    profileTierLevel.maxNumSubLayersMinus1 = vpsMaxSubLayersMinus1
    try c.group("profile_tier_level", &profileTierLevel)
    try c.flag("vps_sub_layer_ordering_info_present_flag", &vpsSubLayerOrderingInfoPresentFlag)
    let last = Int(vpsMaxSubLayersMinus1)
    try c.elements(
      "sub_layer_ordering_info", &subLayerOrdering,
      at: (vpsSubLayerOrderingInfoPresentFlag ? 0 : last)..<(last + 1), minimumBits: 3,
      new: SubLayerOrdering()
    ) { c, _, ordering throws(ParseError) in
      c.beginStructure("sub_layer_ordering_info")
      try c.ue("vps_max_dec_pic_buffering_minus1", &ordering.maxDecPicBufferingMinus1, in: 0...15)
      try c.ue("vps_max_num_reorder_pics", &ordering.maxNumReorderPics, in: 0...15)
      try c.ue(
        "vps_max_latency_increase_plus1", &ordering.maxLatencyIncreasePlus1, in: 0...(.max - 1))
      c.endScope()
    }
    try layoutLayerSets(&c)
    var hasTiming = timing != nil
    try c.flag("vps_timing_info_present_flag", &hasTiming)
    let subLayers = vpsMaxSubLayersMinus1
    let layerSets = UInt32(clamping: vpsNumLayerSetsMinus1)
    let lowestLayerSet: UInt32 = vpsBaseLayerInternalFlag ? 0 : 1
    try c.group("vps_timing_info", &timing, if: hasTiming) {
      $0.maxSubLayersMinus1 = subLayers
      $0.layerSetIndices = lowestLayerSet...max(lowestLayerSet, layerSets)
    }
    try layoutExtension(&c)
    try c.group("rbsp_trailing_bits", &trailing)
  }

  private mutating func layoutLayerSets(_ c: inout some Coder) throws(ParseError) {
    try c.u("vps_max_layer_id", &vpsMaxLayerID, 6, in: 0...62)
    var count = UInt32(clamping: layerIDIncludedFlags.count)
    try c.ue("vps_num_layer_sets_minus1", &count, in: 0...1023)
    let width = Int(vpsMaxLayerID) + 1
    try c.elements(
      "layer_sets", &layerIDIncludedFlags, at: 1..<(Int(count) + 1), minimumBits: width, new: LayerIDSet()
    ) { c, _, set throws(ParseError) in
      try c.flags("layer_id_included_flag", &set.rawValue, at: 0..<width)
    }
  }

  private mutating func layoutExtension(_ c: inout some Coder) throws(ParseError) {
    var hasExtension = vpsExtension != nil
    try c.flag("vps_extension_flag", &hasExtension)
    guard hasExtension else {
      vpsExtension = nil
      vpsExtension2 = nil
      return
    }
    try c.alignmentOnes("vps_extension_alignment_bit_equal_to_one", &extensionAlignmentBits)
    let surroundings = VPSExtension.Surroundings(self)
    try c.group("vps_extension", &vpsExtension, if: true) { $0.surroundings = surroundings }
    let views = vpsExtension?.numViews ?? 1
    var hasMore = vpsExtension2 != nil
    try c.flag("vps_extension2_flag", &hasMore)
    try c.group("vps_extension2", &vpsExtension2, if: hasMore) { $0.numViews = views }
  }
}

/// The clock of the stream, and its buffers. ISO/IEC 23008-2, 7.3.2.1
public struct VPSTiming: FieldLayout {
  /// One `hrd_parameters()` of the video parameter set.
  public struct HRD: Hashable, Sendable {
    /// The layer set that the parameters apply to (`hrd_layer_set_idx`).
    public var layerSetIdx: UInt32 = 0
    /// The parameters; `cprms_present_flag` signals whether they have a common part (`hrd_parameters()`).
    public var parameters = HRDParameters()

    /// Makes parameters for layer set 0.
    public init() {}
  }

  /// The number of temporal sub-layers, less 1 (`vps_max_sub_layers_minus1`). Set before coding.
  public var maxSubLayersMinus1: UInt8 = 0
  /// The layer sets that parameters may apply to. Set before coding.
  public var layerSetIndices: ClosedRange<UInt32> = 0...1023

  /// How many units of the time scale a clock tick takes (`vps_num_units_in_tick`).
  public var numUnitsInTick: UInt32 = 0
  /// The number of time units per second (`vps_time_scale`).
  public var timeScale: UInt32 = 0
  /// How many clock ticks a difference of order counts by 1 takes, less 1; `nil` if
  /// `vps_poc_proportional_to_timing_flag` is 0 (`vps_num_ticks_poc_diff_one_minus1`).
  public var numTicksPocDiffOneMinus1: UInt32?
  /// The HRD parameters of layer sets.
  public var hrds: [HRD] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("vps_num_units_in_tick", &numUnitsInTick)
    try c.u32("vps_time_scale", &timeScale)
    var isProportional = numTicksPocDiffOneMinus1 != nil
    try c.flag("vps_poc_proportional_to_timing_flag", &isProportional)
    try c.ue(
      "vps_num_ticks_poc_diff_one_minus1", &numTicksPocDiffOneMinus1, if: isProportional,
      in: 0...(.max - 1))
    var count = UInt32(clamping: hrds.count)
    try c.ue("vps_num_hrd_parameters", &count, in: 0...min(1024, layerSetIndices.upperBound + 1))
    var common: HRDCommon?
    let subLayers = maxSubLayersMinus1, indices = layerSetIndices
    try c.elements("hrd", &hrds, at: 0..<Int(count), minimumBits: 4, new: HRD()) {
      c, index, hrd throws(ParseError) in
      c.beginStructure("hrd")
      try c.ue("hrd_layer_set_idx", &hrd.layerSetIdx, in: indices)
      if index > 0 {
        try c.flag("cprms_present_flag", &hrd.parameters.commonInfPresentFlag)
      } else {
        hrd.parameters.commonInfPresentFlag = true
      }
      hrd.parameters.maxNumSubLayersMinus1 = subLayers
      hrd.parameters.inheritedCommon = common
      try c.group("hrd_parameters", &hrd.parameters)
      common = hrd.parameters.effectiveCommon
      c.endScope()
    }
  }
}

/// What follows `vps_extension()`. ISO/IEC 23008-2, F.7.3.2.1
public struct VPSExtension2: FieldLayout {
  /// The number of views (`NumViews`). Set before coding.
  public var numViews = 1

  /// The conversion of depth values; `nil` if `vps_3d_extension_flag` is 0.
  public var threeDimensional: VPS3DExtension?
  /// The alignment bits before the 3D extension as found, the last in bit 0
  /// (`vps_3d_extension_alignment_bit_equal_to_one`).
  public var alignmentBits: UInt8 = 0xFF
  /// The data of extensions of later editions; `nil` if `vps_extension3_flag` is 0 (`vps_extension_data_flag`).
  public var vpsExtensionData: BitString?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var has3D = threeDimensional != nil
    try c.flag("vps_3d_extension_flag", &has3D)
    if has3D {
      try c.alignmentOnes("vps_3d_extension_alignment_bit_equal_to_one", &alignmentBits)
      var present = threeDimensional ?? VPS3DExtension()
      defer { threeDimensional = present }
      c.beginStructure("vps_3d_extension")
      try present.layout(&c, numViews: numViews)
      c.endScope()
    } else {
      threeDimensional = nil
    }
    var hasData = vpsExtensionData != nil
    try c.flag("vps_extension3_flag", &hasData)
    guard hasData else {
      vpsExtensionData = nil
      return
    }
    var data = vpsExtensionData ?? BitString()
    defer { vpsExtensionData = data }
    try c.extensionData("vps_extension_data_flag", &data)
  }
}
