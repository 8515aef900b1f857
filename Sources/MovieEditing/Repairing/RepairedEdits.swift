// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

/// The edit list of a track whose samples get other composition times. It presents the same pictures with the
/// same delay.
///
/// Edits refer to media times. Old media times are mapped to new ones by composition order: if the old list
/// begins with the third sample in composition order, the new one begins with the third picture.
struct RepairedEdits {
  /// The edits, in the timescale of the movie and in the media times of the new samples.
  private(set) var list = EditListBox()
  /// What the old and the new list present, in words; equal if they present the same.
  private(set) var old = ""
  private(set) var new = ""

  /// The duration of the edits, in the timescale of the movie.
  var duration: UInt64 { list.entries.reduce(0) { $0 &+ $1.editDuration } }

  private let movieTimescale: UInt32
  private let timescale: UInt32
  private let newTimescale: UInt32
  /// The old composition times, sorted.
  private var places: [Int64] = []
  /// The time at which the last of the old samples ends.
  private var end: Int64 = 0
  /// The duration of all new pictures, and of those that precede the first one that can be decoded.
  private let newEnd: Int64
  private let hidden: Int64
  /// The largest number of old samples that a list may skip and still begin with the first picture: a list with
  /// the reordering delay was made for composition times that were not written.
  private var delay = 0

  /// Makes the edit list of a track.
  ///
  /// - Parameters:
  ///   - samples: the old samples.
  ///   - times: the new ones.
  ///   - duration: the duration of each of the new ones.
  ///   - reordering: the greatest number of pictures that precede a picture in decoding order and follow it in
  ///     output order.
  init(
    _ track: Track, of movie: MovieFile, _ samples: TrackSamples, _ times: PictureTimes,
    timescale newTimescale: UInt32, duration: Int64, reordering: Int
  ) throws(EditError) {
    movieTimescale = max(1, movie.movieTimescale)
    timescale = max(1, track.timescale)
    self.newTimescale = max(1, newTimescale)
    newEnd = Int64(times.count) &* duration
    hidden = Int64(times.hiddenAtStart) &* duration
    var hasOffsets = false
    places.reserveCapacity(samples.count)
    for sample in samples {
      places.append(sample.compositionTime)
      end = max(end, sample.compositionTime &+ max(0, sample.duration))
      hasOffsets = hasOffsets || sample.compositionOffset != 0
    }
    places.sort()
    if !hasOffsets { delay = reordering }
    let old = track.box?["edts/elst"].flatMap { movie.tree?.whole($0).payload(EditListBox.self) }
    list.flags = old?.flags ?? 0
    try map(old?.entries ?? [], of: track)
    new = words(list.entries, from: 0, in: self.newTimescale)
    let all = absentList
    self.old = words(old?.entries ?? all, from: old == nil ? 0 : places.first ?? 0, in: timescale)
  }

  // MARK: Edits

  private mutating func map(_ entries: [EditListBox.Entry], of track: Track) throws(EditError) {
    guard !entries.isEmpty else {
      list.entries = absentList
      if delay > 0, let last = list.entries.indices.last {
        list.entries[last] = .init(
          editDuration: scaled(newEnd &- hidden, from: newTimescale), mediaTime: hidden)
      }
      return
    }
    var isFirst = true
    for entry in entries {
      guard entry.mediaTime != -1 else {
        addEmpty(entry.editDuration)
        continue
      }
      guard entry.mediaTime >= 0, entry.mediaTime <= 1 << 60, entry.editDuration <= 1 << 60 else {
        throw .refused("the edit list of track \(track.id) refers to times that no sample has")
      }
      switch (entry.mediaRateInteger, entry.mediaRateFraction) {
      case (0, 0):
        var edit = entry
        edit.mediaTime = min(mapped(entry.mediaTime), max(0, newEnd - 1))
        list.entries.append(edit)
      case (1, 0): try add(entry, isFirst: isFirst)
      default:
        throw .refused(
          "track \(track.id) has an edit list that changes the playback speed; it cannot be converted to the repaired samples",
          advice: "Repair the movie without that edit list.")
      }
      isFirst = false
    }
    list.widen()
  }

