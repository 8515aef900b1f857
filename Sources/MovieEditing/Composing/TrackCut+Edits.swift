// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

extension TrackCut {
  /// Returns the edits of a track, in a timescale; without an edit list, one that presents everything.
  static func edits(
    of track: Track, _ samples: TrackSamples, in movie: MovieFile, _ timescale: UInt32
  ) throws(EditError) -> [Edit] {
    let mediaEnd = MediaTime(value: samples.compositionEnd, timescale: track.timescale)
    func ticks(upTo time: MediaTime) -> Int64 {
      let nearest = time.converted(to: timescale)
      return nearest < time ? nearest.value &+ 1 : nearest.value
    }
    guard track.box?["edts/elst"] != nil else {
      let end = max(0, ticks(upTo: mediaEnd))
      guard end.magnitude < bound else { throw beyond(track) }
      return [Edit(content: .media(span: 0, from: 0), duration: end)]
    }
    guard let list = track.editListBox else {
      throw EditError(.damaged, "the edit list of track \(track.id) cannot be read")
    }
    let units = timescale / movie.movieTimescale
    let isAllZero = list.entries.allSatisfy { $0.editDuration == 0 }
    var edits: [Edit] = []
    var time: Int64 = 0
    for (index, entry) in list.entries.enumerated() {
      // A last edit with a duration of 0 lasts to the end of the media. ISO/IEC 14496-12, 8.6.6.1
      let isOpen =
        entry.editDuration == 0 && index == list.entries.count - 1
        && (movie.container.isFragmented || isAllZero)
      let (length, overflow) = entry.editDuration.multipliedReportingOverflow(by: UInt64(units))
      guard !overflow, length < bound, time.magnitude < bound else {
        throw EditError(.exceedsLimit, "the edits of track \(track.id) are too long to be cut")
      }
      let content: Content
      var duration = Int64(length)
      var rate = Int32(entry.mediaRateInteger) << 16 | Int32(UInt16(bitPattern: entry.mediaRateFraction))
      switch (entry.mediaTime, rate) {
      case (-1, _): (content, rate) = (.nothing, Edit.normalRate)
      case (_, 0): (content, rate) = (.dwell(span: 0, at: entry.mediaTime), Edit.normalRate)
      case (_, 1...):
        content = .media(span: 0, from: entry.mediaTime)
        if isOpen {
          guard rate == Edit.normalRate else {
            throw EditError(
              .damaged, "an edit of track \(track.id) plays at another speed, but has no duration")
          }
          let rest = mediaEnd - MediaTime(value: entry.mediaTime, timescale: track.timescale)
          duration = max(0, ticks(upTo: rest))
          guard duration.magnitude < bound else { throw beyond(track) }
        }
      default:
        throw .refused(
          "an edit of track \(track.id) plays backwards, and cannot be cut",
          advice: "Cut before or after it.")
      }
      guard entry.mediaTime >= -1 else {
        throw EditError(.damaged, "edit \(index + 1) of track \(track.id) begins before its media")
      }
      edits.append(Edit(content: content, duration: duration, rate: rate))
      time &+= duration
    }
    return edits
  }

  /// Returns the time at which the presentation of a track ends, in a timescale.
  static func presentationEnd(
    of track: Track, in movie: MovieFile, timescale: UInt32
  ) throws(EditError) -> Int64 {
    let samples = try reading(track.samples())
    let edits = try Self.edits(of: track, samples, in: movie, timescale)
    return edits.withoutEmptyEnd.reduce(0) { $0 &+ $1.duration }
  }

  /// Returns an edit, or two if the media begin late and it begins before them: an empty one, and the rest. In the
  /// new track, decoding begins at 0, so that earlier times are not media times.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - samples: the samples of the track.
  ///   - units: the timescale of the media.
  ///   - timescale: the timescale of the composition.
  static func divided(
    _ edit: Edit, where samples: TrackSamples, begin units: UInt32, _ timescale: UInt32
  ) -> [Edit] {
    guard samples.startTime != 0, let index = samples.index(atCompositionRank: 0) else { return [edit] }
    let first = samples.compositionTime(at: index)
    switch edit.content {
    case .media(let span, let from) where first > from:
      let (length, overflow) = first.subtractingReportingOverflow(from)
      guard !overflow, length < 1 << 60, let wait = ticks(of: length, units, timescale, rate: edit.rate),
        wait > 0
      else { return [edit] }
      guard wait < edit.duration else { return [Edit(content: .nothing, duration: edit.duration)] }
      let rest = Edit(
        content: .media(span: span, from: first), duration: edit.duration - wait, rate: edit.rate)
      return [Edit(content: .nothing, duration: wait), rest]
    case .dwell(_, let time) where first > time: return [Edit(content: .nothing, duration: edit.duration)]
    default: return [edit]
    }
  }

  /// Returns the duration of media in whole units of the composition's timescale.
  private static func ticks(
    of length: Int64, _ units: UInt32, _ timescale: UInt32, rate: Int32
  ) -> Int64? {
    let time = MediaTime(value: length, timescale: units)
    var ticks = time.converted(to: timescale)
    if ticks > time { ticks.value -= 1 }
    guard rate != Edit.normalRate else { return ticks.value }
    guard rate > 0 else { return nil }
    return ticks.value.multipliedReportingOverflow(by: 1 << 16).partialValue / Int64(rate)
  }
}

extension BidirectionalCollection<TrackCut.Edit> {
  /// The edits up to the last one that presents something.
  var withoutEmptyEnd: SubSequence {
    let last = lastIndex { !$0.isEmpty }
    return self[startIndex..<(last.map { index(after: $0) } ?? startIndex)]
  }
}
