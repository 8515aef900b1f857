// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `btrt`: the bit rates and the buffer size of a stream.
public struct BitRateBox: BoxPayload {
  public static let info = BoxInfo(
    ["btrt"], name: "bit rate", in: [.visualSampleEntry, .audioSampleEntry, .otherSampleEntry],
    "ISO/IEC 14496-12, 8.5.2.2", "The bit rates and the buffer size of a stream.")

  /// The size of the decoding buffer in bytes.
  public var bufferSizeDB: UInt32 = 0
  /// The highest bit rate over any second, in bits per second.
  public var maxBitrate: UInt32 = 0
  /// The average bit rate, in bits per second.
  public var avgBitrate: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("bufferSizeDB", &bufferSizeDB)
    try c.u32("maxBitrate", &maxBitrate)
    try c.u32("avgBitrate", &avgBitrate)
  }
}

/// `ccst`: how the pictures of a sequence refer to each other.
public struct CodingConstraintsBox: FullBox {
  public static let info = BoxInfo(
    ["ccst"], name: "coding constraints", in: [.visualSampleEntry], "ISO/IEC 23008-12, 7.2.3",
    "How the pictures of a sequence refer to each other.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Whether all reference pictures are intra coded.
  public var allRefPicsIntra = false
  /// Whether intra prediction is used in pictures that refer to others.
  public var intraPredUsed = false
  /// The maximum number of pictures that one refers to; 15 means any number.
  public var maxRefPerPic: UInt8 = 0
  var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.flag("all_ref_pics_intra", &allRefPicsIntra)
    try c.flag("intra_pred_used", &intraPredUsed)
    try c.u("max_ref_per_pic", &maxRefPerPic, 4)
    try c.reserved("reserved", &reserved, bits: 26, expecting: 0)
  }
}

/// `auxi`: the purpose of an auxiliary track, such as alpha or depth.
public struct AuxiliaryTypeInfoBox: FullBox {
  public static let info = BoxInfo(
    ["auxi"], name: "auxiliary type info", in: [.visualSampleEntry], "ISO/IEC 23008-12, 7.5.3",
    "The purpose of an auxiliary track, such as alpha or depth.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The URN of the purpose.
  public var auxTrackType = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("aux_track_type", &auxTrackType)
  }
}

/// `stsl`: how pictures are scaled to the size of the track (no longer in use).
public struct SampleScaleBox: FullBox {
  public static let info = BoxInfo(
    ["stsl"], name: "sample scale", in: [.visualSampleEntry, .box("stbl")], "ISO/IEC 14496-12 (2005), 8.35.4",
    "How pictures are scaled to the size of the track (no longer in use).", versions: 0...0)

  public var flags: UInt32 = 0
  /// Whether pixels stay square.
  public var constraintFlag = false
  /// The method: 1 fill, 2 hidden, 3 meet, 4 slice in x, 5 slice in y.
  public var scaleMethod: UInt8 = 1
  /// The point that stays in the centre, in pixels.
  public var displayCenterX: Int16 = 0, displayCenterY: Int16 = 0
  var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    try c.flag("constraint_flag", &constraintFlag)
    try c.u8("scale_method", &scaleMethod)
    try c.i16("display_center_x", &displayCenterX)
    try c.i16("display_center_y", &displayCenterY)
  }
}
