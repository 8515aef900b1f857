// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Plain words, as far as a program can hold them: what confuses readers whose first language is another one, and the
/// word that is used instead.
@Suite struct WordsTests {
  static let avoided: [(words: String, instead: String)] = [
    (" stands in ", "is in"), (" stand in ", "are in"), (" stands behind", "follows"),
    (" stand behind", "follow"), (" stands before", "precedes"), (" stand before", "precede"),
    (" stands around", "surrounds"), (" stands at ", "is at"), (" stands there", "is there"),
    (" stand there", "are there"), (" stands where", "is where"), (" behind ", "after, following"),
    (" graver", "more severe"), (" grave ", "severe"), (" mend ", "fix"), (" mends ", "fixes"),
    (" mended", "fixed"), (" milliard", "billion"), (" is no box", "is not a box"),
  ]

  @Test func wordsAreThoseThatEverybodyUses() {
    for path in projectFiles where path.hasSuffix(".swift") || path.hasSuffix(".md") {
      guard path.hasPrefix("Sources/") || path.hasPrefix("docs/") || !path.contains("/") else { continue }
      let text = projectText(path)
      for item in Self.avoided where text.contains(item.words) {
        let line = text.components(separatedBy: item.words)[0].components(separatedBy: "\n").count
        Issue.record("\(path):\(line): write '\(item.instead)' instead of '\(item.words)'")
      }
    }
  }
}
