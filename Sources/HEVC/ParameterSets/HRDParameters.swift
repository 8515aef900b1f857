// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `hrd_parameters( commonInfPresentFlag, maxNumSubLayersMinus1 )`: the hypothetical reference decoder's
/// buffers.
public struct HRDParameters: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, E.2.2"

  /// `commonInfPresentFlag`: whether the common part is here, or is that of an earlier structure. Set
  /// before coding.
  public var commonInfPresentFlag = true
  /// `maxNumSubLayersMinus1`. Set before coding.
  public var maxNumSubLayersMinus1: UInt8 = 0
  /// The common part of the structure before this one, which holds where this one has none. Set before
  /// coding.
  public var inheritedCommon: HRDCommon?

  /// The part common to all sub-layers, where it is present.
  public var common: HRDCommon?
  /// The sub-layers 0 to `maxNumSubLayersMinus1`.
  public var subLayers: [HRDSubLayer] = []

  public init() {}

  /// The common part that holds: the one here, or else the one before.
  public var effectiveCommon: HRDCommon { common ?? inheritedCommon ?? HRDCommon() }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.group("common", &common, if: commonInfPresentFlag)
    let shared = effectiveCommon
    try c.elements(
      "sub_layers", &subLayers, at: 0..<(Int(maxNumSubLayersMinus1) + 1), minimumBits: 2,
      new: HRDSubLayer()
    ) { c, _, subLayer throws(ParseError) in
      c.beginStructure("sub_layer")
      try subLayer.layout(&c, common: shared)
      c.endScope()
    }
  }
}

/// The part of `hrd_parameters()` that all sub-layers share. ISO/IEC 23008-2, E.2.2
public struct HRDCommon: FieldLayout {
  /// What sub-picture buffering adds.
  public struct SubPicture: FieldLayout {
    /// `tick_divisor_minus2`
    public var tickDivisorMinus2: UInt8 = 0
    /// `du_cpb_removal_delay_increment_length_minus1`
    public var duCpbRemovalDelayIncrementLengthMinus1: UInt8 = 0
    /// `sub_pic_cpb_params_in_pic_timing_sei_flag`
    public var subPicCpbParamsInPicTimingSEIFlag = false
    /// `dpb_output_delay_du_length_minus1`
    public var dpbOutputDelayDuLengthMinus1: UInt8 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("tick_divisor_minus2", &tickDivisorMinus2)
      try c.u(
        "du_cpb_removal_delay_increment_length_minus1", &duCpbRemovalDelayIncrementLengthMinus1, 5)
      try c.flag("sub_pic_cpb_params_in_pic_timing_sei_flag", &subPicCpbParamsInPicTimingSEIFlag)
      try c.u("dpb_output_delay_du_length_minus1", &dpbOutputDelayDuLengthMinus1, 5)
    }
  }

  /// `nal_hrd_parameters_present_flag`
  public var nalHrdParametersPresentFlag = false
  /// `vcl_hrd_parameters_present_flag`
  public var vclHrdParametersPresentFlag = false
  /// What `sub_pic_hrd_params_present_flag` announces.
  public var subPicture: SubPicture?
  /// `bit_rate_scale`
  public var bitRateScale: UInt8 = 0
  /// `cpb_size_scale`
  public var cpbSizeScale: UInt8 = 0
  /// `cpb_size_du_scale`
  public var cpbSizeDuScale: UInt8?
  /// `initial_cpb_removal_delay_length_minus1`; 23 where absent.
  public var initialCpbRemovalDelayLengthMinus1: UInt8 = 23
  /// `au_cpb_removal_delay_length_minus1`; 23 where absent.
  public var auCpbRemovalDelayLengthMinus1: UInt8 = 23
  /// `dpb_output_delay_length_minus1`; 23 where absent.
  public var dpbOutputDelayLengthMinus1: UInt8 = 23

  public init() {}

  /// CpbDpbDelaysPresentFlag, as far as the parameter sets decide it: whether either kind of buffer is
  /// described.
  public var isPresent: Bool { nalHrdParametersPresentFlag || vclHrdParametersPresentFlag }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("nal_hrd_parameters_present_flag", &nalHrdParametersPresentFlag)
    try c.flag("vcl_hrd_parameters_present_flag", &vclHrdParametersPresentFlag)
    guard isPresent else { return }
    var hasSubPicture = subPicture != nil
    try c.flag("sub_pic_hrd_params_present_flag", &hasSubPicture)
    try c.group("sub_pic", &subPicture, if: hasSubPicture)
    try c.u("bit_rate_scale", &bitRateScale, 4)
    try c.u("cpb_size_scale", &cpbSizeScale, 4)
    try c.u("cpb_size_du_scale", &cpbSizeDuScale, 4, if: hasSubPicture)
    try c.u("initial_cpb_removal_delay_length_minus1", &initialCpbRemovalDelayLengthMinus1, 5)
    try c.u("au_cpb_removal_delay_length_minus1", &auCpbRemovalDelayLengthMinus1, 5)
    try c.u("dpb_output_delay_length_minus1", &dpbOutputDelayLengthMinus1, 5)
  }
}

