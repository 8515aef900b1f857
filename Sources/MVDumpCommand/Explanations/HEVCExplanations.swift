// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// Answers about parameter sets and their syntax elements, from the declarations that read them.
package struct ParameterSetExplanations: ExplanationSource {
  package init() {}

  package var name: String { "parameter-sets" }

  package var all: [Explanation] {
    var vps = Explanation(
      kind: "parameter set", name: "VPS", title: "video parameter set",
      summary:
        "The layers of a stream, how they depend on each other, which views they are, and what comes out.",
      specification: VideoParameterSet.specification.description)
    vps.fields = { Self.vpsFields }
    var sps = Explanation(
      kind: "parameter set", name: "SPS", title: "sequence parameter set",
      summary: "Size, sample format and coding tools of the pictures of a layer.",
      specification: SequenceParameterSet.specification.description)
    sps.fields = { Self.spsFields }
    var pps = Explanation(
      kind: "parameter set", name: "PPS", title: "picture parameter set",
      summary: "What the slices of pictures have in common.",
      specification: PictureParameterSet.specification.description)
    pps.fields = { Self.ppsFields }
    return [vps, sps, pps]
  }

  // Looked for once: a search by name asks for them more than once.
  private static let vpsFields = ExploringCoder.fields(of: [VideoParameterSet()])
  private static let spsFields: [FieldDescription] = {
    var layered = SequenceParameterSet()
    layered.nuhLayerID = 1
    return ExploringCoder.fields(of: [SequenceParameterSet(), layered])
  }()
  private static let ppsFields = ExploringCoder.fields(of: [PictureParameterSet()])

  package func explanations(of topic: String) -> [Explanation] {
    let lowered = topic.lowercased()
    return all.filter { $0.name.lowercased() == lowered || $0.title == lowered }
  }
}

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
      summary: kind?.summary ?? "Known by its name; its payload is shown as bytes.",
      specification: kind?.specification ?? "ISO/IEC 23008-2, annex D")
    explanation.remarks = [("number", String(type.rawValue))]
    switch type.placement {
    case .prefix: explanation.places = ["prefix SEI"]
    case .suffix: explanation.places = ["suffix SEI"]
    case .either: explanation.places = ["prefix SEI", "suffix SEI"]
    case nil: break
    }
    if let kind {
      explanation.fields = {
        let catalog = FieldCatalog()
        for sample in kind.samples { sample.describe(into: catalog) }
        return catalog.fields
      }
    }
    return explanation
  }
}
