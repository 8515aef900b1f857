// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import LayoutExamples

/// Answers about the types of NAL units, by name, in words or by number.
package struct NALUnitTypeExplanations: ExplanationSource {
  package init() {}

  package var name: String { "nal-unit-types" }

  package var all: [Explanation] { (0...63).map { explanation(NALUnitType(rawValue: UInt8($0))) } }

  package func explanations(of topic: String) -> [Explanation] {
    let upper = topic.uppercased()
    return all.filter { explanation in
      // The short names of parameter sets stand for themselves.
      explanation.name.uppercased() == upper || explanation.title.uppercased() == upper
        || (explanation.name == upper + "_NUT" && !["VPS", "SPS", "PPS"].contains(upper))
        || explanation.remarks.contains { $0.label == "number" && $0.text == topic }
    }
  }

  private func explanation(_ type: NALUnitType) -> Explanation {
    var explanation = Explanation(
      kind: "NAL unit type", name: type.name, title: title(type), summary: "",
      specification: "ISO/IEC 23008-2, table 7-1")
    explanation.remarks = [("number", String(type.rawValue))]
    var classes: [String] = []
    if type.isVideoCodingLayer { classes.append("slice of a picture (VCL)") }
    if type.isRandomAccessPoint { classes.append("decoding can start here (IRAP)") }
    if type.isRefresh { classes.append("IDR") }
    if type.isBrokenLink { classes.append("BLA") }
    if type.isDecodableLeading { classes.append("RADL") }
    if type.isSkippedLeading { classes.append("RASL") }
    if !classes.isEmpty { explanation.remarks.append(("class", classes.joined(separator: ", "))) }
    return explanation
  }

  private func title(_ type: NALUnitType) -> String {
    let number = Int(type.rawValue)
    if let known = Self.titles[number] { return known }
    return type.isReserved
      ? "reserved for later versions of the specification" : "unspecified: free for use by applications"
  }

  private static let titles: [Int: String] = [
    0: "slice of a trailing picture that no picture of its sub-layer refers to",
    1: "slice of a trailing picture",
    2: "slice of a temporal sub-layer access picture that no picture of its sub-layer refers to",
    3: "slice of a temporal sub-layer access picture: decoding can switch to a higher sub-layer here",
    4: "slice of a step-wise temporal sub-layer access picture that no picture of its sub-layer refers to",
    5: "slice of a step-wise temporal sub-layer access picture: decoding can switch one sub-layer up here",
    6: "slice of a decodable leading picture that no picture of its sub-layer refers to",
    7: "slice of a leading picture that can be decoded after a random access",
    8: "slice of a skipped leading picture that no picture of its sub-layer refers to",
    9: "slice of a leading picture that cannot be decoded after a random access, and is skipped then",
    16: "slice of a broken link picture, with leading pictures after it",
    17: "slice of a broken link picture, with decodable leading pictures after it",
    18: "slice of a broken link picture, without leading pictures",
    19: "slice of an instantaneous decoding refresh picture, with decodable leading pictures after it",
    20: "slice of an instantaneous decoding refresh picture, without leading pictures",
    21: "slice of a clean random access picture: decoding can start here, but leading pictures may be lost",
    32: "video parameter set: layers, their dependencies, views and profiles",
    33: "sequence parameter set: size, sample format and tools of the pictures of a layer",
    34: "picture parameter set: parameters shared by the slices of a picture",
    35: "access unit delimiter",
    36: "end of sequence",
    37: "end of bitstream",
    38: "filler data",
    39: "supplemental enhancement information before the slices of a picture",
    40: "supplemental enhancement information after the first slice of a picture",
    48: "aggregator of ISO/IEC 14496-15: a group of NAL units; otherwise unspecified",
    49:
      "extractor of ISO/IEC 14496-15: a reference to bytes of another track; otherwise unspecified",
  ]
}

