// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import ISOBMFF

/// How much of a tree is shown.
struct TreeDetail {
  /// How many levels of boxes.
  var depth = Int.max
  /// How many rows of a table.
  var rows = 8
  /// Whether fields are shown.
  var hasFields = true

  /// Tables that may be long, and have the number of their rows in front.
  private static let countedTables: Set<FourCC> = [
    "stts", "ctts", "stsz", "stz2", "stsc", "stco", "co64", "stss", "stps", "trun", "elst",
  ]

  /// Whether the beginning of a box is not enough for what is shown of it.
  func needsWhole(_ box: Box) -> Bool {
    box.registration?.payloadType != nil && !box.isContainer
      && (rows > 8 || !Self.countedTables.contains(box.type))
  }
}

/// Writes boxes for people: offset and size in columns at the left, the boxes indented, their fields below each.
struct TreeText {
  private let out: OutputBuffer
  private let style: Style
  private let detail: TreeDetail
  private let tree: BoxTree
  private let columns: Int
  private let offsetWidth: Int
  private let sizeWidth: Int
  private let isCancelled: () -> Bool
  private let allowance: Allowance
  private let sink: TextSink

  /// How much text the fields may take: of a file made for it each byte can be a field of a hundred.
  private final class Allowance {
    let end: Int
    var isSpent = false
    init(_ end: Int) { self.end = end }
  }

  /// Writes about `tree`; `isWhole` where all of it is written.
  init(_ tree: BoxTree, _ detail: TreeDetail, isWhole: Bool, _ invocation: Invocation) {
    self.tree = tree
    self.detail = detail
    out = invocation.out
    style = invocation.style
    columns = invocation.columns
    isCancelled = { [surroundings = invocation.surroundings] in surroundings.output.isClosed }
    let end = tree.boxes.last?.fileRange.upperBound ?? 0
    offsetWidth = max(6, String(end).utf8.count)
    sizeWidth = max(6, String(tree.boxes.map { $0.size }.max() ?? 0).utf8.count)
    let bytes = (16 << 20) + 16 * min(end, 1 << 40)
    allowance = Allowance(detail.rows == .max || !isWhole ? .max : out.total + bytes)
    sink = TextSink(
      out, tableRows: detail.rows, width: max(columns, 80), style: style.fields, textLimitInAll: allowance.end
    )
  }

  private var margin: Int { offsetWidth + sizeWidth + 4 }

  /// Writes the titles of the columns.
  func writeTitles() {
    let line = padded("offset", offsetWidth) + "  " + padded("size", sizeWidth) + "  box"
    out.append(style.faint(line) + "\n")
  }

  /// Writes boxes that are next to one another, and all in them.
  func write(_ boxes: [Box], level: Int = 0) {
    for index in boxes.indices {
      if level == 0 || index % 64 == 63, isCancelled() { return }
      write(boxes[index], level: level)
    }
  }

  /// Writes a box and all in it, unless that `isShownAbove`.
  func write(_ box: Box, level: Int, isShownAbove: Bool = false) {
    writeHeader(box, level)
    if detail.hasFields, admitsFields(level) {
      if let whole = wholeIfNeeded(box, level) { writeFields(whole, level) } else { writeFields(box, level) }
    } else {
      writeProblems(box, nil, level)
    }
    if !box.children.isEmpty {
      if isShownAbove {
        note("… its boxes are shown above", level + 1)
      } else if level + 1 < detail.depth {
        write(box.children, level: level + 1)
      } else {
        let count = countBoxes(box.children)
        note("… \(count) box\(count == 1 ? "" : "es") inside", level + 1)
      }
    }
    writeTrailing(box, level)
  }

  // MARK: Lines

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  private func writeHeader(_ box: Box, _ level: Int) {
    writeNumber(box.offset, offsetWidth)
    writeNumber(box.size, sizeWidth + 2)
    out.append(spaces: 2 + 2 * level)
    out.append(style.beforeName)
    out.append(code: box.type)
    out.append(style.afterName)
    if let userType = box.userType { out.append(" " + ValueText.uuid(userType)) }
    out.append(spaces: 2)
    out.append(style.beforeFaint)
    writeRemarks(box)
    out.append(style.afterFaint)
    out.append(byte: 0x0A)
  }

  private func writeNumber(_ number: Int, _ width: Int) {
    out.append(spaces: width - UInt64(number.magnitude).decimalDigits)
    out.append(Int64(number))
  }

