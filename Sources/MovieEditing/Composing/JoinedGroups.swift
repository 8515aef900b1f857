// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// The sample groups of a track that is made from several, and its sub-samples. Equal descriptions are listed once.
/// ISO/IEC 14496-12, 8.9
struct JoinedGroups {
  /// The boxes that are rebuilt.
  static let types: Set<FourCC> = ["sgpd", "sbgp", "csgp", "subs"]

  private struct Grouping: Hashable {
    var type: FourCC
    var parameter: UInt32?
  }

  /// The runs of groups of a track that were read so far.
  private struct Reading {
    var runs: [(count: Int, group: UInt32)] = []
    var count = 0

    mutating func add(_ run: (count: Int, group: UInt32)) {
      guard run.count > 0 else { return }
      runs.append(run)
      count &+= run.count
    }
  }

  private var descriptions: [SampleGroupDescriptionBox] = []
  private var runs: [(grouping: Grouping, runs: [(count: Int, group: UInt32)])] = []
  /// The sub-samples, by the flags of their box, whose meaning depends on the codec.
  private var parts: [UInt32: [SubSampleInformationBox.Entry]] = [:]
  /// The index of the last sample with such sub-samples.
  private var lastDivided: [UInt32: Int] = [:]
  /// The number of samples of the track so far.
  private var count = 0
  /// The groups of samples without an explicit group: for each kind, that of each piece that has descriptions of it.
  private var defaults: [FourCC: [UInt32]] = [:]
  /// The kinds that have a default, and samples that are explicitly in no group.
  private var kindsWithExceptions: Set<FourCC> = []
  /// The number of pieces so far.
  private var pieces = 0

  /// Adds the sample groups of the samples that are taken from a track.
  mutating func add(_ cut: TrackCut, _ tree: BoxTree) throws(EditError) {
    let taken = cut.taken
    let tables = cut.track.box?["mdia/minf/stbl"]?.children ?? []
    let groups = CutGroups(trackID: cut.track.id, tree: tree, tables: tables, taken: taken)
    if let box = tables.first(where: { $0.type == "stdp" }) {
      throw .refused("track \(cut.track.id) has a box \(box.type), which is not joined")
    }
    let (numbers, defaults) = try addDescriptions(of: tables, in: tree, cut.track.id)
    var divided: [UInt32: Division] = [:]
    try Self.readParts(tables, tree, cut.track.id, into: &divided, from: 0)
    var all: [Grouping: Reading] = [:]
    try read(tables, tree, cut.track, into: &all, from: 0) { index in
      let place = Int(index.group) - 1
      let known = numbers[index.type] ?? []
      return known.indices.contains(place) ? known[place] : 0
    }
    try addFragments(of: cut.track, tree, numbers, &all, &divided)
    for (flags, own) in divided.sorted(by: { $0.key < $1.key }) { add(groups.cut(own.entries), flags) }
    for (type, group) in defaults {
      self.defaults[type, default: []].append(group)
      if group != 0, !all.keys.contains(where: { $0.type == type }) {
        all[Grouping(type: type, parameter: nil)] = Reading()
      }
    }
    let added = taken.reduce(0) { $0 + $1.count }
    for (grouping, own) in all.sorted(by: { $0.key.type.rawValue < $1.key.type.rawValue }) {
      let group = defaults[grouping.type] ?? 0
      var runs = groups.cut(own.runs, others: group)
      if group != 0 {
        // The default may not be that of the other pieces.
        runs.append((added - runs.reduce(0) { $0 + $1.count }, group))
        if runs.contains(where: { $0.group == 0 && $0.count > 0 }) {
          kindsWithExceptions.insert(grouping.type)
        }
      }
      add(runs, to: grouping)
    }
    count += added
    pieces += 1
  }

  /// The group of samples of a kind that are not listed: the default of all pieces, if they have the same; 0 if
  /// all samples that are in a group are listed.
  private func commonDefault(_ type: FourCC) -> UInt32 {
    guard let own = defaults[type], own.count == pieces, let first = own.first,
      own.allSatisfy({ $0 == first }), !kindsWithExceptions.contains(type)
    else { return 0 }
    return first
  }

