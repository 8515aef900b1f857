// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF

/// What boxes beside the sample tables say of the samples of a track, in whatever form: which groups they are in (`sgpd` with `sbgp` or
/// `csgp`, in tables and fragments), and how they are divided (`subs`). Samples are requested in order.
final class SampleRemarks {
  /// The remarks on a sample.
  struct Found: Hashable, Sendable {
    /// The number of the combination of groups; 0 is none.
    var groups: Int32 = 0
    /// Of its parts; 0 if it is not divided.
    var parts: UInt64 = 0
  }

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
    /// How many combinations are kept. Real movies have a handful.
    private static let maximum = 1 << 12
    /// Whether there were more.
    private(set) var isCutShort = false

    func number(of set: [Membership]) -> Int32 {
      if let known = numbers[set] { return known }
      guard sets.count < Self.maximum else {
        isCutShort = true
        return 0
      }
      let number = Int32(sets.count)
      numbers[set] = number
      sets.append(set)
      return number
    }
  }

  /// What one box says: a `stbl`, or the `traf` of a fragment, of the samples from the first one on.
  private struct Part {
    var container: Box
    var first: Int
  }

  private let sets: GroupSets?
  private let tree: BoxTree?
  private let trackID: UInt32
  private let hasFragments: Bool
  private let tableCount: Int
  /// The samples that the groups and divisions below are about.
  private var range = 0..<0
  private var nextBox = 0
  private var waiting: [Part] = []
  private var groupings: [GroupingRuns] = []
  private var divisions: [DividedSamples] = []
  private var common: GroupDescriptions
  /// The sample up to which the combination holds.
  private var known = (end: 0, groups: Int32(0))

  /// The remarks on the samples of a track.
  init(_ track: Track, _ sets: GroupSets) throws(SourceError) {
    self.sets = sets
    tree = track.context.tree
    trackID = track.id
    hasFragments = track.context.hasFragments
    tableCount = track.isRawStream ? 0 : try track.samples().table.count
    common = GroupDescriptions()
    guard let tree, let table = track.sampleTableBox else { return }
    common = GroupDescriptions(table, in: tree)
    open(table, 0..<tableCount)
  }

  /// Nothing.
  init(none: ()) {
    (sets, tree, trackID, hasFragments, tableCount) = (nil, nil, 0, false, 0)
    common = GroupDescriptions()
  }

  /// Returns the remarks on a sample that does not precede the last one that was requested.
  func remarks(ofSample index: Int) -> Found {
    guard let sets else { return Found() }
    while index >= range.upperBound, openNext() {}
    var found = Found()
    if index >= known.end {
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

  // MARK: Tables and fragments

  private func open(_ container: Box, _ samples: Range<Int>) {
    range = samples
    known = (samples.lowerBound, 0)
    guard let tree else { return }
    let isTable = container.type == "stbl"
    let own = isTable ? common : GroupDescriptions(container, in: tree)
    groupings = []
    var mapped: Set<String> = []
    for box in container.children where box.type == "sbgp" || box.type == "csgp" {
      guard
        let runs = GroupingRuns(
          box, in: tree, from: samples.lowerBound, common, own, countsInTable: isTable)
      else { continue }
      // Of two boxes of one grouping the first one counts.
      if mapped.insert(runs.name).inserted { groupings.append(runs) }
    }
    // A default holds for what no box maps. ISO/IEC 14496-12, 8.9.3
    for (type, description) in common.defaults.merging(own.defaults, uniquingKeysWith: { $1 })
    where !mapped.contains("\(type)") {
      groupings.append(GroupingRuns(type, always: description))
    }
    groupings.sort { $0.name < $1.name }
    divisions = container.children.filter { $0.type == "subs" }.compactMap {
      DividedSamples($0, in: tree, from: samples.lowerBound)
    }
  }

  /// Advances to the next fragment of the track.
  private func openNext() -> Bool {
    guard hasFragments, let tree else { return false }
    while waiting.isEmpty {
      guard nextBox < tree.boxes.count else { return false }
      let box = tree.boxes[nextBox]
      nextBox += 1
      guard box.type == "moof" else { continue }
      waiting = box.children.filter {
        $0.type == "traf" && $0.first(TrackFragmentHeaderBox.self)?.trackID == trackID
      }
      .reversed().map { Part(container: $0, first: 0) }
    }
    guard let part = waiting.popLast() else { return false }
    let first = range.upperBound
    // The number follows version and flags.
    let count = part.container.children.reduce(0) {
      $1.type == "trun" ? $0 &+ Int($1.body.bigEndian(at: 4, width: 4) ?? 0) : $0
    }
    open(part.container, first..<max(first, first &+ count))
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
  private enum Rows {
    /// `sbgp`: runs in the file, of which a window is in memory.
    case runs(WindowReader, offset: Int, count: Int)
    /// `csgp`: patterns that repeat.
    case patterns(CompactSampleToGroupBox)
    case constant
  }

  let name: String
  private let type: FourCC
  private var rows: Rows
  private let common: GroupDescriptions
  private let own: GroupDescriptions
  private let countsInTable: Bool
  private var row = 0
  /// Of a pattern, where its indices begin.
  private var index = 0
  private var samples: Range<Int>
  private var description: ContentHash?
  /// The description of samples that are in no group.
  private let rest: ContentHash?

  /// Runs of a box; `nil` if that cannot be read.
  init?(
    _ box: Box, in tree: BoxTree, from first: Int, _ common: GroupDescriptions, _ own: GroupDescriptions,
    countsInTable: Bool
  ) {
    let parameter: UInt32?
    if box.type == "csgp" {
      guard let compact = tree.whole(box).payload(CompactSampleToGroupBox.self) else { return nil }
      (type, parameter) = (compact.groupingType, compact.groupingTypeParameter)
      rows = .patterns(compact)
    } else {
      guard let header = box.payload(SampleToGroupBox.self) else { return nil }
      (type, parameter) = (header.groupingType, header.groupingTypeParameter)
      let head = header.version == 1 ? 16 : 12
      let stated = Int(clamping: box.body.bigEndian(at: head - 4, width: 4) ?? 0)
      rows = .runs(
        WindowReader(tree.source), offset: box.offset + box.headerSize + head,
        count: min(stated, max(0, box.size - box.headerSize - head) / 8))
    }
    name = "\(type)" + (parameter.map { " \($0)" } ?? "")
    (self.common, self.own, self.countsInTable) = (common, own, countsInTable)
    samples = first..<first
    rest = own.defaults[type] ?? common.defaults[type]
  }

  /// One group of all samples.
  init(_ type: FourCC, always description: ContentHash) {
    name = "\(type)"
    self.type = type
    (rows, common, own, countsInTable) = (.constant, GroupDescriptions(), GroupDescriptions(), true)
    samples = 0..<Int.max
    (self.description, rest) = (description, nil)
  }

  /// The description of the group that a sample is in, and the number of the first sample of which more must be asked.
  mutating func run(at sample: Int) -> (description: ContentHash?, end: Int) {
    while sample >= samples.upperBound {
      guard let next = nextRun() else { return (rest, .max) }
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

  private mutating func nextRun() -> (count: Int, group: UInt32)? {
    switch rows {
    case .constant: return nil
    case .runs(let reader, let offset, let count):
      guard row < count else { return nil }
      var bytes = ByteView()
      do throws(SourceError) { bytes = try reader.bytes(at: offset + 8 * row, count: 8) } catch { return nil }
      row += 1
      guard let word = bytes.bigEndian(at: 0, width: 8) else { return nil }
      return (Int(word >> 32), UInt32(truncatingIfNeeded: word))
    case .patterns(let box):
      guard row < box.patterns.count else { return nil }
      let pattern = box.patterns[row]
      let length = Int(pattern.length)
      guard length > 0, index + length <= box.indices.count else { return nil }
      let groups = box.indices[index..<(index + length)]
      // The highest bit of an index of a fragment says that it counts in its own descriptions. ISO/IEC 14496-12, 8.9.5
      func number(_ group: UInt32) -> UInt32 {
        guard !countsInTable, box.flags & 0x80 != 0 else { return group }
        let bit = UInt32(1) << UInt32((4 << (box.flags & 3)) - 1)
        return group & bit != 0 ? 0x1_0000 &+ (group & ~bit) : group
      }
      defer {
        taken += 1
        if taken >= Int(pattern.sampleCount) || length == 1 {
          (row, taken) = (row + 1, 0)
          index += length
        }
      }
      let group = number(groups[index + taken % length])
      return (length == 1 ? Int(pattern.sampleCount) : min(1, Int(pattern.sampleCount)), group)
    }
  }

  /// How many samples of a pattern were taken.
  private var taken = 0
}

/// How samples are divided, read from the first sample on.
private struct DividedSamples {
  private let flags: UInt32
  private let entries: [SubSampleInformationBox.Entry]
  private var next = 0
  /// The number of the sample that the next entry is about.
  private var number: Int

  init?(_ box: Box, in tree: BoxTree, from first: Int) {
    guard let parts = tree.whole(box).payload(SubSampleInformationBox.self) else { return nil }
    (flags, entries) = (parts.flags, parts.entries)
    number = first - 1 + Int(entries.first?.sampleDelta ?? 0)
  }

  mutating func hash(ofSample sample: Int) -> UInt64 {
    while next < entries.count, number < sample { advance() }
    var sum: UInt64 = 0
    while next < entries.count, number == sample {
      var hash = ContentHash()
      hash.add(UInt64(flags))
      for part in entries[next].subsamples {
        hash.add(UInt64(part.size) << 32 | UInt64(part.priority) << 8 | UInt64(part.discardable))
        hash.add(UInt64(part.codecSpecificParameters))
      }
      if !entries[next].subsamples.isEmpty { sum &+= hash.value }
      advance()
    }
    return sum
  }

  private mutating func advance() {
    next += 1
    if next < entries.count { number &+= Int(entries[next].sampleDelta) }
  }
}
