// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import HEVC
import HEVCDecoding
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// A picture that is chosen is the one that comes out where everything is decoded, and nothing is decoded that it does not depend
/// on.
///
/// Of longer streams some pictures are compared; `MV_EVERY_PICTURE=1`, best in a release build, compares all of all streams of the
/// corpus.
@Suite struct NeededPicturesTests {
  private static let comparesAll = ProcessInfo.processInfo.environment["MV_EVERY_PICTURE"] != nil

  private static func track(_ path: String) throws -> Track {
    try #require(try MovieFile(path: path).tracks.first { $0.isHEVC })
  }

  /// The pictures of each sample, where all are decoded.
  private static func whole(_ track: Track) throws -> [PictureGroup] {
    let reader = try track.pictures()
    var found: [PictureGroup] = []
    while let group = try reader.next() { found.append(group) }
    return found
  }

  /// Some of them: the first, the last, and a few between.
  private static func some(_ groups: [PictureGroup], _ count: Int) -> [PictureGroup] {
    guard !comparesAll, groups.count > count else { return groups }
    return (0..<count).map { groups[$0 * (groups.count - 1) / max(1, count - 1)] }
  }

  private static func compare(_ path: String, units: [[NALUnit]], _ count: Int) throws {
    let track = try track(path)
    let model = DependencyModel(units)
    let groups = try whole(track)
    #expect(!groups.isEmpty)
    for group in some(groups, count) {
      let layers = group.layers.map(\.layerID)
      for wanted in layers.count > 1 ? [layers, [layers[layers.count - 1]]] : [layers] {
        let reader = try track.pictures(options: PictureOptions(layers: Set(wanted)))
        let found = try reader.group(ofSample: group.sample)
        let expected = group.layers.filter { wanted.contains($0.layerID) }
        #expect(found.layers.map(\.layerID) == wanted)
        #expect(
          found.layers.map { $0.decoded.md5(ofPlane: 0) } == expected.map { $0.decoded.md5(ofPlane: 0) },
          "\(path), sample \(group.sample), layers \(wanted)")
        #expect(
          found.layers.map { $0.decoded.md5(ofPlane: 1) } == expected.map { $0.decoded.md5(ofPlane: 1) })
        #expect(
          found.layers.map { $0.decoded.md5(ofPlane: 2) } == expected.map { $0.decoded.md5(ofPlane: 2) })
        #expect(
          reader.decodedCount == model.countNeeded(unit: group.sample, layers: Set(wanted)),
          "\(path), sample \(group.sample), layers \(wanted)")
        #expect(reader.takeProblems() == [])
      }
    }
  }

  private static func accessUnits(_ stream: ByteView) -> [[NALUnit]] {
    AccessUnitGrouper.group(AnnexBNALUnits(stream).compactMap { try? $0.get() }).map(\.units)
  }

  @Test(arguments: PictureTruth.fixtures.keys.sorted()) func onlyWhatIsNeeded(_ name: String) throws {
    try Self.compare(
      Fixtures.path("pictures/\(name).bit"), units: Self.accessUnits(Fixtures.bytes("pictures/\(name).bit")),
      3)
  }

  /// Random access, low delay, open groups of pictures, long-term references, several layers with periods of their own.
  private static let streams: [String] = {
    let all = PictureTruth.streams.keys.sorted()
    if comparesAll { return all }
    let names = [
      "ra_a", "ldb_a", "cra_open", "lt_msb", "rplm_a", "mv_3view_dep", "mv_periods", "mv_irap", "mv_ra",
      "tsub_a",
    ]
    return all.filter { path in names.contains { path.hasSuffix("/\($0).bit") } }
  }()

  @Test(.enabled(if: Corpus.isPresent), arguments: streams)
  func onlyWhatIsNeededOfTheCorpus(_ name: String) throws {
    try Self.compare("\(try #require(Corpus.folder))/\(name)", units: Self.accessUnits(Corpus.bytes(name)), 2)
  }

  /// What follows a chosen picture is what follows it where everything is decoded.
  @Test(
    arguments: ["spatial.mov", "two-views-fragmented.mp4", "two-views.hevc", "pictures/lt_sps.bit"], [1, 3])
  func readingContinues(_ name: String, _ threads: Int) throws {
    let track = try Self.track(Fixtures.path(name))
    let groups = try Self.whole(track)
    var options = PictureOptions()
    options.threads = threads
    for start in Set([1, groups.count / 2, groups.count - 2]).filter(groups.indices.contains) {
      let reader = try track.pictures(options: options)
      var found = [try reader.group(ofSample: groups[start].sample)]
      while let next = try reader.next() { found.append(next) }
      #expect(found.map(\.sample) == groups[start...].map(\.sample))
      #expect(found.map(PictureReaderTests.sums) == groups[start...].map(PictureReaderTests.sums))
      #expect(reader.takeProblems() == [])
    }
  }

  /// Leaps forwards decode no picture twice, and end where single ones do.
  @Test func leapsForwards() throws {
    let track = try Self.track(Fixtures.path("two-views-fragmented.mp4"))
    let groups = try Self.whole(track)
    let reader = try track.pictures()
    for group in groups where group.sample % 3 == 1 {
      let time = try #require(group.presentationTime)
      let found = try #require(try reader.group(shownAt: time))
      #expect(PictureReaderTests.sums(found) == PictureReaderTests.sums(group))
    }
    #expect(reader.decodedCount <= 2 * groups.count)
  }

  /// Where a picture that is needed is damaged, all is decoded, since what fills its gaps may come from anywhere before.
  @Test(arguments: ["two-views", "pictures/mix_a"]) func damageIsFilledAlike(_ name: String) throws {
    let path = Fixtures.path(name.hasPrefix("two") ? name + ".hevc" : name + ".bit")
    let units = AnnexBNALUnits(ByteView(contents(path) ?? [])).compactMap { try? $0.get() }
    let slices = units.indices.filter { units[$0].type.isSliceSegment }
    let folder = try TemporaryFolder()
    for hurt in slices.dropFirst().prefix(3) {
      var changed = units
      let bytes = changed[hurt].bytes.array
      changed[hurt] = try #require(NALUnit(ByteView(Array(bytes.prefix(bytes.count / 2)))))
      let track = try Self.track(try folder.write("\(hurt).hevc", AnnexBNALUnits.join(changed)))
      let groups = try Self.whole(track)
      for group in groups {
        let found = try track.pictures().group(ofSample: group.sample)
        #expect(PictureReaderTests.sums(found) == PictureReaderTests.sums(group), "slice \(hurt)")
        #expect(found.layers.map(\.problems) == group.layers.map(\.problems))
      }
    }
  }
}
