// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Plain words, as far as a program can hold them: what confuses readers whose first language is another one, and the
/// word that is used instead.
@Suite struct WordsTests {
  private static let avoided: [(pattern: String, instead: String)] = [
    // "Stand for" is plain; all else is a picture.
    (#"\b(stands?|stood)\b(?! for\b)"#, "is, is located, follows, precedes"),
    // Of bytes; what is left behind is left there.
    (#"(?<!left )\bbehind\b"#, "after, following"),
    (#"\bgraver?\b"#, "severe, more severe"), (#"(?<!`)\bmend(s|ed|ing)?\b"#, "fix"),
    (#"\bmilliards?\b"#, "billion"),
    (#"\bis no (box|Exp-Golomb)\b"#, "is not a …"), (#"\b(goes|go) on\b"#, "continues"),
    (#"\bnobody asks\b"#, "is never requested"), (#"\b(is|are) lacking\b"#, "is missing"),
    (#"\bsaid by\b"#, "according to"), (#"\b(to|of) who\b"#, "for callers that"),
    (#"\bof whom\b"#, "of which"),
    (#"\bwhether it is there\b"#, "whether it is present"),
  ]

  @Test func wordsAreThoseThatEverybodyUses() throws {
    let all = try NSRegularExpression(
      pattern: Self.avoided.map(\.pattern).joined(separator: "|"), options: .caseInsensitive)
    let each = try Self.avoided.map {
      (try NSRegularExpression(pattern: $0.pattern, options: .caseInsensitive), $0.instead)
    }
    var count = 0
    for path in projectFiles {
      guard [".swift", ".md", ".1", ".json"].contains(where: path.hasSuffix),
        path.hasPrefix("Sources/") || path.hasPrefix("docs/") || !path.contains("/")
      else { continue }
      count += 1
      let text = projectText(path)
      let whole = NSRange(text.startIndex..., in: text)
      guard all.firstMatch(in: text, range: whole) != nil else { continue }
      for (pattern, instead) in each {
        for match in pattern.matches(in: text, range: whole) {
          guard let range = Range(match.range, in: text) else { continue }
          let line = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).count
          Issue.record("\(path):\(line): write '\(instead)' instead of '\(text[range])'")
        }
      }
    }
    #expect(count > 700)
  }
}
