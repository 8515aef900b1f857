// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `hrd_parameters( commonInfPresentFlag, maxNumSubLayersMinus1 )`: the hypothetical reference decoder's
/// buffers.
public struct HRDParameters: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, E.2.2"

  /// Whether the common part is present, rather than that of an earlier structure being used
  /// (`commonInfPresentFlag`). Set before coding.
  public var commonInfPresentFlag = true
  /// The number of sub-layers, less 1 (`maxNumSubLayersMinus1`). Set before coding.
  public var maxNumSubLayersMinus1: UInt8 = 0
  /// The common part of the previous structure, which applies if this one has none. Set before coding.
  public var inheritedCommon: HRDCommon?

  /// The part common to all sub-layers; `nil` if absent.
  public var common: HRDCommon?
  /// The sub-layers 0 to `maxNumSubLayersMinus1`.
  public var subLayers: [HRDSubLayer] = []

  public init() {}

  /// The common part in force: the one here, or else the previous one.
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
  /// The parameters of sub-picture buffering.
  public struct SubPicture: FieldLayout {
    /// How many sub-picture ticks a clock tick has, less 2 (`tick_divisor_minus2`).
    public var tickDivisorMinus2: UInt8 = 0
    /// The bits of removal delay increments in messages, less 1 (`du_cpb_removal_delay_increment_length_minus1`).
    public var duCpbRemovalDelayIncrementLengthMinus1: UInt8 = 0
    /// Whether the delays are in picture timing messages rather than in decoding unit messages
    /// (`sub_pic_cpb_params_in_pic_timing_sei_flag`).
    public var subPicCpbParamsInPicTimingSEIFlag = false
    /// The bits of output delays of decoding units in messages, less 1 (`dpb_output_delay_du_length_minus1`).
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

  /// Whether there are parameters for all NAL units (`nal_hrd_parameters_present_flag`).
  public var nalHrdParametersPresentFlag = false
  /// Whether there are parameters for VCL NAL units and filler data alone (`vcl_hrd_parameters_present_flag`).
  public var vclHrdParametersPresentFlag = false
  /// The parameters of sub-picture buffering; `nil` if `sub_pic_hrd_params_present_flag` is 0.
  public var subPicture: SubPicture?
  /// Bit rates are in units of 2^(6 + this) bits per second (`bit_rate_scale`).
  public var bitRateScale: UInt8 = 0
  /// Buffer sizes are in units of 2^(4 + this) bits (`cpb_size_scale`).
  public var cpbSizeScale: UInt8 = 0
  /// Buffer sizes for decoding units are in units of 2^(4 + this) bits (`cpb_size_du_scale`).
  public var cpbSizeDuScale: UInt8?
  /// The bits of initial removal delays in messages, less 1; 23 where absent
  /// (`initial_cpb_removal_delay_length_minus1`).
  public var initialCpbRemovalDelayLengthMinus1: UInt8 = 23
  /// The bits of removal delays in messages, less 1; 23 where absent (`au_cpb_removal_delay_length_minus1`).
  public var auCpbRemovalDelayLengthMinus1: UInt8 = 23
  /// The bits of output delays in messages, less 1; 23 where absent (`dpb_output_delay_length_minus1`).
  public var dpbOutputDelayLengthMinus1: UInt8 = 23

  public init() {}

  /// Whether either kind of buffer is described: CpbDpbDelaysPresentFlag as far as the parameter sets decide it.
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

/// The HRD parameters of one sub-layer. ISO/IEC 23008-2, E.2.2 and E.2.3
public struct HRDSubLayer: Hashable, Sendable {
  /// One delivery schedule: an element of `sub_layer_hrd_parameters()`.
  public struct Schedule: Hashable, Sendable {
    /// The bit rate in units of the common scale, less 1 (`bit_rate_value_minus1`).
    public var bitRateValueMinus1: UInt32 = 0
    /// The buffer size in units of the common scale, less 1 (`cpb_size_value_minus1`).
    public var cpbSizeValueMinus1: UInt32 = 0
    /// The buffer size for decoding units in units of their scale, less 1; `nil` if absent
    /// (`cpb_size_du_value_minus1`).
    public var cpbSizeDuValueMinus1: UInt32?
    /// The bit rate for decoding units in units of the common scale, less 1; `nil` if absent
    /// (`bit_rate_du_value_minus1`).
    public var bitRateDuValueMinus1: UInt32?
    /// Whether the bit rate is constant (`cbr_flag`).
    public var cbrFlag = false

    /// Makes a schedule with the lowest rate and the smallest size.
    public init() {}

    /// The bit rate in bits per second (`BitRate`).
    public func bitRate(_ common: HRDCommon) -> UInt64 {
      (UInt64(bitRateValueMinus1) + 1) &<< (6 + UInt64(common.bitRateScale))
    }
    /// The buffer size in bits (`CpbSize`).
    public func cpbSize(_ common: HRDCommon) -> UInt64 {
      (UInt64(cpbSizeValueMinus1) + 1) &<< (4 + UInt64(common.cpbSizeScale))
    }
  }

  /// Whether pictures are output at a fixed rate, across sequences too (`fixed_pic_rate_general_flag`).
  public var fixedPicRateGeneralFlag = false
  /// Whether pictures are output at a fixed rate within a sequence; inferred to be set where absent
  /// (`fixed_pic_rate_within_cvs_flag`).
  public var fixedPicRateWithinCvsFlag: Bool?
  /// The time between pictures in clock ticks, less 1; `nil` if absent (`elemental_duration_in_tc_minus1`).
  public var elementalDurationInTcMinus1: UInt32?
  /// Whether the buffer may run empty for low delay; inferred to be clear where absent (`low_delay_hrd_flag`).
  public var lowDelayHrdFlag: Bool?
  /// The number of delivery schedules, less 1; inferred to be 0 if absent (`cpb_cnt_minus1`).
  public var cpbCntMinus1: UInt32?
  /// The schedules for all NAL units (`sub_layer_hrd_parameters()`).
  public var nal: [Schedule] = []
  /// The schedules for VCL NAL units and filler data alone (`sub_layer_hrd_parameters()`).
  public var vcl: [Schedule] = []

  /// Makes a sub-layer without schedules.
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
