// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The fragments of a movie in the order of the file: where they are, and the numbers that they were given.
struct FragmentOrder {
  private let offsets: [UInt64]
  private let numbers: [UInt32?]

  init(of movie: MovieFile) {
    let fragments = movie.tree?.boxes.filter { $0.type == "moof" } ?? []
    offsets = fragments.map { UInt64(clamping: $0.offset) }
    numbers = fragments.map { $0.first(MovieFragmentHeaderBox.self)?.sequenceNumber }
  }

  /// The place of the fragment whose media data are at an offset, counted from 1; 0 before the first.
  func place(at offset: UInt64) -> Int { offsets.partitionIndex { $0 <= offset } }

  /// Whether others seem to have been between a fragment, counted from 1, and the next one: the numbers jump.
  private func isFollowedByGap(_ place: Int) -> Bool {
    guard place > 0, numbers.indices.contains(place), let number = numbers[place - 1],
      let next = numbers[place]
    else { return false }
    return next > number && next - number > 1
  }

  /// The fragment, counted from 1, after which others are missing: the times of a track go on later by a sample or more, and
  /// the numbers of the fragments jump; `nil` if there is none.
  func gap(in track: Track) throws(EditError) -> (place: Int, length: MediaTime)? {
    var last: Sample?
    var all = try reading(track.samples()).makeIterator()
    while let next = all.nextUniform() {
      if let last {
        let (length, overflow) = next.first.decodeTime.subtractingReportingOverflow(
          last.decodeTime &+ last.duration)
        if !overflow, length > 0, length >= last.duration {
          let place = place(at: last.offset)
          if place < self.place(at: next.first.offset), isFollowedByGap(place) {
            return (place, MediaTime(value: length, timescale: track.timescale))
          }
        }
      }
      last = next[next.count - 1]
    }
    return nil
  }
}

extension Track {
  /// Refuses fragments that go back in time by a sample or more, because segments were appended in another order, or twice:
  /// no table or fragment can have such times. Rounding may make fragments overlap by less.
  func checkFragmentOrder(in movie: MovieFile) throws(EditError) {
    guard movie.container.isFragmented else { return }
    var last: Sample?
    var order: FragmentOrder?
    var all = try reading(samples()).makeIterator()
    while let next = all.nextUniform() {
      if let last, next.first.goesBack(from: last) {
        let known = order ?? FragmentOrder(of: movie)
        order = known
        let place = known.place(at: next.first.offset)
        if place > 0 { throw .notInOrder(fragment: place, of: self, next.first, after: last) }
      }
      last = next[next.count - 1]
    }
  }
}

extension Sample {
  /// Whether it is decoded no later than the sample before it, though that lasts some time.
  fileprivate func goesBack(from last: Sample) -> Bool {
    decodeTime < last.decodeTime || (decodeTime == last.decodeTime && last.duration > 0)
  }
}

extension EditError {
  fileprivate static func notInOrder(
    fragment place: Int, of track: Track, _ sample: Sample, after last: Sample
  ) -> EditError {
    func words(_ time: Int64) -> String { MediaTime(value: time, timescale: track.timescale).words }
    return EditError(
      .damaged,
      "fragment \(place) begins at \(words(sample.decodeTime)) in track \(track.id), but the samples before it end at "
        + "\(words(last.decodeTime &+ last.duration)): the segments are not in order, or one is duplicated",
      advice: "Append each segment once, in order: cat init.mp4 $(ls segment*.m4s | sort -V) > movie.mp4.")
  }
}
