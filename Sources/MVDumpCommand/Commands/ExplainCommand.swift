// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput

/// `mvdump explain`: what a box, a field or a NAL unit type is, without a network.
package enum ExplainCommand: Command {
  static let markdown = Option(
    "markdown", .choice("LIST", ["boxes"]), "Write a list for the documentation", isHidden: true)

  package static let name = "explain"
  package static let summary =
    "look up a box, field, NAL unit type, rule or term: meaning, place, fields, clause"
  package static let discussion = [
    "A topic is a box (stri), a box in its place (vexu/eyes/stri, or a path from mvdump tree), a field "
      + "(sample_delta, stts/sample_delta), a NAL unit type by name or number (CRA_NUT, 21), a profile, an "
      + "SEI message, a rule, a term from the output (IDR, baseline, dts), or a word to search for. "
      + "Without a topic, the kinds of topics are listed. If nothing is found, the exit status is 1."
  ]
  package static let operands = Operands.words("TOPIC", minimum: 0, maximum: 64, allowed: nil)
  package static let options = [CommonOptions.json, CommonOptions.jsonLines, markdown]
  package static let examples = [
    Example("mvdump explain vexu/eyes/stri", "Which eyes a video track has: the box, and each of its fields"),
    Example("mvdump explain sample_delta", "Every box with a field of this name"),
    Example("mvdump explain 'field of view'", "Everything whose description contains these words"),
    Example("mvdump explain boxes", "All boxes, one line each"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    if invocation.arguments.has(markdown) {
      BoxList.write(to: invocation.out)
      return .success
    }
    guard !invocation.arguments.operands.isEmpty else {
      guard !invocation.isJSON else {
        throw UsageError("JSON needs a topic, such as boxes: mvdump explain lists the topics")
      }
      writeOverview(invocation)
      return .success
    }
    // Several words without quotation marks may be one topic.
    let operands = invocation.arguments.operands
    let sources = ExplanationSources.all
    let phrase = operands.joined(separator: " ")
    if operands.count > 1, !find(phrase, sources).isEmpty || !mentions(of: phrase, sources).isEmpty {
      return explain(phrase, sources, isFirst: true, invocation)
    }
    var worst = ExitCode.success
    for (index, topic) in operands.enumerated() {
      worst = max(worst, explain(topic, sources, isFirst: index == 0, invocation))
    }
    return worst
  }

  private static func find(_ topic: String, _ sources: [any ExplanationSource]) -> [Explanation] {
    let exact = sources.flatMap { $0.explanations(of: topic) }
    guard exact.isEmpty else { return exact }
    let folded = foldedTopic(topic)
    return sources.flatMap { $0.all }.filter {
      foldedTopic($0.name) == folded || foldedTopic($0.title) == folded
    }
  }

  private static func explain(
    _ topic: String, _ sources: [any ExplanationSource], isFirst: Bool, _ invocation: Invocation
  ) -> ExitCode {
    let text = ExplanationText(invocation)
    if !isFirst, !invocation.isJSON { invocation.out.append("\n") }
    if let source = sources.first(where: { $0.name == topic }) {
      if invocation.isJSON {
        invocation.jsonWriter().write(source.all.json(topic))
      } else {
        text.list(source.all, isPlaced: true)
      }
      return .success
    }
    var found = find(topic, sources)
    // A word may be the field of a box, too.
    let isWord = found.allSatisfy { $0.kind == WordExplanations.kind }
    let owners = found.isEmpty ? sources : sources.filter { $0 is BoxExplanations }
    let fields = isWord ? FieldSearch(topic, owners) : nil
    if invocation.isJSON {
      found += fields?.explanations ?? []
      invocation.jsonWriter().write(found.json(topic))
      return found.isEmpty ? notKnown(topic, sources, invocation) : .success
    }
    guard found.isEmpty else {
      if found.count > 1 {
        invocation.out.append("'\(ValueText.printable(topic))' has \(found.count) meanings:\n")
        text.list(found, isPlaced: true)
        invocation.out.append("\n")
      }
      for (index, explanation) in found.prefix(6).enumerated() {
        if index > 0 { invocation.out.append("\n") }
        text.write(explanation)
      }
      if let owners = fields?.explanations, !owners.isEmpty {
        invocation.out.append("\nFields of this name are in:\n")
        text.list(owners, isPlaced: true)
      }
      return .success
    }
    if let fields, fields.write(text, invocation) { return .success }
    let mentions = mentions(of: topic, sources)
    guard mentions.isEmpty else {
      invocation.out.append("'\(ValueText.printable(topic))' is mentioned in:\n")
      text.list(mentions, isPlaced: true)
      return .success
    }
    return notKnown(topic, sources, invocation)
  }

  private static func mentions(of topic: String, _ sources: [any ExplanationSource]) -> [Explanation] {
    let word = topic.lowercased()
    return sources.flatMap { $0.all }.filter { isMentioned(word, by: $0) }
  }

  private static func isMentioned(_ word: String, by explanation: Explanation) -> Bool {
    guard word.utf8.count > 2 else { return false }
    return [explanation.title, explanation.summary, explanation.specification].contains {
      contains($0.lowercased(), word)
    }
  }

  private static func contains(_ text: String, _ word: String) -> Bool {
    let text = Array(text.utf8), word = Array(word.utf8)
    guard word.count <= text.count else { return false }
    return (0...(text.count - word.count)).contains { text[$0..<($0 + word.count)].elementsEqual(word) }
  }

  private static func notKnown(
    _ topic: String, _ sources: [any ExplanationSource], _ invocation: Invocation
  ) -> ExitCode {
    let last = topic.split(separator: "/").last.map(String.init) ?? topic
    let all = sources.flatMap { $0.all }
    var message = "explain: nothing found for '\(ValueText.printable(topic))'"
    let elsewhere = last == topic ? [] : find(last, sources)
    if !elsewhere.isEmpty {
      let places = elsewhere.flatMap { item in item.places.map { $0 + "/" + item.name } }
      message += "; see \(listed(Array(places.prefix(4)), "and"))"
    } else {
      let words = all.map { $0.name } + all.map { $0.title } + all.flatMap { $0.fields().map { $0.name } }
      let guess = didYouMean(last, among: words)
      message += guess.isEmpty ? "; mvdump explain lists the topics" : guess
    }
    invocation.report(message)
    return .no
  }

  private static func writeOverview(_ invocation: Invocation) {
    for source in ExplanationSources.all {
      let all = source.all
      let examples = all.prefix(4).map { $0.name }.joined(separator: ", ")
      invocation.out.append("\(invocation.style.name(source.name)): \(all.count), such as \(examples)\n")
    }
    invocation.out.append("also the fields of all these, by name, and words in their descriptions\n")
    invocation.out.append(
      "\nmvdump explain TOPIC explains one; "
        + "mvdump explain \(ExplanationSources.all.first?.name ?? "") lists all of a kind.\n"
    )
  }
}