  /// Adds the sample groups in fragments, for all of their samples.
  private mutating func addFragments(
    of track: Track, _ tree: BoxTree, _ common: [FourCC: [UInt32]],
    _ all: inout [Grouping: Reading], _ divided: inout [UInt32: Division]
  ) throws(EditError) {
    let samples: TrackSamples
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    var first = samples.table.count
    for fragment in tree.boxes where fragment.type == "moof" {
      for traf in fragment.children where traf.first(TrackFragmentHeaderBox.self)?.trackID == track.id {
        let (own, defaults) = try addDescriptions(of: traf.children, in: tree, track.id)
        if let (type, _) = defaults.first(where: { $0.value != 0 }) {
          throw .refused(
            "the defaults of groups '\(type)' in fragments of track \(track.id) are not carried over")
        }
        // In a fragment, indices from 0x10001 on refer to its own descriptions. ISO/IEC 14496-12, 8.9.4
        try read(traf.children, tree, track, into: &all, from: first) { index in
          let isOwn = index.group > 0x1_0000
          let known = (isOwn ? own : common)[index.type] ?? []
          let place = Int(index.group) - (isOwn ? 0x1_0001 : 1)
          return known.indices.contains(place) ? known[place] : 0
        }
        try Self.readParts(traf.children, tree, track.id, into: &divided, from: first)
        for run in traf.children where run.type == "trun" {
          // The sample count follows version and flags.
          first &+= Int(run.body.bigEndian(at: 4, width: 4) ?? 0)
        }
      }
    }
  }

  /// Adds the descriptions of a table or a fragment, and returns their new indices, and for each kind that of samples
  /// without an explicit group.
  private mutating func addDescriptions(
    of boxes: [Box], in tree: BoxTree, _ trackID: UInt32
  ) throws(EditError) -> (numbers: [FourCC: [UInt32]], defaults: [FourCC: UInt32]) {
    var numbers: [FourCC: [UInt32]] = [:]
    var defaults: [FourCC: UInt32] = [:]
    for table in boxes where table.type == "sgpd" {
      guard let box = tree.whole(table).payload(SampleGroupDescriptionBox.self), box.undivided == nil else {
        throw .refused("the box sgpd of track \(trackID) cannot be read")
      }
      let own = try add(box)
      let place = Int(box.defaultGroupDescriptionIndex) - 1
      numbers[box.groupingType] = own
      defaults[box.groupingType] = own.indices.contains(place) ? own[place] : 0
    }
    return (numbers, defaults)
  }

  /// Reads the runs of groups, from a sample on.
  private func read(
    _ boxes: [Box], _ tree: BoxTree, _ track: Track,
    into all: inout [Grouping: Reading], from first: Int,
    _ number: ((type: FourCC, group: UInt32)) -> UInt32
  ) throws(EditError) {
    for table in boxes where table.type == "sbgp" || table.type == "csgp" {
      let grouping: Grouping
      let own: [(count: Int, group: UInt32)]
      if let box = tree.whole(table).payload(SampleToGroupBox.self) {
        grouping = Grouping(type: box.groupingType, parameter: box.groupingTypeParameter)
        own = box.entries.map { (Int($0.sampleCount), $0.groupDescriptionIndex) }
      } else if let box = tree.whole(table).payload(CompactSampleToGroupBox.self) {
        // In a fragment, the highest bit of an index selects its own descriptions, which is not supported here.
        guard first == 0 || box.flags & 0x80 == 0 else {
          throw .refused(
            "the groups '\(box.groupingType)' in fragments of track \(track.id) are not carried over")
        }
        grouping = Grouping(type: box.groupingType, parameter: box.groupingTypeParameter)
        own = try CutGroups.runs(of: box, upTo: max(0, track.sampleCount - first))
      } else {
        throw .refused("the box \(table.type) of track \(track.id) cannot be read")
      }
      var reading = all[grouping] ?? Reading()
      reading.add((max(0, first - reading.count), 0))
      for run in own { reading.add((run.count, run.group == 0 ? 0 : number((grouping.type, run.group)))) }
      all[grouping] = reading
    }
  }

  /// Adds the entries of a description box, and returns their new indices.
  private mutating func add(_ box: SampleGroupDescriptionBox) throws(EditError) -> [UInt32] {
    guard let index = descriptions.firstIndex(where: { $0.groupingType == box.groupingType }) else {
      descriptions.append(box)
      return (0..<box.entries.count).map { UInt32(clamping: $0 + 1) }
    }
    var numbers: [UInt32] = []
    for entry in box.entries {
      if let known = descriptions[index].entries.firstIndex(of: entry) {
        numbers.append(UInt32(clamping: known + 1))
      } else {
        // If entries have different lengths, each of them states its own.
        if descriptions[index].version == 0 { descriptions[index].version = 1 }
        if descriptions[index].entries.contains(where: { $0.byteCount != entry.byteCount }) {
          descriptions[index].defaultLength = 0
        } else {
          descriptions[index].defaultLength = UInt32(clamping: entry.byteCount)
        }
        descriptions[index].entries.append(entry)
        numbers.append(UInt32(clamping: descriptions[index].entries.count))
      }
    }
    return numbers
  }

