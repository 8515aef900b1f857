// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
import Multiview
import TestSupport
import Testing

/// What `--dry-run --json` announces is what the command reports when it writes; and what it reports is what the movie has
/// afterwards.
@Suite struct AnnouncedChangesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The members of a report, except those on what was written.
  private func report(_ run: ToolRun) throws -> [String: String] {
    let json = try #require(run.json, "\(run.output) \(run.errors)")
    var members: [String: String] = [:]
    guard case .object(let all) = json else { return [:] }
    for (name, value) in all where !["output", "written", "size", "bytesWritten"].contains(name) {
      members[name] = "\(value)"
    }
    return members
  }

  private func expectSame(_ words: [String], _ inputs: [String]) throws -> (run: ToolRun, output: String)? {
    let output = folder.path + "/out"
    let dry = mvedit(words + ["--dry-run", "--json"] + inputs)
    let real = mvedit(words + ["--json", "--force", "-o", output] + inputs)
    #expect(dry.code == real.code, "\(words) \(inputs): \(dry.errors)\(real.errors)")
    // A repair that leaves errors has done something all the same.
    guard dry.code == .success || dry.json?["left"] != nil else {
      #expect(dry.errors == real.errors && !dry.errors.isEmpty, "\(words) \(inputs)")
      return nil
    }
    let (before, after) = (try report(dry), try report(real))
    for name in Set(before.keys).union(after.keys).sorted() {
      #expect(before[name] == after[name], "\(words) \(inputs): \(name)")
    }
    return (real, output)
  }

  private static let movies = Fixtures.media.filter { !$0.hasSuffix(".hevc") && !$0.hasSuffix(".heic") }

  @Test(arguments: movies) func everyCommand(name: String) throws {
    let path = Fixtures.path(name)
    let commands: [[String]] = [
      ["tag", "--creation-date", "2024-05-01T12:30:00+02:00"],
      ["tag", "--key", "com.apple.quicktime.title=A"],
      ["tag", "--remove", "all"], ["tag", "--field-of-view", "70"],
      ["trim", "--from", "0.02", "--to", "0.05"],
      ["strip"], ["split"], ["merge"], ["flatten"], ["fragment"], ["repair"],
      ["repair", "--from", Fixtures.path("spatial.mov")],
    ]
    var written = 0
    for command in commands where try expectSame(command, [path]) != nil { written += 1 }
    if try expectSame(["join"], [path, path]) != nil { written += 1 }
    // Most are done, also to movies without video.
    #expect(written >= 7)
  }

  @Test(arguments: ["two-views.hevc", "two-views-cropped.hevc", "three-views.hevc", "alpha-layer.hevc"])
  func mux(name: String) throws {
    let words = ["mux", "--fps", "30", "--brand", "mov"]
    #expect(try expectSame(words, [Fixtures.path(name)]) != nil)
  }

  /// What cannot be written is refused when it is announced, in the same words: here, a table points into boxes that change.
  @Test(arguments: [[], ["--in-place"]]) func refusals(place: [String]) throws {
    var movie = try PlainBox.boxes(#require(contents(Fixtures.path("spatial.mov")))[...])
    let index = try #require(movie.firstIndex { $0.type == "moov" })
    let start = movie[..<index].reduce(0) { $0 + $1.bytes.count }
    // The first sample begins inside the movie box.
    movie[index].patch("trak/mdia/minf/stbl/stco", at: 8, UInt64(start + 600))
    let path = folder.path + "/in.mov"
    try Data(movie.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
    let words = ["tag", "--field-of-view", "70", path]
    let dry = mvedit(words + ["--dry-run"] + place)
    let real = mvedit(words + (place.isEmpty ? ["-o", folder.path + "/out.mov"] : place))
    // In place, what the table points at stays where it is.
    #expect(dry.code == (place.isEmpty ? .no : .success), "\(dry)")
    #expect(dry.code == real.code, "\(dry.errors)\(real.errors)")
    if place.isEmpty { #expect(dry.errors == real.errors) }
  }

  /// Values that `tag` announces are those that the movie has.
  @Test(arguments: ["metadata-keys.mov", "spatial.mov", "timed-metadata.mov"]) func tags(name: String) throws
  {
    var words = [
      "tag", "--creation-date", "2024-05-01T12:30:00+02:00", "--key", "com.apple.quicktime.title=A title",
    ]
    // There is no video in this one.
    if name != "timed-metadata.mov" { words += ["--field-of-view", "71.5"] }
    let (run, output) = try #require(try expectSame(words, [Fixtures.path(name)]))
    let movie = try MovieFile(path: output)
    for change in run.json?["changes"]?.elements ?? [] {
      let new = change["new"]?.text
      switch change["name"]?.text {
      case "creation-date":
        #expect(new == "2024-05-01T10:30:00Z")
        #expect(movie.tracks.allSatisfy { $0.header?.creationTime == 3_797_404_200 }, "\(name)")
      case "field-of-view":
        #expect(
          new == "71.5°" && movie.tracks[0].stereo.horizontalFieldOfView?.rawValue == 71_500)
      case let key?:
        guard key.hasPrefix("com.") else { continue }
        #expect(movie.metadata[MetadataKey(rawValue: key)]?.stringValue == new, "\(key)")
      case nil: Issue.record("a change without a name")
      }
    }
  }

  @Test(.enabled(if: Corpus.isPresent)) func repairsOfRealMovies() throws {
    let root = try #require(Corpus.folder)
    let donor = root + "/apple/iphone15promax.mov"
    for name in Corpus.files("found") + Corpus.files("apple") + Corpus.files("broken") {
      let movie = root + "/" + name
      guard (try? MovieFile(path: movie))?.tracks.isEmpty == false else { continue }
      _ = try expectSame(["repair"], [movie])
      if name.hasSuffix(".mov") { _ = try expectSame(["repair", "--from", donor], [movie]) }
    }
  }
}
