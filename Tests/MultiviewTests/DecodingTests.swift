// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

/// What was extracted decodes to the pictures that FFmpeg finds in the whole file.
@Suite(.enabled(if: Corpus.isPresent && VideoDecoder.installed != nil)) struct DecodingTests {
  /// Files with two views whose pictures are known. x265 puts a delimiter between the layers of `c322_confwin_rh`, so that
  /// they are no access units.
  static let files: [String] = Corpus.files(with: "framemd5.view1.txt").filter { name in
    guard !name.contains("c322_confwin_rh"), let track = track(name) else { return false }
    return track.layers.filter(\.isTexture).count == 2
  }

  /// Movies with a view in each of two tracks: of these the pictures of the one-track form are known.
  static let splitFiles: [String] = Corpus.files("mvhevc").filter { $0.contains("_gpac_split") }

  static func track(_ name: String) -> Track? {
    (try? MovieFile(path: (Corpus.folder ?? "") + "/" + name))?.tracks.first
  }

  /// The movie that says what a file's pictures are. FFmpeg tears access units of raw streams apart where parameter sets
  /// or SEI are between the layers, so what it says of those is wrong; of the movies made from them it is right.
  static func reference(_ name: String) -> String {
    let whole = name.components("_split")[0].replacing("_ffmpeg.hevc", with: ".hevc")
    if whole != name, !whole.hasSuffix(".hevc") { return whole + ".mp4" }
    guard name.hasPrefix("mvhevc/"), whole.hasSuffix(".hevc") else { return name }
    return whole.replacing(".hevc", with: "_gpac.mp4")
  }

  static func check(_ name: String, view: Int) throws {
    let track = try #require(Self.track(name))
    let decoder = try #require(VideoDecoder.installed)
    let views = track.joined.layers.filter(\.isTexture)
    try #require(views.count == 2)
    var stream: [UInt8] = []
    let summary = try track.extract(layers: [views[view].layerID]) {
      stream += $0
      return true
    }
    #expect(summary.damagedSamples == 0)
    let folder = try TemporaryFolder()
    let found = decoder.pictures(of: try folder.write("layers.hevc", stream), view: view)
    let expected = VideoDecoder.pictures(
      Corpus.truth(reference(name), "framemd5.view\(view).txt") ?? "")
    // A muxer that knows no lhvC loses the parameter sets of the second layer, and with them its pictures.
    guard views[view].hasParameterSets else {
      #expect(found.isEmpty && expected.isEmpty)
      return
    }
    #expect(!expected.isEmpty)
    #expect(found.count == summary.samples)
    // Where a muxer lost times, FFmpeg dropped pictures of the movie; those that are left must be found in order.
    var remaining = expected[...]
    for picture in found where picture == remaining.first { remaining.removeFirst() }
    #expect(remaining.isEmpty, "\(name): \(remaining.count) of \(expected.count) pictures are not decoded")
    let mayLose = name.contains("mp4ff") || name.contains("_ffmpeg.mov")
    #expect(mayLose || found == expected, "\(name)")
  }

  @Test func thereAreFiles() {
    #expect(Self.files.count >= 50)
    #expect(Self.splitFiles.count >= 10)
  }

  @Test(arguments: files + splitFiles) func baseLayer(name: String) throws {
    try Self.check(name, view: 0)
  }

  @Test(.enabled(if: VideoDecoder.canDecodeViews), arguments: files + splitFiles)
  func bothLayers(name: String) throws {
    try Self.check(name, view: 1)
  }
}
