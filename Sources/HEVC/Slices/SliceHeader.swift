// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The part of a slice segment header that dependent slice segments take from the preceding slice segment.
/// ISO/IEC 23008-2, 7.3.6.1 and F.7.3.6.1
public struct SliceHeader: FieldLayout {
  /// Whether no picture of another layer refers to this one; `nil` if absent (`discardable_flag`).
  public var discardableFlag: Bool?
  /// Whether decoding of the layers above may start with this picture, as with a broken link; `nil` if absent
  /// (`cross_layer_bla_flag`).
  public var crossLayerBlaFlag: Bool?
  /// Reserved flags (`slice_reserved_flag`).
  public var sliceReservedFlags: [Bool] = []
  /// Which prediction the slice may use (`slice_type`).
  public var sliceType = SliceType.i
  /// Whether the picture is output; `nil` if absent (`pic_output_flag`).
  public var picOutputFlag: Bool?
  /// The colour plane of the slice: 0 Y, 1 Cb, 2 Cr; `nil` if absent (`colour_plane_id`).
  public var colourPlaneID: UInt8?
  /// The low bits of the order count; `nil` if absent (`slice_pic_order_cnt_lsb`).
  public var slicePicOrderCntLsb: UInt16?
  /// Whether the short-term set is one of the sequence parameter set; `nil` if absent
  /// (`short_term_ref_pic_set_sps_flag`).
  public var shortTermRefPicSetSpsFlag: Bool?
  /// The short-term set; `nil` if it is one of the sequence parameter set (`st_ref_pic_set()`).
  public var stRefPicSet: ShortTermReferencePictureSet?
  /// The index of the short-term set in the sequence parameter set; `nil` if absent
  /// (`short_term_ref_pic_set_idx`).
  public var shortTermRefPicSetIdx: UInt8?
  /// The long-term reference pictures; `nil` if there cannot be any.
  public var longTerm: SliceLongTermPictures?
  /// Whether motion vectors may be predicted from another picture; `nil` if absent
  /// (`slice_temporal_mvp_enabled_flag`).
  public var sliceTemporalMvpEnabledFlag: Bool?
  /// Whether the picture refers to other layers; `nil` if absent (`inter_layer_pred_enabled_flag`).
  public var interLayerPredEnabledFlag: Bool?
  /// The number of layers it refers to, less 1; `nil` if absent (`num_inter_layer_ref_pics_minus1`).
  public var numInterLayerRefPicsMinus1: UInt8?
  /// The layers it refers to, as indices of direct reference layers; empty where inferred
  /// (`inter_layer_pred_layer_idc`).
  public var interLayerPredLayerIdc: [UInt8] = []
  /// Whether the sample adaptive offset filter is used for luma; `nil` if absent (`slice_sao_luma_flag`).
  public var sliceSaoLumaFlag: Bool?
  /// Whether the sample adaptive offset filter is used for chroma; `nil` if absent (`slice_sao_chroma_flag`).
  public var sliceSaoChromaFlag: Bool?
  /// Whether the numbers of list entries differ from the picture parameter set; `nil` if absent
  /// (`num_ref_idx_active_override_flag`).
  public var numRefIdxActiveOverrideFlag: Bool?
  /// The number of entries in list 0, less 1; `nil` if it is that of the picture parameter set
  /// (`num_ref_idx_l0_active_minus1`).
  public var numRefIdxL0ActiveMinus1: UInt32?
  /// The number of entries in list 1, less 1; `nil` if it is that of the picture parameter set
  /// (`num_ref_idx_l1_active_minus1`).
  public var numRefIdxL1ActiveMinus1: UInt32?
  /// The order of the lists; `nil` if absent (`ref_pic_lists_modification()`).
  public var refPicListsModification: ReferencePictureListsModification?
  /// Whether motion vector differences of list 1 are 0 in bi-prediction; `nil` if absent (`mvd_l1_zero_flag`).
  public var mvdL1ZeroFlag: Bool?
  /// Whether the initial contexts of P and B slices are exchanged; `nil` if absent (`cabac_init_flag`).
  public var cabacInitFlag: Bool?
  /// Whether motion is predicted from a picture of list 0; inferred to be set where absent
  /// (`collocated_from_l0_flag`).
  public var collocatedFromL0Flag: Bool?
  /// The entry of the list from which motion is predicted; `nil` if absent (`collocated_ref_idx`).
  public var collocatedRefIdx: UInt32?
  /// The weights of the reference pictures; `nil` if absent (`pred_weight_table()`).
  public var predWeightTable: PredictionWeightTable?
  /// 5 minus the maximum number of merge candidates; `nil` if absent (`five_minus_max_num_merge_cand`).
  public var fiveMinusMaxNumMergeCand: UInt32?
  /// Whether motion vectors are whole samples; `nil` if absent (`use_integer_mv_flag`).
  public var useIntegerMvFlag: Bool?
  /// The initial quantisation parameter, less that of the picture parameter set (`slice_qp_delta`).
  public var sliceQpDelta: Int32 = 0
  /// A further quantisation offset for Cb; `nil` if absent (`slice_cb_qp_offset`).
  public var sliceCbQpOffset: Int32?
  /// A further quantisation offset for Cr; `nil` if absent (`slice_cr_qp_offset`).
  public var sliceCrQpOffset: Int32?
  /// A further quantisation offset for the first component of the colour transform; `nil` if absent
  /// (`slice_act_y_qp_offset`).
  public var sliceActYQpOffset: Int32?
  /// A further quantisation offset for the second component of the colour transform; `nil` if absent
  /// (`slice_act_cb_qp_offset`).
  public var sliceActCbQpOffset: Int32?
  /// A further quantisation offset for the third component of the colour transform; `nil` if absent
  /// (`slice_act_cr_qp_offset`).
  public var sliceActCrQpOffset: Int32?
  /// Whether coding units may choose chroma offsets; `nil` if absent (`cu_chroma_qp_offset_enabled_flag`).
  public var cuChromaQpOffsetEnabledFlag: Bool?
  /// Whether the settings of the deblocking filter differ from the picture parameter set; `nil` if absent
  /// (`deblocking_filter_override_flag`).
  public var deblockingFilterOverrideFlag: Bool?
  /// Whether the deblocking filter is off; `nil` if absent (`slice_deblocking_filter_disabled_flag`).
  public var sliceDeblockingFilterDisabledFlag: Bool?
  /// Half of the offset that controls where edges are filtered; `nil` if absent (`slice_beta_offset_div2`).
  public var sliceBetaOffsetDiv2: Int32?
  /// Half of the offset that controls how strongly edges are filtered; `nil` if absent
  /// (`slice_tc_offset_div2`).
  public var sliceTcOffsetDiv2: Int32?
  /// Whether in-loop filters may cross the left and upper edges of the slice; `nil` if absent
  /// (`slice_loop_filter_across_slices_enabled_flag`).
  public var sliceLoopFilterAcrossSlicesEnabledFlag: Bool?

