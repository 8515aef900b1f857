// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
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
      (["trim", "--from", "#2", "--to", "#2", "-n", movie], "does not begin before"),
      (["trim", "--from", "#1000", "-n", movie], "there is no picture #1000"),
      (["trim", "--to", "1", "-n", Fixtures.path("two-views.hevc")], "raw HEVC stream"),
      (["join", "-n", movie, Fixtures.path("metadata-keys.mov")], "Only an encoder"),
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
      ["trim", "--from", "1", "-n", movie, movie], ["join", "-n", movie], ["join", movie, movie],
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
