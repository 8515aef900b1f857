// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF

/// The groups and the parts of a sample.
struct GroupFingerprint: Hashable, Sendable {
  /// The number of the combination of groups; 0 is none.
  var groups: Int32 = 0
  /// The hash of its parts; 0 if it is not divided.
  var parts: UInt64 = 0
}

/// The groups of the samples of a track (`sgpd` with `sbgp` or `csgp`), and their parts (`subs`), from tables and fragments.
/// Samples are requested in order. Only a window of long tables is in memory.
final class GroupFingerprints {
  /// A group that a sample is in.
  struct Membership: Hashable {
    /// What the groups say, with the parameter by which several groupings of one type differ: `sync`
    var grouping: String
    /// The description of the group.
    var description: ContentHash
  }

  /// The combinations of groups that occur, with their numbers.
  final class GroupSets {
    private var numbers: [[Membership]: Int32] = [[]: 0]
    private(set) var sets: [[Membership]] = [[]]
    /// How many combinations are kept, and groups of all of them. Real movies have a handful.
    private static let maximum = 1 << 12
    private static let maximumMemberships = 1 << 18
    private var memberships = 0
    /// Whether there were more.
    private(set) var isCutShort = false

    func number(of set: [Membership]) -> Int32 {
      if let known = numbers[set] { return known }
      memberships += set.count
      guard sets.count < Self.maximum, memberships <= Self.maximumMemberships else {
        isCutShort = true
        return 0
      }
      let number = Int32(sets.count)
      numbers[set] = number
      sets.append(set)
      return number
    }
  }

  private let sets: GroupSets?
  private let budget: WorkBudget
  private let tree: BoxTree?
  private var containers: SampleContainers
  /// The samples that the groups and divisions below are about.
  private var range = 0..<0
  private var groupings: [GroupingRuns] = []
  private var divisions: [DividedSamples] = []
  private var common = GroupDescriptions()
  /// The sample up to which the combination holds.
  private var known = (end: 0, groups: Int32(0))

  /// Reads the groups and parts of the samples of a track.
  init(_ track: Track, _ sets: GroupSets, _ budget: WorkBudget) throws(SourceError) {
    (self.sets, self.budget) = (sets, budget)
    tree = track.context.tree
    containers = try SampleContainers(track)
  }

  /// Nothing.
  init(none budget: WorkBudget) {
    (sets, tree, containers, self.budget) = (nil, nil, SampleContainers(), budget)
  }

  /// Returns the groups and parts of a sample that does not precede the last one that was requested.
  func fingerprint(ofSample index: Int) -> GroupFingerprint {
    guard let sets else { return GroupFingerprint() }
    while index >= range.upperBound, openNext() {}
    var found = GroupFingerprint()
    let isNew = index >= known.end
    guard budget.admits(.steps(divisions.count + (isNew ? groupings.count : 0)), at: 0) else { return found }
    if isNew {
      var end = Int.max
      var memberships: [Membership] = []
      for place in groupings.indices {
        let run = groupings[place].run(at: index)
        end = min(end, run.end)
        if let description = run.description {
          memberships.append(Membership(grouping: groupings[place].name, description: description))
        }
      }
      known = (min(end, range.upperBound), sets.number(of: memberships))
    }
    found.groups = known.groups
    for place in divisions.indices { found.parts &+= divisions[place].hash(ofSample: index) }
    return found
  }

  /// The same, and how many samples from this one on have the same ones, at least 1.
  func run(from index: Int) -> (found: GroupFingerprint, count: Int) {
    let found = fingerprint(ofSample: index)
    return (found, divisions.isEmpty ? max(1, known.end - index) : 1)
  }

  // MARK: Tables and fragments

  private func open(_ container: Box, _ samples: Range<Int>) {
    range = samples
    known = (samples.lowerBound, 0)
    guard let tree else { return }
    let isTable = container.type == "stbl"
    let own = GroupDescriptions(container, in: tree)
    if isTable { common = own }
    groupings = []
    divisions = []
    // A default of the track is looked at in each fragment.
    guard budget.admits(.steps(common.defaults.count), at: UInt64(clamping: container.offset)) else { return }
    var mapped: Set<SampleGrouping> = []
    for box in container.children where box.type == "sbgp" || box.type == "csgp" {
      guard let reader = SampleGroupReader(box, in: tree, isInFragment: !isTable) else { continue }
      // The first of several boxes of one grouping counts.
      guard mapped.insert(reader.grouping).inserted else { continue }
      groupings.append(GroupingRuns(reader, from: samples.lowerBound, common, own, countsInTable: isTable))
    }
    // A default holds for what no box maps. ISO/IEC 14496-12, 8.9.3
    for (type, description) in common.defaults.merging(own.defaults, uniquingKeysWith: { $1 })
    where !mapped.contains(SampleGrouping(type)) {
      groupings.append(GroupingRuns(type, always: description))
    }
    groupings.sort { $0.name < $1.name }
    divisions = container.children.filter { $0.type == "subs" }.compactMap {
      DividedSamples($0, in: tree, from: samples.lowerBound)
    }
  }

