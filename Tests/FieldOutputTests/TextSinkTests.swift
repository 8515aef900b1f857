// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import Testing

@Suite struct TextSinkTests {
  struct Row: FieldLayout {
    var number: UInt8 = 0
    var kind: UInt8 = 0
    var inner: [UInt8] = []
    var hasInner = false
    init() {}
    init(_ number: UInt8, _ kind: UInt8 = 0, inner: [UInt8]? = nil) {
      self.number = number
      self.kind = kind
      self.inner = inner ?? []
      hasInner = inner != nil
    }
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("number", &number)
      try c.u8("kind", &kind, in: nil, .named { $0 == 1 ? "first" : nil })
      if hasInner { try c.array("inner", &inner, count: inner.count, bits: 8) }
    }
  }

  struct Sample: FieldLayout {
    var rows: [Row] = []
    var numbers: [UInt8] = []
    init() {}
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var version: UInt8 = 1
      var longer: UInt32 = 63400
      try c.u8("version", &version)
      try c.array("rows", &rows, count: rows.count, minimumBits: 16)
      try c.u32("a_longer_name", &longer, in: nil, .scaled(1000, "°"))
      try c.array("numbers", &numbers, count: numbers.count, bits: 8)
    }
  }

  func text(_ sample: Sample, width: Int = 80) -> [String] {
    let out = OutputBuffer()
    let sink = TextSink(out, width: width)
    sample.describe(into: sink)
    return out.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func leavesOutWhatIsTooMuch() {
    var sample = Sample()
    sample.rows = (0..<2_000).map { Row(UInt8($0 % 250), 1, inner: [1, 2]) }
    sample.numbers = [7]
    func shown(_ limit: Int) -> String {
      let out = OutputBuffer()
      let sink = TextSink(out, width: 80, textLimitInAll: limit)
      sample.describe(into: sink)
      return out.text
    }
    let all = shown(.max), some = shown(10_000)
    #expect(all.utf8.count > 60_000 && all.contains("numbers"))
    #expect((10_001...20_000).contains(some.utf8.count))
    // What is there is as it is in the whole.
    #expect(all.hasPrefix(some.prefix(9_900)))
    #expect(!some.contains("numbers"))
  }

  @Test func alignsValues() {
    #expect(
      text(Sample()) == [
        "version        1", "rows           none", "a_longer_name  63400 (63.4°)", "numbers        none",
      ])
  }

  @Test func putsRowsThatAreAlikeIntoATable() {
    var sample = Sample()
    sample.rows = [Row(7), Row(112, 1)]
    #expect(
      text(sample) == [
        "version  1", "rows [2]", "       number  kind", "  [0]       7  0", "  [1]     112  1 (first)",
        "a_longer_name  63400 (63.4°)", "numbers        none",
      ])
  }

  @Test func putsASingleRowOnOneLine() {
    var sample = Sample()
    sample.rows = [Row(7, 1)]
    #expect(text(sample)[1...2] == ["rows [1]", "  [0]  number 7, kind 1 (first)"])
  }

  @Test func opensRowsThatHoldMoreThanFields() {
    var sample = Sample()
    sample.rows = [Row(7), Row(8, inner: [1, 2]), Row(9)]
    #expect(
      text(sample)[1...7] == [
        "rows [3]", "  [0]  number 7, kind 0", "  [1]", "    number     8", "    kind       0",
        "    inner [2]  1 2", "  [2]  number 9, kind 0",
      ])
  }

  @Test func putsManyNumbersIntoAGrid() {
    var sample = Sample()
    sample.numbers = (0..<45).map { UInt8($0 * 5) }
    let lines = text(sample)
    #expect(lines[3] == "numbers [45]")
    #expect(lines[4] == "   [0]   0   5  10  15  20  25  30  35  40  45")
    #expect(lines[8] == "  [40] 200 205 210 215 220")
  }

  @Test func skipsWhatStandsElsewhere() {
    struct FullBox: FieldLayout {
      var flags: UInt32 = 3
      var later: UInt8 = 7
      mutating func layout(_ c: inout some Coder) throws(ParseError) {
        try c.fullBox(&flags)
        // A field of that name is not that of the box.
        try c.u8("version", &later)
      }
    }
    func text(_ skips: Bool, of bytes: ByteView? = nil) -> String {
      let out = OutputBuffer()
      let sink = TextSink(out, skipsVersionAndFlags: skips)
      var box = FullBox()
      if let bytes { bytes.trace(&box, into: sink) } else { box.describe(into: sink) }
      return out.text
    }
    #expect(text(true) == "version  7\n")
    #expect(text(false) == "version  0\nflags    0x000003\nversion  7\n")
    // Of a version that nobody knows the version alone is read.
    let unknown = ByteView([9, 0, 0, 3, 7])
    #expect(text(false, of: unknown) == "version  9\n" && text(true, of: unknown) == "")
  }

  @Test func writesWhatStoodBeforeTheDamage() {
    let bytes = ByteView([1, 0, 0])
    let out = OutputBuffer()
    let sink = TextSink(out)
    var sample = Sample()
    let (_, error) = bytes.trace(&sample, into: sink)
    #expect(error != nil)
    #expect(out.text == "version  1\nrows     none\n")
  }

  @Test func keepsLongTextsShort() {
    struct Text: FieldLayout {
      var text = TerminatedString(String(repeating: "ä\n", count: 300))
      mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.terminatedString("text", &text) }
    }
    let out = OutputBuffer()
    let sink = TextSink(out, textLimit: 6)
    Text().describe(into: sink)
    #expect(out.text == "text  \"ä\\nä\\n…\" (900 bytes)\n")
  }
}
