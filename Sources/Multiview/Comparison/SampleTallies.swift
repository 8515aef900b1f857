// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

/// Samples that have something in common, by their numbers: how many, and the first ones of them.
struct SampleCount {
  private(set) var count = 0
  private var runs: [ClosedRange<Int>] = []
  /// How many runs of neighbours are named.
  private static let shownRuns = 4
  private var isCutShort = false

  /// The number of the first one.
  var first: Int? { runs.first?.lowerBound }

  mutating func add(_ samples: Range<Int>) {
    guard let last = samples.last else { return }
    count += samples.count
    guard !isCutShort else { return }
    if let before = runs.last, before.upperBound + 1 == samples.lowerBound {
      runs[runs.count - 1] = before.lowerBound...last
    } else if runs.count < Self.shownRuns {
      runs.append(samples.lowerBound...last)
    } else {
      isCutShort = true
    }
  }

  /// `1 sample`, `12 samples`
  var text: String { count == 1 ? "1 sample" : "\(count) samples" }

  /// `sample 3`, `samples 3, 7 to 9`, `37 samples, 0, 2, 4, 6 and others`
  var places: String {
    let list = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
      .joined(separator: ", ")
    guard !isCutShort else { return "\(text): \(list) and others" }
    return (count == 1 ? "sample " : "samples ") + list
  }
}

/// Samples of which something is lost, added or changed.
struct SampleChanges {
  var lost = SampleCount(), added = SampleCount(), changed = SampleCount()

  /// Counts samples that had one value and have another; 0 is none.
  mutating func add<Value: FixedWidthInteger>(_ old: Value, _ new: Value, _ samples: Range<Int>) {
    if old == new { return }
    if new == 0 {
      lost.add(samples)
    } else if old == 0 {
      added.add(samples)
    } else {
      changed.add(samples)
    }
  }
}

/// The changes in the contents of samples.
struct SampleTallies {
  private let track: UInt32
  private var contents = SampleChanges(), messages = SampleChanges(), sync = SampleChanges()
  private var layers: [Int: SampleChanges] = [:]
  private var changedLayers = SampleCount()
  private var split = (first: 0, second: 0), splitSync = (first: 0, second: 0)

  init(_ track: UInt32) { self.track = track }

  /// Whether every sample of one movie has one of the other.
  var isComplete: Bool { contents.lost.count == 0 && contents.added.count == 0 }

  mutating func add(_ step: SampleAlignment<SampleFingerprints>.Step) {
    switch step {
    case .same(let old, let new): compare(old, new)
    case .changed(let old, _): contents.changed.add(old.indices)
    case .lost(let old): contents.lost.add(old.indices)
    case .added(let new): contents.added.add(new.indices)
    }
  }

  /// Counts samples that hold further layers alone.
  mutating func addSplit(_ first: UnitCensus, _ second: UnitCensus) {
    split = (first.splitSamples, second.splitSamples)
    splitSync = (first.splitSyncSamples, second.splitSyncSamples)
  }

  private mutating func compare(_ old: SampleFingerprint, _ new: SampleFingerprint) {
    let samples = old.indices
    if old.layers != new.layers {
      var rest = old.layers ^ new.layers
      while rest != 0 {
        let layer = rest.trailingZeroBitCount
        layers[layer, default: SampleChanges()].add(old.layers >> layer & 1, new.layers >> layer & 1, samples)
        rest &= rest - 1
      }
    } else if old.further != new.further, old.base != 0 {
      changedLayers.add(samples)
    }
    messages.add(old.messages, new.messages, samples)
    sync.add(old.isSync ? 1 : 0, new.isSync ? 1 : 0, samples)
  }

  func report(_ found: inout FoundDifferences) {
    func add(_ subject: String, _ tally: SampleCount, _ first: String?, _ second: String?) {
      guard tally.count > 0 else { return }
      found.add(.samples, subject, first, second, track, sample: tally.first)
    }
    let layers = layers.sorted { $0.key < $1.key }
    for (layer, tally) in layers {
      add("pictures of layer \(layer)", tally.lost, "in \(tally.lost.text)", nil)
    }
    for (layer, tally) in layers {
      add("pictures of layer \(layer)", tally.added, nil, "in \(tally.added.text)")
    }
    if split.first != split.second {
      func text(_ count: Int) -> String {
        count == 0 ? "with the base layer" : "in \(count) separate samples"
      }
      found.add(.samples, "pictures of further layers", text(split.first), text(split.second), track)
    }
    add("pictures of further layers in \(changedLayers.places)", changedLayers, "as coded", "other contents")
    let (lost, added, changed) = (contents.lost, contents.added, contents.changed)
    add(changed.places, changed, changed.text, "other contents")
    add(lost.places, lost, lost.text, nil)
    if added.count > 0 {
      // Their numbers are not those of the first movie.
      found.add(.samples, added.places + " of the second movie", nil, added.text, track)
    }
    if splitSync.first != splitSync.second {
      func text(_ count: Int) -> String? { count == 0 ? nil : count == 1 ? "1 sample" : "\(count) samples" }
      found.add(
        .samples, "sync samples without the base layer", text(splitSync.first), text(splitSync.second), track)
    }
    add("sync samples", sync.lost, sync.lost.places, nil)
    add("sync samples", sync.added, nil, sync.added.places)
    add("messages beside the pictures", messages.lost, "in \(messages.lost.text)", nil)
    add("messages beside the pictures", messages.added, nil, "in \(messages.added.text)")
    add("messages beside the pictures", messages.changed, "in \(messages.changed.text)", "other contents")
  }
}

