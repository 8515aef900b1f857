// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import LayoutExamples

/// Answers about SEI messages, by name or number: `three_dimensional_reference_displays_info`, `sei 176`.
package struct SEIExplanations: ExplanationSource {
  package init() {}

  package var name: String { "sei-messages" }

  package var all: [Explanation] {
    (0...255).compactMap { number in
      let type = SEIPayloadType(rawValue: UInt32(number))
      return type.name.map { explanation(type, $0) }
    }
  }

  package func explanations(of topic: String) -> [Explanation] {
    let words = topic.lowercased().split(separator: " ")
    let number = words.count == 2 && words[0] == "sei" ? UInt32(words[1]) : nil
    let name = topic.lowercased().split { $0 == " " }.joined(separator: "_")
    return all.filter { explanation in
      explanation.name == name || number.map { ("number", String($0)) == explanation.remarks[0] } == true
    }
  }

  private func explanation(_ type: SEIPayloadType, _ name: String) -> Explanation {
    let kind = SEIRegistry.standard[type]
    var explanation = Explanation(
      kind: "SEI message", name: name, title: name.split(separator: "_").joined(separator: " "),
      summary: kind?.summary ?? "Known by name only; its payload is shown as bytes.",
      specification: kind?.specification ?? "ISO/IEC 23008-2, annex D")
    explanation.remarks = [("number", String(type.rawValue))]
    switch type.placement {
    case .prefix: explanation.places = ["prefix SEI"]
    case .suffix: explanation.places = ["suffix SEI"]
    case .either: explanation.places = ["prefix SEI", "suffix SEI"]
    case nil: break
    }
    if let kind { explanation.fields = { FieldCatalog.fields(of: kind.examples) } }
    return explanation
  }
}
