// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `wipe`: how a picture of a slide show wipes away the previous one.
public struct WipeTransitionProperty: FullBox {
  public static let info = BoxInfo(
    ["wipe"], name: "wipe transition property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.2",
    "How a picture of a slide show wipes away the previous one.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The direction, by the table of the standard.
  public var direction: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("transition_direction", &direction)
  }
}

/// `zoom`: how a picture of a slide show grows over the previous one, or the previous one shrinks.
public struct ZoomTransitionProperty: FullBox {
  public static let info = BoxInfo(
    ["zoom"], name: "zoom transition property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.3",
    "How a picture of a slide show grows over the previous one, or the previous one shrinks.", versions: 0...0
  )

  public var flags: UInt32 = 0
  /// Whether the shape shrinks.
  public var isOutward = false
  /// The shape, by the table of the standard.
  public var shape: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.flag("transition_direction", &isOutward)
    try c.u("transition_shape", &shape, 7)
  }
}

/// `fade`: how a picture of a slide show fades in over the previous one.
public struct FadeTransitionProperty: FullBox {
  public static let info = BoxInfo(
    ["fade"], name: "fade transition property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.4",
    "How a picture of a slide show fades in over the previous one.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The direction, by the table of the standard.
  public var direction: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("transition_direction", &direction)
  }
}

/// `splt`: how a picture of a slide show splits the previous one.
public struct SplitTransitionProperty: FullBox {
  public static let info = BoxInfo(
    ["splt"], name: "split transition property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.5",
    "How a picture of a slide show splits the previous one.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The direction, by the table of the standard.
  public var direction: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("transition_direction", &direction)
  }
}

/// `stpe`: how long a transition in a slide show should take.
public struct SuggestedTransitionPeriodProperty: FullBox {
  public static let info = BoxInfo(
    ["stpe"], name: "suggested transition period property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.6",
    "How long a transition in a slide show should take.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The duration, in units of 1/16 second.
  public var period: UInt8 = 16

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("transition_period", &period, .scaled(16, " s"))
  }
}

/// `ssld`: how long a picture of a slide show should be shown.
public struct SuggestedDisplayDurationProperty: FullBox {
  public static let info = BoxInfo(
    ["ssld"], name: "suggested display duration property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.11.7",
    "How long a picture of a slide show should be shown.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The duration in seconds.
  public var duration: UInt16 = 5

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("duration", &duration)
  }
}
