// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Values that follow from parameter sets, against what ffprobe makes of the same files.
@Suite(.enabled(if: Corpus.isPresent)) struct DerivedValuesTests {
  @Test func baseLayersAreAsAnotherToolReadsThem() throws {
    var files = 0, rates = 0, views = 0
    for name in Corpus.files(with: "ffprobe.json") {
      let json = try #require(Corpus.truth(name, "ffprobe.json").flatMap { JSONValue($0) }, "\(name)")
      let streams = json["streams"]?.elements.filter { $0["codec_name"]?.text == "hevc" } ?? []
      // Where it has no profile it could not read the parameter sets.
      guard let theirs = streams.first, let profile = theirs["profile"]?.text,
        let track = CorpusVideo(name)?.tracks.first
      else { continue }
      var store = ParameterSetStore()
      for unit in track.records + (track.samples.first ?? []) { store.insert(unit) }
      let sps = try #require(store.sequenceParameterSets.first { $0.unit.layerID == 0 }?.content, "\(name)")
      let vps = try #require(store.videoParameterSet(sps.spsVideoParameterSetID)?.content, "\(name)")
      func number(_ key: String) -> Int? { theirs[key]?.integer }
      #expect(
        sps.croppedSize.map { [$0.width, $0.height] } == [number("width"), number("height")], "\(name)")
      #expect(
        sps.codedSize.map { [$0.width, $0.height] } == [number("coded_width"), number("coded_height")],
        "\(name)")
      #expect(Self.pixelFormat(sps) == theirs["pix_fmt"]?.text, "\(name)")
      #expect(sps.profileTierLevel?.general?.profileName == profile, "\(name)")
      #expect(sps.profileTierLevel.map { Int($0.generalLevelIdc.rawValue) } == number("level"), "\(name)")
      #expect(
        sps.subLayerOrdering.last.map { Int($0.maxNumReorderPics) } == number("has_b_frames"), "\(name)")
      if CorpusStreams.names.contains(name) {
        // Without timing it counts in its own unit.
        let rate = sps.pictureRate ?? vps.pictureRate
        let text = rate.map { "\($0.numerator / $0.denominator)/1" } ?? "1200000/1"
        #expect(text == theirs["r_frame_rate"]?.text, "\(name)")
        rates += 1
      }
      if let list = Self.viewIDs(theirs), list.count == 2 {
        #expect(vps.layerStructure.layers.compactMap { $0.viewID.map(Int.init) } == list, "\(name)")
        views += 1
      }
      files += 1
    }
    print(
      "sizes, formats, profiles, levels of \(files) files, \(rates) rates and \(views) lists of views equal ffprobe's"
    )
    #expect(files > 60 && rates > 15 && views > 50)
  }

  /// The name that ffprobe has for a sample format.
  private static func pixelFormat(_ sps: SequenceParameterSet) -> String? {
    guard let format = sps.format else { return nil }
    let depth = format.bitDepthLuma > 8 ? "\(format.bitDepthLuma)le" : ""
    switch format.chromaFormatName {
    case "4:0:0": return "gray" + depth
    case "4:2:0": return "yuv420p" + depth
    case "4:2:2": return "yuv422p" + depth
    default: return "yuv444p" + depth
    }
  }

  /// ViewId of each layer.
  private static func viewIDs(_ stream: JSONValue) -> [Int]? {
    stream["view_ids_available"]?.text.map { $0.split(separator: ",").compactMap { Int($0) } }
  }
}
