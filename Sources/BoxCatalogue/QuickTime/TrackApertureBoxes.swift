// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `clef`, `prof`, `enof`: the size of a track's pictures in one of three modes: clean, production or encoded.
public struct TrackApertureDimensionsBox: FullBox {
  public static let info = BoxInfo(
    ["clef", "prof", "enof"], name: "track aperture dimensions", in: [.box("tapt")],
    "QuickTime File Format, Track Aperture Mode Dimensions",
    "The size of a track's pictures in one of three modes: clean, production or encoded.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The width in pixels, as a 16.16 fixed-point number.
  public var width: UInt32 = 0
  /// The height in pixels, as a 16.16 fixed-point number.
  public var height: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("width", &width, .fixedPoint(fractionBits: 16))
    try c.u32("height", &height, .fixedPoint(fractionBits: 16))
  }
}

/// `load`: how the track is loaded into memory.
public struct LoadSettingsBox: BoxPayload {
  public static let info = BoxInfo(
    ["load"], name: "load settings", in: [.box("trak")], "QuickTime File Format, Track Load Settings Atom",
    "How the track is loaded into memory.")

  /// The time from which to preload, in units of the movie's timescale.
  public var preloadStartTime: UInt32 = 0
  /// The duration to preload, in units of the movie's timescale; all bits are 1 for everything up to the end.
  public var preloadDuration: UInt32 = UInt32.max
  /// When to preload: 1 always, 2 only if the track is enabled.
  public var preloadFlags: UInt32 = 0
  /// A sum of hints: 0x20 double buffer, 0x100 high quality.
  public var defaultHints: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("preload_start_time", &preloadStartTime)
    try c.u32("preload_duration", &preloadDuration)
    try c.u32("preload_flags", &preloadFlags)
    try c.u32("default_hints", &defaultHints, .hexadecimal)
  }
}

/// `crgn`: the part of a movie or track that is drawn.
public struct ClippingRegionBox: BoxPayload {
  public static let info = BoxInfo(
    ["crgn"], name: "clipping region", in: [.box("clip")], "QuickTime File Format, Clipping Region Atom",
    "The part of a movie or track that is drawn.")

  /// The size of the region in bytes, including this number.
  public var regionSize: UInt16 = 10
  /// The top edge of the region.
  public var top: Int16 = 0
  /// The left edge of the region.
  public var left: Int16 = 0
  /// The bottom edge of the region.
  public var bottom: Int16 = 0
  /// The right edge of the region.
  public var right: Int16 = 0
  /// Data of a region that is not a rectangle.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("region_size", &regionSize)
    try c.i16("top", &top)
    try c.i16("left", &left)
    try c.i16("bottom", &bottom)
    try c.i16("right", &right)
    try c.remainder("region_data", &data)
  }
}

/// `kmat`: a compressed picture that specifies how much of a track is visible at each point.
public struct CompressedMatteBox: FullBox {
  public static let info = BoxInfo(
    ["kmat"], name: "compressed matte", in: [.box("matt")], "QuickTime File Format, Compressed Matte Atom",
    "A compressed picture that specifies how much of a track is visible at each point.", versions: 0...0)

  public var flags: UInt32 = 0
  /// A sample entry and a compressed picture, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("matte", &data)
  }
}

/// `ctab`: a table of colours.
public struct ColorTableBox: BoxPayload {
  public static let info = BoxInfo(
    ["ctab"], name: "color table", in: [.box("moov"), .visualSampleEntry],
    "QuickTime File Format, Color Table Atom", "A table of colours.")

  /// A colour.
  public struct Entry: PackedRecord {
    /// Always 0, or the number of the colour.
    public var value: UInt16 = 0
    /// The red component.
    public var red: UInt16 = 0
    /// The green component.
    public var green: UInt16 = 0
    /// The blue component.
    public var blue: UInt16 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("value", &value)
      try c.u16("red", &red)
      try c.u16("green", &green)
      try c.u16("blue", &blue)
    }
  }

  /// Always 0.
  public var seed: UInt32 = 0
  /// Always 0x8000.
  public var flags: UInt16 = 0x8000
  /// The colours; at least one.
  public var colors: [Entry] = [Entry()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("color_table_seed", &seed)
    try c.u16("color_table_flags", &flags, .hexadecimal)
    var countMinus1 = UInt16(clamping: colors.count &- 1)
    try c.u16("color_table_size", &countMinus1)
    try c.array("colors", &colors, count: Int(countMinus1) + 1, minimumBits: 64)
  }
}

/// `pnot`: the picture that represents the movie before playback.
public struct PreviewBox: BoxPayload {
  public static let info = BoxInfo(
    ["pnot"], name: "preview", in: [.file], "QuickTime File Format, Preview Atom",
    "The picture that represents the movie before playback.")

  /// When the preview was last modified, in seconds since 1904-01-01 00:00 UTC.
  public var modificationDate: UInt32 = 0
  /// Always 0.
  public var versionNumber: UInt16 = 0
  /// The type of the atom that contains the picture.
  public var atomType: FourCC = "PICT"
  /// The number of that atom among those of its type, counted from 1.
  public var atomIndex: UInt16 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("modification_date", &modificationDate, .macTime)
    try c.u16("version_number", &versionNumber)
    try c.fourCC("atom_type", &atomType)
    try c.u16("atom_index", &atomIndex)
  }
}
