// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A JSON document in memory, for tests; objects keep the order of their keys.
public indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// Reads a document; `nil` if it is not valid. Use ``jsonProblem(_:)`` for the reason.
  public init?(_ text: String) {
    guard jsonProblem(text) == nil else { return nil }
    var reader = Reader(bytes: Array(text.utf8))
    guard let value = reader.value() else { return nil }
    self = value
  }

  /// Compares two documents; the order of keys does not matter.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { item in b.contains { $0.key == item.key && $0.value == item.value } }
    default: false
    }
  }

  /// A member of an object; `nil` if there is none.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// An element of an array; `nil` if there is none.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The elements of an array; empty for other values.
  public var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// The text of a string; `nil` for other values.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of an integer; `nil` for other values.
  public var integer: Int? {
    guard case .number(let number) = self else { return nil }
    return Int(exactly: number)
  }

  /// The value of a number; `nil` for other values.
  public var decimal: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    mutating func skip() {
      while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      skip()
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    mutating func value() -> JSONValue? {
      skip()
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case 0x7B:
        index += 1
        var members: [(key: String, value: JSONValue)] = []
        while !take(0x7D) {
          _ = take(0x2C)
          skip()
          guard let key = string(), take(0x3A), let value = value() else { return nil }
          members.append((key, value))
        }
        return .object(members)
      case 0x5B:
        index += 1
        var elements: [JSONValue] = []
        while !take(0x5D) {
          _ = take(0x2C)
          guard let element = value() else { return nil }
          elements.append(element)
        }
        return .array(elements)
      case 0x22: return string().map { .string($0) }
      case 0x74:
        index += 4
        return .bool(true)
      case 0x66:
        index += 5
        return .bool(false)
      case 0x6E:
        index += 4
        return .null
      default:
        let start = index
        while index < bytes.count, ![0x2C, 0x5D, 0x7D, 0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) {
          index += 1
        }
        return Double(String(decoding: bytes[start..<index], as: UTF8.self)).map { .number($0) }
      }
    }

    mutating func string() -> String? {
      guard take(0x22) else { return nil }
      var units: [UInt8] = []
      while index < bytes.count, bytes[index] != 0x22 {
        guard bytes[index] == 0x5C else {
          units.append(bytes[index])
          index += 1
          continue
        }
        index += 2
        switch bytes[index - 1] {
        case 0x6E: units.append(0x0A)
        case 0x72: units.append(0x0D)
        case 0x74: units.append(0x09)
        case 0x75:
          let digits = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
          index += 4
          guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else { return nil }
          units += Array(String(Character(scalar)).utf8)
        case let other: units.append(other)
        }
      }
      index += 1
      return String(decoding: units, as: UTF8.self)
    }
  }
}
