// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a field's raw value is best shown. It never replaces the raw value.
public enum FieldFormat: Sendable {
  /// A plain number.
  case decimal
  /// A number whose bits matter: `0x00000001`.
  case hexadecimal
  /// A one-bit flag, a Boolean in JSON.
  case flag
  /// A four-character code, a string in JSON.
  case fourCC
  /// A binary fixed-point number with `fractionBits` fraction bits.
  case fixedPoint(fractionBits: Int)
  /// The bit pattern of an IEEE 754 number.
  case binaryFloat
  /// A packed ISO 639-2 language, or a Macintosh language code.
  case language
  /// Seconds since 1904-01-01 00:00 UTC.
  case macTime
  /// A count of fractions of a unit: `scaled(1000, "°")` shows 63400 as 63.4°.
  case scaled(Int64, StaticString)
  /// A code with a name: shown as `33 (SPS_NUT)`.
  case named(@Sendable (Int64) -> String?)
}

/// How a field is coded in the bitstream, in the notation of the specifications.
public enum FieldCoding: Hashable, Sendable {
  /// `u(n)`
  case unsigned(bits: Int)
  /// `i(n)`
  case signed(bits: Int)
  /// `ue(v)`
  case expGolomb
  /// `se(v)`
  case signedExpGolomb
  /// A known number of bytes.
  case bytes
  /// A string that ends with a zero byte.
  case terminatedString
  /// A known number of bits.
  case bitString

  /// The descriptor as reference decoders print it.
  public var descriptor: String {
    switch self {
    case .unsigned(let bits): "u(\(bits))"
    case .signed(let bits): "i(\(bits))"
    case .expGolomb: "ue(v)"
    case .signedExpGolomb: "se(v)"
    case .bytes: "b(8)"
    case .terminatedString: "st(v)"
    case .bitString: "u(v)"
    }
  }
}

/// The properties that a declaration gives one field.
public struct FieldNote: Sendable {
  /// The field's name in the specification.
  public var name: StaticString
  /// How the field is coded in the bitstream.
  public var coding: FieldCoding
  /// How the value is best shown.
  public var format: FieldFormat
  /// The range that the specification allows; `nil` if every value that fits is allowed.
  public var allowed: ClosedRange<Int64>?

  /// Makes a description of a field.
  @inlinable
  public init(
    _ name: StaticString, _ coding: FieldCoding, _ format: FieldFormat = .decimal,
    allowed: ClosedRange<Int64>? = nil
  ) {
    self.name = name
    self.coding = coding
    self.format = format
    self.allowed = allowed
  }
}
