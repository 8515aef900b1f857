// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A digest of the properties of a track's samples that an edit must not change, computed without a table in memory.
struct SampleDigest {
  let trackID: UInt32
  private let count: Int
  private let endTime: Int64
  /// The end of the last sample, after which a fragment without samples may follow; without samples, ``endTime``.
  private let lastEnd: Int64
  /// Two checksums of the properties of all samples in tables and fragments, except their offsets.
  private var sums: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03)
  /// Some samples, evenly distributed, whose bytes are compared.
  private var probes: [Sample] = []

  /// The approximate number of samples of a track whose bytes are compared.
  private static let probeCount = 24
  /// The number of bytes that are compared at the beginning of a sample, and at its end.
  private static let comparedBytes: UInt64 = 1 << 16

  /// Returns the digests of all tracks, in the order of the movie.
  ///
  /// - Parameters:
  ///   - shifts: what is added to all composition offsets of a track, by its ID.
  ///   - areInFragments: whether partial sync samples are not listed as such, because fragments have a group for them.
  static func tracks(
    of movie: MovieFile, adding shifts: [UInt32: Int64] = [:], inFragments areInFragments: Bool = false
  ) throws(SourceError) -> [SampleDigest] {
    var digests: [SampleDigest] = []
    for track in movie.tracks {
      digests.append(try SampleDigest(track, shifts[track.id] ?? 0, inFragments: areInFragments))
    }
    return digests
  }

  private init(_ track: Track, _ shift: Int64, inFragments areInFragments: Bool) throws(SourceError) {
    let samples = try track.samples()
    trackID = track.id
    count = samples.count
    endTime = samples.endTime
    lastEnd = samples.sample(at: count - 1).map { $0.decodeTime &+ $0.duration } ?? endTime
    let external = track.externalMedia
    let step = max(1, count / Self.probeCount)
    // Samples are put together as far as they can be, however tables and fragments list them.
    var all = samples.makeIterator()
    var pending: UniformSamples?
    while let next = all.nextUniform() {
      if !external.contains(next.first.descriptionIndex) {
        let isLast = next.first.index + next.count == count
        probes += next.positions(every: step, orLast: isLast).map { next[$0] }
      }
      var moved = next.composed(later: shift)
      if areInFragments { moved.isPartialSync = false }
      if pending?.append(moved) != true {
        if let pending { add(pending) }
        pending = moved
      }
    }
    if let pending { add(pending) }
  }

  private mutating func add(_ samples: UniformSamples) {
    let sample = samples.first
    add(UInt64(samples.count))
    add(UInt64(bitPattern: sample.decodeTime))
    add(UInt64(bitPattern: sample.compositionOffset))
    add(UInt64(bitPattern: sample.duration))
    add(UInt64(sample.size) << 32 | UInt64(sample.flags.rawValue))
    add(UInt64(sample.descriptionIndex) << 1 | (sample.isPartialSync ? 1 : 0))
  }

  private mutating func add(_ value: UInt64) {
    sums.0 = (sums.0 ^ value) &* 0x9FB2_1C65_1E98_DF25
    sums.0 ^= sums.0 >> 29
    sums.1 = (sums.1 &+ value) &* 0xC2B2_AE3D_27D4_EB4F
    sums.1 ^= sums.1 >> 31
  }

  /// Returns how the samples differ from those of another movie, apart from their offsets; `nil` if they do not.
  ///
  /// - Parameters:
  ///   - source: the movie with these samples.
  ///   - otherSource: the movie with the other ones.
  ///   - endsWithSamples: whether time in which the other movie has no samples any more is left out.
  ///   - isCompared: whether the bytes in a range of the other movie are compared.
  func difference(
    from other: SampleDigest, _ source: any ByteSource, _ otherSource: any ByteSource,
    endsWithSamples: Bool = false, where isCompared: (Range<UInt64>) -> Bool = { _ in true }
  ) throws(SourceError) -> String? {
    guard hasSameSamples(as: other, until: endsWithSamples ? other.lastEnd : other.endTime) else {
      return "the samples"
    }
    for (here, there) in zip(probes, other.probes) where isCompared(there.range) {
      guard try Self.hasSameBytes(here, of: source, as: there, of: otherSource) else {
        return "the bytes of sample \(there.index)"
      }
    }
    return nil
  }

  /// Returns whether all samples are the same, except for their offsets, and the media end at a time.
  private func hasSameSamples(as other: SampleDigest, until end: Int64) -> Bool {
    count == other.count && endTime == end && sums == other.sums
      && probes.count == other.probes.count
  }

  /// Returns whether a sample has the same bytes in two files: all of a short sample, the beginning and the end
  /// of a long one.
  private static func hasSameBytes(
    _ sample: Sample, of source: any ByteSource, as other: Sample, of otherSource: any ByteSource
  ) throws(SourceError) -> Bool {
    let size = UInt64(other.size)
    let parts =
      size <= 2 * comparedBytes
      ? [0..<size] : [0..<comparedBytes, (size - comparedBytes)..<size]
    for part in parts {
      let count = part.count
      let (here, there) = (sample.offset &+ part.lowerBound, other.offset &+ part.lowerBound)
      guard try source.read(at: here, count: count) == otherSource.read(at: there, count: count) else {
        return false
      }
    }
    return true
  }
}
