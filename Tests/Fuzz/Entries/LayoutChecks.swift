// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import TestSupport

extension FuzzFindings {
  /// What holds for every declared structure: what is read is written as it was, reads as the same again, and can be
  /// described; an error lies inside the bytes.
  ///
  /// - Returns: the structure, where it could be read.
  @discardableResult
  mutating func checkLayout<L: FieldLayout>(_ initial: L, _ bytes: ByteView, _ name: String) -> L? {
    let (value, unread, error) = bytes.decode(initial)
    describe(initial, value, bytes, error, name)
    if let error {
      checkPlace(error, bytes, name)
      return nil
    }
    do {
      let written = try value.encoded()
      expect(written + unread.array == bytes.array, "\(name): written as other bytes")
      let again = ByteView(written).decode(initial)
      expect(again.error == nil && again.unread.isEmpty, "\(name): what was written does not read")
      expect(again.value == value, "\(name): reads as another value when written")
    } catch { note("\(name): was read but cannot be written: \(error)") }
    return value
  }

  /// An error lies inside the bytes in which it was found, or right after them.
  mutating func checkPlace(_ error: ParseError, _ bytes: ByteView, _ name: String) {
    let range = bytes.fileRange
    expect(
      error.offset >= range.lowerBound && error.offset <= range.upperBound,
      "\(name): the error \(error) is outside \(range)")
    expect(error.bit < 8, "\(name): bit \(error.bit)")
  }

  /// Every structure can be described, damaged ones too, and the JSON is a document.
  private mutating func describe<L: FieldLayout>(
    _ initial: L, _ value: L, _ bytes: ByteView, _ error: ParseError?, _ name: String
  ) {
    let json = OutputBuffer()
    let writer = JSONWriter(json, pretty: false)
    writer.beginObject()
    let sink = JSONSink(writer)
    var traced = initial
    let result = bytes.trace(&traced, into: sink)
    writer.endObject()
    expect(result.error == error, "\(name): traced with \(String(describing: result.error))")
    if let problem = jsonProblem(json.text) { note("\(name): JSON \(problem)") }

    let text = OutputBuffer()
    var textSink = TextSink(text, indentation: 2)
    traced = initial
    bytes.trace(&traced, into: textSink)
    guard error == nil else { return }
    let again = OutputBuffer()
    textSink = TextSink(again, indentation: 2)
    value.describe(into: textSink)
    expectSameLines(again.text, text.text, "\(name): described in another way than traced")
  }

  /// The first line in which two texts differ is worth more than that they do.
  mutating func expectSameLines(_ text: String, _ expected: String, _ what: String) {
    guard text != expected else { return }
    let lines = text.split(separator: "\n"), others = expected.split(separator: "\n")
    let index = zip(lines, others).prefix { $0 == $1 }.underestimatedCount
    let first = zip(lines, others).first { $0 != $1 }
    note(
      "\(what), line \(index): '\(first?.0 ?? "-")' and '\(first?.1 ?? "-")', \(lines.count) and \(others.count) lines"
    )
  }
}
