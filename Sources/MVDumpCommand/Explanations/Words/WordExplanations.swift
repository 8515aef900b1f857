// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A word that the screens of the tool use, or that people ask for, and that names no box, field or message.
struct Word: Sendable {
  /// What it is called, the usual name first.
  var names: [String]
  /// The answer in a line.
  var title: String
  /// The answer in a sentence or two.
  var meaning: String
  /// What to ask next.
  var related: [String]
  /// Who defines it.
  var source: String

  init(_ names: String..., title: String, _ meaning: String, see related: [String] = [], source: String) {
    self.names = names
    self.title = title
    self.meaning = meaning
    self.related = related
    self.source = source
  }
}

/// Answers about words that are not boxes, fields or messages: `IDR`, `baseline`, `dts`, `reference displays`.
package struct WordExplanations: ExplanationSource {
  package init() {}

  package var name: String { "words" }

  package var all: [Explanation] { Self.words.map(Self.explanation) }

  /// Finds words by any of their names, in any case and with words joined in any way.
  package func explanations(of topic: String) -> [Explanation] {
    let wanted = foldedTopic(topic)
    return Self.words.filter { $0.names.contains { foldedTopic($0) == wanted } }.map(Self.explanation)
  }

  static let words = Word.stereo + Word.classes + Word.bitstream + Word.movies + Word.files + Word.checks

  private static func explanation(_ word: Word) -> Explanation {
    var explanation = Explanation(
      kind: kind, name: word.names.first ?? "", title: word.title, summary: word.meaning,
      specification: word.source)
    if word.names.count > 1 {
      explanation.remarks.append(("other names", word.names.dropFirst().joined(separator: ", ")))
    }
    if !word.related.isEmpty {
      explanation.remarks.append(("see also", word.related.joined(separator: ", ")))
    }
    return explanation
  }

  static let kind = "word"
}

/// A topic in the form used for comparison if its exact spelling is unknown: `Hero-Eye` becomes `hero eye`.
func foldedTopic(_ topic: String) -> String {
  topic.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
}
