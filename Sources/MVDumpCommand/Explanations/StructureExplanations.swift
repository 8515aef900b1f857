// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import LayoutExamples

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
  /// That of a structure, with the fields that its examples have.
  fileprivate init(
    _ kind: String, _ name: String, _ title: String, _ summary: String, _ specification: StaticString,
    _ examples: @autoclosure @escaping @Sendable () -> [any FieldLayout]
  ) {
    self.init(
      kind: kind, name: name, title: title, summary: summary, specification: specification.description)
    fields = { FieldCatalog.fields(of: examples()) }
  }
}
