// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Multiview
import TestSupport
import Testing

@Suite struct MovieFileTests {
  @Test func aCompleteSpatialMovie() throws {
    // Made by x265 and a script that wrote these tags: see fixtures/README.md.
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    let track = try #require(movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo).first)
    #expect(track.codec == "hvc1")
    #expect(track.classification == .spatial)
    #expect(movie.classification == .spatial)
    #expect(track.layers.map(\.layerID) == [0, 1])
    #expect(track.layers.map(\.eye) == [.left, .right])
    #expect(
      track.layers.map(\.croppedSize) == [
        PictureSize(width: 320, height: 180), PictureSize(width: 320, height: 180),
      ])
    #expect(track.layers.map(\.directReferences) == [[], [0]])
    #expect(track.layers.map(\.isInSamples) == [true, true])
    #expect(track.sampleCount == 4)
    let description = try #require(track.formatDescriptions.first)
    #expect(description.stereo.baseline?.rawValue == 63_000)
    #expect(description.stereo.disparityAdjustment?.rawValue == 200)
    #expect(description.stereo.horizontalFieldOfView?.rawValue == 63_400)
    #expect(description.stereo.heroEye == .left)
    #expect(track.tagCollections.count == 2)
  }

  @Test func theClassesOfTheFixtures() throws {
    let expected: [(String, Classification)] = [
      ("spatial.mov", .spatial), ("stereo-no-hfov.mov", .stereo), ("side-by-side-packed.mov", .stereo),
      ("half-equirect-180.mov", .degrees180), ("alpha-layer.mp4", .mono),
      ("two-views-fragmented.mp4", .stereo),
      ("hdr10.mp4", .mono), ("timecode.mov", .mono), ("metadata-keys.mov", .mono),
    ]
    for (name, classification) in expected {
      #expect(try MovieFile(path: Fixtures.path(name)).classification == classification, "\(name)")
    }
  }

  @Test func anAlphaLayerIsNoEye() throws {
    for name in ["alpha-layer.mp4", "alpha-layer.hevc"] {
      let track = try #require(try MovieFile(path: Fixtures.path(name)).tracks.first)
      #expect(track.layers.map(\.auxiliaryID) == [0, 1], "\(name)")
      #expect(track.layers.map(\.eye) == [nil, nil], "\(name)")
      #expect(track.layers.map(\.role) == ["view", "alpha"], "\(name)")
    }
  }

  @Test func threeViewsOfARawStream() throws {
    let movie = try MovieFile(path: Fixtures.path("three-views.hevc"))
    #expect(movie.container.kind == .annexB)
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.layerID) == [0, 1, 2])
    #expect(Set(track.layers.map(\.viewID)).count == 3)
    #expect(track.layers.allSatisfy { $0.isInSamples == true })
  }

  @Test func tagsWithoutTheSecondLayersParameterSets() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("stereo-tags-without-lhvC.mov")).tracks.first)
    #expect(track.formatDescriptions.first?.layeredConfiguration == nil)
    #expect(track.formatDescriptions.first?.stereo.hasBothEyeViews == true)
    #expect(!track.mediaCharacteristics.contains(.containsStereoMultiviewVideo))
  }

  @Test(.enabled(if: Corpus.isPresent)) func theBaseLayerOfAnIPhoneIsTheRightEye() throws {
    let path = (Corpus.folder ?? "") + "/apple/iphone15promax.mov"
    let movie = try MovieFile(path: path)
    let track = try #require(movie.tracks.first)
    #expect(track.classification == .spatial)
    #expect(track.layers.map(\.eye) == [.right, .left])
    #expect(track.eyeAssignment.decidedBy == .referenceDisplays)
    #expect(track.eyeAssignment.contradictions.isEmpty)
    #expect(track.layers.map(\.croppedSize?.height) == [1_080, 1_080])
    #expect(track.sampleCount == 11)
    #expect(track.codecString == "hvc1.1.6.L123.B0")
    // ffprobe.packets.csv, in the order of decoding.
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    var times: [Int64] = [], sizes: [Int] = []
    repeat {
      times.append(try #require(cursor.presentationTimeStamp).value)
      sizes.append(cursor.currentSampleStorageRange.count)
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
    let rows = (Corpus.truth("apple/iphone15promax.mov", "ffprobe.packets.csv") ?? "").split(separator: "\n")
      .filter { $0.contains("codec_type=video") }
    func value(_ row: Substring, _ key: String) -> Int? {
      row.split(separator: ",").first { $0.hasPrefix(key + "=") }.flatMap { Int($0.dropFirst(key.count + 1)) }
    }
    #expect(times.map(Int.init) == rows.compactMap { value($0, "pts") })
    #expect(sizes == rows.compactMap { value($0, "size") })
  }

  @Test(.enabled(if: Corpus.isPresent)) func aMovieByAVAssetWriter() throws {
    let movie = try MovieFile(path: (Corpus.folder ?? "") + "/apple/stereo_spatial.mp4")
    let track = try #require(movie.tracks.first)
    #expect(movie.container.majorBrand == "mp42" && movie.container.minorVersion == 1)
    #expect(track.classification == .spatial)
    #expect(track.layers.map(\.eye) == [.left, .right])
    #expect(track.codecString == "hvc1.1.6.L60.B0")
    #expect(track.formatDescriptions.first?.stereo.baseline?.rawValue == 19_240)
    // hevc-test-vectors: CTS of the worked example A in decoding order.
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    var times: [Int64] = []
    repeat {
      times.append(try #require(cursor.presentationTimeStamp).value)
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
    #expect(times == [0, 80, 40, 20, 60, 160, 120, 100, 140, 180])
    let groups = try track.taggedNALUnits(at: cursor)
    #expect(groups.map(\.layerID) == [0, 1])
    #expect(groups.map(\.eye) == [.left, .right])
  }

  @Test func whatIsNoMovieSaysSo() {
    for bytes in [[], Array("<!DOCTYPE html><html>".utf8), [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 74, 70]]
      as [[UInt8]]
    {
      #expect(throws: MovieError.self) { try MovieFile(bytes: bytes) }
    }
    #expect(throws: MovieError.self) { try MovieFile(path: Fixtures.folder) }
    #expect(throws: MovieError.self) { try MovieFile(path: "/nowhere/movie.mov") }
  }

  @Test func layersAddUpToTheSamples() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    var samples = 0
    try track.forEachAccessUnit { places, _ in
      let units = places.bytesByLayer.values.reduce(0, +) + 4 * places.units.count
      #expect(units == places.sample.map { Int($0.size) })
      #expect(places.error == nil)
      samples += 1
      return true
    }
    #expect(samples == 4)
  }

  // MARK: Where bytes come from

  /// Hands out ranges of bytes and remembers what was asked for, as a server would.
  final class Ranges: ByteSource {
    let bytes: ByteView
    init(_ bytes: ByteView) { self.bytes = bytes }
    var size: UInt64? { UInt64(bytes.count) }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      let end = min(Int(clamping: range.upperBound), bytes.count)
      let start = min(Int(clamping: range.lowerBound), end)
      return bytes.slice(start..<end) ?? ByteView()
    }
  }

  /// The init segment of a fragmented fixture, and its segments.
  static func segments() throws -> (start: [UInt8], media: [[UInt8]]) {
    let bytes = Fixtures.bytes("two-views-fragmented.mp4").array
    let tree = try BoxTree(MemoryBytes(ByteView(bytes)), registry: .standard)
    let places = tree.boxes.filter { $0.type == "moof" }.map(\.offset)
    try #require(!places.isEmpty)
    let ends = places.dropFirst() + [bytes.count]
    return (Array(bytes[..<places[0]]), zip(places, ends).map { Array(bytes[$0..<$1]) })
  }

  static func check(_ movie: MovieFile, samples: Int) throws {
    let track = try #require(movie.tracks.first)
    #expect(movie.isReadable && movie.container.isFragmented)
    #expect(track.layers.map(\.layerID) == [0, 1])
    #expect(track.layers.map(\.eye) == [.left, .right])
    #expect(try track.samples().count == samples && track.sampleCount == samples)
    #expect(try track.presentationTimes().count == samples)
  }

  @Test func anInitSegmentAlone() throws {
    let movie = try MovieFile(bytes: try Self.segments().start)
    try Self.check(movie, samples: 0)
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.isInSamples) == [nil, nil])
    #expect(track.classification == .stereo)
    #expect(try track.makeSampleCursorAtFirstSampleInDecodeOrder() == nil)
  }

  @Test func segmentsAppended() throws {
    let parts = try Self.segments()
    let whole = try MovieFile(path: Fixtures.path("two-views-fragmented.mp4"))
    let count = try #require(whole.tracks.first).samples().count
    let pieces = ([parts.start] + parts.media).map { MemoryBytes(ByteView($0)) as any ByteSource }
    let movie = try MovieFile(source: ConcatenatedBytes(pieces))
    try Self.check(movie, samples: count)
    #expect(try movie.tracks[0].presentationTimes() == whole.tracks[0].presentationTimes())
    // The first media segment alone is there, too.
    let some = try MovieFile(bytes: parts.start + parts.media[0])
    #expect(try some.tracks[0].samples().count <= count)
    #expect(some.tracks[0].layers.map(\.isInSamples) == [true, true])
  }

  @Test func rangesOfBytes() throws {
    for name in ["spatial.mov", "two-views-fragmented.mp4", "two-views.hevc"] {
      let movie = try MovieFile(source: Ranges(Fixtures.bytes(name)))
      let same = try MovieFile(path: Fixtures.path(name))
      #expect(movie.tracks.map(\.layers) == same.tracks.map(\.layers))
      #expect(movie.classification == same.classification)
    }
  }
}
