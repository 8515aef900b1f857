// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `sdp ` in a track's `hnti`: the SDP description of the track that a streaming server announces.
public struct TrackSDPBox: BoxPayload {
  public static let info = BoxInfo(
    ["sdp "], name: "track SDP", in: [.box("hnti")], "ISO/IEC 14496-12, 9.1.4.2",
    "The SDP description of the track that a streaming server announces.")

  /// The text, without a terminator.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("sdptext", &text, .text)
  }
}

/// `rtp ` in a movie's `hnti`: the SDP description of the movie that a streaming server announces.
public struct MovieSDPBox: BoxPayload {
  public static let info = BoxInfo(
    ["rtp "], name: "movie SDP", in: [.box("hnti")], "ISO/IEC 14496-12, 9.1.4.1",
    "The SDP description of the movie that a streaming server announces.")

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

/// `trpy`, `nump`, `tpyl`, `dmed`, `dimm`, `drep`: the number of bytes or packets that a hint track sends (64 bits).
public struct HintCounterBox: BoxPayload {
  public static let info = BoxInfo(
    ["trpy", "nump", "tpyl", "dmed", "dimm", "drep"], name: "hint counter", in: [.box("hinf")],
    "ISO/IEC 14496-12, 9.1.5", "The number of bytes or packets that a hint track sends (64 bits).")

  /// The number of bytes or packets.
  public var count: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u64("count", &count) }
}

/// `totl`, `npck`, `tpay`, `pmax`, `dmax`: the bytes or packets sent, or the largest or longest packet (32 bits).
public struct HintFigureBox: BoxPayload {
  public static let info = BoxInfo(
    ["totl", "npck", "tpay", "pmax", "dmax"], name: "hint figure", in: [.box("hinf")],
    "ISO/IEC 14496-12, 9.1.5", "The bytes or packets sent, or the largest or longest packet (32 bits).")

  /// The value: bytes, packets, or milliseconds for the longest packet.
  public var value: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("value", &value) }
}

/// `tmin` and `tmax`: the smallest or largest relative transmission time.
public struct HintTransmissionTimeBox: BoxPayload {
  public static let info = BoxInfo(
    ["tmin", "tmax"], name: "hint transmission time", in: [.box("hinf")], "ISO/IEC 14496-12, 9.1.5",
    "The smallest or largest relative transmission time.")

  /// The time in milliseconds.
  public var time: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.i32("time", &time) }
}

/// `maxr`: the maximum number of bytes sent in any period of a given length.
public struct HintMaximumRateBox: BoxPayload {
  public static let info = BoxInfo(
    ["maxr"], name: "hint maximum rate", in: [.box("hinf")], "ISO/IEC 14496-12, 9.1.5",
    "The maximum number of bytes sent in any period of a given length.")

  /// The length of the period in milliseconds.
  public var period: UInt32 = 1_000
  /// The number of bytes sent in the period.
  public var bytes: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("period", &period)
    try c.u32("bytes", &bytes)
  }
}

/// `payt`: the payload number used in RTP packets, and its meaning.
public struct HintPayloadTypeBox: BoxPayload {
  public static let info = BoxInfo(
    ["payt"], name: "hint payload type", in: [.box("hinf")], "ISO/IEC 14496-12, 9.1.5",
    "The payload number used in RTP packets, and its meaning.")

  /// The payload number.
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