  private mutating func add(_ own: [(count: Int, group: UInt32)], to grouping: Grouping) {
    var index = runs.firstIndex { $0.grouping == grouping }
    if index == nil {
      runs.append((grouping, []))
      index = runs.count - 1
    }
    guard let index else { return }
    let before = runs[index].runs.reduce(0) { $0 + $1.count }
    for run in [(count: count - before, group: 0)] + own where run.count > 0 {
      if let last = runs[index].runs.indices.last, runs[index].runs[last].group == run.group {
        runs[index].runs[last].count += run.count
      } else {
        runs[index].runs.append(run)
      }
    }
  }

  /// The boxes with the descriptions of the groups.
  var descriptionBoxes: [Box] {
    descriptions.map { box in
      var box = box
      box.defaultGroupDescriptionIndex = commonDefault(box.groupingType)
      return Box("sgpd", box, in: .box("stbl"), registry: .standard)
    }
  }

  /// The runs of groups, for each kind of group that has samples that are listed.
  var groupings: [(type: FourCC, parameter: UInt32?, runs: [(count: Int, group: UInt32)])] {
    runs.filter { kind in
      let group = commonDefault(kind.grouping.type)
      return kind.runs.contains { $0.group != group }
    }
    .map { ($0.grouping.type, $0.grouping.parameter, $0.runs) }
  }

  // MARK: Sub-samples. ISO/IEC 14496-12, 8.7.7

  /// The sub-samples of a track that were read so far.
  private struct Division {
    var entries: [SubSampleInformationBox.Entry] = []
    /// The index of the last sample with sub-samples.
    var last = -1
  }

  /// Reads sub-samples, from a sample on.
  private static func readParts(
    _ boxes: [Box], _ tree: BoxTree, _ trackID: UInt32, into divided: inout [UInt32: Division],
    from first: Int
  ) throws(EditError) {
    for table in boxes where table.type == "subs" {
      guard let box = tree.whole(table).payload(SubSampleInformationBox.self) else {
        throw .refused("the box subs of track \(trackID) cannot be read")
      }
      var division = divided[box.flags] ?? Division()
      var number = first - 1
      for var entry in box.entries {
        number &+= Int(entry.sampleDelta)
        guard number > division.last else { continue }
        entry.sampleDelta = UInt32(clamping: number - division.last)
        division.entries.append(entry)
        division.last = number
      }
      divided[box.flags] = division
    }
  }

  /// Adds sub-samples whose deltas count from the first of the samples that are added.
  private mutating func add(_ own: [SubSampleInformationBox.Entry], _ flags: UInt32) {
    var number = count - 1
    for var entry in own {
      number &+= Int(entry.sampleDelta)
      entry.sampleDelta = UInt32(clamping: number - lastDivided[flags, default: -1])
      lastDivided[flags] = number
      parts[flags, default: []].append(entry)
    }
  }

  /// The sub-samples, by the flags of their box. Each delta counts from the preceding sample with sub-samples.
  var dividedSamples: [(flags: UInt32, entries: [SubSampleInformationBox.Entry])] {
    parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns a box of sub-samples.
  static func box(
    _ flags: UInt32, _ entries: [SubSampleInformationBox.Entry], in container: FourCC
  ) -> Box {
    var box = SubSampleInformationBox()
    box.flags = flags
    box.entries = entries
    // Version 1 has sizes of 32 bits.
    box.version = entries.contains { $0.subsamples.contains { $0.size > UInt32(UInt16.max) } } ? 1 : 0
    return Box("subs", box, in: .box(container), registry: .standard)
  }

  /// The boxes of the sub-samples.
  private var partBoxes: [Box] {
    dividedSamples.map { Self.box($0.flags, $0.entries, in: "stbl") }
  }

  /// Returns all boxes, without groupings that have no samples.
  func boxes() throws(EditError) -> [Box] {
    var boxes = descriptionBoxes
    do throws(ParseError) {
      for (type, parameter, runs) in groupings {
        var box = SampleToGroupBox()
        box.groupingType = type
        if let parameter { (box.version, box.groupingTypeParameter) = (1, parameter) }
        box.entries = try PackedTable(
          runs.map { .init(sampleCount: UInt32(clamping: $0.count), groupDescriptionIndex: $0.group) })
        boxes.append(Box("sbgp", box, in: .box("stbl"), registry: .standard))
      }
    } catch { throw .refused("\(error)") }
    return boxes + partBoxes
  }
}
