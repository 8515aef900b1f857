// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `WLOC`: the position of the movie's window.
public struct WindowLocationBox: BoxPayload {
  public static let info = BoxInfo(
    ["WLOC"], name: "window location", in: [.box("udta")], "QuickTime File Format, User Data Atoms",
    "The position of the movie's window.")

  /// The distance from the left.
  public var x: Int16 = 0
  /// The distance from the top.
  public var y: Int16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.i16("x", &x)
    try c.i16("y", &y)
  }
}

/// `LOOP`: how the movie repeats.
public struct LoopingBox: BoxPayload {
  public static let info = BoxInfo(
    ["LOOP"], name: "looping", in: [.box("udta")], "QuickTime File Format, User Data Atoms",
    "How the movie repeats.")

  /// How to repeat: 0 from the start, 1 forwards and backwards.
  public var style: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("style", &style, .named { $0 == 0 ? "normal" : $0 == 1 ? "palindromic" : nil })
  }
}

/// `SelO` and `AllF`: whether only the selection is played (`SelO`), or whether every frame is played (`AllF`).
public struct PlaybackFlagBox: BoxPayload {
  public static let info = BoxInfo(
    ["SelO", "AllF"], name: "playback flag", in: [.box("udta")], "QuickTime File Format, User Data Atoms",
    "Whether only the selection is played (SelO), or whether every frame is played (AllF).")

  /// 1 means yes.
  public var value: UInt8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u8("value", &value) }
}

/// `ptv `: how the movie is shown on a television.
public struct PrintToVideoBox: BoxPayload {
  public static let info = BoxInfo(
    ["ptv "], name: "print to video", in: [.box("udta")], "QuickTime File Format, User Data Atoms",
    "How the movie is shown on a television.")

  /// The size: 0 normal, 1 double, 2 half, 3 full screen.
  public var displaySize: UInt16 = 0
  /// Always 0.
  public var reserved1: UInt16 = 0
  /// Always 0.
  public var reserved2: UInt16 = 0
  /// Whether the movie is a slide show.
  public var slideShow: UInt8 = 0
  /// Whether playback starts when the movie is opened.
  public var playOnOpen: UInt8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("display_size", &displaySize)
    try c.reserved("reserved1", &reserved1, bits: 16, expecting: 0)
    try c.reserved("reserved2", &reserved2, bits: 16, expecting: 0)
    try c.u8("slide_show", &slideShow)
    try c.u8("play_on_open", &playOnOpen)
  }
}