/// What became of what tables say of samples that are the same.
struct TableTallies {
  private let track: UInt32
  private let sets: GroupFingerprints.GroupSets
  private var descriptions: DescriptionPairs
  private var otherDescriptions = SampleCount()
  private var dependencies = SampleChanges(), parts = SampleChanges()
  private var groups: [String: SampleChanges] = [:]
  private let budget: WorkBudget
  /// How combinations of groups differ, once that was asked.
  private var groupChanges: [GroupPair: GroupChange] = [:]

  /// Two combinations of groups by their numbers.
  private struct GroupPair: Hashable {
    var old: Int32
    var new: Int32
  }

  /// The groupings in which two combinations differ.
  private struct GroupChange {
    var lost: [String] = [], added: [String] = [], changed: [String] = []
    var count: Int { lost.count + added.count + changed.count }
  }

  init(
    _ track: UInt32, _ sets: GroupFingerprints.GroupSets, _ descriptions: DescriptionPairs,
    _ budget: WorkBudget
  ) {
    (self.track, self.sets, self.descriptions, self.budget) = (track, sets, descriptions, budget)
  }

  mutating func add(_ old: SampleFingerprint, _ new: SampleFingerprint) {
    let samples = old.indices
    if let left = old.sample, let right = new.sample {
      if !descriptions.match(left.descriptionIndex, right.descriptionIndex) { otherDescriptions.add(samples) }
      // How samples depend on each other: four fields of two bits.
      dependencies.add(left.flags.rawValue >> 20 & 0xFF, right.flags.rawValue >> 20 & 0xFF, samples)
    }
    if old.membership == new.membership { return }
    if old.membership.groups != new.membership.groups {
      compareGroups(GroupPair(old: old.membership.groups, new: new.membership.groups), samples)
    }
    parts.add(old.membership.parts, new.membership.parts, samples)
  }

  private mutating func compareGroups(_ pair: GroupPair, _ samples: Range<Int>) {
    let change = change(pair)
    guard budget.admits(.steps(change.count), at: 0) else { return }
    for name in change.lost { groups[name, default: SampleChanges()].lost.add(samples) }
    for name in change.added { groups[name, default: SampleChanges()].added.add(samples) }
    for name in change.changed { groups[name, default: SampleChanges()].changed.add(samples) }
  }

  private mutating func change(_ pair: GroupPair) -> GroupChange {
    if let known = groupChanges[pair] { return known }
    let old = sets.sets[Int(pair.old)], new = sets.sets[Int(pair.new)]
    var change = GroupChange()
    guard budget.admits(.steps(old.count + new.count), at: 0) else { return change }
    let oldNames = Set(old.map(\.grouping)), newNames = Set(new.map(\.grouping)), kept = Set(new)
    for group in old where !kept.contains(group) {
      if newNames.contains(group.grouping) {
        change.changed.append(group.grouping)
      } else {
        change.lost.append(group.grouping)
      }
    }
    for group in new where !oldNames.contains(group.grouping) { change.added.append(group.grouping) }
    groupChanges[pair] = change
    return change
  }

  func report(_ found: inout FoundDifferences) {
    func add(_ subject: String, _ tally: SampleCount, _ change: MovieDifference.Change) {
      guard tally.count > 0 else { return }
      let text = "of \(tally.text)"
      found.add(
        .structure, subject, change == .added ? nil : text,
        change == .lost ? nil : change == .added ? text : "others", track, sample: tally.first)
    }
    func add(_ subject: String, _ tally: SampleChanges) {
      add(subject, tally.lost, .lost)
      add(subject, tally.added, .added)
      add(subject, tally.changed, .changed)
    }
    add("sample descriptions", otherDescriptions, .changed)
    add("dependencies", dependencies)
    let groups = groups.sorted { $0.key < $1.key }
    for (name, tally) in groups { add("sample groups '\(name)'", tally.lost, .lost) }
    for (name, tally) in groups { add("sample groups '\(name)'", tally.added, .added) }
    for (name, tally) in groups { add("sample groups '\(name)'", tally.changed, .changed) }
    add("parts", parts)
  }
}
