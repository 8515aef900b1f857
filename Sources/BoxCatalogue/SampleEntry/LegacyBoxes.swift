// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `d263`: the profile of an H.263 stream.
public struct H263SpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["d263"], name: "H.263 specific", in: [.visualSampleEntry], "3GPP TS 26.244, 6.8",
    "The profile of an H.263 stream.", childrenFollow: true)

  /// The manufacturer of the codec.
  public var vendor: FourCC = "    "
  /// The version of that manufacturer's decoder that suits the stream best; 0 if it does not matter.
  public var decoderVersion: UInt8 = 0
  /// The level.
  public var level: UInt8 = 10
  /// The profile.
  public var profile: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("vendor", &vendor)
    try c.u8("decoder_version", &decoderVersion)
    try c.u8("H263_Level", &level)
    try c.u8("H263_Profile", &profile)
  }
}

/// `bitr`: the bit rates of an H.263 stream.
public struct H263BitrateBox: BoxPayload {
  public static let info = BoxInfo(
    ["bitr"], name: "H.263 bit rate", in: [.box("d263")], "3GPP TS 26.244, 6.8",
    "The bit rates of an H.263 stream.")

  /// The average bit rate, in bits per second.
  public var avgBitrate: UInt32 = 0
  /// The highest bit rate, in bits per second.
  public var maxBitrate: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("Avg_Bitrate", &avgBitrate)
    try c.u32("Max_Bitrate", &maxBitrate)
  }
}

/// `glbl`: codec data written by FFmpeg for which the sample entry has no fields.
public struct GlobalHeaderBox: BoxPayload {
  public static let info = BoxInfo(
    ["glbl"], name: "global header", in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry], "FFmpeg",
    "Codec data written by FFmpeg for which the sample entry has no fields.")

  /// The bytes of the codec.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `lidp`, `lidl`: which local keys of boxed metadata depend on each other, as written by Apple's cameras.
public struct LocalIDDependencyBox: BoxPayload {
  public static let info = BoxInfo(
    ["lidp", "lidl"], name: "local ID dependency", in: [.otherSampleEntry],
    "QuickTime; the layout is not published",
    "Which local keys of boxed metadata depend on each other, as written by Apple's cameras.")

  /// The data, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}
