// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@Suite struct MuxTests {
  private let folder: TemporaryFolder
  private let stream = Fixtures.path("two-views.hevc")

  init() throws { folder = try TemporaryFolder() }

  @Test func aStreamBecomesASpatialMovie() throws {
    let output = folder.path + "/spatial.mov"
    let run = mvedit(
      "mux", "--fps", "30", "--baseline", "63", "--field-of-view", "63.4", "--disparity", "0", "--projection",
      "rect", "--json", "-o", output, stream)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "mux")?.problems(json) == [])
    #expect(json["schema"]?.text == "mvedit.mux/1" && json["output"]?.text == output)
    #expect(json["layers"]?.elements.count == 2 && json["frameRate"]?.text == "30")
    let check = mvdump("check", "--json", output).json
    #expect(check?["classification"]?.text == "spatial", "\(String(describing: check))")
    // A file that exists is replaced only where that is asked for.
    let before = contents(output)
    #expect(mvedit("mux", "--fps", "24", "-o", output, stream).code == .unreadable)
    #expect(contents(output) == before)
    let forced = mvedit("mux", "--fps", "24", "--force", "-o", output, stream)
    #expect(forced.code == .success && forced.errors.contains("24 pictures a second"), "\(forced.errors)")
  }

  @Test func removalsThatMatchNothingAreReported() throws {
    let output = folder.path + "/out.mov"
    let run = mvedit("mux", "--fps", "30", "--remove", "hero", "--json", "-o", output, stream)
    #expect(run.code == .no && contents(output) != nil, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "mux")?.problems(json) == [] && json["unmatched"]?.elements.count == 1)
    let text = mvedit("mux", "--fps", "30", "--remove", "hero", "--force", "-o", output, stream)
    #expect(text.code == .no && text.errors.contains("there is no 'hero' tag to remove"), "\(text.errors)")
  }

  /// AAC of an MP4 movie has the form of the movie that it comes into, which is read by other tools and by `check`.
  @Test(arguments: ["mov", "mp4"]) func soundHasTheFormOfTheMovie(ending: String) throws {
    let output = folder.path + "/sound.\(ending)", source = Fixtures.path("edit-list-trim.mp4")
    let run = mvedit("mux", "--fps", "30", "--audio", source, "-o", output, stream)
    #expect(run.code == .success, "\(run.errors)")
    let findings = mvdump("check", "--json", output).json?["findings"]?.elements ?? []
    #expect(!findings.contains { $0["rule"]?.text == "MV126" })
    let info = mvdump("info", "--json", output).json?["tracks"]?.elements.last
    let original = mvdump("info", "--json", source).json?["tracks"]?.elements.last
    #expect(info?["codecString"]?.text == "mp4a.40.2" && info?["codecString"] == original?["codecString"])
    guard let decoder = VideoDecoder.installed else { return }
    let sums = [source, output].map {
      TestSupport.run(decoder.path, ["-v", "quiet", "-i", $0, "-map", "0:a:0", "-f", "md5", "-"])
    }
    #expect(sums[0] == sums[1] && sums[0]?.isEmpty == false)
  }

  /// AAC of a QuickTime movie comes into an MP4 movie in the form of MP4, and that of MP4 into a QuickTime movie in its form:
  /// muxed, and joined to a movie without sound.
  @Test func soundBetweenContainers() throws {
    let plain = Fixtures.path("edit-list-trim.mp4")
    let quickTime = folder.path + "/sound.mov", mp4 = folder.path + "/back.mp4"
    let silent = folder.path + "/silent.mov", joined = folder.path + "/joined.mov"
    #expect(mvedit("mux", "--fps", "30", "--audio", plain, "-o", quickTime, stream).code == .success)
    #expect(mvedit("mux", "--fps", "30", "--audio", quickTime, "-o", mp4, stream).code == .success)
    #expect(mvedit("mux", "--fps", "30", "-o", silent, stream).code == .success)
    let join = mvedit("join", "-o", joined, silent, mp4)
    #expect(join.code == .success || join.code == .no, "\(join.errors)")
    func entry(_ path: String) throws -> Box {
      try #require(try MovieFile(path: path).tracks.last { $0.mediaType == .audio }?.sampleEntry)
    }
    let (original, back) = (try entry(plain), try entry(mp4))
    #expect(back.first("wave") == nil && back.payload(AudioSampleEntry.self)?.entryVersion == 0)
    #expect(try back.first("esds")?.encoded() == original.first("esds")?.encoded())
    #expect(
      back.payload(AudioSampleEntry.self)?.sampleRate == original.payload(AudioSampleEntry.self)?.sampleRate)
    for path in [quickTime, joined] {
      #expect(try entry(path)["wave/esds"]?.encoded() == original.first("esds")?.encoded(), "\(path)")
    }
  }

  /// Sound in fragments becomes that of the movie from which the fragments were made: bytes, times and edits.
  @Test func soundOfFragments() throws {
    let source = Fixtures.path("edit-list-trim.mp4")
    let (fragments, whole) = (folder.path + "/fragments.mp4", folder.path + "/whole.mov")
    let output = folder.path + "/of-fragments.mov"
    #expect(mvedit("fragment", "--duration", "0.5", "-o", fragments, source).code == .success)
    #expect(try MovieFile(path: fragments).container.isFragmented)
    #expect(mvedit("mux", "--fps", "30", "--audio", source, "-o", whole, stream).code == .success)
    let run = mvedit("mux", "--fps", "30", "--audio", fragments, "-o", output, stream)
    #expect(run.code == .success, "\(run.errors)")
    let sound = try [whole, output].map { path in
      let movie = try MovieFile(path: path)
      let track = try #require(movie.tracks(withMediaType: .audio).first)
      let samples = try track.samples().map { sample in
        let bytes = try movie.source.read(sample.range).array
        return "\(sample.decodeTime) \(sample.duration) \(sample.compositionOffset) \(sample.isSync) \(bytes)"
      }
      return (samples, track.edits.edits)
    }
    #expect(sound[0].0 == sound[1].0 && sound[0].0.count > 40)
    #expect(sound[0].1 == sound[1].1 && !sound[0].1.isEmpty)
  }

  @Test func aPipeGivesTheSameMovie() throws {
    let bytes = Fixtures.bytes("two-views.hevc")
    let (one, other) = (folder.path + "/one.mp4", folder.path + "/other.mp4")
    #expect(mvedit("mux", "--fps", "30000/1001", "-o", one, stream).code == .success)
    #expect(mvedit("mux", "--fps", "30000/1001", "-o", other, "-", input: bytes).code == .success)
    #expect(contents(one) == contents(other) && contents(one) != nil)
  }

  @Test func aDryRunWritesNothing() throws {
    let run = mvedit("mux", "--fps", "30", "--hero", "left", "--dry-run", stream)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("of layers 0 and 1, 30 pictures a second\n"), "\(run.output)")
    #expect(run.output.contains("tag hero: left\n"))
    #expect(filesBelow(folder.path).isEmpty)
  }

  @Test func theMovieThatTagsComeFromIsNotReplaced() throws {
    let camera = try copied(Fixtures.path("spatial.mov"), to: folder, as: "camera.mov")
    let before = contents(camera)
    for more in [[], ["--faststart"], ["--fragment", "1"]] {
      let run = mvedit(
        ["mux", "--fps", "30", "--copy-from", camera, "--force-values", "--force"] + more + [
          "-o", camera, stream,
        ])
      #expect(run.code != .success && run.errors.contains(camera), "\(more): \(run.errors)")
      #expect(contents(camera) == before, "\(more)")
    }
    #expect(filesBelow(folder.path) == ["camera.mov"])
  }

  @Test func whatCannotBeDoneIsRefused() throws {
    let output = folder.path + "/out.mov"
    // An alpha layer is no eye; a movie is no stream; a stream has a rate, or one is asked for.
    let alpha = mvedit(
      "mux", "--fps", "30", "--baseline", "63", "-o", output, Fixtures.path("alpha-layer.hevc"))
    #expect(alpha.code == .no && alpha.errors.contains("MV040"), "\(alpha.errors)")
    #expect(mvedit("mux", "--fps", "30", "-o", output, Fixtures.path("spatial.mov")).code == .unreadable)
    #expect(mvedit("mux", "--fps", "30", "-o", output, folder.path + "/gone.hevc").code == .unreadable)
    #expect(mvedit("mux", "--fps", "30", "-o", folder.path + "/no/out.mov", stream).code == .unreadable)
    #expect(filesBelow(folder.path).isEmpty)
  }

  @Test func whatMakesNoSenseIsWrongUsage() {
    let lines: [[String]] = [
      ["mux", stream], ["mux", "-o", "x.mov"], ["mux", "-o", "x.mov", stream, stream],
      ["mux", "--fps", "fast", "-o", "x.mov", stream], ["mux", "--fps", "0", "-o", "x.mov", stream],
      ["mux", "-o", "x.hevc", stream], ["mux", "-o", "-", "--brand", "mov", stream],
      ["mux", "--reorder", "ctts0", "-o", "x.mp4", stream], ["mux", "--reorder", "none", "-n", stream],
    ]
    for line in lines {
      let run = mvedit(line)
      #expect(run.code == .usage && run.output.isEmpty, "\(line): \(run.output)\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("mvedit: "), "\(line)")
    }
  }
}
