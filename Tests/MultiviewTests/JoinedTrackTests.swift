// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Layers in two tracks. The movies were made from one stream by one muxer, once with both layers in one track.
@Suite struct JoinedTrackTests {
  static let fixtures = ["two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4"]

  static func stream(_ track: Track, _ layers: Set<UInt8>, includingReferences: Bool = true) throws -> [UInt8]
  {
    var bytes: [UInt8] = []
    _ = try track.extract(layers: layers, includingReferences: includingReferences) {
      bytes += $0
      return true
    }
    return bytes
  }

  /// The NAL units of a stream without parameter sets: where these stand may differ.
  static func units(_ stream: [UInt8]) -> [NALUnit] { allUnits(stream).filter { !$0.type.isParameterSet } }

  static func allUnits(_ stream: [UInt8]) -> [NALUnit] {
    AnnexBNALUnits(ByteView(stream)).compactMap { try? $0.get() }
  }

  @Test(arguments: fixtures)
  func layersOfBothTracks(name: String) throws {
    let movie = try MovieFile(path: Fixtures.path(name))
    #expect(movie.tracks.count == 2)
    for track in movie.tracks {
      #expect(!track.isJoined)
      let joined = track.joined
      #expect(joined.isJoined)
      #expect(joined.joinedTracks.map(\.id) == [1, 2])
      #expect(joined.id == 1)
      #expect(joined.layers.map(\.layerID) == [0, 1])
      #expect(joined.layers.map(\.eye) == [.left, .right])
      #expect(joined.layers.map(\.directReferences) == [[], [0]])
      #expect(joined.layers.map(\.isInSamples) == [true, true])
      #expect(joined.layerAnalysis.missingLayers == [])
      #expect(joined.layerAnalysis.diagnostics.filter { $0.severity > .note }.isEmpty)
      #expect(joined.eyeAssignment.decidedBy == .referenceDisplays)
      #expect(joined.joined.isJoined)
    }
    #expect(movie.tracks[1].associatedTracks(ofType: "sbas").map(\.id) == [1])
    #expect(try movie.sampleDiagnostics().filter { $0.severity > .note }.isEmpty)
  }

  /// Samples of the other track at times at which this one has none are no part of its access units: that is reported.
  @Test(arguments: [([1, 3, 1, 1], 2), ([2, 1, 1, 1], 3)] as [([UInt32], Int)])
  func samplesAtTimesOfTheirOwn(deltas: [UInt32], lost: Int) throws {
    // Decoded at 0, 1, 4, 5 and at 0, 2, 3, 4; the base layer at 0, 1, 2, 3.
    var movie = EditedMovie("two-tracks-lhv1.mp4")
    movie.edit("moov/trak[1]/mdia/minf/stbl/stts", TimeToSampleBox.self) { table in
      table.entries = .of(deltas.map { RuleCase.run(1, $0) })
    }
    let track = try #require(try movie.opened().tracks.first?.joined)
    let summary = try track.extract(layers: [0, 1]) { _ in true }
    #expect(summary.error?.field == "sample \(lost) of track 2")
    #expect(summary.error?.reason.contains("at which track 1 has no sample") == true)
    // Where the times agree, nothing is left out.
    let whole = try #require(try EditedMovie("two-tracks-lhv1.mp4").opened().tracks.first?.joined)
    #expect(try whole.extract(layers: [0, 1]) { _ in true }.error == nil)
  }

  /// One in the middle, so that those around it are found.
  @Test func aSampleBetweenOthers() throws {
    var movie = EditedMovie("two-tracks-lhv1.mp4")
    for (index, deltas) in [[2, 2, 2, 2], [2, 1, 3, 1] as [UInt32]].enumerated() {
      movie.edit("moov/trak[\(index)]/mdia/minf/stbl/stts", TimeToSampleBox.self) { table in
        table.entries = .of(deltas.map { RuleCase.run(1, $0) })
      }
    }
    // The base layer at 0, 2, 4, 6; the other at 0, 2, 3, 6.
    let track = try #require(try movie.opened().tracks.first?.joined)
    var errors: [Int: String] = [:]
    try track.forEachAccessUnit { unit, _ in
      if let error = unit.error { errors[unit.index] = error.field }
      return true
    }
    #expect(errors == [3: "sample 2 of track 2"])
  }

  @Test(arguments: fixtures)
  func extractsAsFromOneTrack(name: String) throws {
    let movie = try MovieFile(path: Fixtures.path(name))
    let one = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    let expected = try Self.stream(one, [0, 1])
    for track in movie.tracks {
      let stream = try Self.stream(track, [1])
      #expect(Self.units(stream) == Self.units(expected))
      #expect(stream == (try Self.stream(track.joined, [0, 1])))
      // The sets of both layers are in front, once.
      let sets = Self.allUnits(stream).filter(\.type.isParameterSet)
      #expect(Set(sets).count == sets.count)
      #expect(Set(sets) == Set(Self.allUnits(expected).filter(\.type.isParameterSet)))
    }
    #expect(Self.units(try Self.stream(movie.tracks[0], [0])) == Self.units(try Self.stream(one, [0])))
    var bytes: [UInt8] = []
    _ = try movie.tracks[0].extract(eye: .right) {
      bytes += $0
      return true
    }
    #expect(Self.units(bytes) == Self.units(expected))
  }

