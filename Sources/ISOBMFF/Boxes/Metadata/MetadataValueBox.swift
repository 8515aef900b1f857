// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `data`: the value of a metadata item, with its type.
///
/// It also has the country and the language that the value is meant for.
public struct MetadataValueBox: BoxPayload {
  public static let info = BoxInfo(
    ["data"], name: "metadata value", in: [.metadataItem], "QuickTime File Format, Value Atom",
    "The value of a metadata item, with its type.")

  /// 0 means that the type is one of the well-known types.
  public var typeSet: UInt8 = 0
  /// The type of the value.
  public var valueType = WellKnownType.utf8
  /// A country code, or an index into the country lists; 0 means all.
  public var country: UInt16 = 0
  /// A packed language code, or an index into the language lists; 0 means all.
  public var language: UInt16 = 0
  /// The value.
  public var value = ByteView()

  public init() {}

  /// Makes a value of a well-known type.
  public init(_ type: WellKnownType, _ value: ByteView) {
    valueType = type
    self.value = value
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("type_set", &typeSet)
    try c.code("well_known_type", &valueType, bits: 24, WellKnownType.format)
    try c.u16("country_indicator", &country)
    try c.u16("language_indicator", &language)
    try c.remainder("value", &value, valueType == .utf8 && typeSet == 0 ? .text : .hexadecimal)
  }
}

/// The well-known types of metadata values.
public struct WellKnownType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bytes whose meaning is defined by the key.
  public static let binary = WellKnownType(rawValue: 0)
  /// UTF-8 without a terminator.
  public static let utf8 = WellKnownType(rawValue: 1)
  /// UTF-16 in big-endian order.
  public static let utf16 = WellKnownType(rawValue: 2)
  /// A JPEG image.
  public static let jpeg = WellKnownType(rawValue: 13)
  /// A PNG image.
  public static let png = WellKnownType(rawValue: 14)
  /// A signed number of 1, 2, 3, 4 or 8 bytes.
  public static let signedInteger = WellKnownType(rawValue: 21)
  /// An unsigned number of 1, 2, 3, 4 or 8 bytes.
  public static let unsignedInteger = WellKnownType(rawValue: 22)
  /// A 32-bit floating-point number.
  public static let float32 = WellKnownType(rawValue: 23)
  /// A 64-bit floating-point number.
  public static let float64 = WellKnownType(rawValue: 24)

  /// The type in words; `nil` if it is unknown.
  public var name: String? {
    switch rawValue {
    case 0: "binary"
    case 1: "UTF-8"
    case 2: "UTF-16"
    case 3: "Shift-JIS"
    case 4: "UTF-8 for sorting"
    case 5: "UTF-16 for sorting"
    case 13: "JPEG"
    case 14: "PNG"
    case 21: "signed integer"
    case 22: "unsigned integer"
    case 23: "float 32"
    case 24: "float 64"
    case 27: "BMP"
    case 28: "QuickTime metadata"
    case 65: "signed 8"
    case 66: "signed 16"
    case 67: "signed 32"
    case 70: "point float 32"
    case 71: "dimensions float 32"
    case 72: "rectangle float 32"
    case 74: "signed 64"
    case 75: "unsigned 8"
    case 76: "unsigned 16"
    case 77: "unsigned 32"
    case 78: "unsigned 64"
    case 79: "affine transform float 64"
    case 80: "perspective quad float 32"
    default: nil
    }
  }

  static let format = FieldFormat.named { WellKnownType(rawValue: UInt32(clamping: $0)).name }
}

extension MetadataValueBox {
  /// A value decoded according to its well-known type.
  public enum Content: Hashable, Sendable, CustomStringConvertible {
    /// Text.
    case text(String)
    /// A signed integer.
    case integer(Int64)
    /// An unsigned integer.
    case unsigned(UInt64)
    /// A floating-point number.
    case number(Double)
    /// Several floating-point numbers: a point, a size, a rectangle, a transform.
    case numbers([Double])
    /// A value of any other type.
    case bytes(ByteView)

    /// The value as text: text unchanged, numbers in digits. `nil` for bytes.
    public var stringValue: String? {
      switch self {
      case .text(let text): text
      case .integer(let number): String(number)
      case .unsigned(let number): String(number)
      case .number(let number): "\(number)"
      case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
      case .bytes: nil
      }
    }

    /// The value as text; for bytes, their number.
    public var description: String {
      if let stringValue { return stringValue }
      if case .bytes(let bytes) = self { return "\(bytes.count) bytes" }
      return ""
    }
  }

  /// The value, decoded according to its type; bytes if the type is unknown or the length does not match it.
  public var content: Content {
    guard typeSet == 0 else { return .bytes(value) }
    switch valueType.rawValue {
    case 1, 4: return .text(value.utf8Text)
    case 2, 5: return .text(value.utf16Text)
    case 21, 65, 66, 67, 74:
      guard let raw = value.bigEndian(at: 0, width: value.count) else { return .bytes(value) }
      let unused = Int64(64 &- 8 &* value.count)
      return .integer((Int64(bitPattern: raw) &<< unused) &>> unused)
    case 22, 75, 76, 77, 78:
      guard let raw = value.bigEndian(at: 0, width: value.count) else { return .bytes(value) }
      return .unsigned(raw)
    case 23, 24, 70, 71, 72, 79, 80: return numbers
    default: return .bytes(value)
    }
  }

  private var numbers: Content {
    let width = valueType == .float64 || valueType.rawValue == 79 ? 8 : 4
    let count: Int
    switch valueType.rawValue {
    case 70, 71: count = 2
    case 72: count = 4
    case 79: count = 9
    case 80: count = 8
    default: count = 1
    }
    guard value.count == count * width else { return .bytes(value) }
    let numbers = (0..<count).compactMap { index -> Double? in
      guard let raw = value.bigEndian(at: index * width, width: width) else { return nil }
      return width == 8
        ? Double(bitPattern: raw) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
    }
    if count == 1, let only = numbers.last { return .number(only) }
    return .numbers(numbers)
  }
}

extension ByteView {
  /// The bytes decoded as UTF-16, in the order indicated by a byte order mark, or else big-endian.
  var utf16Text: String {
    var units: [UInt16] = []
    units.reserveCapacity(count / 2)
    let isLittleEndian = bigEndian(at: 0, width: 2) == 0xFFFE
    let hasMark = isLittleEndian || bigEndian(at: 0, width: 2) == 0xFEFF
    for index in stride(from: hasMark ? 2 : 0, to: count - 1, by: 2) {
      let unit = UInt16(truncatingIfNeeded: bigEndian(at: index, width: 2) ?? 0)
      units.append(isLittleEndian ? unit.byteSwapped : unit)
    }
    return String(decoding: units, as: UTF16.self)
  }
}
