// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import LayoutExamples
import Multiview

/// Answers about boxes, from the registry that reads them.
package struct BoxExplanations: ExplanationSource {
  private let registry: BoxRegistry

  package init() { registry = boxRegistry }

  /// A name without what people leave out or add: `time to sample`, `Time-to-Sample Box` and `TimeToSampleBox` are one.
  private static func folded(_ name: String) -> String {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return letters.count > 3 && letters.hasSuffix("box") ? String(letters.dropLast(3)) : letters
  }

  package var name: String { "boxes" }

  package var all: [Explanation] { registry.all.map { explanation($0) } }

  /// By type, by type with what surrounds it, or by name: `stri`, `eyes/stri`, `stereo view information`.
  package func explanations(of topic: String) -> [Explanation] {
    let steps = topic.split(separator: "/").map { step in
      // A path from a dump may number its boxes.
      step.hasSuffix("]") ? step.prefix { $0 != "[" } : step
    }
    guard let last = steps.last else { return [] }
    if steps.count == 1, !isType(topic) {
      let name = Self.folded(topic)
      let named = registry.all.filter { Self.folded($0.name) == name }
      if !named.isEmpty { return named.map { explanation($0) } }
    }
    guard let type = type(spelled: last) else { return [] }
    let candidates = registry.all.filter { $0.types.contains(type) }
    guard steps.count > 1, let outer = steps.dropLast().last, outer != "*", outer != "**",
      let parent = FourCC(padding: outer)
    else { return candidates.map { explanation($0, as: type) } }
    let scopes = Set(childScopes(of: parent))
    let inPlace = candidates.filter { !scopes.isDisjoint(with: $0.scopes) }
    if !inPlace.isEmpty { return inPlace.map { explanation($0, as: type) } }
    // Groups of items and of tracks have types without number, and one form.
    let anyType = registry.all.filter { $0.types.isEmpty && !scopes.isDisjoint(with: $0.scopes) }
    let anywhere = candidates.filter { $0.scopes.contains(.anywhere) }
    return (anywhere.isEmpty ? anyType : anywhere).map { explanation($0, as: type) }
  }

  private func isType(_ topic: String) -> Bool {
    FourCC(topic).map { type in registry.all.contains { $0.types.contains(type) } } ?? false
  }

  /// The type that is meant: as it is spelled, or, if there is no such type, in another case of letters.
  private func type(spelled text: some StringProtocol) -> FourCC? {
    guard let type = FourCC(padding: text) else { return nil }
    if registry.all.contains(where: { $0.types.contains(type) }) { return type }
    let lowered = type.description.lowercased()
    return registry.all.lazy.flatMap { $0.types }.first { $0.description.lowercased() == lowered } ?? type
  }

  /// In which scopes the children of a box of that type are.
  private func childScopes(of type: FourCC) -> [BoxScope] {
    let parents = registry.all.filter { $0.types.contains(type) }
    return [.box(type)] + parents.compactMap { $0.childScope }
      + (type == "stsd" ? BoxScope.sampleDescriptions : [])
  }

  private func explanation(_ box: BoxRegistration, as type: FourCC? = nil) -> Explanation {
    let types = box.types.map { $0.description }
    var explanation = Explanation(
      kind: "box", name: type?.description ?? types.first ?? "(any other)", title: box.name,
      summary: box.summary,
      specification: box.specification)
    explanation.places = box.scopes.map { scope in
      scope == .anywhere ? "anywhere" : scope == .file ? "the top level" : scope.description
    }
    if let type, isSampleEntry(box), let codec = Track.codecNames[type] {
      let note = Self.sampleEntryNotes[type].map { "; " + $0 } ?? ""
      explanation.remarks.append(("codec", codec + note))
    }
    if types.count > 1 { explanation.remarks.append(("types", types.joined(separator: " "))) }
    if box.types.isEmpty {
      explanation.remarks.append(("types", "any type that is not listed separately there"))
    }
    if let versions = box.versions {
      explanation.remarks.append(
        (
          "versions",
          versions.count == 1 ? "\(versions.lowerBound)" : "\(versions.lowerBound) to \(versions.upperBound)"
        ))
    }
    if box.childrenFollow { explanation.contents = contents(of: box) }
    explanation.fields = { FieldCatalog.fields(of: box.examples) }
    return explanation
  }

  private func isSampleEntry(_ box: BoxRegistration) -> Bool {
    !Set(BoxScope.sampleDescriptions).isDisjoint(with: box.scopes)
  }

  /// The difference between one sample entry type of a codec and its others. ISO/IEC 14496-15, 8.4.1 and 9.5.3
  private static let sampleEntryNotes: [FourCC: String] = [
    "hvc1": "parameter sets are in the configuration boxes only; MV-HEVC uses it with hvcC and lhvC",
    "hev1": "parameter sets may be in samples too",
    "hvc2": "several layers, or extractors; parameter sets are in the configuration boxes only",
    "hev2": "several layers, or extractors; parameter sets may be in samples too",
    "lhv1": "layers without the base layer; parameter sets are in lhvC only",
    "lhe1": "layers without the base layer; parameter sets may be in samples too",
    "avc1": "parameter sets are in avcC only", "avc3": "parameter sets may be in samples too",
  ]

  private func contents(of box: BoxRegistration) -> [String] {
    var scopes: Set<BoxScope> = []
    if let childScope = box.childScope {
      scopes.insert(childScope)
    } else {
      for type in box.types { scopes.formUnion(type == "stsd" ? BoxScope.sampleDescriptions : [.box(type)]) }
    }
    var seen: Set<String> = []
    return registry.all.filter { !scopes.isDisjoint(with: $0.scopes) }
      .flatMap { $0.types.map { $0.description } }
      .filter { seen.insert($0).inserted }
  }
}

