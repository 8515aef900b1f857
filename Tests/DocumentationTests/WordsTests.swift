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
    (#"\bupon one another\b"#, "overlapping"), (#"\bfor ever\b"#, "forever"),
  ]

  /// Comments avoid more words than messages, whose texts users may search for.
  private static let avoidedInComments: [(pattern: String, instead: String)] = [
    (#"[;,] (it )?answers\b"#, "and returns"), (#"\banew\b"#, "again, rewritten"),
    (#"\bmeanwhile\b"#, "in the meantime"), (#"\bso many\b"#, "the number of, that many"),
    (#"\bpassed over\b"#, "skipped, ignored"), (#"\b(whoever|who asks)\b"#, "callers that"),
    (#"\b(the one|that|those|one) before\b"#, "the preceding one"),
    (#"(?<!there )\bis no (file|HEVC|integer|layer|movie|picture|slice|stream|track|unit)\b"#, "is not a …"),
    (#"\bsays of\b"#, "specifies, the properties of"), (#"\btakes? note\b"#, "records"),
    (#"\bputs? right\b"#, "fixes"),
    (#"\bthe order of (decoding|output|presentation)\b"#, "decoding order, …"),
  ]

  @Test func wordsAreThoseThatEverybodyUses() throws {
    let words = try Words(Self.avoided)
    var count = 0
    for path in projectFiles where Self.isRead(path) {
      count += 1
      let text = projectText(path)
      words.forEachMatch(in: text) { word, instead, place in
        let line = text[..<place].split(separator: "\n", omittingEmptySubsequences: false).count
        Issue.record("\(path):\(line): write '\(instead)' instead of '\(word)'")
      }
    }
    #expect(count > 700)
  }

  /// Comments are read as paragraphs, since two words may be on two lines.
  @Test func wordsOfCommentsAreThoseThatEverybodyUses() throws {
    let words = try Words(Self.avoided + Self.avoidedInComments)
    var count = 0
    for path in projectFiles where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
      for (line, text) in Self.comments(of: projectText(path)) {
        count += 1
        words.forEachMatch(in: text) { word, instead, _ in
          Issue.record("\(path):\(line): write '\(instead)' instead of '\(word)' in this comment")
        }
      }
    }
    #expect(count > 8_000)
  }

  private static func isRead(_ path: String) -> Bool {
    [".swift", ".md", ".1", ".json"].contains(where: path.hasSuffix)
      && (path.hasPrefix("Sources/") || path.hasPrefix("docs/") || !path.contains("/"))
  }

  /// The comments of a source, consecutive lines as one text, each with the number of its first line.
  private static func comments(of text: String) -> [(line: Int, text: String)] {
    var comments: [(line: Int, text: String)] = []
    var isInside = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix("//") else {
        isInside = false
        continue
      }
      let words = trimmed.drop { $0 == "/" || $0 == " " }
      if isInside {
        comments[comments.count - 1].text += " " + words
      } else {
        comments.append((index + 1, String(words)))
      }
      isInside = true
    }
    return comments
  }
}

/// Patterns of words to avoid.
private struct Words {
  private let all: NSRegularExpression
  private let each: [(pattern: NSRegularExpression, instead: String)]

  init(_ avoided: [(pattern: String, instead: String)]) throws {
    all = try NSRegularExpression(
      pattern: avoided.map(\.pattern).joined(separator: "|"), options: .caseInsensitive)
    each = try avoided.map {
      (try NSRegularExpression(pattern: $0.pattern, options: .caseInsensitive), $0.instead)
    }
  }

  /// Calls `body` with each word to avoid, the words to write instead, and where it is.
  func forEachMatch(in text: String, _ body: (Substring, String, String.Index) -> Void) {
    let whole = NSRange(text.startIndex..., in: text)
    guard all.firstMatch(in: text, range: whole) != nil else { return }
    for (pattern, instead) in each {
      for match in pattern.matches(in: text, range: whole) {
        guard let range = Range(match.range, in: text) else { continue }
        body(text[range], instead, range.lowerBound)
      }
    }
  }
}
