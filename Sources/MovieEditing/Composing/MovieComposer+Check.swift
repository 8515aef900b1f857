// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

// A movie that is made from others is compared with them before it is written: every sample of its tables is
// traced back to the bytes that it was made from.

extension MovieComposer {
  /// Opens the new movie, and throws an error if one of its samples does not have the bytes that it was made from.
  func checked(_ plan: WritePlan) throws(EditError) -> MovieFile {
    let made: MovieFile
    do { made = try MovieFile(source: plan, limits: base.limits) } catch {
      throw Self.fault("it cannot be read: \(error)")
    }
    let boxes = made.tree?.first("moov")?.all("trak") ?? []
    guard boxes.count == tracks.count else { throw Self.fault("it has \(boxes.count) tracks") }
    for (track, box) in zip(tracks, boxes) {
      guard let table = box["mdia/minf/stbl"] else { throw Self.fault("track \(track.id) has no table") }
      var tracer = SampleTracer(plan, ownStart: media.start + media.count)
      tracer.extents = try reading(SampleExtents(table))
      for cut in track.cuts { try trace(cut, &tracer) }
      guard try tracer.next(atMost: 1) == nil else { throw Self.fault("track \(track.id) has more samples") }
    }
    return made
  }

  private func trace(_ cut: TrackCut, _ tracer: inout SampleTracer) throws(EditError) {
    let samples = try reading(open.samples(of: cut.track, in: cut.movie))
    for span in cut.keptSpans {
      try samples.forEachUniform(in: span) { (samples) throws(EditError) in
        try tracer.check(samples, of: cut)
      }
    }
    try tracer.finish(cut)
  }

  fileprivate static func fault(_ what: String) -> EditError {
    EditError(
      .failed, "the new movie is not as planned: \(what)",
      advice: "This is a bug in the library: report it.")
  }
}

/// Reads the samples of a track of the new movie in order, and traces each back to the source of its bytes.
private struct SampleTracer {
  var extents: SampleExtents?
  private let plan: WritePlan
  /// The offset of bytes that no source has.
  private let ownStart: UInt64
  /// The number of samples that were read.
  private var number = 0
  /// Bytes that follow one another in the movie of the cut and in the plan, which are compared together.
  private var pending: (old: Range<UInt64>, new: Range<UInt64>)?

  init(_ plan: WritePlan, ownStart: UInt64) { (self.plan, self.ownStart) = (plan, ownStart) }

  /// Returns the next samples that are equally large and follow one another; `nil` after the last one.
  mutating func next(atMost limit: Int) throws(EditError) -> SampleExtents.Extent? {
    return try reading(extents?.next(atMost: limit))
  }

  /// Compares the next samples with the bytes that they were made from.
  ///
  /// - Parameter samples: the samples in the movie of the cut.
  mutating func check(_ samples: UniformSamples, of cut: TrackCut) throws(EditError) {
    var done = 0
    while done < samples.count {
      guard let new = try next(atMost: cut.kept == nil ? samples.count - done : 1) else {
        throw MovieComposer.fault("sample \(number) is missing")
      }
      if new.size > 0, new.offset >= ownStart {
        for index in 0..<new.count {
          let offset = new.offset &+ UInt64(index) &* new.size
          try checkOwn((offset, new.size), cut.ranges(of: samples[done + index]), cut.movie)
        }
      } else if new.count == 1 {
        try checkCopied(new, cut.ranges(of: samples[done]), cut)
      } else {
        guard new.size == samples.first.size else { throw differs }
        let start = samples[done].offset
        try checkCopied(new, [start..<(start &+ new.size &* UInt64(new.count))], cut)
      }
      done += new.count
      number += new.count
    }
  }

  /// Compares the bytes of samples.
  ///
  /// - Parameter ranges: the ranges of these bytes in the movie of the cut.
  private mutating func checkCopied(
    _ new: SampleExtents.Extent, _ ranges: ArraySlice<Range<UInt64>>, _ cut: TrackCut
  ) throws(EditError) {
    var position = new.offset
    for range in ranges where !range.isEmpty {
      let end = position &+ (range.upperBound - range.lowerBound)
      guard end > position else { throw differs }
      try compare(range, position..<end, cut)
      position = end
    }
    guard position &- new.offset == new.size &* UInt64(new.count) else { throw differs }
  }

  private mutating func compare(
    _ old: Range<UInt64>, _ new: Range<UInt64>, _ cut: TrackCut
  ) throws(EditError) {
    if let own = cut.kept?.own, old.lowerBound >= own.start {
      // Bytes that were made for the movie.
      let first = Int(old.lowerBound - own.start)
      let made = try reading(plan.read(new))
      guard own.bytes.dropFirst(first).prefix(old.count).elementsEqual(made.array) else { throw differs }
      return
    }
    if let last = pending, last.old.upperBound == old.lowerBound, last.new.upperBound == new.lowerBound {
      pending = (last.old.lowerBound..<old.upperBound, last.new.lowerBound..<new.upperBound)
      return
    }
    try finish(cut)
    pending = (old, new)
  }

  /// Compares the origins of the bytes of a cut that were not compared yet.
  mutating func finish(_ cut: TrackCut) throws(EditError) {
    guard let (old, new) = pending else { return }
    guard let origins = ByteOrigins(of: old, in: cut.movie.source), origins == ByteOrigins(of: new, in: plan)
    else { throw differs }
    pending = nil
  }

  private var differs: EditError { MovieComposer.fault("sample \(number) has different bytes") }

  /// Checks a sample that no source has: an advanced timecode, or one with a broken link or an end of sequence.
  private func checkOwn(
    _ sample: (offset: UInt64, size: UInt64), _ ranges: ArraySlice<Range<UInt64>>, _ movie: MovieFile
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
