// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `buffering_period` (0): how long the coded picture buffer fills before decoding starts. ISO/IEC 23008-2, D.2.2
public struct BufferingPeriod: SEIPayload {
  public static let payloadType = SEIPayloadType(0)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.2"
  public static let summary: StaticString = "How long the coded picture buffer fills before decoding starts."

  /// The delays of one buffer, in ticks of 90 kHz.
  public struct Delays: FieldLayout {
    /// How long the buffer fills.
    public var initialRemovalDelay: UInt32 = 0
    /// What is added to the delay.
    public var initialRemovalOffset: UInt32 = 0
    /// The delay with the alternative parameters; `nil` if absent.
    public var alternativeRemovalDelay: UInt32?
    /// What is added to the delay with the alternative parameters; `nil` if absent.
    public var alternativeRemovalOffset: UInt32?
    var length = 24
    package var hasAlternative = false
    package var isVCL = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      if isVCL {
        try c.u("vcl_initial_cpb_removal_delay", &initialRemovalDelay, length)
        try c.u("vcl_initial_cpb_removal_offset", &initialRemovalOffset, length)
        try c.u("vcl_initial_alt_cpb_removal_delay", &alternativeRemovalDelay, length, if: hasAlternative)
        try c.u("vcl_initial_alt_cpb_removal_offset", &alternativeRemovalOffset, length, if: hasAlternative)
      } else {
        try c.u("nal_initial_cpb_removal_delay", &initialRemovalDelay, length)
        try c.u("nal_initial_cpb_removal_offset", &initialRemovalOffset, length)
        try c.u("nal_initial_alt_cpb_removal_delay", &alternativeRemovalDelay, length, if: hasAlternative)
        try c.u("nal_initial_alt_cpb_removal_offset", &alternativeRemovalOffset, length, if: hasAlternative)
      }
    }
  }

  /// The sequence parameter set that the message refers to (`bp_seq_parameter_set_id`).
  public var sequenceParameterSetID: UInt32 = 0
  /// Whether there are alternative parameters; `nil` if absent (`irap_cpb_params_present_flag`).
  public var hasAlternativeParameters: Bool?
  /// How much the removal delay decreases if leading pictures are dropped; `nil` if absent
  /// (`cpb_delay_offset`).
  public var removalDelayOffset: UInt32?
  /// How much the output delay decreases if leading pictures are dropped; `nil` if absent (`dpb_delay_offset`).
  public var outputDelayOffset: UInt32?
  /// Whether the stream may be the result of splicing (`concatenation_flag`).
  public var isConcatenation = false
  /// The removal delay against the previous picture, in clock ticks, less 1 (`au_cpb_removal_delay_delta_minus1`).
  public var removalDelayDeltaMinus1: UInt32 = 0
  /// The delays for all NAL units, by buffer.
  public var nal: [Delays] = []
  /// The delays for VCL NAL units and filler data alone, by buffer.
  public var vcl: [Delays] = []
  /// Whether to use the alternative parameters; `nil` if absent (`use_alt_cpb_params_flag`).
  public var usesAlternativeParameters: Bool?

  /// The sequences by the IDs of their parameter sets, one of which the message refers to.
  var sequences: [UInt32: SEIContext.Sequence] = [:]

  public init() {}

  public mutating func prepare(for context: SEIContext) { sequences = context.sequences }

  public var endsWithExtension: Bool { usesAlternativeParameters != nil }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("bp_seq_parameter_set_id", &sequenceParameterSetID, in: 0...15)
    guard let timing = sequences[sequenceParameterSetID]?.timing else {
      throw c.failure(
        .missing("the timing of sequence parameter set \(sequenceParameterSetID)"), "buffering_period")
    }
    let subPictures = timing.hasSubPictureParameters
    try c.flag("irap_cpb_params_present_flag", &hasAlternativeParameters, if: !subPictures)
    let alternative = hasAlternativeParameters ?? false
    try c.u("cpb_delay_offset", &removalDelayOffset, timing.removalDelayLength, if: alternative)
    try c.u("dpb_delay_offset", &outputDelayOffset, timing.outputDelayLength, if: alternative)
    try c.flag("concatenation_flag", &isConcatenation)
    try c.u("au_cpb_removal_delay_delta_minus1", &removalDelayDeltaMinus1, timing.removalDelayLength)
    let length = timing.initialRemovalDelayLength
    for isVCL in [false, true] where isVCL ? timing.hasVCLParameters : timing.hasNALParameters {
      var delays = isVCL ? vcl : nal
      var new = Delays()
      (new.length, new.hasAlternative, new.isVCL) = (length, subPictures || alternative, isVCL)
      try c.array(
        isVCL ? "vcl" : "nal", &delays, count: timing.bufferCount, minimumBits: 2 * length, new: new
      ) { c, element throws(ParseError) in
        c.beginStructure("delays")
        try element.layout(&c)
        c.endScope()
      }
      if isVCL { vcl = delays } else { nal = delays }
    }
    var hasMore = usesAlternativeParameters != nil
    if let bits = c.bitsBeforeTrailing { hasMore = bits > 0 }
    try c.flag("use_alt_cpb_params_flag", &usesAlternativeParameters, if: hasMore)
  }
}
