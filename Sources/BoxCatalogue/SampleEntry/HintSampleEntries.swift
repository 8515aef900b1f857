// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rtp ` and similar types: how a hint track becomes RTP packets, or was made from them.
public struct RTPHintSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["rtp ", "srtp", "rrtp", "rsrp", "prtp", "rtcp", "stcp"], name: "RTP hint sample entry",
    in: [.otherSampleDescription], "ISO/IEC 14496-12, 9.1.2, 9.2.2, 9.4.1",
    "How a hint track becomes RTP packets, or was made from them.", childrenFollow: true,
    childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The version of the hints.
  public var hintTrackVersion: UInt16 = 1
  /// The oldest version that the hints are compatible with.
  public var highestCompatibleVersion: UInt16 = 1
  /// The size of the largest packet, in bytes.
  public var maxPacketSize: UInt32 = 0
  var reserved: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.u16("hinttrackversion", &hintTrackVersion)
    try c.u16("highestcompatibleversion", &highestCompatibleVersion)
    try c.u32("maxpacketsize", &maxPacketSize)
  }
}

/// `fdp `: how a hint track becomes a file delivery session.
public struct FDHintSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["fdp "], name: "FD hint sample entry", in: [.otherSampleDescription], "ISO/IEC 14496-12, 9.3.2",
    "How a hint track becomes a file delivery session.", childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The version of the hints.
  public var hintTrackVersion: UInt16 = 1
  /// The oldest version that the hints are compatible with.
  public var highestCompatibleVersion: UInt16 = 1
  /// The partition entry of the source, counted from 1; 0 means several.
  public var partitionEntryID: UInt16 = 0
  /// The overhead of error correction, as an 8.8 fixed-point number.
  public var fecOverhead: UInt16 = 0
  var reserved: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try c.u16("hinttrackversion", &hintTrackVersion)
    try c.u16("highestcompatibleversion", &highestCompatibleVersion)
    try c.u16("partition_entry_ID", &partitionEntryID)
    try c.u16("FEC_overhead", &fecOverhead, in: nil, .fixedPoint(fractionBits: 8))
  }
}

/// `rm2t`, `sm2t`, `pm2t`: how a hint track becomes an MPEG-2 transport stream, or was made from one.
public struct MPEG2TSSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["rm2t", "sm2t", "pm2t"], name: "MPEG-2 TS sample entry", in: [.otherSampleDescription],
    "ISO/IEC 14496-12, 9.4.2", "How a hint track becomes an MPEG-2 transport stream, or was made from one.",
    childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The version of the hints.
  public var hintTrackVersion: UInt16 = 1
  /// The oldest version that the hints are compatible with.
  public var highestCompatibleVersion: UInt16 = 1
  /// The number of bytes before each transport packet.
  public var precedingBytesLength: UInt8 = 0
  /// The number of bytes after each transport packet.
  public var trailingBytesLength: UInt8 = 0
  /// Whether the samples contain the packets exactly as they are sent.
  public var isPrecomputedOnly = false
  var reserved1: UInt64 = 0
  var reserved2: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved1, &dataReferenceIndex)
    try c.u16("hinttrackversion", &hintTrackVersion)
    try c.u16("highestcompatibleversion", &highestCompatibleVersion)
    try c.u8("precedingbyteslen", &precedingBytesLength)
    try c.u8("trailingbyteslen", &trailingBytesLength)
    try c.flag("precomputed_only_flag", &isPrecomputedOnly)
    try c.reserved("reserved_2", &reserved2, bits: 7, expecting: 0)
  }
}

/// `tims`: the timescale of packet times.
public struct HintTimescaleBox: BoxPayload {
  public static let info = BoxInfo(
    ["tims"], name: "hint timescale", in: [.otherSampleEntry], "ISO/IEC 14496-12, 9.1.2",
    "The timescale of packet times.")

  /// The number of units per second.
  public var timescale: UInt32 = 90_000

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("timescale", &timescale) }
}

/// `tsro`, `snro`: an offset that is added to the times or the numbers of packets.
public struct HintOffsetBox: BoxPayload {
  public static let info = BoxInfo(
    ["tsro", "snro"], name: "hint offset", in: [.otherSampleEntry], "ISO/IEC 14496-12, 9.1.2",
    "An offset that is added to the times or the numbers of packets.")

  /// The offset.
  public var offset: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.i32("offset", &offset) }
}

/// `tssy`: whether packet times of different streams can be compared.
public struct TimestampSynchronyBox: BoxPayload {
  public static let info = BoxInfo(
    ["tssy"], name: "timestamp synchrony", in: [.otherSampleEntry], "ISO/IEC 14496-12, 9.4.1.2",
    "Whether packet times of different streams can be compared.")

  /// The synchrony: 0 unknown, 1 times are as received, 2 times are synchronised.
  public var timestampSync: UInt8 = 0
  var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.u("timestamp_sync", &timestampSync, 2)
  }
}

/// `rssr`: the synchronisation source (SSRC) of received packets.
public struct ReceivedSSRCBox: BoxPayload {
  public static let info = BoxInfo(
    ["rssr"], name: "received SSRC", in: [.otherSampleEntry], "ISO/IEC 14496-12, 9.4.1.2",
    "The synchronisation source (SSRC) of received packets.")

  /// The SSRC.
  public var ssrc: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("SSRC", &ssrc, in: nil, .hexadecimal)
  }
}

/// `srpp`: how SRTP protects packets; the scheme follows in child boxes.
public struct SRTPProcessBox: FullBox {
  public static let info = BoxInfo(
    ["srpp"], name: "SRTP process", in: [.otherSampleEntry], "ISO/IEC 14496-12, 9.2.2",
    "How SRTP protects packets; the scheme follows in child boxes.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// How RTP packets are encrypted.
  public var encryptionAlgorithmRTP: FourCC = "ACM1"
  /// How RTCP packets are encrypted.
  public var encryptionAlgorithmRTCP: FourCC = "    "
  /// How RTP packets are authenticated.
  public var integrityAlgorithmRTP: FourCC = "SHM2"
  /// How RTCP packets are authenticated.
  public var integrityAlgorithmRTCP: FourCC = "SHM2"

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("encryption_algorithm_rtp", &encryptionAlgorithmRTP)
    try c.fourCC("encryption_algorithm_rtcp", &encryptionAlgorithmRTCP)
    try c.fourCC("integrity_algorithm_rtp", &integrityAlgorithmRTP)
    try c.fourCC("integrity_algorithm_rtcp", &integrityAlgorithmRTCP)
  }
}
