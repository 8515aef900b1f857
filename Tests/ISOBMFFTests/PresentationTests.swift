// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

/// What a track presents when, against a model that goes through time unit by unit.
@Suite struct PresentationTests {
  typealias Entry = EditListBox.Entry

  private struct Case {
    var track: TrackSamples
    var samples: [Sample]
    var model: NaivePresentation
    var text: String
  }

  /// How many units of time are looked at.
  private static let units = 150

  private static func entry(_ kind: Int, using generator: inout SeededGenerator) -> Entry {
    var entry = Entry(
      editDuration: UInt64.random(in: 0...30, using: &generator),
      mediaTime: Int64.random(in: 0...60, using: &generator))
    switch kind {
    case 0: entry.mediaTime = -1
    case 1: entry.mediaRateInteger = 0
    case 2:
      entry.mediaRateInteger = Int16.random(in: 0...3, using: &generator)
      entry.mediaRateFraction = [0x4000, .min, 0x5555, 1 << 8].randomElement(using: &generator) ?? 0
    case 3: entry.mediaTime = Int64.random(in: -9...(-2), using: &generator)
    case 4: entry.editDuration = UInt64.random(in: 60...100, using: &generator)
    case 5: entry.mediaRateInteger = -1
    default: break
    }
    return entry
  }

