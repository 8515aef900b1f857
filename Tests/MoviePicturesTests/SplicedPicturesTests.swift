// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Movies whose samples change their description: each picture is the one that its own movie has, with its eye and
/// colours, however it is reached.
@Suite struct SplicedPicturesTests {
  /// A picture as its own movie has it.
  private struct Truth: Equatable {
    var sums: [[UInt8]]
    var eyes: [StereoEye?]
    var colour: VideoColour
    var size: PictureSize
  }

  // Not covered: a part of another size or depth whose predecessor has pictures left to output (hdr10.mp4 before
  // spatial.mov), and layers of another kind after one another (alpha-layer.mp4).
  static let splices: [[String]] = [
    ["spatial.mov", "*spatial.mov"],
    ["cmaf-hevc-sidx.mp4", "hdr10.mp4"],
    ["two-tracks-lhv1.mp4", "*two-tracks-lhv1.mp4"],
    ["two-views-fragmented.mp4", "hdr10.mp4", "*two-views-fragmented.mp4"],
  ]

  private static func track(_ movie: RemadeMovie) throws -> Track {
    try #require(try MovieFile(bytes: movie.encoded()).tracks.first { $0.isHEVC })
  }

  private static func truth(_ group: PictureGroup) -> Truth {
    Truth(
      sums: PictureReaderTests.sums(group), eyes: group.layers.map(\.eye),
      colour: group.layers.first?.colour ?? VideoColour(),
      size: group.layers.first?.size ?? PictureSize(width: 0, height: 0))
  }

  private static func groups(_ track: Track, threads: Int = 1) throws -> [Int: PictureGroup] {
    var options = PictureOptions()
    options.threads = threads
    let reader = try track.pictures(options: options)
    var groups: [Int: PictureGroup] = [:]
    while let group = try reader.next() { groups[group.sample] = group }
    #expect(reader.takeProblems() == [])
    return groups
  }

  /// The pictures of each part alone, by the sample of the whole.
  private static func truths(_ names: [String]) throws -> [Int: Truth] {
    var all: [Int: Truth] = [:]
    var start = 0
    for name in names {
      let movie = try RemadeMovie.spliced([name])
      for (sample, group) in try groups(try track(movie)) { all[start + sample] = truth(group) }
      start += movie.samples[0].count
    }
    return all
  }

  @Test(arguments: splices) func readFromTheStart(_ names: [String]) throws {
    let truths = try Self.truths(names)
    let track = try Self.track(try RemadeMovie.spliced(names))
    #expect(track.formatDescriptions.count == names.count)
    for threads in [1, 3] {
      let found = try Self.groups(track, threads: threads)
      #expect(Set(found.keys) == Set(truths.keys) && !truths.isEmpty)
      for (sample, group) in found.sorted(by: { $0.key < $1.key }) where Self.truth(group) != truths[sample] {
        Issue.record("\(names), \(threads) threads: sample \(sample) is another picture")
        break
      }
    }
  }

  /// One picture of many, by a reader of its own and by one that goes back and forth.
  @Test(arguments: splices) func reachedBySeeking(_ names: [String]) throws {
    let truths = try Self.truths(names)
    let track = try Self.track(try RemadeMovie.spliced(names))
    let samples = try track.samples()
    let borders = (1..<samples.count).filter {
      samples.sample(at: $0)?.descriptionIndex != samples.sample(at: $0 - 1)?.descriptionIndex
    }
    #expect(borders.count == names.count - 1)
    var wanted = borders.flatMap { [$0, $0 - 1, $0 + 1] } + [samples.count - 1, 0]
    wanted += [borders[0] + 3, 1].filter { $0 < samples.count }
    let reader = try track.pictures()
    for sample in wanted {
      let truth = try #require(truths[sample])
      #expect(Self.truth(try reader.group(ofSample: sample)) == truth, "sample \(sample)")
      let shown = try #require(samples.firstPresentation(of: sample))
      let time = MediaTime(value: shown.range.lowerBound, timescale: track.timescale)
      #expect(Self.truth(try track.pictureGroup(at: time)) == truth, "sample \(sample)")
      #expect(Self.truth(try #require(try reader.group(shownAt: time))) == truth)
      #expect(Self.truth(try #require(try track.pictures(from: time).next())) == truth)
    }
    #expect(reader.takeProblems() == [])
  }

  /// A thumbnail is the picture of its eye, in the colours of its part.
  @Test func thumbnails() throws {
    for names in [["spatial.mov", "*spatial.mov"]] {
      let joined = try RemadeMovie.spliced(names)
      let track = try Self.track(joined)
      let first = try Self.track(try RemadeMovie.spliced([names[0]]))
      let second = try Self.track(try RemadeMovie.spliced([names[1]]))
      let length = joined.samples[0].prefix { $0.description == 1 }.reduce(0) { $0 + Int64($1.duration) }
      let later = MediaTime(value: length, timescale: track.timescale)
      let eyes: [StereoEye?] = [nil, .left, .right]
      for eye in eyes {
        #expect(try track.thumbnail(at: .zero, eye: eye) == first.thumbnail(at: .zero, eye: eye))
        #expect(try track.thumbnail(at: later, eye: eye) == second.thumbnail(at: .zero, eye: eye))
      }
    }
  }

