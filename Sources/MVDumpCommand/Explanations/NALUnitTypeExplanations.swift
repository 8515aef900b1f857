// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

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
