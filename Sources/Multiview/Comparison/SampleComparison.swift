// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// The samples of two tracks: parameter sets, contents, and when they are presented.
struct SampleComparison {
  private let first: Track
  private let second: Track
  private let levels: Set<MovieComparison.Level>
  private let before: SampleFingerprints
  private let after: SampleFingerprints

  /// Reads both tracks.
  init(_ first: Track, _ second: Track, _ levels: Set<MovieComparison.Level>) throws(SourceError) {
    self.first = first
    self.second = second
    self.levels = levels
    let messages =
      SampleFingerprints.recordedMessages(of: first).union(SampleFingerprints.recordedMessages(of: second))
    let readsSamples = levels.contains(.samples) || levels.contains(.presentation)
    before = try SampleFingerprints(first, readsSamples: readsSamples, recordedMessages: messages)
    after = try SampleFingerprints(second, readsSamples: readsSamples, recordedMessages: messages)
  }

  func compare(_ found: inout FoundDifferences) throws(SourceError) {
    for (track, fingerprints) in [(first, before), (second, after)] {
      if let damage = fingerprints.damage { found.note("track \(track.id), \(damage)") }
    }
    compareUnits(&found)
    let alignment = SampleAlignment(before.samples.map(\.key), after.samples.map(\.key))
    if levels.contains(.samples) { compareContents(alignment, &found) }
    guard levels.contains(.presentation) else { return }
    guard !first.isRawStream, !second.isRawStream else {
      found.note("a raw stream has no times: none are compared")
      return
    }
    try PresentationComparison(first, second).compare(pairs(alignment), &found)
  }

  // MARK: Parameter sets

  /// Parameter sets, and messages of configuration records, wherever they are.
  private func compareUnits(_ found: inout FoundDifferences) {
    func all(_ prints: SampleFingerprints) -> Set<SampleFingerprints.Unit> {
      prints.inSamples.union(prints.recorded.keys).union(prints.recordedMessagesInSamples)
    }
    let left = all(before), right = all(after)
    func place(_ unit: SampleFingerprints.Unit, _ prints: SampleFingerprints) -> String {
      prints.recorded[unit].map { "\($0)" } ?? "samples"
    }
    let byName = Dictionary(grouping: left.union(right), by: \.name)
    for (subject, units) in byName.sorted(by: { $0.key < $1.key }) {
      let old = units.filter(left.contains), new = units.filter(right.contains)
      if Set(old) != Set(new), levels.contains(.tags) {
        func text(_ list: [SampleFingerprints.Unit], _ prints: SampleFingerprints) -> String? {
          list.isEmpty
            ? nil
            : list.map { "\(place($0, prints)) \($0.hash)" }.sorted().joined(separator: ", ")
        }
        found.add(.parameterSets, subject, text(old, before), text(new, after), first.id)
      } else if levels.contains(.boxes), !first.isRawStream, !second.isRawStream {
        func places(_ list: [SampleFingerprints.Unit], _ prints: SampleFingerprints) -> String {
          Set(list.map { place($0, prints) }).sorted().joined(separator: ", ")
        }
        found.add(
          .structure, "place of \(subject)", places(old, before), places(new, after), first.id)
      }
    }
  }

  // MARK: Contents

  private func compareContents(_ alignment: SampleAlignment, _ found: inout FoundDifferences) {
    let track = first.id
    if before.splitSamples != after.splitSamples {
      func text(_ count: Int) -> String {
        count == 0 ? "with the base layer" : "in \(count) samples of their own"
      }
      found.add(
        .samples, "pictures of further layers", text(before.splitSamples), text(after.splitSamples), track)
    }
    for run in alignment.runs {
      switch run {
      case .same: continue
      case .changed(let place, _, let count):
        let index = before.samples[place].index
        let other = "other contents"
        found.add(.samples, Self.range(index, count), "\(count) samples", other, track, sample: index)
      case .lost(let place, let count):
        let index = before.samples[place].index
        found.add(.samples, Self.range(index, count), "\(count) samples", nil, track, sample: index)
      case .added(let place, let count):
        let index = after.samples[place].index
        found.add(.samples, Self.range(index, count) + " of the second movie", nil, "\(count) samples", track)
      }
    }
    var counts = Counts()
    for (left, right) in pairs(alignment, onlySame: true) { counts.add(left, right) }
    counts.report(track, &found)
  }

  private static func range(_ index: Int, _ count: Int) -> String {
    count == 1 ? "sample \(index)" : "samples \(index) to \(index + count - 1)"
  }

  /// Samples of both movies that belong together.
  private func pairs(
    _ alignment: SampleAlignment, onlySame: Bool = false
  ) -> some Sequence<(SampleFingerprint, SampleFingerprint)> {
    let (before, after) = (before.samples, after.samples)
    return alignment.runs.lazy.flatMap { run -> [(Int, Int, Int)] in
      switch run {
      case .same(let first, let second, let count): [(first, second, count)]
      case .changed(let first, let second, let count): onlySame ? [] : [(first, second, count)]
      case .lost, .added: []
      }
    }.flatMap { first, second, count in
      (0..<count).lazy.map { (before[first + $0], after[second + $0]) }
    }
  }
}

/// How many samples with the same base layer differ otherwise.
private struct Counts {
  private var lostLayers = Tally(), addedLayers = Tally(), changedLayers = Tally(), messages = Tally()
  private var lostSync = Tally(), addedSync = Tally()

  struct Tally {
    var count = 0
    var first = 0

    mutating func add(_ index: Int) {
      if count == 0 { first = index }
      count += 1
    }
  }

  mutating func add(_ left: SampleFingerprint, _ right: SampleFingerprint) {
    if left.further != right.further, left.base != 0 {
      if right.further == 0 {
        lostLayers.add(left.index)
      } else if left.further == 0 {
        addedLayers.add(left.index)
      } else {
        changedLayers.add(left.index)
      }
    }
    if left.messages != right.messages { messages.add(left.index) }
    if left.isSync, !right.isSync { lostSync.add(left.index) }
    if !left.isSync, right.isSync { addedSync.add(left.index) }
  }

  func report(_ track: UInt32, _ found: inout FoundDifferences) {
    func report(_ tally: Tally, _ what: String, _ first: (String) -> String?, _ second: (String) -> String?) {
      guard tally.count > 0 else { return }
      let text = tally.count == 1 ? "in 1 sample" : "in \(tally.count) samples"
      found.add(.samples, what, first(text), second(text), track, sample: tally.first)
    }
    report(lostLayers, "pictures of further layers", { $0 }, { _ in nil })
    report(addedLayers, "pictures of further layers", { _ in nil }, { $0 })
    report(changedLayers, "pictures of further layers", { $0 }, { _ in "other contents" })
    report(messages, "messages beside the pictures", { $0 }, { _ in "other contents" })
    report(lostSync, "marks of samples where decoding can begin", { $0 }, { _ in nil })
    report(addedSync, "marks of samples where decoding can begin", { _ in nil }, { $0 })
  }
}
