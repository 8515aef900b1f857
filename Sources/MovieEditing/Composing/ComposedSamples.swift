// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// The samples that are taken from a track, and where they are placed.
struct ComposedPiece: Sendable {
  let cut: TrackCut
  let movie: MovieFile
  /// The layout of the bytes of its movie.
  let layout: MediaLayout
  /// The new number of each of its sample entries; empty if they do not change.
  let descriptions: [UInt32]
}

/// Consecutive samples of a piece, and their properties in the new track.
struct ComposedRun: Sendable {
  /// The index of its piece.
  let piece: Int
  /// The indices of its samples in the old track.
  let samples: Range<Int>
  /// The timescale of the new track, as a multiple of that of the old one.
  let units: Int64
  /// The media time at which it begins, in the old track.
  let start: Int64
  /// The range of media times that its samples are cut to, if they do not depend on each other.
  let clip: Range<Int64>?
  /// The duration of its last sample, if that is changed.
  var lastDuration: Int64?
  /// The offset of its first sample, if that is not in the old movie.
  var firstPlace: UInt64?
  /// The range of its last sample, if that is not in the old movie.
  var lastPlace: Range<UInt64>?
}

/// The samples of a track that is made from parts of others, derived from those of the parts on request.
struct ComposedSamples: SampleSequence {
  /// The longest duration of a chunk, in seconds.
  private static let chunkSeconds: Int64 = 1

  let pieces: [ComposedPiece]
  var runs: [ComposedRun] = []
  let timescale: UInt32
  /// A value that is added to all composition offsets.
  var shift: Int64 = 0
  let open: OpenMovies

  /// A position from which iteration can continue.
  struct Place: Sendable {
    fileprivate var run = 0
    /// The index of the sample in its old track; `nil` for the first sample of the run.
    fileprivate var index: Int?
    fileprivate var time: Int64 = 0
    fileprivate var chunkStart: Int64 = 0
    /// The offset at which the last sample ends.
    fileprivate var end: UInt64?
  }

  func makeIterator(at place: Place?) -> Iterator { Iterator(self, place ?? Place()) }

  struct Iterator: SampleIterator {
    private let all: ComposedSamples
    private(set) var place: Place
    private var current: RunSamples?
    private var following: RunSamples.Element?

    fileprivate init(_ all: ComposedSamples, _ place: Place) { (self.all, self.place) = (all, place) }

    mutating func append(to list: inout [PlacedSample], atMost count: Int) throws(SourceError) {
      do throws(EditError) {
        let end = list.count + count
        while list.count < end, place.run < all.runs.count {
          let run = all.runs[place.run]
          if current == nil {
            current = try all.samples(of: run, at: place.index ?? run.samples.lowerBound)
            following = try current?.next()
          }
          guard let current else { return }
          while list.count < end, var next = following {
            following = try current.next()
            if current.leavesOut { try join(&next.sample, current) }
            list.append(placed(next.sample, of: run))
            place.index = following?.sample.index ?? run.samples.upperBound
          }
          guard following == nil else { return }
          place.run += 1
          place.index = nil
          self.current = nil
        }
      } catch { throw SourceError(.other(error.reason), advice: error.advice) }
    }

    /// Prolongs a sample by the following samples of which nothing is kept.
    private mutating func join(_ sample: inout Sample, _ current: RunSamples) throws(EditError) {
      while let next = following, next.isLeftOut {
        sample.duration &+= next.sample.duration
        following = try current.next()
      }
    }

    private mutating func placed(_ sample: Sample, of run: ComposedRun) -> PlacedSample {
      var sample = sample
      if sample.size == 0 { sample.offset = place.end ?? all.pieces[run.piece].layout.start }
      if !sample.isNeverComposed { sample.compositionOffset &+= all.shift }
      sample.decodeTime = place.time
      var beginsChunk = false
      if place.time &- place.chunkStart >= ComposedSamples.chunkSeconds &* Int64(all.timescale) {
        (beginsChunk, place.chunkStart) = (true, place.time)
      }
      place.time &+= sample.duration
      place.end = sample.offset &+ UInt64(sample.size)
      return PlacedSample(sample, beginsChunk: beginsChunk)
    }
  }

  /// Returns the samples of a run from an index on.
  func samples(of run: ComposedRun, at index: Int) throws(EditError) -> RunSamples {
    let piece = pieces[run.piece]
    let samples: TrackSamples
    do { samples = try open.samples(of: piece.cut.track, in: piece.movie) } catch {
      throw EditError(.unreadable, error)
    }
    return RunSamples(run, of: piece, samples, at: index)
  }
}
