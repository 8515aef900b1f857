// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@Suite struct ColumnCountTests {
  /// As terminals show them.
  @Test(arguments: [
    ("", 0), ("movie.mov", 9), ("Größe …", 7), ("日本語", 6), ("ｶﾅ", 2), ("ＡＢ", 4), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1), ("\u{301}", 0), ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇯🇵", 2),
    ("❤️", 2), ("❤", 1), ("a\u{200B}b", 2), ("→×", 2), ("𠮷", 2),
  ])
  func columns(text: String, count: Int) {
    #expect(text.columnCount == count)
  }
}
