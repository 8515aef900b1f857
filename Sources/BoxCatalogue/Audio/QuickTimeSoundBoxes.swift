// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `enda`: the byte order of uncompressed audio.
public struct SoundByteOrderBox: BoxPayload {
  public static let info = BoxInfo(
    ["enda"], name: "sound byte order", in: [.box("wave"), .audioSampleEntry],
    "QuickTime File Format, Sound, Endian Atom", "The byte order of uncompressed audio.")

  /// The byte order: 0 big-endian, 1 little-endian.
  public var littleEndian: UInt16 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16(
      "littleEndian", &littleEndian, .named { $0 == 0 ? "big-endian" : $0 == 1 ? "little-endian" : nil })
  }
}

/// An atom in a `wave` that is named after a codec: parameters that only the codec can interpret; an empty box of
/// type 0 ends the list.
public struct SoundDecoderParametersBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "sound decoder parameters", in: [.box("wave")],
    "QuickTime File Format, Sound, Sound Decompression Parameters",
    "Parameters that only the codec can interpret; an empty box of type 0 ends the list.")

  /// The parameters; for MPEG-4 audio, four zero bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}