  /// Advances to the next box that lists samples.
  private func openNext() -> Bool {
    guard let (container, samples) = containers.next() else { return false }
    open(container, samples)
    return true
  }
}

/// The descriptions of sample groups in a `stbl` or `traf`.
private struct GroupDescriptions {
  private var hashes: [FourCC: [ContentHash]] = [:]
  /// The description of what is in no group, by the type of the groups.
  private(set) var defaults: [FourCC: ContentHash] = [:]

  init() {}

  init(_ container: Box, in tree: BoxTree) {
    for child in container.children where child.type == "sgpd" {
      guard let box = tree.whole(child).payload(SampleGroupDescriptionBox.self),
        hashes[box.groupingType] == nil
      else { continue }
      var list = box.entries.map(Self.hash)
      if let undivided = box.undivided {
        // Where one entry ends is not known: together they are one description.
        var hash = ContentHash(undivided)
        list = (0..<min(box.undividedEntryCount, 1 << 16)).map { index in
          hash.add(UInt64(index))
          return hash
        }
      }
      hashes[box.groupingType] = list
      let index = Int(box.defaultGroupDescriptionIndex) - 1
      if list.indices.contains(index) { defaults[box.groupingType] = list[index] }
    }
  }

  /// The bytes of a description, however their length is expressed.
  private static func hash(_ entry: SampleGroupDescriptionBox.Entry) -> ContentHash {
    var hash = ContentHash()
    do throws(ParseError) { hash.add(ByteView(try entry.content.encoded() + entry.rest.array)) } catch {
      hash.add(ByteView(Array("\(entry)".utf8)))
    }
    return hash
  }

  subscript(type: FourCC, number: Int) -> ContentHash? {
    guard let list = hashes[type], number > 0, number <= list.count else { return nil }
    return list[number - 1]
  }
}

/// Which groups of one grouping samples are in, read from the first sample on.
private struct GroupingRuns {
  let name: String
  private let type: FourCC
  /// The steps of the table; `nil` for one group of all samples.
  private var reader: SampleGroupReader?
  private let common: GroupDescriptions
  private let own: GroupDescriptions
  private let countsInTable: Bool
  private var samples: Range<Int>
  private var description: ContentHash?
  /// The description of samples that are in no group.
  private let rest: ContentHash?

  init(
    _ reader: SampleGroupReader, from first: Int, _ common: GroupDescriptions, _ own: GroupDescriptions,
    countsInTable: Bool
  ) {
    (name, type, self.reader) = (reader.grouping.description, reader.grouping.type, reader)
    (self.common, self.own, self.countsInTable) = (common, own, countsInTable)
    samples = first..<first
    rest = own.defaults[type] ?? common.defaults[type]
  }

  /// One group of all samples.
  init(_ type: FourCC, always description: ContentHash) {
    name = "\(type)"
    self.type = type
    (common, own, countsInTable) = (GroupDescriptions(), GroupDescriptions(), true)
    samples = 0..<Int.max
    (self.description, rest) = (description, nil)
  }

  /// The description of the group that a sample is in, and the number of the first sample of which more must be asked.
  mutating func run(at sample: Int) -> (description: ContentHash?, end: Int) {
    while sample >= samples.upperBound {
      guard let next = reader?.next() else { return (rest, .max) }
      samples = samples.upperBound..<(samples.upperBound &+ next.count)
      description = describe(next.group)
    }
    return (description, samples.upperBound)
  }

  /// In a fragment, numbers from 0x10001 on count in its own descriptions. ISO/IEC 14496-12, 8.9.4
  private func describe(_ group: UInt32) -> ContentHash? {
    guard group > 0 else { return rest }
    if countsInTable { return own[type, Int(group)] }
    return group > 0x1_0000 ? own[type, Int(group) - 0x1_0000] : common[type, Int(group)]
  }
}

/// How samples are divided, read from the first sample on.
private struct DividedSamples {
  private let flags: UInt32
  private let rows: SubSampleRows
  private var next = 0

  init?(_ box: Box, in tree: BoxTree, from first: Int) {
    guard let table = tree.whole(box).payload(SubSampleInformationBox.self) else { return nil }
    flags = table.flags
    var rows = SubSampleRows()
    rows.append(table.entries, from: first)
    self.rows = rows
  }

  mutating func hash(ofSample sample: Int) -> UInt64 {
    while next < rows.rows.count, rows.rows[next].sample < sample { next += 1 }
    guard next < rows.rows.count, rows.rows[next].sample == sample, !rows.rows[next].parts.isEmpty else {
      return 0
    }
    var hash = ContentHash()
    hash.add(UInt64(flags))
    for part in rows.rows[next].parts {
      hash.add(UInt64(part.size) << 32 | UInt64(part.priority) << 8 | UInt64(part.discardable))
      hash.add(UInt64(part.codecSpecificParameters))
    }
    return hash.value
  }
}
