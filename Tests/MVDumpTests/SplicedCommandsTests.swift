// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MVDumpCommand
import Multiview
import TestSupport
import Testing

/// Commands on movies whose samples change their description: what they say of each sample is what they say of it in its
/// own movie.
@Suite struct SplicedCommandsTests {
  static let splices: [[String]] = [
    ["spatial.mov", "*spatial.mov"], ["hdr10.mp4", "spatial.mov"], ["spatial.mov", "alpha-layer.mp4"],
    ["two-tracks-lhv1.mp4", "*two-tracks-lhv1.mp4"],
  ]

  /// The whole, and each part, as files.
  private struct Files {
    let folder: TemporaryFolder
    let whole: String
    let parts: [String]
    /// The number of samples of each part.
    let counts: [Int]

    init(_ names: [String]) throws {
      folder = try TemporaryFolder()
      whole = try folder.write("whole.mov", try RemadeMovie.spliced(names).encoded())
      var parts: [String] = [], counts: [Int] = []
      for (index, name) in names.enumerated() {
        let part = try RemadeMovie.spliced([name])
        parts.append(try folder.write("part\(index).mov", part.encoded()))
        counts.append(part.samples[0].count)
      }
      (self.parts, self.counts) = (parts, counts)
    }
  }

  /// The rows of a table in CSV with the columns of these names.
  private static func rows(_ run: ToolRun, _ columns: [String]) -> [[String]] {
    let titles =
      run.lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    let places = columns.compactMap { titles.firstIndex(of: $0) }
    #expect(places.count == columns.count && run.code == .success, "\(run.errors)")
    return run.lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return places.map { cells.indices.contains($0) ? cells[$0] : "" }
    }
  }

  /// Samples, layers, eyes and pictures are those of the parts, sample after sample.
  @Test(arguments: splices) func pictures(_ names: [String]) throws {
    let files = try Files(names)
    let columns = ["sample", "layer", "eye", "width", "height", "md5y", "md5cb"]
    let found = Self.rows(mvdump("pictures", "--csv", "--threads", "2", files.whole), columns)
    var expected: [[String]] = [], start = 0
    for (path, count) in zip(files.parts, files.counts) {
      for row in Self.rows(mvdump("pictures", "--csv", path), columns) {
        expected.append(["\((Int(row[0]) ?? 0) + start)"] + row.dropFirst())
      }
      start += count
    }
    #expect(found == expected && !found.isEmpty)
    // One sample of the last part, by itself.
    let last = files.counts.dropLast().reduce(0, +)
    let alone = Self.rows(mvdump("pictures", "--csv", "--samples", "\(last)", files.whole), columns)
    #expect(alone == expected.filter { $0[0] == "\(last)" } && !alone.isEmpty)
  }

  /// The rows of `nal` and `samples` are those of the parts; times and places apart.
  @Test(arguments: splices) func units(_ names: [String]) throws {
    let files = try Files(names)
    for (command, columns) in [("nal", ["type", "layer", "size"]), ("samples", ["size", "sync"])] {
      let whole = mvdump(command, "--csv", "--track", "1", files.whole)
      let titles = whole.lines.first?.split(separator: ",").map(String.init) ?? []
      let known = columns.filter(titles.contains)
      #expect(!known.isEmpty)
      let parts = files.parts.flatMap { Self.rows(mvdump(command, "--csv", "--track", "1", $0), known) }
      #expect(Self.rows(whole, known) == parts)
    }
  }

  /// `verify` counts a layer for each eye that sees it.
  @Test func verify() throws {
    let files = try Files(["spatial.mov", "*spatial.mov"])
    let rows = Self.rows(
      mvdump("verify", "--csv", files.whole), ["layer", "eye", "pictures", "match", "sound"])
    #expect(
      rows.map { $0.prefix(3).joined(separator: " ") } == ["0 left 4", "0 right 4", "1 right 4", "1 left 4"])
    #expect(rows.allSatisfy { $0[3] == "4" && $0[4] == "1" }, "\(rows)")
  }

  /// Each description that differs is shown.
  @Test func screens() throws {
    let files = try Files(["spatial.mov", "*spatial.mov", "hdr10.mp4"])
    let eyes = mvdump("eyes", files.whole)
    #expect(eyes.lines.contains("  samples 4 to 7") && eyes.lines.contains("  samples 8 to 12"))
    let second = eyes.lines.drop { $0 != "  samples 4 to 7" }
    #expect(second.dropFirst().prefix(2) == ["  layer 0: right eye", "  layer 1: left eye"])
    let info = mvdump("info", files.whole).lines.filter { $0.hasPrefix("  samples ") }
    #expect(info.count == 2 && info[1].contains("HDR (PQ)"), "\(info)")
    for command in ["info", "eyes"] {
      let schema = try #require(JSONSchema(named: command))
      let run = mvdump(command, "--json", files.whole)
      #expect(SchemaTests.check(run, schema, command))
      let others = run.json?["tracks"]?[0]?["otherDescriptions"]?.elements ?? []
      #expect(others.map { $0["firstSample"]?.integer } == [4, 8])
      #expect(others.first?["layers"]?[0]?["eye"]?.text == "right")
      #expect(mvdump(command, "--json", files.parts[0]).json?["tracks"]?[0]?["otherDescriptions"] == nil)
    }
    // The same description twice is not shown twice.
    let same = try Files(["spatial.mov", "spatial.mov"])
    #expect(!mvdump("info", same.whole).output.contains("  samples "))
    #expect(!mvdump("eyes", same.whole).output.contains("  samples "))
    let layers = Self.rows(mvdump("layers", "--csv", files.whole), ["layerID", "eye"])
    #expect(layers == [["0", ""], ["1", ""]])
    // Parameter sets of each description, where they begin to hold.
    #expect(mvdump("params", files.whole).output.contains("transfer_characteristics  16 (PQ)"))
  }

  /// The stream of an eye has the pictures of that eye, whichever layer shows it.
  @Test func extractAnEye() throws {
    let files = try Files(["spatial.mov", "*spatial.mov", "hdr10.mp4"])
    for eye in ["left", "right"] {
      let path = files.folder.path + "/\(eye).hevc"
      let run = mvdump("extract", "--eye", eye, "-o", path, files.whole)
      #expect(run.code == .success && run.errors.contains("5 samples"), "\(run.errors)")
      let sums = Self.rows(mvdump("pictures", "--csv", path), ["sample", "layer", "md5y"])
      let expected = files.parts.prefix(2).flatMap { part in
        Self.rows(mvdump("pictures", "--csv", part), ["eye", "md5y"]).filter { $0[0] == eye }.map { $0[1] }
      }
      // Of each access unit the highest layer is the one that was wanted.
      let last = Dictionary(sums.map { ($0[0], $0[2]) }, uniquingKeysWith: { $1 })
      #expect(Set(last.values) == Set(expected) && last.count == 8)
    }
  }

  /// A picture by time or number is the file that its own movie gives.
  @Test(arguments: splices) func render(_ names: [String]) throws {
    let files = try Files(names)
    let track = try #require(try MovieFile(path: files.whole).tracks.first { $0.isHEVC })
    let samples = try track.samples()
    var start = 0
    for (part, count) in zip(files.parts, files.counts) {
      let whole = files.folder.path + "/whole\(start).png", own = files.folder.path + "/own\(start).png"
      let other = files.folder.path + "/time\(start).png"
      let run = mvdump("render", "--sample", "\(start + 1)", "-o", whole, files.whole)
      #expect(run.code == .success, "\(run.errors)")
      #expect(mvdump("render", "--sample", "1", "-o", own, part).code == .success)
      let shown = try #require(samples.firstPresentation(of: start + 1)).range.lowerBound
      let thousandths = Int(Double(shown) / Double(track.timescale) * 1_000) + 1
      let time = "\(thousandths / 1_000).\(String(1_000 + thousandths % 1_000).dropFirst())"
      #expect(mvdump("render", "--at", time, "-o", other, files.whole).code == .success)
      #expect(contents(whole) == contents(own) && contents(other) == contents(own))
      start += count
    }
  }

  /// An eye that one part does not have is left out there, and that is said.
  @Test func renderAnEye() throws {
    let files = try Files(["spatial.mov", "hdr10.mp4", "*spatial.mov"])
    let run = mvdump("render", "--all", "--eye", "left", "-o", files.folder.path + "/%03d.png", files.whole)
    #expect(run.code == .success && run.errors.contains("5 pictures skipped"), "\(run.errors)")
    #expect(filesBelow(files.folder.path).count { $0.hasSuffix(".png") } == 8)
  }

  /// A movie that becomes spatial is stereo, as spatial video is.
  @Test(arguments: ["spatial", "stereo", "multiview", "immersive"]) func probeForAKind(kind: String) throws {
    let files = try Files(["hdr10.mp4", "spatial.mov"])
    let isWanted = kind != "immersive"
    let run = mvdump("probe", "--is", kind, files.whole)
    #expect(run.code == (isWanted ? .success : .no) && run.output.hasPrefix("spatial"))
    #expect(mvdump("probe", "--only", kind, files.whole).output.isEmpty == !isWanted)
  }

  /// No command stumbles.
  @Test(arguments: splices) func everyCommand(_ names: [String]) throws {
    let files = try Files(names)
    for command in CommandList.all where command.options.contains(where: { $0.name == "json" }) {
      guard !["diff", "explain", "render", "extract"].contains(command.name) else { continue }
      let run = mvdump(command.name, "--json", files.whole)
      #expect(
        run.code == .success || command.name == "check" || command.name == "probe",
        "\(command.name): \(run.errors)")
      let schema = try #require(JSONSchema(named: command.name))
      #expect(SchemaTests.check(run, schema, "\(command.name) \(names)"))
    }
  }
}
