// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// The fields of a box as text, by their names.
final class FieldTexts: FieldSink {
  private(set) var names: [String] = []
  private(set) var texts: [String: String] = [:]
  /// Whether all of the box is in fields.
  private(set) var isWhole = false
  private var scopes: [String] = []
  /// How many fields have a path.
  private var counts: [String: Int] = [:]

  /// As many rows as a comparison can show anybody.
  let tableRows = 256

  init(_ box: Box) {
    let (unread, error) = box.describeFields(into: self)
    finish()
    isWhole = unread.isEmpty && error == nil && !texts.isEmpty && box.isLoaded
  }

  private func add(_ name: StaticString, _ text: String) {
    let path = (scopes + ["\(name)"]).joined(separator: ".")
    let number = counts[path, default: 0] + 1
    counts[path] = number
    let unique = number == 1 ? path : "\(path) (\(number))"
    names.append(unique)
    texts[unique] = text
  }

  func unsigned(_ note: FieldNote, _ value: UInt64) {
    switch note.format {
    case .fourCC: add(note.name, "'\(FourCC(UInt32(truncatingIfNeeded: value)))'")
    case .named(let name):
      add(note.name, name(Int64(clamping: value)).map { "\(value) (\($0))" } ?? "\(value)")
    default: add(note.name, "\(value)")
    }
  }
  func signed(_ note: FieldNote, _ value: Int64) { add(note.name, "\(value)") }
  func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    // One that is as it should be says nothing.
    if value != expected { add(note.name, "\(value)") }
  }
  func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    let text: ByteView?
    switch format {
    case .text: text = value
    // A length, and as many bytes of text.
    case .pascalText: text = value.slice(1..<min(value.count, 1 + Int(value[0] ?? 0)))
    default: text = nil
    }
    if let text { return add(note.name, "“\(String(decoding: text.array, as: UTF8.self))”") }
    add(note.name, value.hexadecimalText(limit: 32) + (value.count > 32 ? "… (\(ContentHash(value)))" : ""))
  }
  func text(_ note: FieldNote, _ value: TerminatedString) { add(note.name, "“\(value.text)”") }
  func bitString(_ note: FieldNote, _ value: BitString) {
    add(note.name, "\(value.bitCount) bits \(ByteView(value.bytes).hexadecimalText(limit: 32))")
  }
  func beginStructure(_ name: StaticString) { scopes.append("\(name)") }
  func beginArray(_ name: StaticString, count: Int) { scopes.append("\(name)") }
  func endScope(omitted: Int) { _ = scopes.popLast() }
}
