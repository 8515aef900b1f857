// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Words that are not English, or that no reader would expect: nothing about style, which a reviewer judges.
@Suite struct WordsTests {
  private static let avoided: [(pattern: String, instead: String)] = [
    (#"\bmilliards?\b"#, "billion"), (#"\bgraver?\b"#, "severe, more severe"),
    (#"\bupon one another\b"#, "overlapping"), (#"\bfor ever\b"#, "forever"),
    (#"\b(is|are) lacking\b"#, "is missing"), (#"\b(to|of) who\b"#, "for callers that"),
    (#"\bis no (box|Exp-Golomb)\b"#, "is not a …"), (#"\bnobody asks\b"#, "is never requested"),
    (#"\bwhether it is there\b"#, "whether it is present"),
  ]

  @Test func wordsAreEnglish() throws {
    let all = try NSRegularExpression(
      pattern: Self.avoided.map(\.pattern).joined(separator: "|"), options: .caseInsensitive)
    var count = 0
    for path in projectFiles where Self.isRead(path) {
      count += 1
      let text = projectText(path)
      for match in all.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        guard let range = Range(match.range, in: text) else { continue }
        let line = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).count
        let instead = Self.avoided.first {
          text[range].range(of: $0.pattern, options: [.regularExpression, .caseInsensitive]) != nil
        }
        Issue.record(
          "\(path):\(line): write '\(instead?.instead ?? "another word")' instead of '\(text[range])'")
      }
    }
    #expect(count > 700)
  }

  private static func isRead(_ path: String) -> Bool {
    [".swift", ".md", ".1", ".json"].contains(where: path.hasSuffix)
      && (path.hasPrefix("Sources/") || path.hasPrefix("docs/") || !path.contains("/"))
  }
}
