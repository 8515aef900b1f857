// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
import HEVC
import MVDumpCommand
import TestSupport
import Testing

/// Whatever the screens of the tool print, `mvdump explain` can tell of. The screens are the golden files.
@Suite struct ShownTermsTests {
  /// The golden screens of commands that show movies; JSON, CSV and the answers of explain are none.
  private static let screens: [String] = filesBelow(Fixtures.path("golden")).filter { name in
    (name.hasPrefix("commands/") && name.hasSuffix(".text") || name.hasSuffix(".check.txt"))
      && !["json", "csv", "explain", "help", "color", "mistakes"].contains { name.contains($0) }
  }

  /// Everything that has a name: asked for once, because the fields of all structures take a second.
  private static let names: Set<String> = {
    var names: Set<String> = []
    for explanation in ExplanationSources.all.flatMap({ $0.all }) {
      names.insert(explanation.name)
      for field in explanation.fields() {
        names.insert(field.name.hasSuffix("[]") ? String(field.name.dropLast(2)) : field.name)
      }
    }
    return names
  }()

  /// What is in the screens and looks like the name of something: four characters between parentheses or in a
  /// path, names of NAL unit types, fields and messages, rules.
  private static func terms(of text: String) -> Set<String> {
    var terms: Set<String> = []
    for match in text.matches(of: /\(([A-Za-z0-9]{4})\)/) { terms.insert(String(match.1)) }
    for match in text.matches(of: /\b(?:\w{4}\/){2,}\w{4}\b/) {
      terms.formUnion(match.0.split(separator: "/").map(String.init))
    }
    for match in text.matches(of: /\b[A-Z]+(?:_[A-Z0-9]+)+\b/) { terms.insert(String(match.0)) }
    for match in text.matches(of: /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/) { terms.insert(String(match.0)) }
    for match in text.matches(of: /\bMV\d{3}\b/) { terms.insert(String(match.0)) }
    for match in text.matches(of: /\bSEI \d+\b/) { terms.insert(String(match.0)) }
    return terms
  }

  @Test func everythingThatScreensPrintIsExplained() throws {
    #expect(Self.screens.count > 20)
    var terms: Set<String> = []
    for name in Self.screens {
      let text = String(decoding: try #require(contents(Fixtures.path("golden/" + name))), as: UTF8.self)
      terms.formUnion(Self.terms(of: text))
    }
    #expect(terms.count > 300)
    print("\(terms.count) terms in \(Self.screens.count) screens")
    for term in terms.subtracting(Self.names).sorted() { Self.expectAnswer(term) }
  }

  /// The titles of columns and the labels that are words and not codes.
  @Test(arguments: [
    "layer", "shows", "format", "profile", "level", "tier", "view", "needs", "pictures", "key", "I", "P", "B",
    "from layers", "bit rate", "share", "index", "dts", "cts", "pts", "dur", "offset", "sync", "dep",
    "sample",
    "temporal", "slice", "POC", "hero eye", "baseline", "disparity", "field of view", "projection", "packing",
    "lenses", "evidence", "view identifiers", "reference displays", "view position", "alpha", "depth",
    "spatial video", "stereo video", "flat video", "180° video", "360° video", "wide-angle video",
    "immersive video", "spatial", "stereo", "mono", "180", "360", "wide", "immersive", "stereoPhoto",
    "spatialPhoto",
    "multiview", "packed",
    "twoTrack", "HLS", "pass", "fail", "predicted", "documented", "observed", "inferred", "CODECS",
    "REQ-VIDEO-LAYOUT", "RESOLUTION", "FRAME-RATE", "CH-STEREO", "PROJ-HEQU", "access unit",
    "raw HEVC stream", "fragmented", "chapters", "side by side", "half equirectangular", "rectilinear",
    "fisheye",
  ])
  func labelsAreExplained(label: String) { Self.expectAnswer(label) }

  /// What people ask who have never seen the tool.
  @Test(arguments: [
    "IDR", "idr", "MV-HEVC", "mv_hevc", "reference_displays", "hero-eye", "Hero Eye", "HVCC", "LHVC", "VEXU",
    "Annex B", "start code", "NAL unit", "SEI", "parameter set", "codec string", "key frame", "atom", "brand",
    "ue(v)", "HDR", "4:2:0", "Main 4:2:2 10", "Scalable Main", "isom", "qt", "hvc1", "HEVC",
  ])
  func questionsOfNewcomersAreAnswered(topic: String) { Self.expectAnswer(topic) }

  /// Every NAL unit type and every profile, by the name that is shown.
  @Test func namesOfTheBitstreamAreExplained() {
    for number: UInt8 in 0...63 { #expect(Self.names.contains(NALUnitType(rawValue: number).name)) }
    var profiles: Set<String> = []
    for number: UInt8 in 1...13 {
      for flags: UInt64 in 0..<1 << 10 {
        var profile = ProfileTier()
        profile.profileIdc = ProfileIdc(rawValue: number)
        profile.constraintFlags = flags << 34
        if let name = profile.profileName { profiles.insert(name) }
      }
    }
    #expect(profiles.count > 40)
    let source = ProfileExplanations()
    for name in profiles { #expect(source.explanations(of: name).map(\.name) == [name]) }
  }

  /// What a word sends the reader to is there.
  @Test func whatWordsReferToIsThere() throws {
    let words = try #require(ExplanationSources.all.first { $0.name == "words" }).all
    #expect(words.count > 80)
    for word in words {
      for topic in (word.remarks.first { $0.label == "see also" }?.text ?? "").components(separatedBy: ", ")
      where !topic.isEmpty && !Self.names.contains(topic) {
        #expect(mvdump("explain", topic).code == .success, "\(word.name) sends to \(topic)")
      }
    }
  }

  @Test func aWordThatIsAFieldTooSaysWhere() {
    let run = mvdump("explain", "level")
    #expect(run.lines[0].hasPrefix("level  ") && run.output.contains("Fields of this name are in:"))
    #expect(mvdump("explain", "--json", "level").json?["explanations"]?.elements.count ?? 0 > 1)
  }

  @Test func sampleEntriesNameTheirCodec() {
    #expect(mvdump("explain", "hev1").output.contains("HEVC; parameter sets may be in samples too"))
    #expect(mvdump("explain", "mp4a").output.contains("AAC"))
  }

  private static func expectAnswer(_ topic: String) {
    let run = mvdump("explain", topic)
    #expect(run.code == .success && !run.output.isEmpty, "\(topic): \(run.errors)")
    #expect(!run.output.contains("is mentioned in:"), "\(topic) is mentioned, but nothing says what it is")
  }
}
