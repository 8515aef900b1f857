// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport

/// Finds fields by name, alone or after the name of the structure: `sample_delta`, `stts/sample_delta`,
/// `stts.entries.sample_delta`.
struct FieldSearch {
  private var found: [(owner: Explanation, fields: [FieldDescription])] = []

  init(_ topic: String, _ sources: [any ExplanationSource]) {
    let steps = topic.split { $0 == "/" || $0 == "." }.map(String.init)
    guard let name = steps.last else { return }
    var owners = sources.flatMap { $0.all }
    if steps.count > 1 {
      let path = topic.prefix { $0 != "." }
      let prefix =
        path.contains("/") ? path.split(separator: "/").dropLast().joined(separator: "/") : String(path)
      owners = sources.flatMap { $0.explanations(of: prefix) }
      if owners.isEmpty, let first = steps.first { owners = sources.flatMap { $0.explanations(of: first) } }
    }
    for owner in owners {
      let fields = owner.fields().filter { field in
        let plain = field.name.hasSuffix("[]") ? String(field.name.dropLast(2)) : field.name
        return plain == name
      }
      if !fields.isEmpty { found.append((owner, fields)) }
    }
  }

  /// What the fields belong to, with these fields only: for programs.
  var explanations: [Explanation] {
    found.map { item in
      var explanation = item.owner
      let fields = item.fields
      explanation.fields = { fields }
      return explanation
    }
  }

  /// Writes each owner in a line, and the field below it.
  func write(_ text: ExplanationText, _ invocation: Invocation) -> Bool {
    for (index, item) in found.enumerated() {
      if index > 0 { invocation.out.append("\n") }
      text.list([item.owner], isPlaced: true)
      text.write(
        fields: item.fields.map { field in
          var field = field
          field.name = field.path
          field.scopes = []
          return field
        })
    }
    return !found.isEmpty
  }
}
