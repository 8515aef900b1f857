// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// A cut of a track that is inserted into another.
struct InsertedCut: Sendable {
  /// The index of the part of the composition that it belongs to.
  let part: Int
  /// The movie of the track.
  let movie: MovieFile
  var cut: TrackCut
  /// The new number of each of its sample entries; empty if they do not change.
  var descriptions: [UInt32] = []
  /// The duration of the empty time before it, in the timescale of the new movie.
  var before: Int64 = 0
  /// The duration in the presentation, in the timescale of the new movie.
  var duration: Int64 = 0
}

/// A span of the samples of a cut, and their properties in the new track.
struct ComposedSpan: Sendable {
  /// The index of its cut.
  let cut: Int
  /// The span in the old track.
  let old: TrackCut.Span
  /// The timescale of the new track, as a multiple of that of the old one.
  let units: Int64
  /// The media time at which it begins, in the old track: that of a timecode may be earlier than that of the span.
  let start: Int64
  /// The duration of its last sample, if that is changed.
  var lastDuration: Int64?
  /// The offset of its first sample, if that is not in the old movie.
  var firstPlace: UInt64?
  /// The range of its last sample, if that is not in the old movie.
  var lastPlace: Range<UInt64>?

  /// The indices of its samples in the old track.
  var samples: Range<Int> { old.samples }
}

/// The samples of a track that is made from parts of others, derived from those of the parts on request.
struct ComposedSamples: SampleSequence {
  /// The longest duration of a chunk, in seconds.
  private static let chunkSeconds: Int64 = 1

  let cuts: [InsertedCut]
  /// The layouts of the bytes of all parts.
  let layouts: [MediaLayout]
  var spans: [ComposedSpan] = []
  let timescale: UInt32
  /// A value that is added to all composition offsets.
  var shift: Int64 = 0
  let open: OpenMovies

  /// A position from which iteration can continue.
  struct Place: Sendable {
    fileprivate var span = 0
    /// The index of the sample in its old track; `nil` for the first sample of the span.
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
    private var current: SpanSamples?
    private var following: SpanSamples.Element?

    fileprivate init(_ all: ComposedSamples, _ place: Place) { (self.all, self.place) = (all, place) }

    mutating func append(to list: inout [PlacedSample], atMost count: Int) throws(SourceError) {
      do throws(EditError) {
        let end = list.count + count
        while list.count < end, place.span < all.spans.count {
          let span = all.spans[place.span]
          if current == nil {
            current = try all.samples(of: span, at: place.index ?? span.samples.lowerBound)
            following = try current?.next()
          }
          guard let current else { return }
          while list.count < end, var next = following {
            following = try current.next()
            if current.leavesOut { try join(&next.sample, current) }
            list.append(placed(next.sample, of: span))
            place.index = following?.sample.index ?? span.samples.upperBound
          }
          guard following == nil else { return }
          place.span += 1
          place.index = nil
          self.current = nil
        }
      } catch { throw SourceError(.other(error.reason), advice: error.advice) }
    }

    /// Prolongs a sample by the following samples of which nothing is kept.
    private mutating func join(_ sample: inout Sample, _ current: SpanSamples) throws(EditError) {
      while let next = following, next.isLeftOut {
        sample.duration &+= next.sample.duration
        following = try current.next()
      }
    }

    private mutating func placed(_ sample: Sample, of span: ComposedSpan) -> PlacedSample {
      var sample = sample
      if sample.size == 0 { sample.offset = place.end ?? all.layouts[all.cuts[span.cut].part].start }
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

  /// Returns the samples of a span from an index on.
  func samples(of span: ComposedSpan, at index: Int) throws(EditError) -> SpanSamples {
    let inserted = cuts[span.cut]
    let samples: TrackSamples
    do { samples = try open.samples(of: inserted.cut.track, in: inserted.movie) } catch {
      throw EditError(.unreadable, error)
    }
    return SpanSamples(span, of: inserted, layouts[inserted.part], samples, at: index)
  }
}
