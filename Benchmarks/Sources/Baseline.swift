// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// The results of an earlier run. Only those that are comparable between machines are compared: ratios,
/// allocations and bytes read.
struct Baseline {
  private let entries: [String: JSONValue]

  /// Reads the output of `--json`; `nil` if the file has something else.
  init?(path: String) {
    do {
      let file = try FileBytes(path: path)
      let text = try file.read(0..<(file.size ?? 0))
      guard let document = JSONValue(text), let list = document["benchmarks"]?.elements else { return nil }
      var entries: [String: JSONValue] = [:]
      for entry in list {
        if let name = entry["name"]?.text { entries[name] = entry }
      }
      self.entries = entries
    } catch { return nil }
  }

  /// Returns what has become worse: ratios by more than a quarter, counts by more than a tenth.
  func regressions(of measurement: Measurement) -> [String] {
    guard let old = entries[measurement.name] else { return [] }
    var worse: [String] = []
    if let before = old["ratio"]?.number, let now = measurement.ratio, now < 0.75 * before {
      worse.append("ratio \(threeDigits(now)), was \(threeDigits(before))")
    }
    let counts = [("allocations", measurement.allocations), ("bytesRead", measurement.bytesRead ?? 0)]
    for (name, now) in counts {
      if let before = old[name]?.number, Double(now) > 1.1 * before + 8 {
        worse.append("\(name) \(now), was \(UInt64(before))")
      }
    }
    return worse
  }
}

/// JSON as this tool writes it.
enum JSONValue {
  case object([String: JSONValue])
  case array([JSONValue])
  case text(String)
  case number(Double)
  case other

  init?(_ bytes: ByteView) {
    var reader = JSONReader(bytes: bytes)
    guard let value = reader.value() else { return nil }
    self = value
  }

  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
}

private struct JSONReader {
  let bytes: ByteView
  private var position = 0

  init(bytes: ByteView) { self.bytes = bytes }

  private mutating func skipSpace() {
    while let byte = bytes[position], byte <= 0x20 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard let byte = bytes[position], UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  mutating func value() -> JSONValue? {
    if take("{") { return members() }
    if take("[") { return elements() }
    if take("\"") { return string().map(JSONValue.text) }
    var word = ""
    while let byte = bytes[position], byte > 0x20, ![0x2C, 0x5D, 0x7D].contains(byte) {
      word.unicodeScalars.append(Unicode.Scalar(byte))
      position += 1
    }
    guard !word.isEmpty else { return nil }
    return Double(word).map(JSONValue.number) ?? .other
  }

  private mutating func members() -> JSONValue? {
    var members: [String: JSONValue] = [:]
    if take("}") { return .object(members) }
    repeat {
      guard take("\""), let name = string(), take(":"), let value = value() else { return nil }
      members[name] = value
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func elements() -> JSONValue? {
    var elements: [JSONValue] = []
    if take("]") { return .array(elements) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  /// After the opening quote. What is escaped stays so: no name has such characters.
  private mutating func string() -> String? {
    let start = position
    while let byte = bytes[position] {
      position += byte == 0x5C ? 2 : 1
      if byte == 0x22 { return bytes.slice(start..<(position - 1))?.utf8Text }
    }
    return nil
  }
}
