// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// The screens of `trim` and `join`, and what they refuse.
@Suite struct CutTests {
  private let folder: TemporaryFolder
  private let movie = Fixtures.path("spatial.mov")

  init() throws { folder = try TemporaryFolder() }

  @Test func trimSaysWhatItKeeps() throws {
    let output = folder.path + "/part.mov"
    let run = mvedit("trim", "--from", "#1", "--to", "#3", "--json", "-o", output, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "trim")?.problems(json) == [])
    #expect(json["tracks"]?.elements.count == 1)
    #expect(json["notices"]?.elements.first?["kind"]?.text == "hiddenPictures")
    let check = mvdump("check", "--json", output)
    #expect(check.code == .success, "\(check.output)")
    let dry = mvedit("trim", "--from", "#1", "--to", "#3", "-n", movie)
    #expect(dry.output.contains("keeps ") && dry.output.contains("--snap"), "\(dry.output)")
    let snapped = mvedit("trim", "--from", "#1", "--to", "#3", "--snap", "-n", movie)
    #expect(
      snapped.output.contains("keeps 0 s to") && !snapped.output.contains("--snap"), "\(snapped.output)")
  }

  /// Other programs go by the name: a movie that is called a Matroska file is not played.
  @Test(arguments: ["mkv", "TS", "hevc", "m3u8"]) func aNameOfAnotherKindOfFileIsRefused(kind: String) {
    let output = folder.path + "/part." + kind
    let run = mvedit("trim", "--from", "#1", "-o", output, movie)
    #expect(run.code == .usage && run.errors.contains("its name cannot end in .\(kind)"), "\(run.errors)")
    #expect(filesBelow(folder.path).isEmpty)
  }

  /// Several parts follow each other, in the order of the command line.
  @Test func trimKeepsSeveralParts() throws {
    let output = folder.path + "/parts.mov"
    for (parts, samples) in [
      ("#0-#1,#3-#4", [0, 3]), ("#2-,-#1", [2, 3, 0]), ("#0-#2,#1-#3", [0, 1, 1, 2]), ("0-0.05", [0, 1]),
    ] {
      let run = mvedit("trim", "--keep", parts, "--json", "-f", "-o", output, movie)
      #expect(run.code == .success, "\(parts): \(run.errors)")
      let json = try #require(run.json)
      #expect(JSONSchema(named: "trim")?.problems(json) == [])
      #expect(json["parts"]?.elements.count == parts.split(separator: ",").count)
      let old = try MovieFile(path: movie), made = try MovieFile(path: output)
      func bytes(_ movie: MovieFile, _ sample: Int) throws -> [UInt8] {
        let samples = try movie.tracks[0].samples()
        return try movie.source.read(try #require(samples.sample(at: sample)).range).array
      }
      let shown = try made.tracks[0].samples()
      let found = try (0..<shown.presentationCount).map { position in
        try bytes(made, #require(shown.presentation(at: position)).sample)
      }
      // The end of a sequence may follow where another part begins.
      let wanted = try samples.map { try bytes(old, $0) }
      #expect(found.count == wanted.count, "\(parts)")
      for (new, old) in zip(found, wanted) { #expect(new.prefix(old.count) == old[...], "\(parts)") }
    }
    let dry = mvedit("trim", "--keep", "#0-#1,#3-#4", "-n", movie)
    #expect(dry.output.contains("keeps 0 s to 0.033333 s, 0.1 s to"), "\(dry.output)")
    for line in [["--keep", "0-1,"], ["--keep", "1"], ["--keep", "0-1", "--to", "2"], ["--keep", "-"]] {
      #expect(mvedit(["trim", "-n", movie] + line).code == .usage, "\(line)")
    }
  }

  @Test func trimCutsSeveralMovies() throws {
    let other = Fixtures.path("stereo-no-hfov.mov")
    let run = mvedit("trim", "--to", "#2", "-o", folder.path + "/cut-%n.mov", movie, other)
    #expect(run.code == .success, "\(run.errors)")
    #expect(filesBelow(folder.path) == ["cut-spatial.mov", "cut-stereo-no-hfov.mov"])
    #expect(mvedit("trim", "--to", "#2", "-n", movie, other).code == .success)
    // One name for two movies is none, and neither is a pattern that gives them the same one.
    #expect(mvedit("trim", "--to", "#2", "-o", folder.path + "/x.mov", movie, other).code == .usage)
    #expect(mvedit("trim", "--to", "#2", "-o", folder.path + "/%n.mov", movie, movie).code == .usage)
    // A place that no name has is refused; without a place, a name is what it says.
    let unknown = mvedit("trim", "--to", "#2", "-o", folder.path + "/%n-%x.mov", movie)
    #expect(unknown.errors.contains("'%x' in the name of the output is not %n or %f"), "\(unknown.errors)")
    #expect(mvedit("trim", "--to", "#2", "-o", folder.path + "/50%.mov", movie).code == .success)
    #expect(filesBelow(folder.path).contains("50%.mov"))
    // What fails does not keep the others from being cut.
    let mixed = mvedit(
      "trim", "--to", "#2", "-o", folder.path + "/two-%f", folder.path + "/gone.mov", movie)
    #expect(mixed.code == .unreadable)
    #expect(filesBelow(folder.path).contains("two-spatial.mov"))
  }

  @Test func whatIsHiddenIsOneLine() throws {
    let run = mvedit("trim", "--from", "#2", "-n", movie)
    #expect(
      run.output.contains("2 pictures before the beginning stay in the file, hidden: players need them"),
      "\(run.output)")
    let sound = mvedit("trim", "--from", "1", "-n", Fixtures.path("metadata-keys.mov"))
    let lines = sound.output.split(separator: "\n").filter { $0.contains("hidden") }
    #expect(lines.count == 1 && lines[0].contains("packets of sound"), "\(sound.output)")
    #expect(sound.output.contains(" pictures, sound"), "\(sound.output)")
  }

  @Test func joinRefusesMixedEyes() throws {
    let movie = folder.path + "/movie.mov", swapped = folder.path + "/swapped.mov"
    let output = folder.path + "/both.mov"
    #expect(mvedit("mux", "--fps", "30", "-o", movie, Fixtures.path("two-views.hevc")).code == .success)
    #expect(mvedit("tag", "--swap-eyes", "--rewrite-message", "-o", swapped, movie).code == .success)
    let run = mvedit("join", "-o", output, movie, swapped)
    #expect(run.code == .no && run.errors.contains("--mixed-eyes"), "\(run.errors)")
    let mixed = mvedit("join", "--mixed-eyes", "-o", output, movie, swapped)
    #expect(mixed.code == .success && mixed.errors.contains("the right eye"), "\(mixed.errors)")
  }

  @Test func joinSaysWhereEachMovieBegins() throws {
    let output = folder.path + "/all.mov"
    let run = mvedit("join", "--json", "-o", output, movie, movie, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "join")?.problems(json) == [])
    #expect(json["parts"]?.elements.count == 3)
    #expect(mvdump("check", output).code == .success)
    let dry = mvedit("join", "-n", movie, movie)
    #expect(dry.output.contains("begins at 0 s\n"), "\(dry.output)")
  }

  @Test func stripNamesTheEye() throws {
    let output = folder.path + "/flat.mov"
    let run = mvedit("strip", "--json", "-o", output, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "strip")?.problems(json) == [])
    let eye = try #require(json["eye"]?.text)
    #expect(mvdump("check", output).code == .success)
    #expect(mvedit("strip", "-n", movie).output.contains("keeps the \(eye) eye"))
    let other = mvedit("strip", "-n", "--eye", eye == "left" ? "right" : "left", movie)
    #expect(other.code == .no && other.errors.contains("--eye \(eye)"), "\(other.errors)")
  }

  @Test func splitAndMergeSayWhichTracks() throws {
    let (split, merged) = (folder.path + "/two.mov", folder.path + "/one.mov")
    let run = mvedit("split", "--json", "-o", split, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "split")?.problems(json) == [])
    #expect(json["tracks"]?.elements.map { $0["layers"]?.elements.count } == [1, 1])
    let eye = try #require(json["eye"]?.text)
    #expect(mvedit("split", "-n", movie).output.contains("track 1: layer 0 (the \(eye) eye)"))
    let info = mvdump("layers", split)
    #expect(info.code == .success && info.output.contains("track 2"), "\(info.output)")
    let back = mvedit("merge", "--json", "-o", merged, split)
    #expect(back.code == .success && back.errors.isEmpty, "\(back.errors)")
    #expect(try JSONSchema(named: "merge")?.problems(#require(back.json)) == [])
    #expect(mvdump("diff", movie, merged).code == .success)
    #expect(mvdump("check", merged).code == mvdump("check", movie).code)
    #expect(mvedit("merge", "-n", split).output.contains("these become track 1\n"))
  }

  @Test func whatTheMovieDoesNotAllowIsRefused() {
    for (line, reason) in [
      (["trim", "--from", "1000", "-n", movie], "the movie ends at"),
      (["trim", "--from", "#2", "--to", "#2", "-n", movie], ", and begins at"),
      (["trim", "--from", "#1000", "-n", movie], "there is no picture #1000"),
      (["trim", "--to", "1", "-n", Fixtures.path("two-views.hevc")], "raw HEVC stream"),
      (["join", "-n", movie, Fixtures.path("metadata-keys.mov")], "tracks cannot mix codecs"),
      (["split", "-n", Fixtures.path("two-tracks-lhv1.mp4")], "mvedit merge"),
      (["split", "-n", Fixtures.path("metadata-keys.mov")], "no layers"),
      (["merge", "-n", movie], "all layers"),
      (["join", "-n", "--same-spatial", movie, Fixtures.path("stereo-no-hfov.mov")], "--same-spatial"),
    ] {
      let run = mvedit(line)
      #expect(run.code == .no && run.errors.contains(reason), "\(line): \(run.output)\(run.errors)")
    }
    #expect(mvedit("join", "-n", movie, folder.path + "/gone.mov").code == .unreadable)
    #expect(filesBelow(folder.path).isEmpty)
  }

  @Test func whatMakesNoSenseIsWrongUsage() {
    for line in [
      ["trim", movie, "-o", "x.mov"], ["trim", "--to", "1", movie], ["trim", "--to", "soon", "-n", movie],
      ["trim", "--from", "1:99", "-n", movie], ["trim", "--from", "#-1", "-n", movie],
      ["trim", "--from", "1", "-o", "x.mov", movie, movie], ["join", "-n", movie], ["join", movie, movie],
      ["split", movie], ["merge", "-n", movie, movie],
    ] {
      let run = mvedit(line)
      #expect(run.code == .usage && run.output.isEmpty, "\(line): \(run.output)\(run.errors)")
    }
  }

  @Test func anInputIsNeverTheOutput() throws {
    let copy = try copied(movie, to: folder, as: "copy.mov")
    let before = contents(copy)
    #expect(mvedit("trim", "--to", "#2", "-f", "-o", copy, copy).code != .success)
    #expect(mvedit("join", "-f", "-o", copy, movie, copy).code != .success)
    #expect(contents(copy) == before)
  }
}