  /// What the box is, and how it is written where that is unusual.
  private func writeRemarks(_ box: Box) {
    if let registration = box.registration {
      out.append(registration.name)
      if let (version, flags) = box.versionAndFlags {
        out.append(", version ")
        out.append(UInt64(version))
        if flags != 0 {
          out.append(", flags 0x")
          out.append(hexadecimal: UInt64(flags), digits: 6)
        }
      }
    } else {
      out.append("unknown")
    }
    switch box.sizeForm {
    case .compact: break
    case .large: out.append(", 64-bit size")
    case .toEnd: out.append(", to the end")
    }
  }

  private func indentation(_ level: Int) -> Int { margin + 2 * level }

  private func note(_ text: String, _ level: Int) {
    out.append(spaces: indentation(level))
    out.append(style.beforeFaint)
    out.append(text)
    out.append(style.afterFaint)
    out.append("\n")
  }

  private func problem(_ text: String, _ level: Int) {
    out.append(spaces: indentation(level))
    out.append(style.problem("! " + text) + "\n")
  }

  // MARK: Fields

  private func admitsFields(_ level: Int) -> Bool {
    guard out.total > allowance.end else { return true }
    if !allowance.isSpent {
      problem(
        "too much text: fields are omitted from here on; --path shows the fields of a box",
        level + 2)
    }
    allowance.isSpent = true
    return false
  }

  /// The box with all its bytes; `nil` if what is in memory will do, or has to.
  private func wholeIfNeeded(_ box: Box, _ level: Int) -> Box? {
    guard !box.isLoaded, !isMedia(box), detail.needsWhole(box) else { return nil }
    do { return try tree.loaded(box) } catch {
      problem("cannot be loaded: \(error)", level + 2)
      return nil
    }
  }

  private func writeFields(_ box: Box, _ level: Int) {
    guard !isMedia(box) else { return writeProblems(box, nil, level) }
    guard box.registration != nil else {
      writeProblems(box, nil, level)
      let body = box.body
      if !body.isEmpty { hexadecimalLine("data", body, box.size - box.headerSize, level + 2) }
      return
    }
    sink.begin(
      indentation: indentation(level + 2), skipsVersionAndFlags: box.registration?.versions != nil)
    let (unread, error) = box.describeFields(into: sink)
    _ = admitsFields(level)
    writeProblems(box, error, level)
    if !unread.isEmpty, !box.isContainer, box.isLoaded {
      hexadecimalLine(error == nil ? "unread" : "rest", unread, unread.count, level + 2)
    }
  }

  private func isMedia(_ box: Box) -> Bool { box.bytes.isEmpty && box.size > 0 }

  private func writeProblems(_ box: Box, _ error: ParseError?, _ level: Int) {
    if let structural = box.structuralProblem { problem(structural.sentence, level + 2) }
    if let error { problem("at \(error.offset): " + error.sentence, level + 2) }
  }

  private func hexadecimalLine(_ name: String, _ bytes: ByteView, _ count: Int, _ level: Int) {
    let limit = 32
    if bytes.count == count, bytes.isAllZero, count > 4 { return note("\(name): \(count) zero bytes", level) }
    var text = bytes.hexadecimalText(limit: limit)
    if count > limit { text += "…" }
    let preview = String(
      decoding: bytes.prefix(limit).array.map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
    out.append(spaces: indentation(level))
    out.append(style.faint(name + ": ") + text + style.faint("  \(preview)  (\(count) bytes)") + "\n")
  }

  private func writeTrailing(_ box: Box, _ level: Int) {
    let trailing = box.trailing
    guard !trailing.isEmpty else { return }
    hexadecimalLine("after the boxes", trailing, trailing.count, level + 1)
  }

  /// Writes what belongs to no box, and what is wrong with the file.
  func writeEnd() {
    let rest = tree.trailingRange
    if !rest.isEmpty { note("\(rest.count) bytes from offset \(rest.lowerBound) on belong to no box", 0) }
    guard !tree.diagnostics.isEmpty else { return }
    out.append("\n")
    for item in tree.diagnostics {
      out.append("\(style.word(item.severity)): \(item.place): \(item.message) [\(item.code.rawValue)]\n")
    }
    if tree.diagnostics.omitted > 0 { note("\(tree.diagnostics.omitted) more are not listed", 0) }
  }

  private func countBoxes(_ boxes: [Box]) -> Int {
    var count = boxes.count
    for index in boxes.indices { count += countBoxes(boxes[index].children) }
    return count
  }
}
