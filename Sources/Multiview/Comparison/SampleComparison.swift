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
  private let before: UnitCensus
  private let after: UnitCensus
  private let sets = GroupFingerprints.GroupSets()
  private let budget: ComparisonBudget

  init(
    _ first: Track, _ second: Track, _ levels: Set<MovieComparison.Level>, _ budget: ComparisonBudget
  ) {
    self.first = first
    self.second = second
    self.levels = levels
    self.budget = budget
    before = UnitCensus(first, budget.reading)
    after = UnitCensus(second, budget.reading)
  }

  func compare(_ found: inout FoundDifferences) throws(SourceError) {
    guard !budget.reading.isExhausted else { return noteOmission(&found) }
    let readsSamples = !levels.isDisjoint(with: [.samples, .presentation, .boxes])
    let messages = before.recordedMessages.union(after.recordedMessages)
    let left = try SampleFingerprints(
      first, readsSamples: readsSamples, recordedMessages: messages, census: before, sets, budget)
    let right = try SampleFingerprints(
      second, readsSamples: readsSamples, recordedMessages: messages, census: after, sets, budget)
    if readsSamples {
      try compareInStep(left, right, &found)
    } else {
      while try left.next() != nil {}
      while try right.next() != nil {}
    }
    for (track, census) in [(first, before), (second, after)] {
      if let damage = census.damage { found.note("track \(track.id), \(damage)") }
    }
    if sets.isCutShort {
      found.noteOmission(
        "track \(first.id) has too many combinations of sample groups: some are not compared")
    }
    // Of tracks that are not read to their ends, not all sets are known.
    if budget.reading.isExhausted { noteOmission(&found) } else { compareUnits(&found) }
  }

  private func compareInStep(
    _ left: SampleFingerprints, _ right: SampleFingerprints, _ found: inout FoundDifferences
  ) throws(SourceError) {
    var contents = SampleTallies(first.id)
    var tallies = TableTallies(first.id, sets, DescriptionPairs(first, second), budget.reading)
    let isTimed = levels.contains(.presentation) && !first.isRawStream && !second.isRawStream
    var times = isTimed ? try PresentationComparison(first, second) : nil
    var alignment = SampleAlignment(left, right)
    while let step = try alignment.next() {
      // What looks lost may be in the part that is not read.
      if budget.reading.isExhausted { break }
      contents.add(step)
      switch step {
      case .same(let old, let new):
        tallies.add(old, new)
        times?.add(old, new)
      case .changed(let old, let new): times?.add(old, new)
      case .lost, .added: break
      }
    }
    if levels.contains(.samples) {
      // One of them may have read further ahead than the other.
      if !budget.reading.isExhausted { contents.addSplit(before, after) }
      contents.report(&found)
    }
    // What tables say of streams is not known.
    if levels.contains(.boxes), !first.isRawStream, !second.isRawStream { tallies.report(&found) }
    times?.report(isComplete: contents.isComplete && !budget.reading.isExhausted, &found)
    if levels.contains(.presentation), !isTimed { found.note("a raw stream has no times: none are compared") }
  }

  /// Says from where on samples are not compared.
  private func noteOmission(_ found: inout FoundDifferences) {
    guard let refusal = budget.refusal else { return }
    found.noteOmission("from track \(first.id) on, not all samples are compared: \(refusal)")
  }

  // MARK: Parameter sets

  /// Parameter sets, and messages of configuration records, wherever they are.
  private func compareUnits(_ found: inout FoundDifferences) {
    let left = before.all, right = after.all
    let byName = Dictionary(grouping: left.union(right), by: \.name)
    for (subject, units) in byName.sorted(by: { $0.key < $1.key }) {
      let old = units.filter(left.contains), new = units.filter(right.contains)
      if Set(old) != Set(new), levels.contains(.tags) {
        // Which one it is matters where both have one.
        let areBoth = !old.isEmpty && !new.isEmpty
        func text(_ list: [UnitCensus.Unit], _ census: UnitCensus) -> String? {
          let texts = list.map { "in \(census.place(of: $0))" + (areBoth ? " (\($0.hash))" : "") }
          return texts.isEmpty ? nil : Set(texts).sorted().joined(separator: ", ")
        }
        found.add(.parameterSets, subject, text(old, before), text(new, after), first.id)
      } else if levels.contains(.boxes), !first.isRawStream, !second.isRawStream {
        func places(_ list: [UnitCensus.Unit], _ census: UnitCensus) -> String {
          Set(list.map { census.place(of: $0) }).sorted().joined(separator: ", ")
        }
        found.add(
          .structure, "place of \(subject)", places(old, before), places(new, after), first.id)
      }
    }
  }
}

/// Which sample descriptions samples have. Where both tracks have the same ones in the same order, or in another, each of the first
/// belongs to one of the second.
struct DescriptionPairs {
  private var partners: [UInt32: UInt32] = [:]
  private let first: [ContentHash]
  private let second: [ContentHash]

  init(_ first: Track, _ second: Track) {
    func hashes(_ track: Track) -> [ContentHash] {
      track.formatDescriptions.map { ContentHash($0.box.bytes) }
    }
    (self.first, self.second) = (hashes(first), hashes(second))
  }

  /// Whether samples that belong together have descriptions that do.
  mutating func match(_ left: UInt32, _ right: UInt32) -> Bool {
    if first.count < 2, second.count < 2 { return true }
    guard let known = partners[left] else {
      if partners.count < 256 { partners[left] = right }
      return true
    }
    func hash(_ list: [ContentHash], _ number: UInt32) -> ContentHash? {
      let place = Int(number) - 1
      return list.indices.contains(place) ? list[place] : nil
    }
    return known == right || hash(second, known) == hash(second, right)
  }
}
