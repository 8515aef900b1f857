// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import TestSupport
import Testing

@testable import Multiview

/// Extractors that name much with little, and tracks that are joined sample by sample.
@Suite struct HostileExtractorTests {
  private static func unit(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    Raw.u32(payload.count + 2) + [type << 1, 1] + payload
  }

  /// Two tracks: one sample of the first, and samples of the second that all have the same extractors.
  private static func movie(_ sample: [UInt8], _ extractors: [UInt8], times: Int = 1) throws -> Track {
    var base = HostileTrack()
    base.samples(
      sizes: Array(repeating: sample.count, count: times), offsets: Array(repeating: 32, count: times))
    var extracting = HostileTrack(id: 2)
    extracting.samples(
      sizes: Array(repeating: extractors.count, count: times),
      offsets: Array(repeating: 32 + sample.count, count: times))
    extracting.references = Raw.box("tref", Raw.box("scal", Raw.u32(1)))
    let opened = try HostileMovie(tracks: [base, extracting], media: sample + extractors).opened()
    return opened.tracks[1].joined
  }

  /// Two hundred kilobytes, hundreds of times over, in front of which stands an inline byte.
  @Test func unitsPutTogetherWithoutEnd() throws {
    let sample = Self.unit(1, [UInt8](repeating: 0x80, count: 200_000))
    let constructor = [0, 1, 0] + Raw.u32(0, sample.count)
    let constructors = [[UInt8]](repeating: constructor, count: 2_000).flatMap { $0 }
    let cost = try spent {
      let track = try Self.movie(sample, Self.unit(49, [2, 1, 0] + constructors))
      let size = try #require(track.context.source.size)
      var errors: [String] = []
      try track.forEachAccessUnit { unit, _ in
        errors.append("\(unit.error as Any)")
        return true
      }
      #expect(errors.count == 1 && errors[0].contains("limit \(size) bytes of an access unit"), "\(errors)")
      _ = track.layers
    }
    #expect(cost.peak <= 40 << 20, "\(cost.peak)")
  }

  /// Counts what is read of it.
  private final class Counted: ByteSource {
    private let inner: MemoryBytes
    private let bytesRead = Locked(0)
    var count: Int { bytesRead.withLock { $0 } }

