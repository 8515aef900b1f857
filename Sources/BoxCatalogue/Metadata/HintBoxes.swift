// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `sdp ` in a track's `hnti`: what a streaming server announces about the track.
public struct TrackSDPBox: BoxPayload {
  public static let name: StaticString = "track SDP"
  public static let types: [FourCC] = ["sdp "]
  public static let scopes: [BoxScope] = [.box("hnti")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.4.2"
  public static let summary: StaticString = "What a streaming server announces of the track, in SDP."

  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("sdptext", &text, .text)
  }
}

/// `rtp ` in a movie's `hnti`: what a streaming server announces about the movie.
public struct MovieSDPBox: BoxPayload {
  public static let name: StaticString = "movie SDP"
  public static let types: [FourCC] = ["rtp "]
  public static let scopes: [BoxScope] = [.box("hnti")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.4.1"
  public static let summary: StaticString = "What a streaming server announces of the movie, in SDP."

  /// The format of the description; only SDP is defined.
  public var descriptionFormat: FourCC = "sdp "
  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("descriptionformat", &descriptionFormat)
    try c.remainder("sdptext", &text, .text)
  }
}

/// A 64-bit counter of a hint track: bytes or packets sent.
public struct HintCounterBox: BoxPayload {
  public static let name: StaticString = "hint counter"
  public static let types: [FourCC] = ["trpy", "nump", "tpyl", "dmed", "dimm", "drep"]
  public static let scopes: [BoxScope] = [.box("hinf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.5"
  public static let summary: StaticString = "How many bytes or packets a hint track sends."

  /// The number of bytes or packets.
  public var count: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u64("count", &count) }
}

/// A 32-bit statistic of a hint track: bytes, packets, the largest packet, or the longest one.
public struct HintFigureBox: BoxPayload {
  public static let name: StaticString = "hint figure"
  public static let types: [FourCC] = ["totl", "npck", "tpay", "pmax", "dmax"]
  public static let scopes: [BoxScope] = [.box("hinf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.5"
  public static let summary: StaticString = "Bytes or packets sent, or the largest or longest packet."

  /// The value: bytes, packets, or milliseconds for the longest packet.
  public var value: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("value", &value) }
}

/// `tmin` and `tmax`: the smallest and the largest relative transmission time.
public struct HintTransmissionTimeBox: BoxPayload {
  public static let name: StaticString = "hint transmission time"
  public static let types: [FourCC] = ["tmin", "tmax"]
  public static let scopes: [BoxScope] = [.box("hinf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.5"
  public static let summary: StaticString = "The smallest or largest relative transmission time."

  /// The time in milliseconds.
  public var time: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.i32("time", &time) }
}

/// `maxr`: the highest data rate over a period.
public struct HintMaximumRateBox: BoxPayload {
  public static let name: StaticString = "hint maximum rate"
  public static let types: [FourCC] = ["maxr"]
  public static let scopes: [BoxScope] = [.box("hinf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.5"
  public static let summary: StaticString = "The most bytes that are sent in any period of some length."

  /// The length of the period in milliseconds.
  public var period: UInt32 = 1_000
  /// The number of bytes sent in it.
  public var bytes: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("period", &period)
    try c.u32("bytes", &bytes)
  }
}

/// `payt`: the payload number used in RTP packets, and its meaning.
public struct HintPayloadTypeBox: BoxPayload {
  public static let name: StaticString = "hint payload type"
  public static let types: [FourCC] = ["payt"]
  public static let scopes: [BoxScope] = [.box("hinf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 9.1.5"
  public static let summary: StaticString = "The payload number used in RTP packets, and what it stands for."

  /// The number.
  public var payloadID: UInt32 = 96
  /// Its meaning, as an RTP map.
  public var rtpMap = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("payloadID", &payloadID)
    var count = UInt8(clamping: rtpMap.count)
    try c.u8("count", &count)
    try c.bytes("rtpmap_string", &rtpMap, count: Int(count), .text)
  }
}
