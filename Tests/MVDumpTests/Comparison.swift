// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Facts about files as this tool and as others tell them, and where they differ.
struct Comparison {
  /// A difference that is understood: which files and facts, and who is right.
  struct Reason {
    /// What the name of the file contains.
    var file: String
    /// What the name of the fact begins with.
    var fact: String
    /// Why they differ.
    var text: String
  }

  private let reasons: [Reason]
  private(set) var compared: [String: Int] = [:]
  private var explained: [String: (count: Int, example: String)] = [:]
  /// Differences without a reason.
  private(set) var unexplained: [String] = []
  private var file = ""

  init(_ reasons: [Reason]) { self.reasons = reasons }

  /// What follows is about this file.
  mutating func begin(_ file: String) { self.file = file }

  /// Compares one fact; facts that the other tool does not tell are passed over.
  mutating func expect<Value: Equatable>(_ fact: String, _ ours: Value?, _ theirs: Value?) {
    guard let theirs else { return }
    compared[String(fact.prefix { $0 != " " }), default: 0] += 1
    if ours == theirs { return }
    let difference = "\(file): \(fact): \(ours.map { "\($0)" } ?? "nothing"), they say \(theirs)"
    guard let reason = reasons.first(where: { file.contains($0.file) && fact.hasPrefix($0.fact) }) else {
      unexplained.append(difference)
      return
    }
    let old = explained[reason.text]
    explained[reason.text] = ((old?.count ?? 0) + 1, old?.example ?? difference)
  }

  /// How many facts were compared.
  var total: Int { compared.values.reduce(0, +) }

  /// The counts, and the table of differences.
  var report: String {
    var text = "\(total) facts compared: "
    text += compared.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") + "\n"
    for (reason, difference) in explained.sorted(by: { $0.key < $1.key }) {
      text += "  differs \(difference.count) times: \(reason)\n    such as \(difference.example)\n"
    }
    return text
  }
}

/// The values of attributes in a line of XML as other tools write it.
struct XMLLine {
  let text: Substring

  /// The value of an attribute.
  subscript(name: String) -> String? {
    guard let start = text.firstRange(of: " \(name)=\"") else { return nil }
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }
}
