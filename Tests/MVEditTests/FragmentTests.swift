// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import TestSupport
import Testing

/// The screens of `fragment`, `flatten` and `package`, and what FFmpeg makes of their movies.
@Suite struct FragmentCommandTests {
  private let folder: TemporaryFolder
  private let movie = Fixtures.path("spatial.mov")

  init() throws { folder = try TemporaryFolder() }

  @Test func fragmentAndFlattenSayWhatTheyDid() throws {
    let (fragmented, flat) = (folder.path + "/f.mp4", folder.path + "/flat.mp4")
    let run = mvedit("fragment", "--duration", "0.05", "--sidx", "--styp", "--json", "-o", fragmented, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "fragment")?.problems(json) == [])
    let back = mvedit("flatten", "--json", "-o", flat, fragmented)
    #expect(back.code == .success && back.errors.isEmpty, "\(back.errors)")
    #expect(JSONSchema(named: "flatten")?.problems(try #require(back.json)) == [])
    #expect(mvdump("diff", movie, flat).code == .success)
    #expect(mvdump("check", fragmented).code == .success)
    let again = mvedit("flatten", "-n", movie)
    #expect(again.output.contains("the movie has no fragments"), "\(again.output)")
    let wrong = mvedit("fragment", "--duration", "0", "-n", movie)
    #expect(wrong.code == .usage && wrong.errors.contains("--duration"))
  }

  @Test func aStreamIsFragmentedAtOnce() throws {
    let output = folder.path + "/stream.mp4"
    let run = mvedit(
      "mux", "--fps", "30", "--fragment", "1", "-o", output, Fixtures.path("two-views.hevc"))
    #expect(run.code == .success, "\(run.errors)")
    let tree = mvdump("tree", output)
    #expect(tree.output.contains("moof") && tree.output.contains("lhvC"))
  }

  @Test func aPackagePassesItsCheck() throws {
    let output = folder.path + "/stream"
    let run = mvedit("package", "--json", "-o", output, movie, Fixtures.path("metadata-keys.mov"))
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    #expect(JSONSchema(named: "package")?.problems(try #require(run.json)) == [])
    let check = mvdump("check", output + "/master.m3u8")
    #expect(check.code == .success, "\(check.output)")
    let answer = try #require(mvdump("check", "--json", output + "/master.m3u8").json)
    #expect(JSONSchema(named: "check")?.problems(answer) == [])
    let again = mvedit("package", "-o", output, movie)
    #expect(again.code == .unreadable && again.errors.contains("EEXIST"), "\(again.errors)")
    #expect(mvedit("package", "-n", movie).output.contains("CH-STEREO"))
    for date in ["today", "2026-99-99T99:99:99Z", "2026-02-29T12:00:00Z", "2026-01-31T24:00:00Z"] {
      #expect(mvedit("package", "--program-date", date, "-n", movie).code == .usage, "\(date)")
    }
  }

  /// Packets of all tracks as FFmpeg reads them: times, sizes, sums of their bytes.
  private func packets(_ path: String, _ decoder: VideoDecoder) throws -> [Substring] {
    try shell("\(decoder.path) -v error -i '\(path)' -map 0:v? -map 0:a? -c copy -f framecrc -").output
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test(.enabled(if: VideoDecoder.installed != nil && Corpus.isPresent))
  func packetsAreTheSame() throws {
    let decoder = try #require(VideoDecoder.installed)
    let corpus = try #require(Corpus.folder)
    var count = 0
    for name in Corpus.files("mvhevc") + Corpus.files("apple") + Corpus.files("made")
    where name.hasSuffix(".mp4") || name.hasSuffix(".mov") {
      let (path, fragmented, flat) = (
        corpus + "/" + name, folder.path + "/\(count).mp4", folder.path + "/\(count)-flat.mp4"
      )
      // FFmpeg moves the times of fragments with signed offsets, and makes packets of the chunks of samples that are not coded.
      if name.contains("pcm") || mvdump("tree", path).output.contains("  mvex") { continue }
      guard mvedit("fragment", "--duration", "0.5", "-o", fragmented, path).code == .success,
        mvedit("flatten", "-o", flat, fragmented).code == .success
      else { continue }
      count += 1
      #expect(try packets(path, decoder) == packets(flat, decoder), "\(name) flattened")
    }
    print("packets of \(count) movies are the same to FFmpeg")
    #expect(count > 40)
  }

  @Test(.enabled(if: VideoDecoder.canDecodeViews)) func bothViewsOfAVariantArePlayed() throws {
    let decoder = try #require(VideoDecoder.installed)
    let output = folder.path + "/stream"
    #expect(mvedit("package", "--duration", "0.05", "-o", output, movie).code == .success)
    func pictures(_ path: String, _ views: String) throws -> [String] {
      let run = try shell(
        "\(decoder.path) -v error \(views) -i '\(path)' -map 0:v -fps_mode passthrough -f framemd5 -")
      return VideoDecoder.pictures(run.output)
    }
    let both = try pictures(movie, "-view_ids -1")
    #expect(!both.isEmpty)
    #expect(try both == pictures(output + "/video1/media.m3u8", "-view_ids -1"))
    #expect(try pictures(movie, "") == pictures(output + "/video2/media.m3u8", ""))
    #expect(try !pictures(output + "/master.m3u8", "").isEmpty)
  }
}
