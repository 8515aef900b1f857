// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What is handed to a decoder is whole, or refused.
@Suite struct DamagedSampleTests {
  /// A source that does not know where it ends.
  private struct Endless: ByteSource {
    let bytes: MemoryBytes
    var size: UInt64? { nil }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView { try bytes.read(range) }
  }

  private static func spatial() throws -> (bytes: [UInt8], sample: Sample, units: [NALUnitPlace]) {
    let bytes = Fixtures.bytes("spatial.mov").array
    let track = try #require(try MovieFile(bytes: bytes).tracks.first)
    let sample = try #require(try track.samples().sample(at: 1))
    var units: [NALUnitPlace] = []
    try track.forEachAccessUnit(1..<2) { places, _ in
      units = places.units
      return true
    }
    return (bytes, sample, units)
  }

  private static func cursor(_ track: Track) throws -> SampleCursor {
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    #expect(cursor.stepInDecodeOrder(byCount: 1) == 1)
    return cursor
  }

  /// What is thrown for sample 1 of the first track.
  private static func failure(_ movie: MovieFile) throws -> SampleError? {
    let track = try #require(movie.tracks.first)
    let cursor = try cursor(track)
    do throws(SampleError) {
      for group in try track.taggedNALUnits(at: cursor) { _ = try group.annexB() }
    } catch { return error }
    return nil
  }

  @Test func aSoundSampleIsWhole() throws {
    let (bytes, _, units) = try Self.spatial()
    let track = try #require(try MovieFile(bytes: bytes).tracks.first)
    let groups = try track.taggedNALUnits(at: try Self.cursor(track))
    #expect(groups.map(\.layerID) == [0, 1])
    #expect(groups.reduce(0) { $0 + $1.places.count } == units.count)
  }

  @Test(arguments: [1, -1, 2, 700, 1 << 24])
  func aLengthThatDoesNotHoldIsRefused(_ change: Int) throws {
    let (bytes, sample, units) = try Self.spatial()
    for unit in units {
      var broken = bytes
      let place = Int(unit.range.lowerBound) - 4
      let length = UInt32(clamping: unit.range.count + change)
      broken.replaceSubrange(place..<place + 4, with: u32(length))
      let movie = try MovieFile(bytes: broken)
      let failure = try Self.failure(movie)
      guard case .damaged(let error, sample: 1)? = failure else {
        #expect(Bool(false), "\(unit.header.type) \(change): \(String(describing: failure))")
        continue
      }
      #expect(Int(sample.offset) <= error.offset && error.offset <= Int(sample.range.upperBound))
    }
  }

  @Test func aFileThatEndsWithinASampleIsRefused() throws {
    let (bytes, _, units) = try Self.spatial()
    let unit = try #require(units.last)
    let cut = Array(bytes.prefix(Int(unit.range.lowerBound) + unit.byteCount / 3))
    let failure = try Self.failure(try MovieFile(bytes: cut))
    guard case .damaged(let error, sample: 1)? = failure else {
      return #expect(Bool(false), "\(String(describing: failure))")
    }
    #expect(error.code.diagnosticCode == "truncated")
    // Where nobody knows how long the file is, the unit that is not there is found when it is read.
    let endless = try MovieFile(source: Endless(bytes: MemoryBytes(cut)))
    let track = try #require(endless.tracks.first)
    let groups = try track.taggedNALUnits(at: try Self.cursor(track))
    #expect(throws: SampleError.self) { try groups.last?.nalUnits() }
    #expect(throws: SampleError.self) { try groups.last?.annexB(withParameterSets: true) }
    #expect(throws: (any Error).self) { try groups.last?.lengthPrefixed() }
  }

  @Test func otherCodecsHaveNoLayers() throws {
    var bytes = Fixtures.bytes("spatial.mov").array
    let entry = try #require(try MovieFile(bytes: bytes).tracks.first?.formatDescriptions.first?.box)
    bytes.replaceSubrange(entry.offset + 4..<entry.offset + 8, with: Array("avc1".utf8))
    let movie = try MovieFile(bytes: bytes)
    #expect(try Self.failure(movie) == .notHEVC(sample: 1, codec: "avc1"))
    #expect(throws: SourceError.self) { try movie.tracks[0].forEachAccessUnit { _, _ in true } }
  }

  @Test func cursorsOfOtherTracksAreRefused() throws {
    let movie = try MovieFile(path: Fixtures.path("two-tracks-lhv1.mp4"))
    let cursor = try Self.cursor(movie.tracks[1])
    #expect(throws: SampleError.ofAnotherTrack) { try movie.tracks[0].taggedNALUnits(at: cursor) }
    let same = try MovieFile(path: Fixtures.path("two-tracks-lhv1.mp4"))
    #expect(throws: SampleError.ofAnotherTrack) { try same.tracks[1].taggedNALUnits(at: cursor) }
    #expect(try !movie.tracks[1].taggedNALUnits(at: cursor).isEmpty)
    // A joined track has the samples of its first.
    let first = try Self.cursor(movie.tracks[0])
    #expect(try movie.tracks[0].joined.taggedNALUnits(at: first).map(\.layerID) == [0, 1])
  }

  @Test func mediaOfAnotherFileIsNotLookedForHere() throws {
    var movie = EditedMovie()
    movie.edit("moov/trak/mdia/minf/dinf/dref/url ", DataEntryURLBox.self) { $0.flags = 0 }
    guard case .damaged(let error, _)? = try Self.failure(try movie.opened()) else {
      return #expect(Bool(false), "nothing is thrown")
    }
    #expect(error.reason.contains("another file"))
  }
}