/// What `hrd_parameters()` says of one sub-layer. ISO/IEC 23008-2, E.2.2 and E.2.3
public struct HRDSubLayer: Hashable, Sendable {
  /// One delivery schedule: an element of `sub_layer_hrd_parameters()`.
  public struct Schedule: Hashable, Sendable {
    /// `bit_rate_value_minus1`
    public var bitRateValueMinus1: UInt32 = 0
    /// `cpb_size_value_minus1`
    public var cpbSizeValueMinus1: UInt32 = 0
    /// `cpb_size_du_value_minus1`
    public var cpbSizeDuValueMinus1: UInt32?
    /// `bit_rate_du_value_minus1`
    public var bitRateDuValueMinus1: UInt32?
    /// `cbr_flag`
    public var cbrFlag = false

    /// A schedule of the least rate and size.
    public init() {}

    /// BitRate, in bits per second.
    public func bitRate(_ common: HRDCommon) -> UInt64 {
      (UInt64(bitRateValueMinus1) + 1) &<< (6 + UInt64(common.bitRateScale))
    }
    /// CpbSize, in bits.
    public func cpbSize(_ common: HRDCommon) -> UInt64 {
      (UInt64(cpbSizeValueMinus1) + 1) &<< (4 + UInt64(common.cpbSizeScale))
    }
  }

  /// `fixed_pic_rate_general_flag`
  public var fixedPicRateGeneralFlag = false
  /// `fixed_pic_rate_within_cvs_flag`; inferred to be set where absent.
  public var fixedPicRateWithinCvsFlag: Bool?
  /// `elemental_duration_in_tc_minus1`
  public var elementalDurationInTcMinus1: UInt32?
  /// `low_delay_hrd_flag`; inferred to be clear where absent.
  public var lowDelayHrdFlag: Bool?
  /// `cpb_cnt_minus1`; inferred to be 0 where absent.
  public var cpbCntMinus1: UInt32?
  /// `sub_layer_hrd_parameters()` for NAL units.
  public var nal: [Schedule] = []
  /// `sub_layer_hrd_parameters()` for VCL NAL units.
  public var vcl: [Schedule] = []

  /// A sub-layer without schedules.
  public init() {}

  mutating func layout(_ c: inout some Coder, common: HRDCommon) throws(ParseError) {
    try c.flag("fixed_pic_rate_general_flag", &fixedPicRateGeneralFlag)
    try c.flag(
      "fixed_pic_rate_within_cvs_flag", &fixedPicRateWithinCvsFlag, if: !fixedPicRateGeneralFlag)
    let isFixed = fixedPicRateWithinCvsFlag ?? true
    try c.ue("elemental_duration_in_tc_minus1", &elementalDurationInTcMinus1, if: isFixed, in: 0...2047)
    try c.flag("low_delay_hrd_flag", &lowDelayHrdFlag, if: !isFixed)
    try c.ue("cpb_cnt_minus1", &cpbCntMinus1, if: lowDelayHrdFlag != true, in: 0...31)
    let count = Int(cpbCntMinus1 ?? 0) + 1
    let hasSubPicture = common.subPicture != nil
    if common.nalHrdParametersPresentFlag {
      try Self.schedules("nal_sub_layer_hrd_parameters", &nal, count, hasSubPicture, &c)
    }
    if common.vclHrdParametersPresentFlag {
      try Self.schedules("vcl_sub_layer_hrd_parameters", &vcl, count, hasSubPicture, &c)
    }
  }

  private static func schedules(
    _ name: StaticString, _ schedules: inout [Schedule], _ count: Int, _ hasSubPicture: Bool,
    _ c: inout some Coder
  ) throws(ParseError) {
    let any: ClosedRange<UInt32> = 0...(.max - 1)
    try c.elements(name, &schedules, at: 0..<count, minimumBits: 3, new: Schedule()) {
      c, _, schedule throws(ParseError) in
      c.beginStructure(name)
      try c.ue("bit_rate_value_minus1", &schedule.bitRateValueMinus1, in: any)
      try c.ue("cpb_size_value_minus1", &schedule.cpbSizeValueMinus1, in: any)
      try c.ue("cpb_size_du_value_minus1", &schedule.cpbSizeDuValueMinus1, if: hasSubPicture, in: any)
      try c.ue("bit_rate_du_value_minus1", &schedule.bitRateDuValueMinus1, if: hasSubPicture, in: any)
      try c.flag("cbr_flag", &schedule.cbrFlag)
      c.endScope()
    }
  }
}