  /// Values determined by parameter sets. Set before coding.
  var sharedParameters: Shared<SliceParameters>?
  var parameters: SliceParameters? { sharedParameters?.value }
  /// The header of the NAL unit. Set before coding.
  var unit = NALUnitHeader()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    guard let p = parameters else {
      throw c.failure(.missing("the picture parameter set"), "slice_segment_header")
    }
    try layoutBeginning(&c, p)
    try c.flag("slice_sao_luma_flag", &sliceSaoLumaFlag, if: p.saoEnabled)
    try c.flag("slice_sao_chroma_flag", &sliceSaoChromaFlag, if: p.saoEnabled && p.chromaArrayType != 0)
    if sliceType.isInter { try layoutPrediction(&c, p) }
    try layoutFilters(&c, p)
  }

  /// Codes the fields up to the point where it is known what the slice is predicted from.
  mutating func layoutBeginning(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    try layoutPicture(&c, p)
    if !unit.type.isRefresh { try layoutReferences(&c, p) }
    if unit.layerID > 0, !p.video.defaultRefLayersActive, !p.video.referenceLayers.isEmpty {
      try layoutInterLayer(&c, p)
    }
  }

  private mutating func layoutPicture(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    try c.flag("discardable_flag", &discardableFlag, if: p.numExtraSliceHeaderBits > 0)
    try c.flag("cross_layer_bla_flag", &crossLayerBlaFlag, if: p.numExtraSliceHeaderBits > 1)
    try c.array("slice_reserved_flag", &sliceReservedFlags, count: max(0, p.numExtraSliceHeaderBits - 2))
    try c.ue("slice_type", &sliceType.rawValue, in: 0...2, .named(SliceType.name(_:)))
    try c.flag("pic_output_flag", &picOutputFlag, if: p.outputFlagPresent)
    try c.u("colour_plane_id", &colourPlaneID, 2, if: p.separateColourPlanes, in: 0...2)
    let hasOrderCount = !unit.type.isRefresh || p.video.pocLsbPresentInIDR
    try c.u("slice_pic_order_cnt_lsb", &slicePicOrderCntLsb, p.pocLsbBits, if: hasOrderCount)
  }

  private mutating func layoutReferences(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    let sets = p.shortTermPictures
    try c.flag("short_term_ref_pic_set_sps_flag", &shortTermRefPicSetSpsFlag, if: true)
    let isOfSequence = shortTermRefPicSetSpsFlag == true
    if isOfSequence, sets.isEmpty {
      throw c.failure(
        .invalid("is set, but the sequence parameter set has none"), "short_term_ref_pic_set_sps_flag")
    }
    try c.group("st_ref_pic_set", &stRefPicSet, if: !isOfSequence) {
      $0.position = .slice(candidates: sets)
    }
    try c.u(
      "short_term_ref_pic_set_idx", &shortTermRefPicSetIdx, ceilLog2(sets.count),
      if: isOfSequence && sets.count > 1, in: 0...UInt8(clamping: max(1, sets.count) - 1))
    if let candidates = p.longTermPictures {
      var pictures = longTerm ?? SliceLongTermPictures()
      pictures.candidates = candidates
      pictures.pocLsbBits = p.pocLsbBits
      defer { longTerm = pictures }
      // The fields are at the same level as the others, as in the specification.
      try pictures.layout(&c)
    }
    try c.flag("slice_temporal_mvp_enabled_flag", &sliceTemporalMvpEnabledFlag, if: p.temporalMvpEnabled)
  }

  private mutating func layoutInterLayer(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    try c.flag("inter_layer_pred_enabled_flag", &interLayerPredEnabledFlag, if: true)
    guard interLayerPredEnabledFlag == true, p.video.referenceLayers.count > 1 else { return }
    let bits = ceilLog2(p.video.referenceLayers.count)
    let allowed: ClosedRange<UInt8> = 0...UInt8(clamping: p.video.referenceLayers.count - 1)
    try c.u(
      "num_inter_layer_ref_pics_minus1", &numInterLayerRefPicsMinus1, bits, if: !p.video.maxOneActiveRefLayer,
      in: allowed)
    let active = numActiveRefLayerPics
    try c.array(
      "inter_layer_pred_layer_idc", &interLayerPredLayerIdc,
      count: active == p.video.referenceLayers.count ? 0 : active, bits: bits, in: allowed)
  }

  private mutating func layoutPrediction(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    let isB = sliceType == .b
    try c.flag("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag, if: true)
    let overrides = numRefIdxActiveOverrideFlag == true
    try c.ue("num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, if: overrides, in: 0...14)
    try c.ue("num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, if: overrides && isB, in: 0...14)
    let total = numPicTotalCurr, counts = (l0: numRefIdxL0Active, l1: numRefIdxL1Active)
    try c.group(
      "ref_pic_lists_modification", &refPicListsModification, if: p.listsModificationPresent && total > 1
    ) {
      $0.countL0 = counts.l0
      $0.countL1 = isB ? counts.l1 : nil
      $0.numPicTotalCurr = total
    }
    try c.flag("mvd_l1_zero_flag", &mvdL1ZeroFlag, if: isB)
    try c.flag("cabac_init_flag", &cabacInitFlag, if: p.cabacInitPresent)
    let hasCollocated = sliceTemporalMvpEnabledFlag == true
    try c.flag("collocated_from_l0_flag", &collocatedFromL0Flag, if: hasCollocated && isB)
    let collocated = collocatedFromL0Flag == false ? counts.l1 : counts.l0
    try c.ue(
      "collocated_ref_idx", &collocatedRefIdx, if: hasCollocated && collocated > 1,
      in: 0...UInt32(clamping: max(1, collocated) - 1))
    let weighted = predictionWeights(p)
    try c.group("pred_weight_table", &predWeightTable, if: weighted != nil) { table in
      guard let weighted else { return }
      table.isWeightedL0 = weighted.isWeightedL0
      table.isWeightedL1 = weighted.isWeightedL1
      table.hasChroma = weighted.hasChroma
      table.lumaOffsetRange = weighted.lumaOffsetRange
      table.chromaOffsetRange = weighted.chromaOffsetRange
    }
    try c.ue("five_minus_max_num_merge_cand", &fiveMinusMaxNumMergeCand, if: true, in: 0...4)
    try c.flag("use_integer_mv_flag", &useIntegerMvFlag, if: p.motionVectorResolutionControlIdc == 2)
  }

  /// An empty table with the values it depends on; `nil` if there is none.
  private func predictionWeights(_ p: SliceParameters) -> PredictionWeightTable? {
    guard sliceType == .p ? p.weightedPred : p.weightedBipred else { return nil }
    var table = PredictionWeightTable()
    if p.currPicRefEnabled {
      let lists = referenceLists
      table.isWeightedL0 = lists.l0.map { $0 != .currentPicture }
      table.isWeightedL1 = lists.l1.map { $0 != .currentPicture }
    } else if hasReferences {
      // All have weights: nothing needs to be known about the lists but their lengths.
      table.isWeightedL0 = Array(repeating: true, count: numRefIdxL0Active)
      table.isWeightedL1 = Array(repeating: true, count: numRefIdxL1Active)
    }
    table.hasChroma = p.chromaArrayType != 0
    let luma = Int32(1) << Int32(p.hasHighPrecisionOffsets ? p.bitDepthLuma - 1 : 7)
    let chroma = Int32(1) << Int32(p.hasHighPrecisionOffsets ? p.bitDepthChroma - 1 : 7)
    table.lumaOffsetRange = -luma...(luma - 1)
    table.chromaOffsetRange = -4 * chroma...(4 * chroma - 1)
    return table
  }

  private mutating func layoutFilters(_ c: inout some Coder, _ p: SliceParameters) throws(ParseError) {
    let qpBdOffset = Int32(clamping: 6 * (p.bitDepthLuma - 8))
    try c.se(
      "slice_qp_delta", &sliceQpDelta, in: (-qpBdOffset - 26 - p.initQpMinus26)...(25 - p.initQpMinus26))
    try c.se("slice_cb_qp_offset", &sliceCbQpOffset, if: p.chromaQpOffsetsPresent, in: -12...12)
    try c.se("slice_cr_qp_offset", &sliceCrQpOffset, if: p.chromaQpOffsetsPresent, in: -12...12)
    try c.se("slice_act_y_qp_offset", &sliceActYQpOffset, if: p.actQpOffsetsPresent, in: -12...12)
    try c.se("slice_act_cb_qp_offset", &sliceActCbQpOffset, if: p.actQpOffsetsPresent, in: -12...12)
    try c.se("slice_act_cr_qp_offset", &sliceActCrQpOffset, if: p.actQpOffsetsPresent, in: -12...12)
    try c.flag(
      "cu_chroma_qp_offset_enabled_flag", &cuChromaQpOffsetEnabledFlag, if: p.cuChromaQpOffsetsEnabled)
    try c.flag(
      "deblocking_filter_override_flag", &deblockingFilterOverrideFlag, if: p.deblockingOverrideEnabled)
    let overrides = deblockingFilterOverrideFlag == true
    try c.flag(
      "slice_deblocking_filter_disabled_flag", &sliceDeblockingFilterDisabledFlag, if: overrides)
    let isDisabled = sliceDeblockingFilterDisabledFlag ?? p.deblockingDisabled
    try c.se("slice_beta_offset_div2", &sliceBetaOffsetDiv2, if: overrides && !isDisabled, in: -6...6)
    try c.se("slice_tc_offset_div2", &sliceTcOffsetDiv2, if: overrides && !isDisabled, in: -6...6)
    try c.flag(
      "slice_loop_filter_across_slices_enabled_flag", &sliceLoopFilterAcrossSlicesEnabledFlag,
      if: p.loopFilterAcrossSlicesEnabled
        && (sliceSaoLumaFlag == true || sliceSaoChromaFlag == true || !isDisabled))
  }
}
