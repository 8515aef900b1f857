// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MovieEditing
import Multiview
import TestSupport
import Testing

/// What `mvdump diff` says of what each command of `mvedit` makes of a camera's clip: what was asked for, and nothing else. Every line is
/// written here by hand.
@Suite struct CommandDiffTests {
  /// The commands that make a movie of the clip, and the screen that compares both.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// `IN` is the clip, `OUT` the movie that is compared, `A` and `B` are others.
    var commands: [String]
    var screen: [String]
    /// The lines that bring back what is lost.
    var restoring: [String] = []
    var testDescription: String { name }
  }

  private static let tags = [
    "tags of track 1", "signalled eyes left, right → nothing", "baseline 19.24 mm → nothing",
    "disparity +2 % → nothing", "field of view 63.4° → nothing",
    "projection rectilinear → nothing",
  ]
  private static let spatialKeys = [
    "metadata", "mdta/com.apple.quicktime.spatial.aggressors-seen 0 → nothing",
    "mdta/com.apple.quicktime.spatial.format-version 1.0 → nothing",
  ]
  private static let broken = "rules of mvdump check that only the second movie breaks"

  /// The lines that bring metadata back write every value as it was, and nothing else: what `--key` would write as text is taken
  /// from the original.
  @Test func valuesOfAllKindsComeBack() throws {
    let folder = try TemporaryFolder()
    let original = folder.path + "/original.mov", remade = folder.path + "/remade.mov"
    var editor = try MovieEditor(path: Fixtures.path("spatial.mov"))
    editor.metadata["-dash.key"] = .text("it's 100%")
    try editor.write(to: original)
    #expect(try restored(original, Fixtures.path("spatial.mov"), in: folder).contains("--key '-dash.key="))
    editor.metadata["some.number"] = .number(1.5)
    editor.metadata["some.bytes"] = .bytes(ByteView([1, 2, 3]))
    editor.metadata["some.lines"] = .text("one\ntwo")
    editor.metadata["a=b"] = .text("c")
    try editor.write(to: remade)
    let lines = try restored(remade, Fixtures.path("spatial.mov"), in: folder)
    #expect(lines.contains("mvedit repair --from ") && !lines.contains("some."), "\(lines)")
  }

  /// Runs the lines that are printed, and returns them.
  private func restored(_ original: String, _ other: String, in folder: TemporaryFolder) throws -> String {
    let movie = try copied(other, to: folder, as: "stripped.mov")
    let commands = try #require(mvdump("diff", "--json", original, movie).json?["commands"]?.elements)
    var last = ""
    for command in commands.compactMap(\.text) {
      let words = DiffScreen.shellWords(command.split(separator: "'\\''").joined(separator: "\u{1}"))
        .map { $0.split(separator: "\u{1}").joined(separator: "'") }
      let run = mvedit(Array(words.dropFirst()) + (words.contains("-o") ? ["--force"] : []))
      #expect(run.code == .success, "\(command): \(run.errors)")
      last = words.firstIndex(of: "-o").map { words[$0 + 1] } ?? last
    }
    let old = try MovieFile(path: original), new = try MovieFile(path: last)
    #expect(Set(old.metadata.items.map(\.value)) == Set(new.metadata.items.map(\.value)))
    return commands.compactMap(\.text).joined(separator: "\n")
  }

  /// Of a key with several values no line is printed that would write them as one.
  @Test func severalValuesAreNotJoined() throws {
    let folder = try TemporaryFolder()
    let single = folder.path + "/single.mov", key = "some.key", movie = Fixtures.path("spatial.mov")
    #expect(mvedit("tag", "--key", key + "=value", "-o", single, movie).code == .success)
    var tree = BoxTree(ByteView(try #require(contents(single))))
    try tree.edit("moov/meta/ilst") { (list: inout Box) throws(ParseError) in
      list.children += list.children.suffix(1)
    }
    let original = try folder.write("original.mov", tree.encoded())
    let diff = mvdump("diff", original, movie)
    #expect(
      diff.code == .no && diff.output.contains("value; value") && !diff.output.contains("mvedit tag"),
      "\(diff.output)")
  }

  static let rows: [Row] = [
    Row(
      name: "tag", commands: ["mvedit tag --baseline 60 --field-of-view 70 -o OUT IN"],
      screen: [
        "tags of track 1", "baseline 19.24 mm → 60 mm", "field of view 63.4° → 70°",
      ], restoring: ["mvedit tag --copy-from IN -o OUT-fixed.mov OUT"]),
    Row(
      name: "tag, all removed", commands: ["mvedit tag --remove all -o OUT IN"],
      screen: tags + spatialKeys + [broken, "error MV016"],
      restoring: ["mvedit tag --copy-from IN -o OUT-fixed.mov OUT"]),
    // Which layer is which eye is said by the message; where it is swapped, the order in the tags agrees with it as it is.
    Row(
      name: "tag, eyes reversed", commands: ["mvedit tag --reversed yes -o OUT IN"],
      screen: ["tags of track 1", "signalled eyes left, right → left, right, reversed"],
      restoring: ["mvedit tag --copy-from IN -o OUT-fixed.mov OUT"]),
    Row(
      name: "tag, eyes swapped in the message too",
      commands: ["mvedit tag --swap-eyes --rewrite-message -o OUT IN"],
      screen: [
        "eyes of track 1", "layer 0 right eye → left eye", "layer 1 left eye → right eye",
        "parameter sets of track 1", "message 176 of layer 0 in hvcC (#) → in hvcC (#)",
      ]),
    // Nothing can bring the other eye back: the tags would be of no use.
    Row(
      name: "strip", commands: ["mvedit strip -o OUT IN"],
      screen: [
        "layers of track 1", "layer 1 can be decoded → nothing", "eyes of track 1",
        "layer 0 right eye → nothing",
      ] + tags + [
        "parameter sets of track 1", "PPS of layer 1 in lhvC → nothing", "SPS of layer 1 in lhvC → nothing",
        "VPS of layer 0 in hvcC (#) → in hvcC (#)",
        "message 176 of layer 0 in hvcC → nothing", "samples of track 1",
        "pictures of layer 1 in 11 samples → nothing",
        "messages beside the pictures in 1 sample → other contents",
      ] + spatialKeys + ["structure of track 1", "sample groups 'sync' of 1 sample → others"]),
    Row(
      name: "split", commands: ["mvedit split -o OUT IN"],
      screen: [
        "track 3", "video track ('lhv1') nothing → 11 samples", "structure of track 1",
        "sample groups 'sync' of 1 sample → others", "place of VPS of layer 0 hvcC → lhvC", broken,
        "error MV020",
        "note MV080",
      ]),
    Row(
      name: "merge", commands: ["mvedit split -o A IN", "mvedit merge -o OUT A"], screen: ["no difference"]),
    Row(
      name: "trim", commands: ["mvedit trim --from 0.2 --to 0.6 -o OUT IN"],
      screen: [
        "times of track 1", "presentation of samples 0 to 4, 7 shown → left out by the edit list",
        "presentation time of samples 5 to 6, 8 to 10, all by the same amount 0.267 s (160/600) → 0.067 s (40/600)",
        "times of track 2", "end of the presentation 0.367 s (220/600) → 0.167 s (100/600)",
      ]),
    Row(
      name: "join", commands: ["mvedit join -o OUT IN IN"],
      screen: [
        "samples of track 1", "samples 11 to 21 of the second movie nothing → 11 samples",
        "samples of track 2",
        "sample 1 of the second movie nothing → 1 sample",
      ]),
    Row(
      name: "fragment", commands: ["mvedit fragment -o OUT IN"],
      screen: ["no difference", "note: the samples of the second movie are in fragments"]),
    Row(
      name: "flatten", commands: ["mvedit fragment -o A IN", "mvedit flatten -o OUT A"],
      screen: ["no difference"]),
    Row(name: "repair", commands: ["mvedit repair -o OUT IN"], screen: ["no difference"]),
    Row(
      name: "mux",
      commands: [
        "mvdump extract --layer 1 -o A IN",
        "mvedit mux --fps 30 --copy-from IN --metadata-from IN -o OUT A",
      ],
      screen: [
        "structure of track 1", "dependencies of 1 sample → others",
        "handler name Core Media Video → Video",
        "trak/mdia/minf/stbl/stsd/entry/hvcC temporalIdNested 0 → temporalIdNested 1",
        "trak/mdia/minf/stbl/stsd/entry/lhvC temporalIdNested 0 → temporalIdNested 1",
      ]),
  ]

  @Test(.enabled(if: Corpus.isPresent), arguments: rows) func theScreenNamesWhatWasAskedFor(row: Row) throws {
    let folder = try TemporaryFolder()
    let clip = try #require(Corpus.folder) + "/apple/iphone15promax.mov"
    let made = folder.path + "/made.mov"
    func paths(_ line: String) -> [String] {
      line.split(separator: " ").map { word in
        switch word {
        case "IN": clip
        case "OUT": made
        case "OUT-fixed.mov": folder.path + "/made-fixed.mov"
        case "A", "B":
          folder.path + "/\(word)" + (line.contains("extract") || line.contains("mux") ? ".hevc" : ".mov")
        default: String(word)
        }
      }
    }
    for command in row.commands {
      let words = paths(command)
      let run = words[0] == "mvdump" ? mvdump(Array(words.dropFirst())) : mvedit(Array(words.dropFirst()))
      #expect(run.code == .success, "\(command): \(run.errors)")
    }
    let run = mvdump("diff", clip, made)
    let (screen, commands) = DiffScreen.lines(run.output)
    // What contents a parameter set has, `(31cdb5f8252638fe)`, is not said by hand.
    let compared = screen.map { $0.replacing(/\([0-9a-f]{16}\)/, with: "(#)") }
    #expect(compared == row.screen, "\(run.output)")
    #expect(commands == row.restoring.map { paths($0).joined(separator: " ") })
    #expect(run.code == (row.screen.first == "no difference" ? .success : .no))
  }
}