  /// The edits of a track without a list: all samples, at their composition times.
  private var absentList: [EditListBox.Entry] {
    let late = scaled(max(0, places.first ?? 0), from: timescale)
    let all = EditListBox.Entry(editDuration: scaled(newEnd, from: newTimescale))
    return (late > 0 ? [EditListBox.Entry(editDuration: late, mediaTime: -1)] : []) + [all]
  }

  /// Adds an edit.
  private mutating func add(_ entry: EditListBox.Entry, isFirst: Bool) throws(EditError) {
    let length = MediaTime(value: Int64(clamping: entry.editDuration), timescale: movieTimescale)
      .converted(to: timescale).value
    let (from, to) = (entry.mediaTime, entry.mediaTime &+ length)
    // Durations are in the timescale of the movie, which may be coarser than that of the media.
    let rounding = 1 + MediaTime(value: 1, timescale: movieTimescale).converted(to: timescale).value
    let reachesEnd = entry.editDuration == 0 || to &+ rounding >= end
    if isFirst, isDelay(from) {
      let last = reachesEnd ? newEnd : min(newEnd, hidden &+ (mapped(to) &- mapped(from)))
      return add(hidden, last, lasting: nil)
    }
    // The movie may show nothing before its first sample.
    let first = places.first ?? 0
    var late: UInt64 = 0
    if from < first {
      late = min(scaled(min(first, to) &- from, from: timescale), entry.editDuration)
      addEmpty(late)
    }
    guard to > first || entry.editDuration == 0 else { return }
    let start = mapped(from)
    let last = reachesEnd ? newEnd : mapped(to)
    guard last > start else {
      // After the last sample, nothing is presented.
      return addEmpty(entry.editDuration &- late)
    }
    let isSameLength =
      newEnd == MediaTime(value: end &- first, timescale: timescale).converted(to: newTimescale).value
    add(start, last, lasting: isSameLength && entry.editDuration > 0 ? entry.editDuration &- late : nil)
  }

  /// Returns whether a list that begins at a time begins with the first picture. The delay is known as a number
  /// of pictures; the tool may have converted it by another rate, so a time that is a quarter longer is
  /// accepted.
  private func isDelay(_ time: Int64) -> Bool {
    guard delay > 0, !places.isEmpty else { return false }
    let next = delay + (delay + 3) / 4
    return next < places.count ? time < places[next] : time < end
  }

  private mutating func addEmpty(_ duration: UInt64) {
    guard duration > 0 else { return }
    list.entries.append(.init(editDuration: duration, mediaTime: -1))
  }

  private mutating func add(_ start: Int64, _ last: Int64, lasting duration: UInt64?) {
    let length = duration ?? scaled(max(0, last &- start), from: newTimescale)
    list.entries.append(.init(editDuration: length, mediaTime: start))
  }

  // MARK: Times

  /// Returns the new media time for an old one.
  private func mapped(_ time: Int64) -> Int64 {
    guard let first = places.first, time > first else { return 0 }
    guard time < end else { return newEnd }
    var (low, high) = (0, places.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if places[middle] <= time { low = middle } else { high = middle }
    }
    let next = low + 1 < places.count ? places[low + 1] : end
    let part = next > places[low] ? Double(time &- places[low]) / Double(next &- places[low]) : 0
    let place = (Double(low) + part) / Double(places.count) * Double(newEnd)
    return max(0, min(newEnd, Int64(place.rounded())))
  }

  private func scaled(_ ticks: Int64, from timescale: UInt32) -> UInt64 {
    UInt64(clamping: MediaTime(value: ticks, timescale: timescale).converted(to: movieTimescale).value)
  }

  // MARK: Words

  private func words(_ entries: [EditListBox.Entry], from first: Int64, in timescale: UInt32) -> String {
    let words = entries.prefix(3).map { entry -> String in
      let length = MediaTime(value: Int64(clamping: entry.editDuration), timescale: movieTimescale).words
      guard entry.mediaTime >= 0 else { return "\(length) of nothing" }
      let start = MediaTime(value: entry.mediaTime &- first, timescale: timescale).words
      return entry.mediaRateInteger == 0 ? "\(length) of the picture at \(start)" : "\(length) from \(start)"
    }
    return words.joined(separator: ", ") + (entries.count > 3 ? ", …" : "")
  }
}
