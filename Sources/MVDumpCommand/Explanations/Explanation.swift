// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput

/// The answer to "what is this?".
package struct Explanation: Sendable {
  /// What kind of thing it is: `box`.
  package var kind: String
  /// What it is called in files and specifications: `stri`.
  package var name: String
  /// The same in words: `stereo view information`.
  package var title: String
  /// What it is for, in a sentence or two.
  package var summary: String
  /// The document and clause that define it.
  package var specification: String
  /// Where it is: `eyes/stri`.
  package var places: [String] = []
  /// What may be in it.
  package var contents: [String] = []
  /// Anything else: label and text.
  package var remarks: [(label: String, text: String)] = []
  /// Its fields. Computed on use.
  package var fields: @Sendable () -> [FieldDescription] = { [] }
}

/// Something that can answer: the boxes, the NAL unit types, the rules.
///
/// A new source is a type that conforms and one line in ``ExplanationSources``.
package protocol ExplanationSource: Sendable {
  /// What its topics are, in the plural: `boxes`. This word as a topic lists them.
  var name: String { get }
  /// All topics, in their order.
  var all: [Explanation] { get }
  /// What a topic stands for: nothing, one thing, or several of the same name.
  func explanations(of topic: String) -> [Explanation]
}

extension ExplanationSource {
  /// By name, or by name in words.
  package func explanations(of topic: String) -> [Explanation] {
    all.filter { $0.name == topic || $0.title == topic }
  }
}

/// Everything that ``ExplainCommand`` knows of.
package enum ExplanationSources {
  package static var all: [any ExplanationSource] {
    [
      BoxExplanations(), NALUnitTypeExplanations(), StructureExplanations.parameterSets,
      StructureExplanations.headers,
      ProfileExplanations(), SEIExplanations(), RuleExplanations(), WordExplanations(),
    ]
  }
}

extension [Explanation] {
  /// The document of `mvdump explain`: docs/schema/explain.json.
  func json(_ topic: String) -> JSONObject {
    ["schema": "mvdump.explain/1", "topic": topic, "explanations": JSONList(self, \.json)]
  }
}

extension Explanation {
  fileprivate var json: JSONObject {
    [
      "kind": kind, "name": name, "title": title, "summary": summary, "specification": specification,
      "places": places.inline, "contents": contents.inline,
      "remarks": JSONObject(remarks.map { ($0.label, $0.text) }).inline,
      "fields": JSONList(rows: fields(), \.json),
    ]
  }
}

extension FieldDescription {
  fileprivate var json: JSONObject {
    let names = meanings.filter { $0.values.count == 1 }.map { (String($0.values.lowerBound), $0.name) }
    return [
      "path": path, "coding": coding?.descriptor, "minimum": allowed?.lowerBound,
      "maximum": allowed?.upperBound, "optional": isOptional, "values": JSONObject(names),
    ]
  }
}
