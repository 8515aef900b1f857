// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `time_code` (136): the time code of a picture. ISO/IEC 23008-2, D.2.27
public struct TimeCode: SEIPayload {
  public static let payloadType = SEIPayloadType(136)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.27"
  public static let summary: StaticString = "The time code of a picture."

  /// One time stamp.
  public struct Timestamp: FieldLayout {
    /// Whether the time stamp is present (`clock_timestamp_flag`).
    public var isPresent = true
    /// The time; `nil` if absent.
    public var clock: Clock? = Clock()
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("clock_timestamp_flag", &isPresent)
      try c.group("clock", &clock, if: isPresent)
    }
  }

  /// The time of one stamp.
  public struct Clock: FieldLayout {
    /// Whether frames are counted in units of fields (`units_field_based_flag`).
    public var isFieldBased = false
    /// How counts are dropped (`counting_type`).
    public var countingType: UInt8 = 0
    /// Whether seconds, minutes and hours are all given (`full_timestamp_flag`).
    public var isFull = false
    /// Whether the time may be discontinuous with the previous time stamp (`discontinuity_flag`).
    public var isDiscontinuity = false
    /// Whether counts were dropped (`cnt_dropped_flag`).
    public var dropsCounts = false
    /// The number of the frame (`n_frames`).
    public var frames: UInt16 = 0
    /// Whether seconds are given; `nil` if absent (`seconds_flag`).
    public var hasSeconds: Bool?
    /// The seconds; `nil` if not given (`seconds_value`).
    public var seconds: UInt8?
    /// Whether minutes are given; `nil` if absent (`minutes_flag`).
    public var hasMinutes: Bool?
    /// The minutes; `nil` if not given (`minutes_value`).
    public var minutes: UInt8?
    /// Whether hours are given; `nil` if absent (`hours_flag`).
    public var hasHours: Bool?
    /// The hours; `nil` if not given (`hours_value`).
    public var hours: UInt8?
    /// The number of bits of the offset (`time_offset_length`).
    public var offsetLength: UInt8 = 0
    /// The offset in units of the time scale; `nil` if absent (`time_offset_value`).
    public var offset: Int32?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("units_field_based_flag", &isFieldBased)
      try c.u("counting_type", &countingType, 5)
      try c.flag("full_timestamp_flag", &isFull)
      try c.flag("discontinuity_flag", &isDiscontinuity)
      try c.flag("cnt_dropped_flag", &dropsCounts)
      try c.u("n_frames", &frames, 9)
      try c.flag("seconds_flag", &hasSeconds, if: !isFull)
      let withSeconds = isFull || hasSeconds ?? false
      try c.u("seconds_value", &seconds, 6, if: withSeconds)
      try c.flag("minutes_flag", &hasMinutes, if: !isFull && withSeconds)
      let withMinutes = isFull || hasMinutes ?? false
      try c.u("minutes_value", &minutes, 6, if: withMinutes)
      try c.flag("hours_flag", &hasHours, if: !isFull && withMinutes)
      try c.u("hours_value", &hours, 5, if: isFull || hasHours ?? false)
      try c.u("time_offset_length", &offsetLength, 5)
      try c.i("time_offset_value", &offset, Int(offsetLength), if: offsetLength > 0)
    }
  }

  /// The number of time stamps (`num_clock_ts`).
  public var count: UInt8 = 1
  /// The time stamps.
  public var timestamps: [Timestamp] = [Timestamp()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("num_clock_ts", &count, 2)
    try c.array("timestamps", &timestamps, count: count, minimumBits: 1)
  }
}
