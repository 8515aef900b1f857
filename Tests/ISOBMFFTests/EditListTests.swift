// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct EditListTests {
  typealias Entry = EditListBox.Entry

  static let decodeDeltas = Array(repeating: Int64(20), count: 10)
  /// A movie by an Apple encoder: composition offsets of version 1, some of them negative.
  static let signedOffsets: [Int64] = [0, 60, 0, -40, -20, 60, 0, -40, -20, 0]

  static func track(_ offsets: [Int64], edits: EditList) -> TrackSamples {
    var naive = NaiveTable()
    naive.deltas = [(10, 20)]
    naive.offsets = offsets.map { (1, Int($0)) }
    naive.sizes = Array(repeating: 9, count: 10)
    naive.chunkRows = [(1, 10, 1)]
    naive.chunkOffsets = [48]
    return TrackSamples(table: SampleTable(naive.contents), edits: edits)
  }

  @Test func negativeOffsetsNeedNoEdit() {
    let edits = EditList(
      entries: [Entry(editDuration: 200, mediaTime: 0)], movieTimescale: 600, mediaTimescale: 600)
    let track = Self.track(Self.signedOffsets, edits: edits)
    #expect(track.map(\.compositionTime) == [0, 80, 40, 20, 60, 160, 120, 100, 140, 180])
    #expect((0..<10).map { track.index(atCompositionRank: $0) } == [0, 3, 2, 4, 1, 7, 6, 8, 5, 9])
    #expect(track.map { track.presentationTime(of: $0) } == [0, 80, 40, 20, 60, 160, 120, 100, 140, 180])
    #expect(edits.duration == 200)
    #expect(track.endTime == 200)
    #expect(track.index(atPresentationTime: 39) == 3)
    #expect(track.index(atPresentationTime: 200) == nil)
  }

  @Test func shiftedOffsetsWithAnEditPresentTheSame() {
    // The same movie with unsigned offsets: all are 40 larger, and the edit begins at 40.
    let offsets = Self.signedOffsets.map { $0 + 40 }
    let edits = EditList(
      entries: [Entry(editDuration: 200, mediaTime: 40)], movieTimescale: 600, mediaTimescale: 600)
    let track = Self.track(offsets, edits: edits)
    #expect(track.map(\.compositionTime) == [40, 120, 80, 60, 100, 200, 160, 140, 180, 220])
    #expect(track.map { track.presentationTime(of: $0) } == [0, 80, 40, 20, 60, 160, 120, 100, 140, 180])
    let plain = Self.track(offsets, edits: EditList(mediaTimescale: 600))
    #expect(plain.sample(at: 0).flatMap { plain.presentationTime(of: $0) } == 40)
  }

  @Test func anEmptyEditDelaysInTheUnitsOfTheMovie() {
    let edits = EditList(
      entries: [Entry(editDuration: 300, mediaTime: -1), Entry(editDuration: 1_200, mediaTime: 2_000)],
      movieTimescale: 600, mediaTimescale: 30_000)
    #expect(edits.presentationTime(compositionTime: 3_000, duration: 1_000) == 16_000)
    // Half a second of nothing, then the media from 2000 to 62000.
    #expect(edits.edits[1].mediaRange == 2_000..<62_000)
    #expect(edits.duration == 75_000)
    #expect(edits.presentationTime(compositionTime: 0, duration: 2_000) == nil)
    #expect(
      edits.presentations(compositionTime: 1_500, duration: 1_000)
        == [.init(edit: 1, time: 14_500, trimmedStart: 500, trimmedEnd: 0)])
    #expect(
      edits.presentations(compositionTime: 61_500, duration: 1_000)
        == [.init(edit: 1, time: 74_500, trimmedStart: 0, trimmedEnd: 500)])
    #expect(edits.presentationTime(compositionTime: 62_000, duration: 1_000) == nil)
    #expect(edits.compositionTime(atPresentationTime: 14_999) == nil)
    #expect(edits.compositionTime(atPresentationTime: 15_000) == 2_000)
    #expect(edits.compositionTime(atPresentationTime: 75_000) == nil)
  }

  @Test func mediaMayBePresentedTwiceAndHeld() {
    let edits = EditList(
      entries: [
        Entry(editDuration: 100, mediaTime: 50), Entry(editDuration: 30, mediaTime: 60, mediaRateInteger: 0),
        Entry(editDuration: 100, mediaTime: 0), Entry(editDuration: 10, mediaTime: -1),
        Entry(editDuration: 50, mediaTime: 0, mediaRateInteger: 2),
      ], movieTimescale: 10, mediaTimescale: 10)
    #expect(edits.duration == 290)
    #expect(
      edits.presentations(compositionTime: 55, duration: 10) == [
        .init(edit: 0, time: 5, trimmedStart: 0, trimmedEnd: 0),
        .init(edit: 1, time: 100, trimmedStart: 0, trimmedEnd: 0),
        .init(edit: 2, time: 185, trimmedStart: 0, trimmedEnd: 0),
        // (55 - 0) / 2 = 27.5, halves up.
        .init(edit: 4, time: 268, trimmedStart: 0, trimmedEnd: 0),
      ])
    #expect(edits.presentationTime(compositionTime: 55, duration: 10) == 5)
    #expect(edits.compositionTime(atPresentationTime: 129) == 60)
    #expect(edits.compositionTime(atPresentationTime: 260) == 40)
    #expect(edits.edits[4].mediaRange == 0..<100)
  }

  @Test func aLastEditWithoutDurationLastsToTheEndOfFragments() {
    let open = EditList(
      entries: [Entry(editDuration: 500, mediaTime: -1), Entry(editDuration: 0, mediaTime: 1_024)],
      movieTimescale: 1_000, mediaTimescale: 48_000, isFragmented: true)
    // 24 000 + 1 000 000 - 1 024
    #expect(open.presentationTime(compositionTime: 1_000_000, duration: 1_024) == 1_022_976)
    #expect(open.duration == nil)
    #expect(open.compositionTime(atPresentationTime: 24_000) == 1_024)
    let closed = EditList(
      entries: [Entry(editDuration: 500, mediaTime: -1), Entry(editDuration: 0, mediaTime: 1_024)],
      movieTimescale: 1_000, mediaTimescale: 48_000)
    #expect(closed.presentationTime(compositionTime: 2_000, duration: 1_024) == nil)
    let zero = EditList(
      entries: [Entry(editDuration: 0, mediaTime: 0)], movieTimescale: 1_000, mediaTimescale: 48_000)
    #expect(zero.presentationTime(compositionTime: 2_000, duration: 1_024) == 2_000)
    #expect(zero.diagnostics.map(\.code) == ["edit-without-duration"])
  }

  /// Presentation times by fractions of big numbers, against the exact arithmetic of the mapping.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func timesAreExactAndRoundedOnce(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let movie = UInt32.random(in: 1...100_000, using: &generator)
    let media = UInt32.random(in: 1...100_000, using: &generator)
    let entries = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
      Entry(
        editDuration: UInt64.random(in: 1...1_000, using: &generator),
        mediaTime: Int64.random(in: -1...1_000, using: &generator),
        mediaRateInteger: Bool.random(using: &generator) ? 1 : Int16.random(in: 0...3, using: &generator),
        mediaRateFraction: Bool.random(using: &generator)
          ? 0 : Int16.random(in: .min...(.max), using: &generator))
    }
    let edits = EditList(entries: entries, movieTimescale: movie, mediaTimescale: media)
    for _ in 0..<30 {
      let time = Int64.random(in: -50...3_000, using: &generator)
      let duration = Int64.random(in: 0...100, using: &generator)
      var expected: [Int64] = []
      var start = 0
      for entry in entries {
        defer { start += Int(entry.editDuration) }
        guard entry.mediaTime >= 0 else { continue }
        let rate = Int(entry.mediaRateInteger) * 65_536 + Int(UInt16(bitPattern: entry.mediaRateFraction))
        let (s, ahead) = (start * Int(media), Int(time) - Int(entry.mediaTime))
        let last = duration > 0 ? time + duration - 1 : time
        if rate == 0 {
          guard time <= entry.mediaTime, last >= entry.mediaTime else { continue }
          if roundedHalfUp(Int(entry.editDuration) * Int(media), Int(movie)) == 0 { continue }
          expected.append(Int64(roundedHalfUp(s, Int(movie))))
        } else {
          let length = roundedHalfUp(Int(entry.editDuration) * Int(media), Int(movie))
          let end = Int(entry.mediaTime) + roundedHalfUp(length * rate, 65_536)
          guard end > entry.mediaTime, Int(time) < end, last >= entry.mediaTime else { continue }
          // s / movie + ahead · 65536 / rate
          expected.append(Int64(roundedHalfUp(s * rate + ahead * 65_536 * Int(movie), Int(movie) * rate)))
        }
      }
      let found = edits.presentations(compositionTime: time, duration: duration)
      #expect(found.map(\.time) == expected)
      #expect(edits.presentationTime(compositionTime: time, duration: duration) == expected.first)
    }
  }

  private func roundedHalfUp(_ numerator: Int, _ denominator: Int) -> Int {
    // floor(n / d + 1 / 2)
    let doubled = 2 * numerator + denominator
    let quotient = doubled / (2 * denominator)
    return doubled % (2 * denominator) < 0 ? quotient - 1 : quotient
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func hostileListsDoNoHarm(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let times: [Int64] = [.min, .min + 1, -2, -1, 0, 1, .max - 1, .max]
    func time() -> Int64 { times.randomElement(using: &generator) ?? 0 }
    func small() -> Int16 { Int16(truncatingIfNeeded: time()) }
    let entries = (0..<6).map { _ in
      Entry(
        editDuration: UInt64(bitPattern: time()), mediaTime: time(), mediaRateInteger: small(),
        mediaRateFraction: small())
    }
    let edits = EditList(
      entries: entries, movieTimescale: UInt32(truncatingIfNeeded: time()),
      mediaTimescale: UInt32(truncatingIfNeeded: time()), isFragmented: Bool.random(using: &generator))
    for composition in times {
      for duration in times {
        _ = edits.presentations(compositionTime: composition, duration: duration)
        _ = edits.presentationTime(compositionTime: composition, duration: duration)
      }
      _ = edits.compositionTime(atPresentationTime: composition)
    }
    _ = edits.duration
  }

  // MARK: Edits upon one another

  @Test func theFirstOfManyEditsUponOneAnotherIsFound() {
    // The first begins last in the media, where thousands of later ones reach.
    let entries =
      [Entry(editDuration: 10, mediaTime: 900)]
      + [Entry](repeating: Entry(editDuration: 5_000, mediaTime: 0), count: 3_000)
    let edits = EditList(entries: entries, movieTimescale: 1, mediaTimescale: 1)
    #expect(edits.presentationTime(compositionTime: 905, duration: 1) == 5)
    #expect(edits.presentationTime(compositionTime: 890, duration: 11) == -10)
    #expect(edits.presentationTime(compositionTime: 910, duration: 1) == 920)
    #expect(edits.presentationTime(compositionTime: 5_000, duration: 1) == nil)
  }

  @Test func firstEditsAgreeWithASearch() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let shown = (0..<Int.random(in: 2...9, using: &random)).map { edit in
        let start = Int64.random(in: -5...20, using: &random)
        return (range: start..<(start + Int64.random(in: 0...9, using: &random)), edit: edit * 3)
      }
      let found = FirstEdits(shown)
      for time in Int64(-8)...32 {
        for last in [time, time + 1, time + 6, .max] {
          let naive = shown.first {
            !$0.range.isEmpty && $0.range.lowerBound <= last && $0.range.upperBound > time
          }
          #expect(found.first(from: time, through: last) == naive?.edit)
        }
      }
    }
    #expect(FirstEdits([]).first(from: 0, through: 9) == nil)
    #expect(FirstEdits([(5..<Int64.max, 4), (.min..<9, 2)]).first(from: .min, through: .max) == 2)
  }
}