    init(_ bytes: [UInt8]) { inner = MemoryBytes(bytes) }
    var size: UInt64? { inner.size }

    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      let bytes = try inner.read(range)
      bytesRead.withLock { $0 += bytes.count }
      return bytes
    }
  }

  /// Extractors of many tracks into one whose tables are long: these are read once.
  @Test func tablesThatManyTracksTakeFrom() throws {
    func read(_ count: Int) throws -> Int {
      let sample = Self.unit(1, [0x80])
      let extractor = Self.unit(49, [0, 1, 0] + Raw.u32(0, sample.count))
      var base = HostileTrack()
      base.samples(sizes: Array(repeating: 7, count: 60_000), offsets: Array(repeating: 32, count: 60_000))
      var movie = HostileMovie(tracks: [base], media: sample + extractor)
      for id in 2..<2 + count {
        var track = HostileTrack(id: id)
        track.samples(sizes: [extractor.count], offsets: [32 + sample.count])
        track.references = Raw.box("tref", Raw.box("scal", Raw.u32(1)))
        movie.tracks.append(track)
      }
      let source = Counted(movie.bytes)
      let opened = try MovieFile(source: source)
      for track in opened.tracks.dropFirst() { #expect(track.layerAnalysis.knowsFirstSample) }
      return source.count
    }
    let few = try read(2), many = try read(22)
    // The tables have 480 kB; of each track the first sample is read, through a window of its own and one of the source.
    #expect(many - few < 20 * 200_000, "\(few), \(many)")
  }

  /// The same in every sample: what is put together counts as gone through.
  @Test func samplesPutTogetherAgainAndAgain() throws {
    let sample = Self.unit(1, [UInt8](repeating: 0x80, count: 50_000))
    let constructor = [0, 1, 0] + Raw.u32(0, sample.count)
    let constructors = [[UInt8]](repeating: constructor, count: 100).flatMap { $0 }
    let track = try Self.movie(sample, Self.unit(49, [2, 1, 0] + constructors), times: 200)
    var seen = 0
    let isWhole = try track.forEachAccessUnit { _, _ in
      seen += 1
      return true
    }
    // The file is gone through 64 times over, and an access unit takes almost as much as the file has, twice: the sample
    // is walked over, and put together again.
    #expect(!isWhole && seen <= 36, "\(seen)")
  }

  /// Constructors of two bytes, which stand for nothing.
  @Test func constructorsOfTwoBytes() throws {
    let empty = Self.unit(49, [UInt8](repeating: 0, count: 60_000).enumerated().map { $0.0 % 2 == 0 ? 2 : 0 })
    let extractors = [[UInt8]](repeating: empty, count: 4).flatMap { $0 }
    let track = try Self.movie(Self.unit(1, [0x80]), extractors, times: 64)
    var errors: [String] = []
    let isWhole = try track.forEachAccessUnit { unit, _ in
      errors.append("\(unit.error as Any)")
      return true
    }
    #expect(!isWhole && errors.count < 8, "\(errors)")
    #expect(errors.first?.contains("maximumSampleOverlap") == true, "\(errors)")
  }

  /// More of them than an access unit may have, in a file that is large enough to pay for them: what is left out is reported.
  @Test func constructorsBeyondAnAccessUnit() throws {
    let empty = Self.unit(49, [UInt8](repeating: 0, count: 60_000).enumerated().map { $0.0 % 2 == 0 ? 2 : 0 })
    let extractors = [[UInt8]](repeating: empty, count: 4).flatMap { $0 }
    let track = try Self.movie(Self.unit(1, [UInt8](repeating: 0x80, count: 200_000)), extractors)
    var errors: [String] = []
    let isWhole = try track.forEachAccessUnit { unit, _ in
      errors.append("\(unit.error as Any)")
      return true
    }
    #expect(isWhole && errors.count == 1, "\(errors)")
    #expect(errors.first?.contains("limit 65536 NAL units and constructors") == true, "\(errors)")
  }

  /// Extractors that name a long stretch of the same bytes, one after the other: extracting keeps one at a time.
  @Test func longUnitsOverAndOver() throws {
    let slice = Self.unit(1, [UInt8](repeating: 0x80, count: 500_000))
    let constructor = [0, 1, 0] + Raw.u32(0, slice.count)
    let extractors = [[UInt8]](repeating: Self.unit(49, constructor), count: 40).flatMap { $0 }
    var base = HostileTrack()
    // Each sample begins a byte later: no place is the same.
    base.samples(sizes: [slice.count], offsets: [32])
    var extracting = HostileTrack(id: 2)
    let inline = [2, 4] + Raw.u32(3).suffix(4)
    let both = Self.unit(49, inline + [2, 3, 0x02, 0x01, 0x80] + constructor)
    let composed = [[UInt8]](repeating: both, count: 12).flatMap { $0 }
    extracting.samples(sizes: [(extractors + composed).count], offsets: [32 + slice.count])
    extracting.references = Raw.box("tref", Raw.box("scal", Raw.u32(1)))
    let opened = try HostileMovie(tracks: [base, extracting], media: slice + extractors + composed).opened()
    var written = 0, largest = 0
    let cost = try spent {
      _ = try opened.tracks[1].extract(layers: [0]) { piece in
        written += piece.count
        largest = max(largest, piece.count)
        return true
      }
    }
    #expect(written >= 500_000 && largest <= 140_000, "\(written) in pieces of \(largest)")
    #expect(cost.peak <= 20 << 20, "\(cost.peak)")
  }

  /// Times that go back and forth: for every sample another track is searched, which is paid for.
  @Test(arguments: [1, -1])
  func timesThatGoBackAndForth(_ direction: Int) throws {
    let count = 4_000
    var base = HostileTrack(), other = HostileTrack(id: 2)
    base.samples(sizes: Array(repeating: 7, count: count), offsets: Array(repeating: 32, count: count))
    let steps = (0..<count).flatMap { Raw.u32(1, $0 % 2 == 0 ? 600 : 600 * direction) }
    base.tables.replaceSubrange(0..<24, with: Raw.fullBox("stts", Raw.u32(count), steps))
    other.samples(sizes: Array(repeating: 7, count: 900), offsets: Array(repeating: 32, count: 900))
    other.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1)))
    var limits = Limits()
    limits.maximumSampleOverlap = 20
    let opened = try HostileMovie(tracks: [base, other], media: Self.unit(1, [0x80])).opened(limits)
    var seen = 0, error: ParseError?
    let isWhole = try opened.tracks[0].joined.forEachAccessUnit { unit, _ in
      seen += 1
      error = unit.error
      return true
    }
    #expect(isWhole == (direction > 0) && (seen == count) == isWhole, "\(seen)")
    #expect("\(error as Any)".contains("maximumSampleOverlap") == !isWhole, "\(error as Any)")
  }

  @Test(arguments: [
    [(5, 3)], [(3, 1), (2, 0), (4, 7)], [(1, 100), (30, 1)], [(2, 0)], [(1, 1_000_000), (3, 2)],
  ])
  func samplesOfJoinedTracksAreFoundByTime(_ durations: [(Int, Int)]) throws {
    var track = HostileTrack()
    let count = durations.reduce(0) { $0 + $1.0 }
    track.samples(sizes: Array(repeating: 7, count: count), offsets: Array(repeating: 32, count: count))
    let uneven = Raw.fullBox("stts", Raw.u32(durations.count), durations.flatMap { Raw.u32($0.0, $0.1) })
    track.tables.replaceSubrange(0..<24, with: uneven)
    let opened = try HostileMovie(tracks: [track], media: [UInt8](repeating: 0, count: 8)).opened()
    let samples = try opened.tracks[0].samples()
    #expect(samples.count == count)
    let end = Int64(durations.reduce(0) { $0 + $1.0 * $1.1 })
    let times = samples.map { MediaTime(value: $0.decodeTime, timescale: 600) }
    // Forward in small steps and in large ones, in another scale, and backward.
    for scale: UInt32 in [600, 1_200, 400] {
      let steps = Array(Int64(-2)...40) + [end - 1, end, end + 9, 3, 2, 2, 1, 0, 50]
      let part = try JoinedPart(opened.tracks[0], WorkBudget())
      for step in steps {
        let time = MediaTime(value: step, timescale: scale)
        #expect(part.sample(decodedAt: time)?.index == times.lastIndex(of: time), "\(time)")
      }
    }
  }

  /// Layers in two tracks, of which the second has a sample now and then: all of them are found.
  @Test func sparseSamplesOfJoinedTracks() throws {
    var base = HostileTrack(), other = HostileTrack(id: 2)
    let sample = Self.unit(1, [0x80]), second = Raw.u32(3) + [0x02, 0x09, 0x80]
    base.samples(sizes: Array(repeating: 7, count: 40), offsets: Array(repeating: 32, count: 40), delta: 10)
    other.samples(sizes: Array(repeating: 7, count: 5), offsets: Array(repeating: 39, count: 5), delta: 70)
    other.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1)))
    let opened = try HostileMovie(tracks: [base, other], media: sample + second).opened()
    var counts: [Int] = []
    try opened.tracks[0].joined.forEachAccessUnit { unit, _ in
      counts.append(unit.units.count)
      return true
    }
    #expect(counts == (0..<40).map { $0 % 7 == 0 && $0 < 35 ? 2 : 1 })
  }

  /// Sizes of half a byte: more samples than the file has bytes.
  @Test func sizesOfHalfAByte() throws {
    var limits = Limits()
    limits.maximumUniformSamples = 10
    var track = HostileTrack()
    track.tables =
      Raw.fullBox("stts", Raw.u32(1, 200_000, 1)) + Raw.fullBox("stsc", Raw.u32(1, 1, 200_000, 1))
      + Raw.fullBox("stz2", Raw.u32(4, 200_000), [UInt8](repeating: 0, count: 100_000))
      + Raw.fullBox("stco", Raw.u32(1, 32))
    let movie = HostileMovie(tracks: [track], media: [0])
    let few = try movie.opened(limits).tracks[0].samples()
    #expect(few.count == movie.bytes.count)
    #expect(few.table.diagnostics().contains { $0.code == "limit-exceeded" })
    #expect(try movie.opened().tracks[0].samples().count == 200_000)
  }
}
