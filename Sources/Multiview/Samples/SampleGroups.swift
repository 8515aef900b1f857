// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
package import ByteCoding
package import FileAccess
package import ISOBMFF

/// Which groups the samples of a track are in, and what the groups have in common: read from tables and fragments,
/// cut, joined and written. ISO/IEC 14496-12, 8.9
///
/// Groups are numbered through the whole track. Samples that no table lists are in the default group, if their
/// groups have one, and are then listed.
package struct SampleGroups: Sendable {
  /// The descriptions of the groups of one type.
  struct Kind: Sendable {
    /// The descriptions.
    var box: SampleGroupDescriptionBox
    /// The group of samples that are not listed, counted from 1; 0 means none.
    var others: UInt32 = 0
    /// The first grouping of this type that lists samples.
    var grouping: SampleGrouping?
    private var numbers: [SampleGroupDescriptionBox.Entry: UInt32] = [:]
    /// The length that all descriptions have; `nil` if they differ.
    private var length: Int?

    init(_ box: SampleGroupDescriptionBox) { self.box = box }

    /// The descriptions with the default.
    var described: SampleGroupDescriptionBox {
      var box = box
      box.defaultGroupDescriptionIndex = others
      return box
    }

    /// Adds descriptions, and returns their numbers. Equal ones are listed once.
    ///
    /// - Returns: `nil` if they differ from those that are there, and the boundaries of either are unknown.
    mutating func add(_ new: SampleGroupDescriptionBox) -> [UInt32]? {
      guard new.undivided == nil, box.undivided == nil else {
        let areSame = new.undivided == box.undivided && new.undividedEntryCount == box.undividedEntryCount
        return areSame ? new.numbers : nil
      }
      if numbers.isEmpty {
        for (index, entry) in box.entries.enumerated().reversed() {
          numbers[entry] = UInt32(clamping: index + 1)
        }
        length = box.entries.first?.byteCount
        if box.entries.contains(where: { $0.byteCount != length }) { length = nil }
      }
      return new.entries.map { entry in
        if let known = numbers[entry] { return known }
        // If descriptions have different lengths, each of them states its own.
        if box.version == 0 { box.version = 1 }
        let own = entry.byteCount
        if box.entries.isEmpty { length = own } else if own != length { length = nil }
        box.defaultLength = UInt32(clamping: length ?? 0)
        box.entries.append(entry)
        let number = UInt32(clamping: box.entries.count)
        numbers[entry] = number
        return number
      }
    }
  }

  /// The descriptions, in the order in which their types occur first.
  private(set) var kinds: [Kind] = []
  private var kindPlaces: [FourCC: Int] = [:]
  /// The groups of each grouping.
  private(set) var groupings: [(grouping: SampleGrouping, runs: SampleGroupRuns)] = []
  private var places = GroupingPlaces()
  /// The number of samples.
  package private(set) var count = 0

  /// No groups.
  private init() {}

  /// Reads the groups of a track.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - types: the types of groups to read; `nil` for all.
  ///   - skipsUnreadable: whether boxes that cannot be read are skipped.
  package init(
    of track: Track, types: Set<FourCC>? = nil, skipsUnreadable: Bool = false
  ) throws(SourceError) {
    guard let tree = track.context.tree else { return }
    func unreadable(_ box: Box) -> SourceError {
      SourceError(.other("the box \(box.type) of track \(track.id) cannot be read"))
    }
    var common: [FourCC: [UInt32]] = [:]
    var patternSteps = SampleGroupRuns.maximumPatternSteps(samples: track.sampleCount)
    for (container, samples) in try SampleContainers(track) {
      let isTable = container.type == "stbl"
      var own: [FourCC: (numbers: [UInt32], others: UInt32)] = [:]
      for box in container.children where box.type == "sgpd" {
        if let types, !types.contains(where: { $0 == box.body.fourCC(at: 4) }) { continue }
        guard let descriptions = tree.whole(box).payload(SampleGroupDescriptionBox.self),
          descriptions.undivided == nil || !skipsUnreadable
        else {
          if skipsUnreadable { continue }
          throw unreadable(box)
        }
        // The first box of a type counts.
        guard own[descriptions.groupingType] == nil else { continue }
        own[descriptions.groupingType] = try add(descriptions)
      }
      if isTable {
        common = own.mapValues(\.numbers)
        for index in kinds.indices { kinds[index].others = own[kinds[index].box.groupingType]?.others ?? 0 }
      }
      var mapped: Set<SampleGrouping> = []
      for box in container.children where box.type == "sbgp" || box.type == "csgp" {
        if let types, !types.contains(where: { $0 == box.body.fourCC(at: 4) }) { continue }
        guard var reader = SampleGroupReader(box, in: tree, isInFragment: !isTable) else {
          if skipsUnreadable { continue }
          throw unreadable(box)
        }
        let type = reader.grouping.type
        guard mapped.insert(reader.grouping).inserted else { continue }
        var runs = take(reader.grouping)
        runs.extend(to: samples.lowerBound, of: others(of: type))
        // In a fragment, numbers from 0x10001 on count in its own descriptions. ISO/IEC 14496-12, 8.9.4
        let (here, there) = (own[type]?.numbers ?? [], common[type] ?? [])
        let isComplete = runs.append(&reader, upTo: samples.upperBound, patternSteps: &patternSteps) {
          group in
          let isOwn = !isTable && group > 0x1_0000
          let numbers = isOwn ? here : there
          let place = Int(group) - (isOwn ? 0x1_0001 : 1)
          return numbers.indices.contains(place) ? numbers[place] : 0
        }
        guard isComplete || skipsUnreadable else { throw unreadable(box) }
        put(runs, reader.grouping)
      }
      guard !isTable else {
        count = samples.upperBound
        continue
      }
      // A default in a fragment applies to its samples.
      let listed = Set(mapped.map(\.type))
      for (type, descriptions) in own where descriptions.others != 0 && !listed.contains(type) {
        mapped.insert(kindPlaces[type].flatMap { kinds[$0].grouping } ?? SampleGrouping(type))
      }
      for grouping in mapped {
        guard let others = own[grouping.type]?.others, others != 0 else { continue }
        var runs = take(grouping)
        runs.extend(to: samples.lowerBound, of: self.others(of: grouping.type))
        runs.extend(to: samples.upperBound, of: others)
        put(runs, grouping)
      }
      count = samples.upperBound
    }
    listOthers()
    groupings.sort { $0.grouping < $1.grouping }
    for (index, grouping) in groupings.enumerated() { places[grouping.grouping] = index }
  }

  /// Adds descriptions, and returns their numbers, and that of samples that are not listed.
  private mutating func add(
    _ box: SampleGroupDescriptionBox
  ) throws(SourceError) -> (numbers: [UInt32], others: UInt32) {
    var numbers = box.numbers
    if let place = kindPlaces[box.groupingType] {
      guard let joined = kinds[place].add(box) else {
        throw SourceError(
          .other(
            "the descriptions of sample groups of type \(box.groupingType) differ, and their boundaries are unknown"
          ))
      }
      numbers = joined
    } else {
      kindPlaces[box.groupingType] = kinds.count
      kinds.append(Kind(box))
    }
    let place = Int(box.defaultGroupDescriptionIndex) - 1
    return (numbers, numbers.indices.contains(place) ? numbers[place] : 0)
  }

  /// The group of samples of a type that are not listed; 0 means none.
  private func others(of type: FourCC) -> UInt32 {
    kindPlaces[type].map { kinds[$0].others } ?? 0
  }

  /// Lists the samples that are in the default group.
  private mutating func listOthers() {
    let listed = Set(groupings.map(\.grouping.type))
    for kind in kinds where kind.others != 0 && !listed.contains(kind.box.groupingType) {
      put(SampleGroupRuns(), SampleGrouping(kind.box.groupingType))
    }
    for index in groupings.indices {
      let others = others(of: groupings[index].grouping.type)
      if others != 0 { groupings[index].runs.extend(to: count, of: others) }
    }
  }

  /// Returns the groups of a grouping to change them in place, until ``put(_:_:)``.
  private mutating func take(_ grouping: SampleGrouping) -> SampleGroupRuns {
    guard let place = places[grouping] else { return SampleGroupRuns() }
    defer { groupings[place].runs = SampleGroupRuns() }
    return groupings[place].runs
  }

  private mutating func put(_ runs: SampleGroupRuns, _ grouping: SampleGrouping) {
    if let place = places[grouping] {
      groupings[place].runs = runs
    } else {
      places[grouping] = groupings.count
      groupings.append((grouping, runs))
      if let kind = kindPlaces[grouping.type], kinds[kind].grouping == nil { kinds[kind].grouping = grouping }
    }
  }

  /// Adds groups of a type that has none before.
  private mutating func add(_ type: FourCC, _ entries: [any SampleGroupEntry], _ runs: SampleGroupRuns) {
    var box = SampleGroupDescriptionBox()
    box.groupingType = type
    box.entries = entries.map { SampleGroupDescriptionBox.Entry($0) }
    box.defaultLength = UInt32(clamping: box.entries.first?.byteCount ?? 0)
    kindPlaces[type] = kinds.count
    kinds.append(Kind(box))
    put(runs, SampleGrouping(type))
  }

  /// Makes groups of one type.
  ///
  /// - Parameters:
  ///   - type: the type of the groups.
  ///   - entries: their descriptions, which have the same length.
  ///   - runs: the samples of each.
  package init(_ type: FourCC, _ entries: [any SampleGroupEntry], _ runs: SampleGroupRuns) {
    add(type, entries, runs)
    count = runs.count
  }

  /// Adds the group of samples that begin open groups of pictures (`rap `).
  ///
  /// - Parameter runs: the samples, in group 1.
  /// - Returns: whether there was no such group before; otherwise nothing changes.
  package mutating func addOpenAccessPoints(_ runs: SampleGroupRuns) -> Bool {
    guard kindPlaces["rap "] == nil else { return false }
    add("rap ", [VisualRandomAccessEntry()], runs)
    return true
  }

  // MARK: Cutting and joining

  /// Returns the groups of some spans of the samples.
  ///
  /// - Parameter spans: the spans, in their new order; a span may occur several times.
  package func slice(_ spans: [Range<Int>]) -> SampleGroups {
    var slice = self
    slice.count = spans.reduce(0) { $0 + $1.count }
    for index in groupings.indices {
      let runs = groupings[index].runs.slice(spans)
      slice.groupings[index].runs = runs
      // Samples may be in no group explicitly: a default would not leave them there.
      guard slice.count > 0, runs.count < slice.count || runs.runs.contains(where: { $0.group == 0 }),
        let kind = kindPlaces[groupings[index].grouping.type]
      else { continue }
      slice.kinds[kind].others = 0
    }
    return slice
  }

  /// Returns the groups that all samples are in, for samples that replace them. Types that divide the samples are left
  /// out.
  ///
  /// - Parameter count: the number of the new samples.
  package func common(toAll count: Int) -> SampleGroups {
    var common = SampleGroups()
    common.count = count
    for kind in kinds {
      let own = groupings.filter { $0.grouping.type == kind.box.groupingType }
      guard own.allSatisfy({ $0.runs.runs.count == 1 && $0.runs.count == self.count }) else { continue }
      common.kindPlaces[kind.box.groupingType] = common.kinds.count
      common.kinds.append(kind)
      for (grouping, runs) in own {
        var all = SampleGroupRuns()
        all.append(count, of: runs.runs[0].group)
        common.put(all, grouping)
      }
    }
    return common
  }

  /// Adds the groups of samples that follow, perhaps of another track.
  package mutating func append(_ other: SampleGroups) throws(SourceError) {
    var numbers: [FourCC: [UInt32]] = [:]
    var defaults: [FourCC: UInt32] = [:]
    for kind in other.kinds {
      let type = kind.box.groupingType
      (numbers[type], defaults[type]) = try add(kind.described)
    }
    // Only a default that all have stays one: all samples are listed.
    for index in kinds.indices where kinds[index].others != defaults[kinds[index].box.groupingType] {
      kinds[index].others = 0
    }
    for (grouping, theirs) in other.groupings {
      let known = numbers[grouping.type] ?? []
      var runs = take(grouping)
      runs.extend(to: count, of: 0)
      var start = 0
      for run in theirs.runs {
        let place = Int(run.group) - 1
        runs.append(run.end - start, of: known.indices.contains(place) ? known[place] : 0)
        start = run.end
      }
      put(runs, grouping)
    }
    count += other.count
  }

  // MARK: Writing

  /// The boxes with the descriptions of the groups, for a sample table.
  package var descriptionBoxes: [Box] {
    kinds.map { Box("sgpd", $0.described, in: .box("stbl"), registry: .standard) }
  }

  /// The groupings with samples that must be listed.
  package var listed: [(grouping: SampleGrouping, runs: SampleGroupRuns)] {
    groupings.filter { $0.runs.hasGroups(beside: others(of: $0.grouping.type)) }
  }

  /// Returns all boxes for a sample table.
  package func boxes() throws(ParseError) -> [Box] {
    var boxes = descriptionBoxes
    for (grouping, runs) in listed { boxes.append(try runs.box(grouping, in: "stbl")) }
    return boxes
  }
}

extension SampleGroupDescriptionBox {
  /// The numbers of its descriptions. If their boundaries are unknown, their bytes bound how many there are, except a few
  /// that may be empty.
  fileprivate var numbers: [UInt32] {
    let count = undivided.map { min(Int(undividedEntryCount), max($0.count, 16)) } ?? entries.count
    return (0..<count).map { UInt32(clamping: $0 + 1) }
  }
}

/// The places of groupings in a list. Not a dictionary of groupings: to prepare one for a type of its own costs half a million
/// instructions, and most tracks have no groups.
private struct GroupingPlaces: Sendable {
  private var plain: [FourCC: Int] = [:]
  private var parametrised: [FourCC: [UInt32: Int]] = [:]

  subscript(grouping: SampleGrouping) -> Int? {
    get {
      guard let parameter = grouping.parameter else { return plain[grouping.type] }
      return parametrised[grouping.type]?[parameter]
    }
    set {
      if let parameter = grouping.parameter {
        parametrised[grouping.type, default: [:]][parameter] = newValue
      } else {
        plain[grouping.type] = newValue
      }
    }
  }
}
