// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The merged samples of several tracks with layers of one stream: samples with the same decoding time become one.
struct MergedSamples {
  /// The pieces of each sample.
  private(set) var kept = KeptUnits(areTogether: true)
  /// The indices of samples at which decoding can begin in the base layer, but not in all layers. ISO/IEC
  /// 14496-15, 9.4.5
  private(set) var notSync: Set<Int> = []
  /// For each of the other tracks, its sample entry for each sample entry of the base layer.
  private(set) var descriptions: [[UInt32: UInt32]] = []

  /// One of the other tracks.
  private struct Other {
    let track: Track
    var samples: TrackSamples.Iterator
    var next: Sample?
    /// Whether its samples may have extractors, which refer to bytes of other tracks.
    let hasExtractors: Bool

    /// Takes the sample with the same decoding time as one of the base layer; `nil` if there is none.
    mutating func take(at sample: Sample, of base: Track) throws(EditError) -> Sample? {
      let time = MediaTime(value: sample.decodeTime, timescale: base.timescale)
      guard let next else { return nil }
      let own = MediaTime(value: next.decodeTime, timescale: track.timescale)
      guard own >= time else { throw lost(next, track, base) }
      guard own == time else { return nil }
      self.next = samples.next()
      return next
    }
  }

  init(_ tracks: [Track], of movie: MovieFile) throws(EditError) {
    let base = tracks[0]
    var others: [Other] = []
    let samples: TrackSamples
    do throws(SourceError) {
      samples = try base.samples()
      for track in tracks.dropFirst() {
        var iterator = try track.samples().makeIterator()
        let first = iterator.next()
        others.append(
          Other(
            track: track, samples: iterator, next: first, hasExtractors: !track.references("scal").isEmpty))
      }
    } catch { throw EditError(.unreadable, error) }
    descriptions = Array(repeating: [:], count: others.count)
    try Self.checkLengths(tracks)
    // The units of all tracks, if some of them can only be found by extractors.
    var units: AccessUnitIterator?
    if others.contains(where: \.hasExtractors) {
      units = try reading(AccessUnitIterator(base.joined))
    }
    for sample in samples {
      var pieces = [sample.range]
      let found = try reading(units?.next()?.0)
      if let error = found?.error {
        throw EditError(
          .unreadable, because: error, of: "sample \(sample.index) of track \(base.id) is damaged")
      }
      for index in others.indices {
        guard let part = try others[index].take(at: sample, of: base) else { continue }
        try note(part, index, sample, others[index].track)
        if !others[index].hasExtractors { pieces.append(part.range) }
      }
      if units != nil { try add(found, to: &pieces, sample, base) }
      if sample.index == samples.count - 1 { try Self.moveEnd(in: &pieces, movie, base) }
      guard pieces.reduce(UInt64(0), { $0 &+ ($1.upperBound - $1.lowerBound) }) <= UInt32.max else {
        throw EditError(
          .exceedsLimit,
          "sample \(sample.index) of track \(base.id) would exceed the maximum size of a sample")
      }
      kept.append(pieces)
    }
    for other in others {
      if let lost = other.next { throw Self.lost(lost, other.track, base) }
    }
  }

  /// Refuses NAL unit lengths of different widths: they are copied with the units.
  private static func checkLengths(_ tracks: [Track]) throws(EditError) {
    let sizes = Set(tracks.flatMap { $0.formatDescriptions.map { $0.lengthSize ?? 4 } })
    guard sizes.count == 1 else {
      throw .refused(
        "the lengths of NAL units have different widths in the tracks, and would have to be rewritten")
    }
  }

  private static func lost(_ sample: Sample, _ track: Track, _ base: Track) -> EditError {
    .refused(
      "sample \(sample.index) of track \(track.id) is decoded at a time when track \(base.id) has no sample, and would be lost"
    )
  }

  private mutating func note(
    _ part: Sample, _ other: Int, _ sample: Sample, _ track: Track
  ) throws(EditError) {
    if sample.isSync, !part.isSync { notSync.insert(sample.index) }
    let known = descriptions[other].updateValue(part.descriptionIndex, forKey: sample.descriptionIndex)
    guard known == nil || known == part.descriptionIndex else {
      throw .refused(
        "track \(track.id) changes its sample entry at sample \(part.index), but the base layer does not")
    }
  }

  /// Adds the pieces with units that are not in the sample of the base layer.
  private func add(
    _ found: AccessUnitPlaces?, to pieces: inout [Range<UInt64>], _ sample: Sample, _ base: Track
  ) throws(EditError) {
    let lengthSize = UInt64(base.lengthSize(ofDescription: sample.descriptionIndex))
    for unit in found?.units ?? [] {
      guard unit.composed == nil else {
        throw .refused(
          "access unit \(sample.index) has units that extractors assemble from several pieces; merging cannot rewrite them"
        )
      }
      guard !sample.range.contains(unit.range.lowerBound) else { continue }
      // The length precedes the unit.
      let range = (unit.range.lowerBound &- lengthSize)..<unit.range.upperBound
      if !pieces.contains(where: { $0.overlaps(range) }) { pieces.append(range) }
    }
  }

  /// Moves an end of bitstream unit of the base layer to the end of all pieces. ISO/IEC 23008-2, F.7.4.2.4.4
  private static func moveEnd(
    in pieces: inout [Range<UInt64>], _ movie: MovieFile, _ base: Track
  ) throws(EditError) {
    let width = UInt64((base.formatDescriptions.first?.lengthSize ?? 4) + 2)
    guard pieces.count > 1, let first = pieces.first, UInt64(first.count) > width else { return }
    let end = (first.upperBound - width)..<first.upperBound
    let bytes = try reading(movie.source.read(end))
    // A length of two bytes, and NAL unit type 37 in layer 0.
    guard bytes.suffix(from: bytes.count - 3).prefix(2) == ByteView([2, 37 << 1]) else { return }
    pieces[0] = first.lowerBound..<end.lowerBound
    pieces.append(end)
  }
}
