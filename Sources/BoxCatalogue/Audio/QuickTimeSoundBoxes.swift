// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `enda`: the byte order of uncompressed audio.
public struct SoundByteOrderBox: BoxPayload {
  public static let name: StaticString = "sound byte order"
  public static let types: [FourCC] = ["enda"]
  public static let scopes: [BoxScope] = [.box("wave"), .audioSampleEntry]
  public static let specification: StaticString = "QuickTime File Format, Sound, Endian Atom"
  public static let summary: StaticString = "The byte order of uncompressed sound."

  /// The byte order: 0 big-endian, 1 little-endian.
  public var littleEndian: UInt16 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16(
      "littleEndian", &littleEndian, .named { $0 == 0 ? "big-endian" : $0 == 1 ? "little-endian" : nil })
  }
}

/// An atom in a `wave` that is named after a codec: parameters that only the codec can interpret. An atom of type
/// 0 without content ends the list.
public struct SoundDecoderParametersBox: BoxPayload {
  public static let name: StaticString = "sound decoder parameters"
  public static let types: [FourCC] = []
  public static let scopes: [BoxScope] = [.box("wave")]
  public static let specification: StaticString =
    "QuickTime File Format, Sound, Sound Decompression Parameters"
  public static let summary: StaticString =
    "Parameters that only the codec can read; the box of type 0 ends the list."

  /// The parameters; for MPEG-4 audio, four zero bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}
