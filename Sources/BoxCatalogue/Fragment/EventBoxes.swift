// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `prft`: the time on the producer's clock that corresponds to a media time.
public struct ProducerReferenceTimeBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["prft"], name: "producer reference time", in: [.file], "ISO/IEC 14496-12, 8.16.5",
    "The time on the producer's clock that corresponds to a media time.", versions: 0...1)

  /// 1 for a 64-bit media time.
  public var version: UInt8 = 0
  /// The event that the clock time refers to: 0 encoder input, 1 encoder output, 2 the fragment was finished, 4 it
  /// was written, 8 arbitrary but consistent, 24 a constant time after the real event.
  public var flags: UInt32 = 0
  /// The ID of the track.
  public var referenceTrackID: UInt32 = 1
  /// The clock time in NTP format: seconds since 1900, with 32 fraction bits.
  public var ntpTimestamp: UInt64 = 0
  /// The corresponding media time.
  public var mediaTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32("reference_track_ID", &referenceTrackID)
    try c.u64("ntp_timestamp", &ntpTimestamp)
    try c.u32or64("media_time", &mediaTime, wide: version == 1)
  }
}

/// `emsg`: a timed message for the application.
public struct EventMessageBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["emsg"], name: "event message", in: [.file], "ISO/IEC 23009-1, 5.10.3.3",
    "A timed message for the application.", versions: 0...1)

  /// The form: 0 times are relative to the segment; 1 they are presentation times, and the fields are in a
  /// different order.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The URI that identifies the kind of message.
  public var schemeIDURI = TerminatedString()
  /// A value that distinguishes messages of the same kind.
  public var value = TerminatedString()
  /// The timescale: how many units of the times make a second.
  public var timescale: UInt32 = 1
  /// In version 0, the time relative to the segment's earliest presentation time; in version 1, the presentation
  /// time.
  public var presentationTime: UInt64 = 0
  /// The duration of the event; all bits are 1 if it is unknown.
  public var eventDuration: UInt32 = 0
  /// The number of the message: messages of the same kind and number are the same.
  public var id: UInt32 = 0
  /// The content of the message.
  public var messageData = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    if version == 0 { try strings(&c) }
    try c.u32("timescale", &timescale)
    if version == 0 {
      try c.u("presentation_time_delta", &presentationTime, 32)
    } else {
      try c.u64("presentation_time", &presentationTime)
    }
    try c.u32("event_duration", &eventDuration)
    try c.u32("id", &id)
    if version == 1 { try strings(&c) }
    try c.remainder("message_data", &messageData)
  }

  private mutating func strings(_ c: inout some Coder) throws(ParseError) {
    try c.terminatedString("scheme_id_uri", &schemeIDURI)
    try c.terminatedString("value", &value)
  }
}
