// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// What is taken of a track, and where it comes to be.
struct ComposedPiece: Sendable {
  let cut: TrackCut
  let movie: MovieFile
  /// Where the bytes of its movie are.
  let layout: MediaLayout
  /// The numbers of its sample entries in the new track; empty where they stay.
  let descriptions: [UInt32]
}

/// Samples of a piece that follow each other, and where they are in the new track.
struct ComposedRun: Sendable {
  /// The number of its piece.
  let piece: Int
  /// Its samples in the old track.
  let samples: Range<Int>
  /// How many units of time of the new track make one of the old one.
  let units: Int64
  /// The media time at which it begins, in the old track.
  let start: Int64
  /// The media that its samples are cut to, where each sample holds by itself.
  let clip: Range<Int64>?
  /// How long its last sample lasts, where that is decided.
  var lastDuration: Int64?
  /// Where its first sample is, if that is not in the old movie.
  var firstPlace: UInt64?
  /// Where its last sample is, if that is not in the old movie.
  var lastPlace: Range<UInt64>?
}

/// The samples of a track that is made of parts of others. They are made of those of the parts when they are asked for.
struct ComposedSamples: SampleSequence {
  /// How long a chunk lasts at most, in seconds, where nothing else ends it.
  private static let chunkSeconds: Int64 = 1

  let pieces: [ComposedPiece]
  var runs: [ComposedRun] = []
  let timescale: UInt32
  /// What is added to all composition offsets.
  var shift: Int64 = 0
  let open: OpenMovies

  /// Where a sample is found again.
  struct Place: Sendable {
    fileprivate var run = 0
    /// The number of the sample in its old track; `nil` for the first of the run.
    fileprivate var index: Int?
    fileprivate var time: Int64 = 0
    fileprivate var chunkStart: Int64 = 0
    /// Where the last sample ends.
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

    /// Has a sample last as long as those after it of which nothing is kept: nothing is decoded there.
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

  /// The samples of a run from one on.
  func samples(of run: ComposedRun, at index: Int) throws(EditError) -> RunSamples {
    let piece = pieces[run.piece]
    let samples: TrackSamples
    do { samples = try open.samples(of: piece.cut.track, in: piece.movie) } catch {
      throw EditError(.unreadable, error)
    }
    return RunSamples(run, of: piece, samples, at: index)
  }
}
