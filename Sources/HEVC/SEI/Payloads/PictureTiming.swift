// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pic_timing` (1): when a picture is decoded and output, and whether it is a frame or a field.
/// ISO/IEC 23008-2, D.2.3
public struct PictureTiming: SEIPayload {
  public static let payloadType = SEIPayloadType(1)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.3"
  public static let summary: StaticString =
    "When a picture is decoded and output, and whether it is a frame or a field."

  /// One decoding unit of the picture.
  public struct Unit: FieldLayout {
    /// The number of its NAL units, less 1 (`num_nalus_in_du_minus1`).
    public var nalUnitCountMinus1: UInt32 = 0
    /// The removal delay against the previous unit, in sub-picture ticks, less 1; `nil` if absent
    /// (`du_cpb_removal_delay_increment_minus1`).
    public var removalDelayIncrementMinus1: UInt32?
    var length = 24
    package var hasIncrement = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("num_nalus_in_du_minus1", &nalUnitCountMinus1, in: 0...UInt32.max - 1)
      try c.u(
        "du_cpb_removal_delay_increment_minus1", &removalDelayIncrementMinus1, length, if: hasIncrement)
    }
  }

  /// The decoding units of the picture.
  public struct Units: FieldLayout {
    /// The number of decoding units, less 1 (`num_decoding_units_minus1`).
    public var countMinus1: UInt32 = 0
    /// Whether all units have the same delay (`du_common_cpb_removal_delay_flag`).
    public var hasCommonDelay = false
    /// The common removal delay against the previous unit, in sub-picture ticks, less 1; `nil` if absent
    /// (`du_common_cpb_removal_delay_increment_minus1`).
    public var commonDelayIncrementMinus1: UInt32?
    /// The units.
    public var units: [Unit] = [Unit()]
    var length = 24
    package var maximumCount: UInt32 = 1

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("num_decoding_units_minus1", &countMinus1, in: 0...max(1, maximumCount) - 1)
      try c.flag("du_common_cpb_removal_delay_flag", &hasCommonDelay)
      try c.u(
        "du_common_cpb_removal_delay_increment_minus1", &commonDelayIncrementMinus1, length,
        if: hasCommonDelay)
      let last = Int(clamping: countMinus1)
      var index = 0
      let (length, hasCommonDelay) = (length, hasCommonDelay)
      try c.array("decoding_units", &units, count: last + 1, minimumBits: 1, new: Unit()) {
        c, unit throws(ParseError) in
        unit.length = length
        unit.hasIncrement = !hasCommonDelay && index < last
        c.beginStructure("decoding_unit")
        try unit.layout(&c)
        c.endScope()
        index += 1
      }
    }
  }

  /// Whether the picture is a frame or a field, and which; `nil` if absent (`pic_struct`).
  public var structure: UInt8?
  /// How the source was scanned: 0 interlaced, 1 progressive, 2 unknown; `nil` if absent (`source_scan_type`).
  public var sourceScanType: UInt8?
  /// Whether the picture duplicates the previous one; `nil` if absent (`duplicate_flag`).
  public var isDuplicate: Bool?
  /// The removal delay from the start of the buffering period, in clock ticks, less 1; `nil` if absent
  /// (`au_cpb_removal_delay_minus1`).
  public var removalDelayMinus1: UInt32?
  /// The output delay after removal, in clock ticks; `nil` if absent (`pic_dpb_output_delay`).
  public var outputDelay: UInt32?
  /// The output delay after removal of the last unit, in sub-picture ticks; `nil` if absent
  /// (`pic_dpb_output_du_delay`).
  public var unitOutputDelay: UInt32?
  /// The decoding units; `nil` if absent.
  public var units: Units?

  package var sequence: SEIContext.Sequence?

  public init() {}

  public mutating func prepare(for context: SEIContext) { sequence = context.activeSequence }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    guard let sequence else { throw c.failure(.missing("the sequence parameter set"), "pic_timing") }
    let fields = sequence.hasFrameFieldInfo
    try c.u("pic_struct", &structure, 4, if: fields, .named(FrameFieldInfo.structureName(_:)))
    try c.u("source_scan_type", &sourceScanType, 2, if: fields, .named(FrameFieldInfo.scanName(_:)))
    try c.flag("duplicate_flag", &isDuplicate, if: fields)
    let timing = sequence.timing ?? SEIContext.Timing()
    let isTimed = sequence.timing.map { $0.hasNALParameters || $0.hasVCLParameters } ?? false
    try c.u("au_cpb_removal_delay_minus1", &removalDelayMinus1, timing.removalDelayLength, if: isTimed)
    try c.u("pic_dpb_output_delay", &outputDelay, timing.outputDelayLength, if: isTimed)
    let hasUnits = isTimed && timing.hasSubPictureParameters
    try c.u("pic_dpb_output_du_delay", &unitOutputDelay, timing.unitOutputDelayLength, if: hasUnits)
    guard hasUnits, timing.hasSubPictureTimingInPictureTiming else { return units = nil }
    var present = units ?? Units()
    present.length = timing.unitRemovalDelayIncrementLength
    present.maximumCount = sequence.sizeInCodingTreeBlocks
    defer { units = present }
    try present.layout(&c)
  }
}
