// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The index of the first context of each syntax element, and the initial states. ISO/IEC 23008-2, 9.3.2.2
@usableFromInline
package enum Contexts {
  /// `sao_merge_flag`
  @inlinable package static var saoMerge: Int { 0 }
  /// `sao_type_idx`
  @inlinable package static var saoType: Int { 1 }
  /// `split_cu_flag`
  @inlinable package static var splitCodingUnit: Int { 2 }
  /// `cu_transquant_bypass_flag`
  @inlinable package static var transquantBypass: Int { 5 }
  /// `cu_skip_flag`
  @inlinable package static var skip: Int { 6 }
  /// `pred_mode_flag`
  @inlinable package static var predictionMode: Int { 9 }
  /// `part_mode`
  @inlinable package static var partMode: Int { 10 }
  /// `prev_intra_luma_pred_flag`
  @inlinable package static var previousIntraLuma: Int { 14 }
  /// `intra_chroma_pred_mode`
  @inlinable package static var intraChroma: Int { 15 }
  /// `rqt_root_cbf`
  @inlinable package static var rootCodedBlock: Int { 16 }
  /// `merge_flag`
  @inlinable package static var mergeFlag: Int { 17 }
  /// `merge_idx`
  @inlinable package static var mergeIndex: Int { 18 }
  /// `inter_pred_idc`
  @inlinable package static var interDirection: Int { 19 }
  /// `ref_idx`
  @inlinable package static var referenceIndex: Int { 24 }
  /// `mvp_flag`
  @inlinable package static var vectorPredictor: Int { 26 }
  /// `abs_mvd_greater0_flag`
  @inlinable package static var vectorGreater0: Int { 27 }
  /// `abs_mvd_greater1_flag`
  @inlinable package static var vectorGreater1: Int { 28 }
  /// `split_transform_flag`
  @inlinable package static var splitTransform: Int { 29 }
  /// `cbf_luma`
  @inlinable package static var codedLuma: Int { 32 }
  /// `cbf_chroma`
  @inlinable package static var codedChroma: Int { 34 }
  /// `cu_qp_delta_abs`
  @inlinable package static var qpDelta: Int { 39 }
  /// `transform_skip_flag`
  @inlinable package static var transformSkip: Int { 41 }
  /// `explicit_rdpcm_flag`
  @inlinable package static var explicitRDPCM: Int { 43 }
  /// `explicit_rdpcm_dir_flag`
  @inlinable package static var explicitRDPCMDirection: Int { 45 }
  /// `last_sig_coeff_x_prefix`
  @inlinable package static var lastX: Int { 47 }
  /// `last_sig_coeff_y_prefix`
  @inlinable package static var lastY: Int { 65 }
  /// `coded_sub_block_flag`
  @inlinable package static var codedSubBlock: Int { 83 }
  /// `sig_coeff_flag`
  @inlinable package static var significant: Int { 87 }
  /// `coeff_abs_level_greater1_flag`
  @inlinable package static var greater1: Int { 131 }
  /// `coeff_abs_level_greater2_flag`
  @inlinable package static var greater2: Int { 155 }
  /// `log2_res_scale_abs_plus1`
  @inlinable package static var resScale: Int { 161 }
  /// `res_scale_sign_flag`
  @inlinable package static var resScaleSign: Int { 169 }
  /// `cu_chroma_qp_offset_flag`
  @inlinable package static var chromaQpOffsetFlag: Int { 171 }
  /// `cu_chroma_qp_offset_idx`
  @inlinable package static var chromaQpOffsetIndex: Int { 172 }
  /// How many contexts there are.
  @inlinable package static var count: Int { 173 }
  /// Where the four StatCoeff of persistent Rice adaptation are kept, beside the contexts, so that both are saved
  /// together.
  @inlinable package static var riceStatistics: Int { 248 }

  /// initValue of all contexts for initType 0, then for 1 and 2. Tables 9-5 to 9-37
  package static let initialValues: [UInt8] = [
    153, 200, 139, 141, 157, 154, 154, 154, 154, 154, 184, 154, 154, 154, 184, 63,
    154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 153, 138, 138,
    111, 141, 94, 138, 182, 154, 154, 154, 154, 139, 139, 154, 154, 154, 154, 110,
    110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123,
    63, 110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79,
    108, 123, 63, 91, 171, 134, 141, 111, 111, 125, 110, 110, 94, 124, 108, 124,
    107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179,
    153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139,
    111, 141, 111, 140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139,
    107, 122, 152, 140, 179, 166, 182, 140, 227, 122, 197, 138, 153, 136, 167, 152,
    152, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154,
    153, 185, 107, 139, 126, 154, 197, 185, 201, 149, 154, 139, 154, 154, 154, 152,
    79, 110, 122, 95, 79, 63, 31, 31, 153, 153, 168, 140, 198, 124, 138, 94,
    153, 111, 149, 107, 167, 154, 154, 154, 154, 139, 139, 139, 139, 139, 139, 125,
    110, 94, 110, 95, 79, 125, 111, 110, 78, 110, 111, 111, 95, 94, 108, 123,
    108, 125, 110, 94, 110, 95, 79, 125, 111, 110, 78, 110, 111, 111, 95, 94,
    108, 123, 108, 121, 140, 61, 154, 155, 154, 139, 153, 139, 123, 123, 63, 153,
    166, 183, 140, 136, 153, 154, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136,
    153, 154, 170, 153, 123, 123, 107, 121, 107, 121, 167, 151, 183, 140, 151, 183,
    140, 140, 140, 154, 196, 196, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153,
    121, 136, 137, 169, 194, 166, 167, 154, 167, 137, 182, 107, 167, 91, 122, 107,
    167, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154,
    153, 160, 107, 139, 126, 154, 197, 185, 201, 134, 154, 139, 154, 154, 183, 152,
    79, 154, 137, 95, 79, 63, 31, 31, 153, 153, 168, 169, 198, 224, 167, 122,
    153, 111, 149, 92, 167, 154, 154, 154, 154, 139, 139, 139, 139, 139, 139, 125,
    110, 124, 110, 95, 94, 125, 111, 111, 79, 125, 126, 111, 111, 79, 108, 123,
    93, 125, 110, 124, 110, 95, 94, 125, 111, 111, 79, 125, 126, 111, 111, 79,
    108, 123, 93, 121, 140, 61, 154, 170, 154, 139, 153, 139, 123, 123, 63, 124,
    166, 183, 140, 136, 153, 154, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136,
    153, 154, 170, 153, 138, 138, 122, 121, 122, 121, 167, 151, 183, 140, 151, 183,
    140, 140, 140, 154, 196, 167, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153,
    121, 136, 122, 169, 208, 166, 167, 154, 152, 167, 182, 107, 167, 91, 107, 107,
    167, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154, 154,
  ]

  /// The initial state of a context: pStateIdx in the upper bits, valMps in bit 0. Equations 9-4 to 9-6
  package static func initialState(_ value: UInt8, sliceQp: Int) -> UInt8 {
    let slope = Int(value &>> 4) * 5 - 45, offset = Int(value & 15) &<< 3 &- 16
    let state = max(1, min(126, (slope * max(0, min(51, sliceQp))) &>> 4 &+ offset))
    return UInt8(truncatingIfNeeded: state > 63 ? (state &- 64) &<< 1 | 1 : (63 &- state) &<< 1)
  }
}

extension ContextStates {
  /// Sets all contexts to their states at the start of a slice; `type` is initType. 9.3.2.2
  package func initialise(type: Int, sliceQp: Int) {
    let first = max(0, min(2, type)) &* Contexts.count
    for index in 0..<Contexts.count {
      self[index] = Contexts.initialState(Contexts.initialValues[first &+ index], sliceQp: sliceQp)
    }
    for index in 0..<4 { self[Contexts.riceStatistics &+ index] = 0 }
  }
}