  @Test(arguments: fixtures)
  func samplesByEye(name: String) throws {
    let one = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    let joined = try #require(try MovieFile(path: Fixtures.path(name)).tracks.last?.joined)
    var cursor = try #require(try joined.makeSampleCursorAtFirstSampleInDecodeOrder())
    var other = try #require(try one.makeSampleCursorAtFirstSampleInDecodeOrder())
    var samples = 0
    repeat {
      let groups = try joined.taggedNALUnits(at: cursor)
      let expected = try one.taggedNALUnits(at: other)
      #expect(groups.map(\.layerID) == [0, 1])
      #expect(groups.map(\.eye) == [.left, .right])
      #expect(groups.map(\.tags) == expected.map(\.tags))
      #expect(try groups.map { try $0.nalUnits() } == expected.map { try $0.nalUnits() })
      #expect(cursor.presentationTimeStamp == other.presentationTimeStamp)
      samples += 1
    } while cursor.stepInDecodeOrder(byCount: 1) == 1 && other.stepInDecodeOrder(byCount: 1) == 1
    #expect(samples == 4)
  }

  /// A track with extractors is complete by itself; as the file has it, it has them still.
  @Test func extractors() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("two-tracks-hvc2.mp4")).tracks.last)
    #expect(track.layers.map(\.isInSamples) == [true, true])
    var raw: [UInt8] = []
    try track.forEachAccessUnit { places, _ in
      raw += places.units.map(\.header.type.rawValue)
      return true
    }
    #expect(raw.filter { $0 == NALUnitType.extractor.rawValue }.count == 4)
    let cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    let groups = try track.taggedNALUnits(at: cursor)
    #expect(groups.map(\.layerID) == [0, 1])
    // What MP4Box put into the extractor: track 1, from 0, all 5106 bytes of the sample: 7 units and their lengths.
    #expect(groups[0].byteCount == 5_106 - 7 * 4)
    let extractor = ByteView(hex: "00 01 00 00000000 000013f2")
    let (value, unread, error) = extractor.decode(Extractor(lengthSize: 4))
    #expect(error == nil && unread.isEmpty)
    #expect(value.constructors.map(\.trackReferenceIndex) == [1])
    #expect(value.constructors.map(\.dataLength) == [5_106])
    #expect(try value.encoded() == extractor.array)
  }

  /// Units that aggregators hold, or that follow and belong to them, are those that would be there without them.
  /// ISO/IEC 14496-15, A.6
  @Test(arguments: [true, false]) func aggregators(holdAll: Bool) throws {
    let original = Fixtures.bytes("two-tracks-hvc2.mp4").array
    let tree = try #require(try MovieFile(bytes: original).tree)
    let tables = try #require(
      tree.first("moov")?.all("trak").last?.first("mdia")?.first("minf")?.first("stbl"))
    let sizes = try #require(tables.first("stsz")), chunks = try #require(tables.first("stco"))
    let samples = try #require(try MovieFile(bytes: original).tracks.last).samples()

    // The samples again, each as an aggregator, in media data after the end: type 48, layer 1, additional_bytes.
    var media: [UInt8] = [], counts: [Int] = []
    for sample in samples {
      let bytes = Array(original[Int(sample.range.lowerBound)..<Int(sample.range.upperBound)])
      let first = 4 + bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let held = holdAll ? bytes.count : first
      let aggregator = [0x60, 0x09] + u32(UInt32(bytes.count - held)) + bytes.prefix(held)
      media += u32(UInt32(aggregator.count)) + aggregator + bytes.dropFirst(held)
      counts.append(4 + aggregator.count + bytes.count - held)
    }
    var file = original + u32(UInt32(8 + media.count)) + Array("mdat".utf8) + media
    for (row, count) in counts.enumerated() {
      let entry = sizes.offset + 20 + 4 * row
      file.replaceSubrange(entry..<(entry + 4), with: u32(UInt32(count)))
    }
    file.replaceSubrange((chunks.offset + 16)..<(chunks.offset + 20), with: u32(UInt32(original.count + 8)))

    let track = try #require(try MovieFile(bytes: file).tracks.last)
    var types: [UInt8] = []
    try track.forEachAccessUnit { places, _ in
      types += places.units.map(\.header.type.rawValue)
      return true
    }
    #expect(types.filter { $0 == NALUnitType.aggregator.rawValue }.count == 4)
    let one = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    #expect(Self.units(try Self.stream(track, [0, 1])) == Self.units(try Self.stream(one, [0, 1])))
    #expect(try MovieFile(bytes: file).sampleDiagnostics().filter { $0.severity > .note }.isEmpty)
  }

  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      "a320_default_gpac_split", "a320_default_gpac_splitbase", "a320_default_gpac_splitnox",
      "a320_default_gpac_splitnoxib", "c322_confwin_gpac_split", "c322_confwin_gpac_splitbase",
      "c322_confwin_gpac_splitnox", "c322_confwin_gpac_splitnoxib", "e320_4f_gpac_split",
      "e320_4f_gpac_splitnox",
    ])
  func splitMovies(name: String) throws {
    let folder = (Corpus.folder ?? "") + "/mvhevc/"
    let movie = try MovieFile(path: folder + name + ".mp4")
    let whole = name.components("_gpac")[0] + "_gpac.mp4"
    let one = try #require(try MovieFile(path: folder + whole).tracks.first)
    let expected = Self.units(try Self.stream(one, [0, 1]))
    for track in movie.tracks {
      #expect(Self.units(try Self.stream(track, [0, 1])) == expected)
      #expect(track.joined.layers.map(\.eye) == [.left, .right])
    }
  }

  @Test func aTrackAloneIsItself() throws {
    for name in ["spatial.mov", "hdr10.mp4", "two-views.hevc"] {
      let track = try #require(try MovieFile(path: Fixtures.path(name)).tracks.first)
      #expect(!track.joined.isJoined)
      #expect(track.joinedTracks.count == 1)
      #expect(track.joined.layers.map(\.layerID) == track.layers.map(\.layerID))
    }
  }
}

extension String {
  /// The parts between a separator.
  func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
