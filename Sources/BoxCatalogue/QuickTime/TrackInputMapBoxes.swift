// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// An input of an `imap`: the changes that another track, referred to by `ssrc`, makes to this track.
public struct TrackInputBox: BoxPayload {
  public static let info = BoxInfo(
    [FourCC(0x0000_696E)], name: "track input", in: [.box("imap")],
    "QuickTime File Format, Track Input Map Atoms",
    "The changes that another track, referred to by ssrc, makes to this track.", childrenFollow: true)

  /// The number of the reference among those of type `ssrc`, counted from 1.
  public var atomID: UInt32 = 1
  /// Two bytes that should be 0.
  public var reserved: UInt16 = 0
  /// The number of boxes inside.
  public var childCount: UInt16 = 0
  /// Four bytes that should be 0.
  public var reservedWord: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("atom_ID", &atomID)
    try c.reserved("reserved", &reserved, bits: 16, expecting: 0)
    try c.u16("child_count", &childCount)
    try c.reserved("reserved2", &reservedWord, bits: 32, expecting: 0)
  }
}

/// ` ty` of an input: the setting that the input changes: the matrix, the clip, the volume, or another.
public struct TrackInputTypeBox: BoxPayload {
  public static let info = BoxInfo(
    [FourCC(0x0000_7479)], name: "track input type", in: [.box(FourCC(0x0000_696E))],
    "QuickTime File Format, Input Type Atom",
    "The setting that the input changes: the matrix, the clip, the volume, or another.")

  /// What the input changes: 1 matrix, 2 clip, 3 volume, 4 balance, 5 graphics mode, `vide` the picture.
  public var inputType: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("input_type", &inputType)
  }
}

/// `obid` of an input: which part of this track the input changes.
public struct ObjectIDBox: BoxPayload {
  public static let info = BoxInfo(
    ["obid"], name: "object ID", in: [.box(FourCC(0x0000_696E))], "QuickTime File Format, Object ID Atom",
    "Which part of this track the input changes.")

  /// The number of the part.
  public var objectID: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("object_ID", &objectID) }
}
