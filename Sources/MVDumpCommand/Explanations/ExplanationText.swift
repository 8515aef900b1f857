// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput

/// Writes explanations for people.
struct ExplanationText {
  private let out: OutputBuffer
  private let style: Style
  private let columns: Int

  init(_ invocation: Invocation) {
    out = invocation.out
    style = invocation.style
    columns = min(invocation.columns, 110)
  }

  private func line(_ text: String = "") { out.append(text + "\n") }

  /// Everything about one thing.
  func write(_ explanation: Explanation) {
    line(style.name(explanation.name) + "  " + style.strong(explanation.title))
    if !explanation.summary.isEmpty {
      for piece in wrapped(explanation.summary, columns - 2) { line("  " + piece) }
    }
    line()
    var facts: [(String, String)] = [("kind", explanation.kind)]
    if !explanation.places.isEmpty { facts.append(("found in", explanation.places.joined(separator: ", "))) }
    facts += explanation.remarks.map { ($0.label, $0.text) }
    if !explanation.contents.isEmpty {
      facts.append(("contains", explanation.contents.joined(separator: " ")))
    }
    facts.append(("reference", explanation.specification))
    for (label, text) in facts {
      for (index, piece) in wrapped(text, columns - 14).enumerated() {
        line("  " + style.faint((index == 0 ? label : "").padded(to: 12)) + piece)
      }
    }
    write(fields: explanation.fields())
  }

  /// The fields of a structure, a line each, with the values that have a name below.
  func write(fields: [FieldDescription]) {
    guard !fields.isEmpty else { return }
    line()
    let nameWidth = fields.map { $0.name.columnCount + 2 * $0.scopes.count }.max() ?? 0
    let codingWidth = fields.map { $0.codingText.columnCount }.max() ?? 0
    for field in fields {
      let name = (.spaces(2 * field.scopes.count) + field.name).padded(to: nameWidth)
      var notes: [String] = []
      if !field.rangeText.isEmpty { notes.append(field.rangeText) }
      if field.isOptional { notes.append("optional") }
      var text = "  " + style.fields.name + name + style.fields.reset
      if field.coding != nil || !notes.isEmpty { text += "  " + field.codingText.padded(to: codingWidth) }
      text += notes.isEmpty ? "" : "  " + style.faint(notes.joined(separator: ", "))
      line(text.trimmed)
      write(meanings: field, indentation: 4 + 2 * field.scopes.count + 2)
    }
  }

  private func write(meanings field: FieldDescription, indentation: Int) {
    let meanings = field.meanings
    let labels = meanings.map { meaning in
      meaning.values.count == 1
        ? "\(meaning.values.lowerBound)" : "\(meaning.values.lowerBound)…\(meaning.values.upperBound)"
    }
    let width = labels.map(\.columnCount).max() ?? 0
    for (label, meaning) in zip(labels, meanings).prefix(40) {
      let padding = String.spaces(indentation + width - label.columnCount)
      line(padding + label + "  " + style.faint(meaning.name))
    }
    if meanings.count > 40 { line(.spaces(indentation) + "…") }
  }

  /// A line for each of several things.
  func list(_ explanations: [Explanation], isPlaced: Bool) {
    let names = explanations.map { explanation in
      isPlaced ? (explanation.places.first.map { $0 + "/" } ?? "") + explanation.name : explanation.name
    }
    let width = min(names.map(\.columnCount).max() ?? 0, 40)
    for (name, explanation) in zip(names, explanations) {
      line(
        "  " + style.name(name) + .spaces(width - name.columnCount)
          + "  " + explanation.title + style.faint(", " + explanation.specification))
    }
  }
}
