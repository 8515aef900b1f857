// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A range of bytes of a movie, and its position in the new one.
struct PlacedBytes {
  /// The offset in the new movie.
  let start: UInt64
  /// The index of the part whose movie has the bytes.
  let part: Int
  /// The range in that movie.
  let range: Range<UInt64>

  var end: UInt64 { start &+ (range.upperBound &- range.lowerBound) }
}

// A movie that is made from others is compared with them before it is written: every sample of its tables is
// traced back to the bytes that it was made from.

extension MovieComposer {
  /// Throws an error if a sample of the new movie does not have the bytes that it was made from.
  ///
  /// - Parameter plan: the new movie.
  func check(_ plan: WritePlan) throws(EditError) {
    let tree: BoxTree
    do { tree = try BoxTree(plan, registry: .standard, limits: base.limits) } catch {
      throw Self.fault("it cannot be read: \(error)")
    }
    let boxes = tree.first("moov")?.all("trak") ?? []
    guard boxes.count == tracks.count else { throw Self.fault("it has \(boxes.count) tracks") }
    for (track, box) in zip(tracks, boxes) {
      guard let table = box["mdia/minf/stbl"] else { throw Self.fault("track \(track.id) has no table") }
      var tracer = SampleTracer(plan, placed)
      do { tracer.extents = try SampleExtents(table) } catch { throw EditError(.unreadable, error) }
      for inserted in track.cuts { try trace(inserted, of: track, &tracer) }
      guard try tracer.next() == nil else { throw Self.fault("track \(track.id) has more samples") }
    }
  }

  private func trace(
    _ inserted: InsertedCut, of track: ComposedTrack, _ tracer: inout SampleTracer
  ) throws(EditError) {
    let movie = inserted.movie
    let samples: TrackSamples
    do { samples = try open.samples(of: inserted.cut.track, in: movie) } catch {
      throw EditError(.unreadable, error)
    }
    for span in inserted.cut.spans {
      var iterator = samples.makeIterator(at: span.samples.lowerBound)
      for index in span.samples {
        guard let sample = iterator.next() else { throw Self.fault("sample \(index) is not there") }
        if let kept = inserted.cut.kept {
          let parts = kept.parts(of: index)
          if parts.isEmpty, index > span.samples.lowerBound { continue }
          try tracer.check(parts, inserted.part, movie)
        } else {
          try tracer.check(CollectionOfOne(sample.range), inserted.part, movie)
        }
      }
    }
  }

  fileprivate static func fault(_ what: String) -> EditError {
    EditError(
      .failed, "the new movie is not what was asked for: \(what)",
      advice: "This is a fault of the library: report it.")
  }
}

/// Reads the samples of a track of the new movie in order, and traces each back to the source of its bytes.
private struct SampleTracer {
  var extents: SampleExtents?
  private let plan: WritePlan
  private let placed: [PlacedBytes]
  private var number = -1
  private var index = 0

  init(_ plan: WritePlan, _ placed: [PlacedBytes]) { (self.plan, self.placed) = (plan, placed) }

  /// Returns the next sample; `nil` after the last one.
  mutating func next() throws(EditError) -> (offset: UInt64, size: UInt64)? {
    number += 1
    do { return try extents?.nextSample() } catch { throw EditError(.unreadable, error) }
  }

  /// Compares the next sample with the bytes that it was made from.
  ///
  /// - Parameters:
  ///   - ranges: the ranges of its bytes in the movie of the part.
  ///   - part: the index of the part.
  mutating func check(
    _ ranges: some Collection<Range<UInt64>>, _ part: Int, _ movie: MovieFile
  ) throws(EditError) {
    guard let sample = try next() else { throw MovieComposer.fault("sample \(number) is missing") }
    var position = sample.offset
    if sample.size > 0, position >= placed.last?.end ?? 0 {
      return try checkOwn(sample, ranges, movie)
    }
    let wanted = ranges.reduce(UInt64(0)) { $0 &+ ($1.upperBound &- $1.lowerBound) }
    guard wanted == sample.size else { throw differs }
    for range in ranges {
      var old = range.lowerBound
      while old < range.upperBound {
        if !placed.indices.contains(index) || placed[index].start > position || placed[index].end <= position
        {
          index = placed.partitionIndex { $0.start <= position } - 1
        }
        guard placed.indices.contains(index), placed[index].end > position, placed[index].part == part,
          placed[index].range.lowerBound &+ (position &- placed[index].start) == old
        else { throw differs }
        let count = min(range.upperBound &- old, placed[index].end &- position)
        (old, position) = (old &+ count, position &+ count)
      }
    }
  }

  private var differs: EditError { MovieComposer.fault("sample \(number) has other bytes") }

  /// Checks a sample that no source has: an advanced timecode, or one with a broken link or an end of sequence.
  private func checkOwn(
    _ sample: (offset: UInt64, size: UInt64), _ ranges: some Collection<Range<UInt64>>, _ movie: MovieFile
  ) throws(EditError) {
    do throws(SourceError) {
      let new = try plan.read(sample.offset..<(sample.offset &+ sample.size))
      var old: [UInt8] = []
      for range in ranges { old += try movie.source.read(range).array }
      let isTimecode = old.count == 4 && new.count == 4
      let isEqual =
        new.count >= old.count
        && zip(new.array, old).allSatisfy { new, old in
          new == old || (old == Splice.randomAccessByte && new == Splice.brokenLinkByte)
        }
      guard isTimecode || isEqual, UInt64(new.count) == sample.size else {
        throw SourceError(.other(""))
      }
    } catch { throw differs }
  }
}