  /// Every statement about the track goes by the sample that is asked about.
  @Test func describedTracks() throws {
    let track = try Self.track(try RemadeMovie.spliced(["spatial.mov", "hdr10.mp4", "*spatial.mov"]))
    #expect(track.usedDescriptions.map(\.number) == [1, 2, 3])
    #expect(track.usedDescriptions.map(\.firstSample.index) == [0, 4, 64])
    #expect(track.usedDescriptions.map(\.sampleCount) == [4, 60, 4])
    let parts = track.usedDescriptions.map { track.described(for: $0.firstSample) }
    #expect(parts.map { $0.eyeAssignment.layer(of: .left) } == [0, nil, 1])
    #expect(parts.map { $0.colour.videoRange } == [nil, "PQ", nil])
    #expect(parts.map(\.classification) == [.spatial, .mono, .spatial])
    #expect(parts.map { $0.layers.map(\.layerID) } == [[0, 1], [0], [0, 1]])
    #expect(
      track.eyeAssignment == parts[0].eyeAssignment
        && track.mainDescription?.path == parts[0].mainDescription?.path)
    // From one to another, and back to the first.
    #expect(parts[2].described(byDescription: 2).colour.videoRange == "PQ")
    let first = try #require(track.usedDescriptions.first).firstSample
    #expect(parts[2].described(for: first).eyeAssignment == track.eyeAssignment)
    #expect(track.described(byDescription: 9).colour == track.colour)
  }
}

/// A decoder of one's own, fed as the article "Feeding a decoder" does it.
@Suite struct FedDecoderTests {
  /// The recipe of the article, which is compiled with the examples.
  private static func feed(
    _ track: Track, configure: ([NALUnit]) -> Void, decode: (Int, [UInt8]) throws -> Void
  ) throws {
    guard var cursor = try track.makeSampleCursor(atSyncSampleBefore: .zero) else { return }
    var sets: [NALUnit] = []
    repeat {
      let described = track.described(for: cursor.sample)
      let layers = Set(described.layers.filter(\.isTexture).map(\.layerID))
      let needed = described.layerAnalysis.parameterSets(forLayers: layers)
      if needed != sets { configure(needed) }
      sets = needed
      var sample: [UInt8] = []
      for group in try track.taggedNALUnits(at: cursor) where layers.contains(group.layerID) {
        sample += try group.lengthPrefixed()
      }
      try decode(cursor.index, sample)
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
  }

  /// Every picture is whole, and a picture made of it is the one that the track has: colours, eye and geometry.
  @Test(arguments: SplicedPicturesTests.splices) func fed(_ names: [String]) throws {
    let movie = try MovieFile(bytes: try RemadeMovie.spliced(names).encoded())
    let track = try #require(movie.tracks.first { $0.isHEVC }).joined
    let decoder = HEVCDecoder()
    var found: [DecodedPicture] = []
    try Self.feed(track) {
      decoder.insert(parameterSets: $0)
    } decode: { index, bytes in
      let units = LengthPrefixedNALUnits(ByteView(bytes), lengthSize: 4).compactMap { try? $0.get() }
      found += decoder.decode(units, tag: index)
    }
    found += decoder.finish()
    #expect(decoder.takeFailures() == [])
    #expect(found.allSatisfy { $0.problems.isEmpty && $0.hash != .mismatch } && !found.isEmpty)
    let reader = try track.pictures()
    let samples = try track.samples()
    while let group = try reader.next() {
      let sample = try #require(samples.sample(at: group.sample))
      for picture in group.layers where picture.hasAlpha == false {
        let decoded = try #require(
          found.first { $0.tag == group.sample && $0.layerID == picture.layerID })
        let own = Picture(decoded, of: track.described(for: sample))
        #expect(own.eye == picture.eye && own.colour == picture.colour && own.geometry == picture.geometry)
        #expect(own.bytes(ofPlane: 0) == picture.decoded.bytes(ofPlane: 0))
      }
    }
  }

  /// A picture of a stream without a movie: its colours are those of the stream.
  @Test func pushedStream() throws {
    let decoder = HEVCDecoder()
    let track = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tracks.first { $0.isHEVC })
    decoder.insert(parameterSets: track.layerAnalysis.units.map(\.unit))
    var pushed: [DecodedPicture] = []
    try Self.feed(track) { _ in
    } decode: { index, bytes in
      guard index < 12 else { return }
      pushed += decoder.decode(
        LengthPrefixedNALUnits(ByteView(bytes), lengthSize: 4).compactMap { try? $0.get() }, tag: index)
    }
    let first = try #require(pushed.first { $0.tag == 0 })
    let shown = try #require(try track.pictures().next()?.layers.first)
    let picture = Picture(first)
    #expect(picture.colour == shown.colour && picture.colour.videoRange == "PQ" && picture.eye == nil)
    #expect(try picture.rgb() == shown.rgb() && picture.chromaLocation == shown.chromaLocation)
  }
}
