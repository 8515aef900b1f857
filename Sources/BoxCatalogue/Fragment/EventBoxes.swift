// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `prft`: what the clock of the encoder said.
public struct ProducerReferenceTimeBox: BoxPayload {
  public static let name: StaticString = "producer reference time"
  public static let types: [FourCC] = ["prft"]
  public static let scopes: [BoxScope] = [.file]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.16.5"
  public static let summary: StaticString = "What the producer's clock said at a media time."
  public static let versions: ClosedRange<UInt8>? = 0...1

  /// 1 for a 64-bit media time.
  public var version: UInt8 = 0
  /// What the clock's time is that of: 0 encoder input, 1 encoder output, 2 the fragment was finished, 4 it was
  /// written, 8 arbitrary but consistent, 24 constantly after the real event.
  public var flags: UInt32 = 0
  /// The track.
  public var referenceTrackID: UInt32 = 1
  /// The clock, in NTP format: seconds since 1900, with 32 fraction bits.
  public var ntpTimestamp: UInt64 = 0
  /// The same moment in media time.
  public var mediaTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32("reference_track_ID", &referenceTrackID)
    try c.u64("ntp_timestamp", &ntpTimestamp)
    try c.u32or64("media_time", &mediaTime, wide: version == 1)
  }

  public static var samples: [ProducerReferenceTimeBox] {
    var short = ProducerReferenceTimeBox()
    short.ntpTimestamp = 0xE8F0_A1B2_8000_0000
    short.mediaTime = 90_000
    var wide = short
    wide.version = 1
    wide.flags = 0x18
    wide.mediaTime = 0x1_0000_0000
    return [short, wide]
  }
}

/// `emsg`: a message that belongs to a time.
public struct EventMessageBox: BoxPayload {
  public static let name: StaticString = "event message"
  public static let types: [FourCC] = ["emsg"]
  public static let scopes: [BoxScope] = [.file]
  public static let specification: StaticString = "ISO/IEC 23009-1, 5.10.3.3"
  public static let summary: StaticString = "A message for the application that belongs to a time."
  public static let versions: ClosedRange<UInt8>? = 0...1

  /// 0: the time counts from the segment; 1: it is a presentation time, and the fields are in another order.
  public var version: UInt8 = 0
  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// What kind of message it is.
  public var schemeIDURI = TerminatedString()
  /// Which of its kind.
  public var value = TerminatedString()
  /// How many units of the times make a second.
  public var timescale: UInt32 = 1
  /// Version 0: the time from the segment's earliest presentation time. Version 1: the presentation time.
  public var presentationTime: UInt64 = 0
  /// How long the event lasts; all bits set where it is not known.
  public var eventDuration: UInt32 = 0
  /// Messages of one kind with one number are the same message.
  public var id: UInt32 = 0
  /// The message.
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

  public static var samples: [EventMessageBox] {
    var relative = EventMessageBox()
    relative.schemeIDURI = TerminatedString("urn:scte:scte35:2013:bin")
    relative.value = TerminatedString("1001")
    relative.timescale = 90_000
    relative.presentationTime = 45_000
    relative.eventDuration = 0xFFFF_FFFF
    relative.id = 3
    relative.messageData = ByteView([0xFC, 0x30])
    var absolute = relative
    absolute.version = 1
    absolute.presentationTime = 0x1_0000_0000
    return [relative, absolute]
  }
}
