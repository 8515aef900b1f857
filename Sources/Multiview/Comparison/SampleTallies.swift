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

  mutating func add(_ index: Int) {
    count += 1
    guard !isCutShort else { return }
    if let last = runs.last, last.upperBound + 1 == index {
      runs[runs.count - 1] = last.lowerBound...index
    } else if runs.count < Self.shownRuns {
      runs.append(index...index)
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

/// What became of the contents of samples.
struct SampleTallies {
  private let track: UInt32
  private var changed = SampleCount(), lost = SampleCount(), added = SampleCount()
  private var lostLayers: [Int: SampleCount] = [:], addedLayers: [Int: SampleCount] = [:]
  private var changedLayers = SampleCount(), lostMessages = SampleCount(), addedMessages = SampleCount()
  private var messages = SampleCount(), lostSync = SampleCount(), addedSync = SampleCount()
  private var split = (first: 0, second: 0), splitSync = (first: 0, second: 0)
  private var total = 0

  init(_ track: UInt32) { self.track = track }

  /// Whether every sample of one movie has one of the other.
  var isComplete: Bool { lost.count == 0 && added.count == 0 }

  mutating func add(_ step: SampleAlignment<SampleFingerprints>.Step) {
    total += 1
    switch step {
    case .same(let old, let new): compare(old, new)
    case .changed(let old, _): changed.add(old.index)
    case .lost(let old): lost.add(old.index)
    case .added(let new): added.add(new.index)
    }
  }

  /// Counts samples that hold further layers alone.
  mutating func addSplit(_ first: UnitCensus, _ second: UnitCensus) {
    split = (first.splitSamples, second.splitSamples)
    splitSync = (first.splitSyncSamples, second.splitSyncSamples)
  }

  private mutating func compare(_ old: SampleFingerprint, _ new: SampleFingerprint) {
    let index = old.index
    if old.layers != new.layers {
      Self.count(old.layers & ~new.layers, index, &lostLayers)
      Self.count(new.layers & ~old.layers, index, &addedLayers)
    } else if old.further != new.further, old.base != 0 {
      changedLayers.add(index)
    }
    if old.messages != new.messages {
      if new.messages == 0 {
        lostMessages.add(index)
      } else if old.messages == 0 {
        addedMessages.add(index)
      } else {
        messages.add(index)
      }
    }
    if old.isSync, !new.isSync { lostSync.add(index) }
    if !old.isSync, new.isSync { addedSync.add(index) }
  }

  private static func count(_ layers: UInt64, _ index: Int, _ tallies: inout [Int: SampleCount]) {
    var rest = layers
    while rest != 0 {
      tallies[rest.trailingZeroBitCount, default: SampleCount()].add(index)
      rest &= rest - 1
    }
  }

  func report(_ found: inout FoundDifferences) {
    func add(_ subject: String, _ tally: SampleCount, _ first: String?, _ second: String?) {
      guard tally.count > 0 else { return }
      found.add(.samples, subject, first, second, track, sample: tally.first)
    }
    for (layer, tally) in lostLayers.sorted(by: { $0.key < $1.key }) {
      add("pictures of layer \(layer)", tally, "in \(tally.text)", nil)
    }
    for (layer, tally) in addedLayers.sorted(by: { $0.key < $1.key }) {
      add("pictures of layer \(layer)", tally, nil, "in \(tally.text)")
    }
    if split.first != split.second {
      func text(_ count: Int) -> String {
        count == 0 ? "with the base layer" : "\(count) samples of their own"
      }
      found.add(.samples, "pictures of further layers", text(split.first), text(split.second), track)
    }
    add("pictures of further layers in \(changedLayers.places)", changedLayers, "as coded", "other contents")
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
    add("sync samples", lostSync, lostSync.places, nil)
    add("sync samples", addedSync, nil, addedSync.places)
    add("messages beside the pictures", lostMessages, "in \(lostMessages.text)", nil)
    add("messages beside the pictures", addedMessages, nil, "in \(addedMessages.text)")
    add("messages beside the pictures", messages, "in \(messages.text)", "other contents")
  }
}

/// What became of what tables say of samples that are the same.
struct RemarkTallies {
  private let track: UInt32
  private let sets: SampleRemarks.GroupSets
  private var descriptions: DescriptionPairs
  private var otherDescriptions = SampleCount()
  private var lostGroups: [String: SampleCount] = [:], addedGroups: [String: SampleCount] = [:]
  private var changedGroups: [String: SampleCount] = [:]
  private var lost = SampleCount(), added = SampleCount(), changed = SampleCount()
  private var lostParts = SampleCount(), addedParts = SampleCount(), changedParts = SampleCount()

  init(_ track: UInt32, _ sets: SampleRemarks.GroupSets, _ descriptions: DescriptionPairs) {
    (self.track, self.sets, self.descriptions) = (track, sets, descriptions)
  }

  mutating func add(_ old: SampleFingerprint, _ new: SampleFingerprint) {
    let index = old.index
    if let left = old.sample, let right = new.sample {
      if !descriptions.match(left.descriptionIndex, right.descriptionIndex) { otherDescriptions.add(index) }
      compareFlags(left, right)
    }
    if old.remarks == new.remarks { return }
    if old.remarks.groups != new.remarks.groups {
      compareGroups(sets.sets[Int(old.remarks.groups)], sets.sets[Int(new.remarks.groups)], index)
    }
    if old.remarks.parts != new.remarks.parts {
      if new.remarks.parts == 0 {
        lostParts.add(index)
      } else if old.remarks.parts == 0 {
        addedParts.add(index)
      } else {
        changedParts.add(index)
      }
    }
  }

  private mutating func compareFlags(_ old: Sample, _ new: Sample) {
    // How samples depend on each other: four fields of two bits.
    let (left, right) = (old.flags.rawValue >> 20 & 0xFF, new.flags.rawValue >> 20 & 0xFF)
    guard left != right else { return }
    if right == 0 {
      lost.add(old.index)
    } else if left == 0 {
      added.add(old.index)
    } else {
      changed.add(old.index)
    }
  }

  private mutating func compareGroups(
    _ old: [SampleRemarks.Membership], _ new: [SampleRemarks.Membership], _ index: Int
  ) {
    for group in old where !new.contains(group) {
      if new.contains(where: { $0.grouping == group.grouping }) {
        changedGroups[group.grouping, default: SampleCount()].add(index)
      } else {
        lostGroups[group.grouping, default: SampleCount()].add(index)
      }
    }
    for group in new where !old.contains(where: { $0.grouping == group.grouping }) {
      addedGroups[group.grouping, default: SampleCount()].add(index)
    }
  }

  func report(_ found: inout FoundDifferences) {
    func add(_ subject: String, _ tally: SampleCount, _ change: MovieDifference.Change) {
      guard tally.count > 0 else { return }
      let text = "of \(tally.text)"
      found.add(
        .structure, subject, change == .added ? nil : text,
        change == .lost ? nil : change == .added ? text : "others", track, sample: tally.first)
    }
    add("sample descriptions", otherDescriptions, .changed)
    add("dependencies", lost, .lost)
    add("dependencies", added, .added)
    add("dependencies", changed, .changed)
    let all: [([String: SampleCount], MovieDifference.Change)] = [
      (lostGroups, .lost), (addedGroups, .added), (changedGroups, .changed),
    ]
    for (tallies, change) in all {
      for (grouping, tally) in tallies.sorted(by: { $0.key < $1.key }) {
        add("sample groups '\(grouping)'", tally, change)
      }
    }
    add("parts", lostParts, .lost)
    add("parts", addedParts, .added)
    add("parts", changedParts, .changed)
  }
}
