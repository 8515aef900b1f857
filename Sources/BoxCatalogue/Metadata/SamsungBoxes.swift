// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `saut`: how a Samsung camera recorded slow motion.
public struct SamsungRecordingBox: BoxPayload {
  public static let info = BoxInfo(
    ["saut"], name: "Samsung recording", in: [.box("smta")], "Samsung, as found in files and read by Android",
    "How a Samsung camera recorded slow motion.")

  /// A number whose meaning is unknown.
  public var author: UInt32 = 0
  /// The mode; `nil` in movies of phones, which end after ``author``.
  public var mode: Mode? = Mode()

  /// How slow motion was recorded.
  public struct Mode: FieldLayout {
    /// The recording mode: 12 for 240 pictures per second, 13 for 120.
    public var recordingMode: UInt8 = 12
    /// The number of temporal layers in the stream.
    public var temporalLayerCount: UInt8 = 4
    var reserved1: UInt8 = 0
    var reserved2: UInt8 = 1

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved1", &reserved1, bits: 8, expecting: 0)
      try c.u8(
        "recording_mode", &recordingMode,
        .named { $0 == 12 ? "240 pictures a second" : $0 == 13 ? "120 pictures a second" : nil })
      try c.reserved("reserved2", &reserved2, bits: 8, expecting: 1)
      try c.u8("temporal_layer_count", &temporalLayerCount)
    }
  }

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("author", &author)
    try c.group("mode", &mode, if: c.bitsLeft.map { $0 >= 32 } ?? (mode != nil))
  }
}

/// `srfr`: the picture rate at which a Samsung camera recorded.
public struct SamsungFrameRateBox: BoxPayload {
  public static let info = BoxInfo(
    ["srfr"], name: "Samsung frame rate", in: [.box("smta")], "Samsung, as found in files",
    "The picture rate at which a Samsung camera recorded.")

  /// The rate in pictures per second, as a 16.16 fixed-point number.
  public var rate: UInt32 = 240 << 16

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("rate", &rate, .fixedPoint(fractionBits: 16))
  }
}

/// `sefd`: data that a Samsung camera appends to its files: named blocks and their directory. The byte order is that
/// of the camera.
public struct SamsungTrailerBox: BoxPayload {
  public static let info = BoxInfo(
    ["sefd"], name: "Samsung trailer", in: [.file], "Samsung, as found in files and read by Android",
    "Data that a Samsung camera appends to its files: named blocks and their directory.")

  /// The blocks and their directory, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `mpvd`: the movie of a motion photo: a whole MP4 file in a photo.
public struct MotionPhotoVideoBox: BoxPayload {
  public static let info = BoxInfo(
    ["mpvd"], name: "motion photo video", in: [.file], "Android, Motion Photo format 1.0",
    "The movie of a motion photo: a whole MP4 file in a photo.")

  /// The movie, as a file.
  public var movie = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("movie", &movie) }
}