/// Answers about structures of the bitstream and their syntax elements, from the declarations that read them.
package struct StructureExplanations: ExplanationSource {
  package let name: String
  package let all: [Explanation]

  /// Parameter sets.
  package static var parameterSets: StructureExplanations {
    StructureExplanations(
      name: "parameter-sets",
      all: [
        Explanation(
          "parameter set", "VPS", "video parameter set",
          "The layers of a stream, how they depend on each other, which views they are, and which are output.",
          VideoParameterSet.specification, VideoParameterSet.examples),
        Explanation(
          "parameter set", "SPS", "sequence parameter set",
          "Size, sample format and coding tools of the pictures of a layer.",
          SequenceParameterSet.specification, SequenceParameterSet.examples),
        Explanation(
          "parameter set", "PPS", "picture parameter set",
          "Parameters shared by the slices of pictures.",
          PictureParameterSet.specification, PictureParameterSet.examples),
      ])
  }

  /// What every NAL unit and every slice begins with.
  package static var headers: StructureExplanations {
    StructureExplanations(
      name: "headers",
      all: [
        Explanation(
          "header", "nal_unit_header", "NAL unit header",
          "The two bytes with which every NAL unit begins: what it holds, and the layers it belongs to.",
          "ISO/IEC 23008-2, 7.3.1.2", [NALUnitHeader()]),
        Explanation(
          "header", "slice_segment_header", "slice segment header",
          "What comes before the coded blocks of a slice segment: order count, reference pictures, reference layers.",
          SliceSegmentHeader.specification, SliceSegmentHeader.examples),
      ])
  }

  package func explanations(of topic: String) -> [Explanation] {
    let lowered = topic.lowercased()
    return all.filter { $0.name.lowercased() == lowered || $0.title.lowercased() == lowered }
  }
}

extension Explanation {
  /// Explains a structure, with the fields of its examples.
  fileprivate init(
    _ kind: String, _ name: String, _ title: String, _ summary: String, _ specification: StaticString,
    _ examples: @autoclosure @escaping @Sendable () -> [any FieldLayout]
  ) {
    self.init(
      kind: kind, name: name, title: title, summary: summary, specification: specification.description)
    fields = { FieldCatalog.fields(of: examples()) }
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

/// Answers about the profiles of HEVC, by name: `Multiview Main`.
package struct ProfileExplanations: ExplanationSource {
  package init() {}

  package var name: String { "profiles" }

  package var all: [Explanation] {
    Self.known.compactMap { number, title, clause in
      ProfileIdc(rawValue: number).name.map { Self.explanation(number, $0, title, clause) }
    }
  }

  package func explanations(of topic: String) -> [Explanation] {
    let lowered = topic.lowercased()
    let families = all.filter { $0.name.lowercased() == lowered }
    return families.isEmpty ? Self.member(named: lowered).map { [$0] } ?? [] : families
  }

  /// A profile that its constraint flags tell from others of its family: `Main 4:2:2 10`.
  private static func member(named lowered: String) -> Explanation? {
    for (number, title, clause) in known {
      var profile = ProfileTier()
      profile.profileIdc = ProfileIdc(rawValue: number)
      // The ten flags from general_max_12bit_constraint_flag to general_max_14bit_constraint_flag.
      for flags: UInt64 in 0..<1 << 10 {
        profile.constraintFlags = flags << 34
        guard let name = profile.profileName, name.lowercased() == lowered else { continue }
        var explanation = explanation(number, name, "of " + title, clause)
        explanation.remarks.append(("set by", "the constraint flags after general_profile_idc"))
        return explanation
      }
    }
    return nil
  }

  private static func explanation(
    _ number: UInt8, _ name: String, _ title: String, _ clause: String
  ) -> Explanation {
    var explanation = Explanation(
      kind: "profile", name: name, title: title, summary: "", specification: "ISO/IEC 23008-2, " + clause)
    explanation.remarks = [("number", "general_profile_idc \(number)")]
    return explanation
  }

  private static let known: [(number: UInt8, title: String, clause: String)] = [
    (1, "4:2:0 with 8 bits", "A.3.2"),
    (2, "4:2:0 with up to 10 bits", "A.3.3"),
    (3, "a single picture, 4:2:0 with 8 bits", "A.3.4"),
    (4, "the family of profiles for other sample formats and more bits", "A.3.5"),
    (5, "the family of profiles for very high bit rates", "A.3.6"),
    (6, "layers that show other views, 4:2:0 with 8 bits: a second eye", "G.11.1.1"),
    (7, "the family of profiles for layers of higher resolution or quality", "H.11.1"),
    (8, "views with depth maps", "I.11.1"),
    (9, "the family of profiles for screen content", "A.3.7"),
    (10, "the family of profiles for scalable layers with other sample formats", "H.11.1"),
    (11, "the family of profiles for screen content at very high bit rates", "A.3.8"),
    (12, "layers that show other views, with extensions", "G.11"),
    (13, "layers that show other views, with extensions and up to 10 bits", "G.11"),
  ]
}