  private static func random(using generator: inout SeededGenerator) -> Case {
    let count = Int.random(in: 0...9, using: &generator)
    var naive = NaiveTable()
    naive.deltas = (0..<count).map { _ in (1, Int.random(in: 0...12, using: &generator)) }
    if Bool.random(using: &generator) {
      naive.offsets = (0..<count).map { _ in
        let isComposed = Int.random(in: 0..<12, using: &generator) > 0
        return (1, isComposed ? Int.random(in: -8...20, using: &generator) : Int(Int32.min))
      }
    }
    naive.sizes = Array(repeating: 9, count: count)
    naive.chunkRows = [(1, count, 1)]
    naive.chunkOffsets = [48]
    let (movie, media) =
      [(1, 1), (1, 1), (600, 600), (3, 2), (2, 3), (7, 5)].randomElement(using: &generator)
      ?? (1, 1)
    let isFragmented = Bool.random(using: &generator)
    var entries: [Entry] = []
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      let kind = Int.random(in: 0..<14, using: &generator)
      // The same edit again, one that was there before, or a new one.
      if kind > 11, let again = entries.randomElement(using: &generator) {
        entries.append(again)
      } else {
        entries.append(entry(kind, using: &generator))
      }
    }
    let edits = EditList(
      entries: entries, movieTimescale: UInt32(movie), mediaTimescale: UInt32(media),
      isFragmented: isFragmented)
    return Case(
      track: TrackSamples(table: SampleTable(naive.contents), edits: edits), samples: naive.samples,
      model: NaivePresentation(
        naive.samples, entries, movie: movie, media: media, isFragmented: isFragmented, units: units),
      text: "\(naive.deltas.map(\.delta)) \(naive.offsets?.map(\.offset) ?? []) \(movie)/\(media) \(entries)")
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func everyAnswerIsThatOfTheModel(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let some = Self.random(using: &generator)
      let (track, expected) = (some.track, some.model.all.map(Self.withoutNoEdit))
      #expect(track.presentationCount == expected.count, "\(some.text)")
      let found = (0..<track.presentationCount).compactMap { track.presentation(at: $0) }
      #expect(found == expected, "\(some.text)")
      guard found == expected else { continue }
      #expect(track.presentation(at: -1) == nil && track.presentation(at: expected.count) == nil)
      Self.checkTimes(some, expected)
      Self.checkSamples(some, expected)
      Self.checkSteps(some, expected, using: &generator)
    }
  }

  /// The model counts the media without an edit list as edit -1, and has a last unit of time.
  private static func withoutNoEdit(_ shown: NaivePresentation.Shown) -> TrackSamples.Presentation {
    let end = shown.range.upperBound >= .max / 4 ? Int64.max : shown.range.upperBound
    return TrackSamples.Presentation(
      position: shown.position, sample: shown.sample, edit: shown.edit == -1 ? nil : shown.edit,
      time: shown.time, range: shown.range.lowerBound..<end)
  }

  private static func checkTimes(_ some: Case, _ expected: [TrackSamples.Presentation]) {
    for unit in 0..<units {
      // Without edits the model has no unit of time before the media.
      let seen =
        some.track.edits.isIdentity
        ? expected.lastIndex { $0.range.contains(Int64(unit)) }
        : some.model.seen[unit]
      let found = some.track.presentation(atTime: Int64(unit))
      #expect(found == seen.map { expected[$0] }, "at \(unit): \(some.text)")
      #expect(some.track.index(atPresentationTime: Int64(unit)) == seen.map { expected[$0].sample })
      let before = expected.lastIndex { $0.range.lowerBound <= unit }
      #expect(
        some.track.presentation(atOrBefore: Int64(unit))?.position == before, "at \(unit): \(some.text)")
      // What can be seen is what is composed at the time of the media, unless the media or the edit has ended there.
      if let found, let media = some.track.edits.compositionTime(atPresentationTime: Int64(unit)) {
        let composed = some.samples.filter { !$0.isNeverComposed && $0.compositionTime <= media }
          .max { ($0.compositionTime, $0.index) < ($1.compositionTime, $1.index) }
        let later = expected.last { $0.edit == found.edit }
        #expect(composed?.index == found.sample || later == found, "at \(unit): \(some.text)")
      }
    }
    #expect(some.track.presentation(atTime: -1) == nil || some.track.edits.isIdentity)
  }

  private static func checkSamples(_ some: Case, _ expected: [TrackSamples.Presentation]) {
    for sample in some.samples {
      let theirs = expected.filter { $0.sample == sample.index }
      #expect(some.track.presentations(of: sample.index) == theirs, "\(some.text)")
      #expect(some.track.firstPresentation(of: sample.index) == theirs.first)
      #expect(some.track.presentationTime(of: sample) == theirs.first?.time, "\(some.text)")
      // From its time back to the sample, unless another one begins in the same unit.
      for shown in theirs where !shown.range.isEmpty {
        #expect(some.track.presentation(atTime: shown.range.lowerBound) == shown)
        #expect(
          some.track.presentation(atTime: shown.range.upperBound - 1) == shown
            || shown.range.upperBound == .max)
      }
    }
    let summary = TimingSummary(some.track)
    let presented = Set(expected.map(\.sample))
    #expect(summary.unpresentedSamples == some.samples.count - presented.count)
    var counter = PresentedSamples(some.track.edits)
    for sample in some.samples { counter.add(UniformSamples(sample)) }
    #expect(counter.presentedCount == presented.count, "\(some.text)")
    var uniform = PresentedSamples(some.track.edits)
    some.track.forEachUniform(in: 0..<some.track.count) { uniform.add($0) }
    #expect(uniform.presentedCount == presented.count, "\(some.text)")
    #expect(summary.presentationTimes?.lowerBound == expected.first?.range.lowerBound)
    #expect(summary.presentationTimes?.upperBound == expected.last?.range.upperBound)
  }

  private static func checkSteps(
    _ some: Case, _ expected: [TrackSamples.Presentation], using generator: inout SeededGenerator
  ) {
    let last = expected.count - 1
    for shown in expected {
      let steps = Int.random(in: -6...6, using: &generator)
      let step = some.track.step(inPresentationOrder: steps, from: shown.position, sample: shown.sample)
      let target = min(max(shown.position + steps, 0), last)
      #expect(step.position == target && step.stepped == target - shown.position)
      checkTimeStep(some, expected, from: shown.range.lowerBound, shown.position, shown.sample, &generator)
    }
    for sample in some.samples where !expected.contains(where: { $0.sample == sample.index }) {
      let before = some.model.numberBefore(unpresented: sample)
      let steps = Int.random(in: -6...6, using: &generator)
      let step = some.track.step(inPresentationOrder: steps, from: nil, sample: sample.index)
      // So many are passed as lie on the way.
      let possible = steps > 0 ? min(steps, expected.count - before) : max(steps, -before)
      #expect(step.stepped == possible, "\(some.text)")
      #expect(step.position == (possible == 0 ? nil : before + possible - (possible > 0 ? 1 : 0)))
      let start =
        before < expected.count ? expected[before].range.lowerBound : expected.last?.range.upperBound
      checkTimeStep(some, expected, from: start, nil, sample.index, &generator)
    }
  }

  private static func checkTimeStep(
    _ some: Case, _ expected: [TrackSamples.Presentation], from start: Int64?, _ position: Int?,
    _ sample: Int,
    _ generator: inout SeededGenerator
  ) {
    let delta = Int64.random(in: -40...40, using: &generator)
    let step = some.track.step(byPresentationTime: delta, from: position, sample: sample)
    guard let start, let first = expected.first, let last = expected.last else {
      #expect(step == nil)
      return
    }
    let target = start.addingReportingOverflow(delta)
    guard !target.overflow else { return }
    let reached = expected.last { $0.range.lowerBound <= target.partialValue } ?? first
    #expect(step?.position == reached.position, "\(some.text)")
    #expect(step?.moved == reached.range.lowerBound - start)
    let isBehind = target.partialValue >= max(last.range.upperBound, last.range.lowerBound + 1)
    #expect(step?.wasPinned == (isBehind || target.partialValue < first.range.lowerBound), "\(some.text)")
  }

  @Test func hostileEditsDoNoHarm() {
    var generator = SeededGenerator(seed: 11)
    let times: [Int64] = [.min, .min + 1, -2, -1, 0, 1, 90, .max - 1, .max]
    func time() -> Int64 { times.randomElement(using: &generator) ?? 0 }
    for _ in 0..<300 {
      let entries = (0..<5).map { _ in
        Entry(
          editDuration: UInt64(bitPattern: time()), mediaTime: time(),
          mediaRateInteger: Int16(truncatingIfNeeded: time()),
          mediaRateFraction: Int16(truncatingIfNeeded: time()))
      }
      let edits = EditList(
        entries: entries, movieTimescale: UInt32(truncatingIfNeeded: time()),
        mediaTimescale: UInt32(truncatingIfNeeded: time()), isFragmented: Bool.random(using: &generator))
      let track = EditListTests.track(EditListTests.signedOffsets, edits: edits)
      for position in [-1, 0, 3, track.presentationCount - 1, .max] {
        _ = track.presentation(at: position)
      }
      for time in times {
        _ = track.presentation(atTime: time)
        _ = track.step(byPresentationTime: time, from: track.firstPosition(of: 4), sample: 4)
        _ = track.step(inPresentationOrder: Int(time), from: track.firstPosition(of: 4), sample: 4)
      }
      for sample in 0..<10 { _ = track.presentations(of: sample) }
      _ = TimingSummary(track)
    }
  }

  /// Thousands of edits, each of which shows everything: what is presented is counted, not listed.
  @Test func manyEditsOfTheWholeMedia() {
    let entries = [Entry](repeating: Entry(editDuration: 200, mediaTime: 0), count: 20_000)
    let edits = EditList(entries: entries, movieTimescale: 600, mediaTimescale: 600)
    let track = EditListTests.track(EditListTests.signedOffsets, edits: edits)
    #expect(track.presentationCount == 200_000)
    // In the order of composition sample 4 is fourth.
    #expect(track.presentation(at: 199_993)?.sample == 4)
    #expect(track.presentation(at: 199_993)?.time == 3_999_860)
    #expect(track.presentation(atTime: 3_999_861)?.position == 199_993)
    #expect(track.firstPresentation(of: 4)?.position == 3)
  }
}