extension BoxScope {
  /// Where sample entries are, by the kind of track.
  static var sampleDescriptions: [BoxScope] {
    [.visualSampleDescription, .audioSampleDescription, .otherSampleDescription]
  }
}

extension FourCC {
  /// A type as people write it: `url` is `url `.
  init?(padding text: some StringProtocol) {
    let missing = 4 - text.unicodeScalars.count
    guard missing >= 0, missing < 4 else { return nil }
    self.init(String(text) + String(repeating: " ", count: missing))
  }
}

/// The page docs/boxes.md: every kind of box, from the registry.
enum BoxList {
  static func write(to out: OutputBuffer) {
    let registry = boxRegistry
    let types = Set(registry.all.flatMap { $0.types })
    out.append(
      """
      # Boxes

      <!-- Generated by: mvdump explain --markdown boxes. Do not edit. -->

      \(registry.all.count) kinds of boxes, \(types.count) types. The same type means different things in different places, so a
      kind is identified by its type and its parent. `mvdump explain TYPE` shows more, including every field.

      | type | found in | name | versions | reference | purpose |
      |---|---|---|---|---|---|

      """)
    for box in registry.all.sorted(by: { key($0) < key($1) }) {
      let types =
        box.types.isEmpty ? "any other" : box.types.map { "`\(cell($0.description))`" }.joined(separator: " ")
      let places = box.scopes.map { cell($0.description) }.joined(separator: ", ")
      let versions =
        box.versions.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" } ?? ""
      out.append("| \(types) | \(places) | \(cell(box.name)) | \(versions) | ")
      out.append("\(cell(box.specification)) | \(cell(box.summary)) |\n")
    }
  }

  private static func key(_ box: BoxRegistration) -> String {
    (box.types.first?.description ?? "~") + " " + (box.scopes.first?.description ?? "") + " " + box.name
  }

  private static func cell(_ text: String) -> String {
    var result = ""
    for character in text { result += character == "|" ? "\\|" : String(character) }
    return result
  }
}
