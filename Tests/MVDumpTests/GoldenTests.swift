// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

/// What every command says of the fixtures, as transcripts in fixtures/golden/commands. CONTRIBUTING.md says how they
/// are recorded anew.
@Suite struct GoldenTests {
  /// Commands that are run over the same files, in text and as JSON.
  struct Topic: Sendable, CustomTestStringConvertible {
    var name: String
    var command: String
    var files: [String]
    var testDescription: String { name }

    init(_ name: String, _ command: String? = nil, _ files: [String] = Fixtures.media) {
      self.name = name
      self.command = command ?? name
      self.files = files
    }

    func lines(_ option: String = "") -> [String] {
      files.map { "mvdump \(command)\(option.isEmpty ? "" : " " + option) fixtures/\($0)" }
    }
  }

  static let streams = Fixtures.media.filter { $0.hasSuffix(".hevc") }
  static let movies = Fixtures.media.filter { !$0.hasSuffix(".hevc") }
  static let parameterFiles = ["spatial.mov", "three-views.hevc", "alpha-layer.mp4", "hdr10.mp4"]

  /// Few and small: without optimisation, decoding takes its time.
  static let pictureFiles = ["two-views.hevc"]

  static let topics = [
    Topic("info"), Topic("eyes"), Topic("layers"), Topic("probe"),
    Topic("params", nil, parameterFiles), Topic("nal", "nal --samples 0-2"),
    Topic("samples", "samples --samples 0-4", movies),
    Topic("pictures", "pictures --samples 0-1", ["spatial.mov"] + pictureFiles),
    Topic("verify", "verify", pictureFiles),
  ]

  static func expectGolden(_ text: String, _ name: String) {
    let difference = Golden.difference(text, "commands/" + name)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(arguments: topics) func text(topic: Topic) {
    Self.expectGolden(transcript(topic.lines()), topic.name + ".text")
  }

  @Test(arguments: topics) func json(topic: Topic) {
    Self.expectGolden(transcript(topic.lines("--json")), topic.name + ".json.text")
  }

  @Test(arguments: topics.filter { ["layers", "nal", "samples", "pictures", "verify"].contains($0.name) })
  func csv(topic: Topic) {
    Self.expectGolden(transcript(topic.lines("--csv")), topic.name + ".csv.text")
  }

  @Test func terminal() {
    let lines = ["mvdump info fixtures/spatial.mov", "mvdump tree --depth 2 fixtures/spatial.mov"]
    Self.expectGolden(transcript(lines, columns: 100), "terminal.color.text")
    Self.expectGolden(
      transcript(
        ["mvdump layers fixtures/alpha-layer.mp4", "mvdump layers fixtures/three-views.hevc"], columns: 100,
        environment: ["NO_COLOR": "1"]), "terminal.layers.text")
  }

  @Test func questions() {
    var lines: [String] = []
    for kind in ["spatial", "stereo", "immersive", "multiview"] {
      lines += ["spatial.mov", "side-by-side-packed.mov", "half-equirect-180.mov", "hdr10.mp4"].map {
        "mvdump probe --is \(kind) fixtures/\($0)"
      }
    }
    Self.expectGolden(transcript(lines), "probe.questions.text")
  }

  /// What a movie lost, what was added, a stream and a movie, the same movie.
  @Test func diff() {
    let pairs = [
      "spatial.mov fixtures/stereo-tags-without-lhvC.mov", "two-views-fragmented.mp4 fixtures/spatial.mov",
      "two-views.hevc fixtures/spatial.mov", "hdr10.mp4 fixtures/hdr10.mp4",
    ]
    Self.expectGolden(transcript(pairs.map { "mvdump diff fixtures/\($0)" }), "diff.text")
    Self.expectGolden(
      transcript(pairs.prefix(1).map { "mvdump diff --json fixtures/\($0)" }), "diff.json.text")
  }

  @Test func trace() {
    Self.expectGolden(transcript(["mvdump params --trace fixtures/two-views.hevc"]), "params.trace.text")
  }

  @Test func help() {
    let lines = ["mvdump --help"] + CommandList.all.map { "mvdump \($0.name) --help" }
    Self.expectGolden(transcript(lines), "help.text")
  }

  @Test func explanations() {
    let topics = [
      "", "stri", "vexu/eyes/hero", "hfov", "lhvC", "stts/sample_delta", "21", "CRA_NUT", "sei 176",
      "view_id_val", "sps/sps_max_sub_layers_minus1", "nal-unit-types", "sei-messages", "parameter-sets",
      "strii", "VPS_NTU", "sample_detla",
    ]
    Self.expectGolden(transcript(topics.map { "mvdump explain \($0)" }), "explain.text")
    Self.expectGolden(
      transcript(["stri", "CRA_NUT", "sei 176"].map { "mvdump explain --json \($0)" }), "explain.json.text")
  }

  @Test func mistakes() {
    Self.expectGolden(
      transcript([
        "mvdump", "mvdump nothing.mov", "mvdump fixtures", "mvdump tere fixtures/spatial.mov",
        "mvdump info --jsno fixtures/spatial.mov", "mvdump nal --type SPS fixtures/spatial.mov",
        "mvdump nal --samples 9-1 fixtures/spatial.mov", "mvdump samples --track 7 fixtures/spatial.mov",
        "mvdump layers fixtures/timecode.mov", "mvdump samples fixtures/two-views.hevc",
        "mvdump extract fixtures/spatial.mov", "mvdump extract --layer 7 -o - fixtures/spatial.mov",
        "mvdump extract --eye left -o - fixtures/three-views.hevc", "mvdump fixtures/README.md",
        "mvdump diff fixtures/spatial.mov", "mvdump diff fixtures/spatial.mov fixtures/README.md",
      ]), "mistakes.text")
  }

  @Test(arguments: ["spatial.mov", "two-views.hevc", "two-views-fragmented.mp4"])
  func extraction(name: String) throws {
    let folder = try TemporaryFolder()
    var text = ""
    for option in ["--layer 0", "--layer 1", "--layer 1 --only", "--eye right"] {
      let path = folder.path + "/out.hevc"
      let words = splitWords("extract \(option)") + ["--force", "-o", path, Fixtures.path(name)]
      let run = mvdump(words)
      #expect(run.code == .success && run.output.isEmpty)
      text += "$ mvdump extract \(option) -o out.hevc fixtures/\(name)\n"
      text += run.errors.replacing(path, with: "out.hevc")
      text += transcriptOfUnits(path)
    }
    Self.expectGolden(text, "extract.\(name).text")
  }

  /// The types and layers of the units of a stream, in order, runs of the same counted.
  private func transcriptOfUnits(_ path: String) -> String {
    var runs: [(name: String, count: Int)] = []
    let units = mvdump("nal", "--json", path).json?["tracks"]?[0]?["nalUnits"]?.elements ?? []
    for unit in units {
      let name = "\(unit["name"]?.text ?? "?") layer \(unit["layerID"]?.integer ?? -1)"
      if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
    }
    return runs.map { "  \($0.count) × \($0.name)\n" }.joined()
  }
}
