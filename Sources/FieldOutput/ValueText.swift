// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How raw values are shown: shared by text and JSON, so that both agree.
public enum ValueText {
  /// `value / 2^fractionBits`, exactly, in decimal digits without trailing zeros: `0x00010000` is `1`.
  public static func fixedPoint(_ value: Int64, fractionBits: Int) -> String {
    let bits = min(max(fractionBits, 0), 32)
    let magnitude = value.magnitude
    var text = (value < 0 ? "-" : "") + String(magnitude >> UInt64(bits))
    var fraction = magnitude & ((1 << UInt64(bits)) - 1)
    guard fraction != 0 else { return text }
    text += "."
    while fraction != 0 {
      fraction *= 10
      text += String(fraction >> UInt64(bits))
      fraction &= (1 << UInt64(bits)) - 1
    }
    return text
  }

  /// `value / divisor` with no more digits than are needed: `63400 / 1000` is `63.4`.
  public static func quotient(_ value: Int64, _ divisor: Int64) -> String {
    decimal(value, over: UInt64(max(1, divisor)))
  }

  /// The number with this IEEE 754 bit pattern, in double precision if `bits` is 64 and otherwise in single
  /// precision.
  public static func binaryFloat(_ pattern: UInt64, bits: Int) -> String {
    bits == 64
      ? "\(Double(bitPattern: pattern))"
      : "\(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))"
  }

  /// Three letters of ISO 639-2, packed in 15 bits; below 0x400 a Macintosh language code.
  public static func language(_ packed: UInt64) -> String {
    if packed == 0x7FFF { return "unspecified" }
    if packed < 0x400 { return "Macintosh language \(packed)" }
    return languageLetters(UInt16(truncatingIfNeeded: packed))
  }

  /// A date as ISO 8601 in UTC, from seconds since the beginning of 1904; 0 means not set.
  public static func macTime(_ seconds: UInt64) -> String {
    guard seconds != 0 else { return "not set" }
    return macintoshDate(seconds) ?? "out of range"
  }

  /// 16 bytes as a UUID.
  public static func uuid(_ bytes: ByteView) -> String {
    let digits = Array(bytes.hexadecimalText().utf8)
    guard digits.count == 32 else { return bytes.hexadecimalText() }
    var text: [UInt8] = []
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append(0x2D) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text with every character made visible that could disturb a terminal or a line.
  public static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029:
        result += "\\u{\(hexadecimal(UInt64(scalar.value)))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
