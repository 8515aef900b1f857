// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A track whose samples are written in fragments.
struct FragmentedTrack {
  let track: Track
  let samples: TrackSamples
  /// The defaults of its samples in fragments (`trex`).
  let extends: TrackExtendsBox
  /// The descriptions of its sample groups, for its sample table.
  let groupDescriptions: [Box]
  private var groupings: [SampleGroupRuns]
  private var divisions: [DividedSampleRuns]
  /// What is added to composition offsets, so that none is negative; an edit begins later by the same time.
  let shift: Int64
  private var iterator: TrackSamples.Iterator
  private var next: Sample?

  /// - Parameter hasEdits: whether an edit takes the place of negative composition offsets.
  init(_ track: Track, of movie: MovieFile, hasEdits: Bool = false) throws(EditError) {
    try ComposedTrack.check(track, of: movie)
    try Self.check(track)
    guard let tree = movie.tree else { throw .refused("track \(track.id) cannot be read") }
    self.track = track
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    var extends = TrackExtendsBox()
    extends.trackID = track.id
    if let first = samples.sample(at: 0) {
      let second = samples.sample(at: 1) ?? first
      extends.defaultSampleDescriptionIndex = first.descriptionIndex
      extends.defaultSampleDuration = UInt32(clamping: first.duration)
      extends.defaultSampleSize = first.size == second.size ? first.size : 0
      extends.defaultSampleFlags = second.flags
    }
    self.extends = extends
    var least: Int64 = 0
    if hasEdits {
      for sample in samples where !sample.isNeverComposed { least = min(least, sample.compositionOffset) }
    }
    shift = -least
    var groups = JoinedGroups()
    if samples.count > 0 {
      try groups.add(TrackCut(whole: track, of: movie, timescale: movie.movieTimescale), tree)
    }
    groupDescriptions = groups.descriptionBoxes
    groupings = groups.groupings.map {
      SampleGroupRuns(type: $0.type, parameter: $0.parameter, runs: $0.runs)
    }
    divisions = groups.dividedSamples.map { DividedSampleRuns(flags: $0.flags, entries: $0.entries) }
    iterator = samples.makeIterator(at: 0)
    next = iterator.next()
  }

  /// Refuses properties of samples that fragments cannot express.
  private static func check(_ track: Track) throws(EditError) {
    for box in track.box?["mdia/minf/stbl"]?.children ?? [] {
      let what: String? =
        switch box.type {
        case "stps": "partial sync samples (stps)"
        case "stdp": "degradation priorities (stdp)"
        default: nil
        }
      if let what { throw .refused("track \(track.id) has \(what), which are not written in fragments") }
    }
  }

  /// The next sample; `nil` after the last one.
  var nextSample: Sample? { next }

  /// Takes the next sample if it is decoded before a time.
  mutating func take(before time: Int64) -> Sample? {
    guard let sample = next, sample.decodeTime < time else { return nil }
    next = iterator.next()
    return sample
  }

  /// Returns the boxes with the groups and the sub-samples of the next `count` samples.
  mutating func takeRemarks(_ count: Int) throws(EditError) -> [Box] {
    var boxes: [Box] = []
    for index in groupings.indices {
      if let box = try groupings[index].take(count) { boxes.append(box) }
    }
    for index in divisions.indices {
      if let box = divisions[index].take(count) { boxes.append(box) }
    }
    return boxes
  }

  // MARK: The init segment

  /// The boxes of a sample table that describe individual samples.
  private static let ofSamples: Set<FourCC> = [
    "stts", "ctts", "stss", "sdtp", "stsc", "stsz", "stz2", "stco", "co64", "sbgp", "csgp", "sgpd", "subs",
  ]

  /// Returns the box of the track, without samples.
  func emptyBox() throws(EditError) -> Box {
    guard var trak = track.box else { throw .refused("track \(track.id) cannot be read") }
    do throws(ParseError) {
      for index in trak.children.indices {
        switch trak.children[index].type {
        case "tkhd": try trak.children[index].edit(TrackHeaderBox.self) { $0.duration = 0 }
        case "edts": try changeEdits(&trak.children[index])
        case "mdia": try empty(&trak.children[index])
        default: break
        }
      }
    } catch { throw .refused("track \(track.id): \(error)") }
    if shift > 0, trak.first("edts") == nil {
      // Without a duration, an edit lasts to the end of the fragments. ISO/IEC 14496-12, 8.6.6.1
      var list = EditListBox()
      list.entries = [.init(editDuration: 0, mediaTime: shift)]
      list.version = shift > Int64(Int32.max) ? 1 : 0
      let box = Box(
        "edts", nil, children: [Box("elst", list, in: .box("edts"), registry: .standard)], in: .box("trak"),
        registry: .standard)
      trak.children.insert(box, at: trak.children.firstIndex { $0.type == "mdia" } ?? 0)
    }
    return trak
  }

  /// Lets the last edit last to the end of the fragments, if it lasts to the end of the samples of the movie box;
  /// and lets all begin later, if the samples are composed later.
  private func changeEdits(_ edts: inout Box) throws(ParseError) {
    guard let list = track.editListBox else { return }
    for index in edts.children.indices where edts.children[index].type == "elst" {
      guard shift > 0 || edts.children[index].payload(EditListBox.self)?.entries != list.entries else {
        continue
      }
      try edts.children[index].edit(EditListBox.self) { box in
        box.entries = list.entries
        for entry in box.entries.indices where box.entries[entry].mediaTime >= 0 {
          box.entries[entry].mediaTime &+= shift
          if box.entries[entry].mediaTime > Int64(Int32.max) { box.version = 1 }
        }
      }
    }
  }

  private func empty(_ mdia: inout Box) throws(ParseError) {
    for index in mdia.children.indices where mdia.children[index].type == "mdhd" {
      try mdia.children[index].edit(MediaHeaderBox.self) { $0.duration = 0 }
    }
    guard let minf = mdia.children.firstIndex(where: { $0.type == "minf" }),
      let stbl = mdia.children[minf].children.firstIndex(where: { $0.type == "stbl" })
    else { return }
    var tables = mdia.children[minf].children[stbl].children
    tables.removeAll { Self.ofSamples.contains($0.type) }
    let place = (tables.firstIndex { $0.type == "stsd" } ?? -1) + 1
    // These four tables are required, without rows. ISO/IEC 23000-19, 7.5.10
    let empty: [any BoxPayload] = [
      TimeToSampleBox(), SampleToChunkBox(), SampleSizeBox(sampleSize: 0, sampleCount: 0), ChunkOffsetBox(),
    ]
    let boxes = zip(["stts", "stsc", "stsz", "stco"] as [FourCC], empty).map { type, payload in
      Box(type, payload, in: .box("stbl"))
    }
    tables.insert(contentsOf: boxes + groupDescriptions, at: place)
    mdia.children[minf].children[stbl].children = tables
  }
}

/// The sample groups of one kind in a track, read sequentially from the first sample.
struct SampleGroupRuns {
  let type: FourCC
  let parameter: UInt32?
  private let runs: [(count: Int, group: UInt32)]
  /// The run of the next sample, and the number of its samples that were read.
  private var run = 0
  private var taken = 0

  init(type: FourCC, parameter: UInt32?, runs: [(count: Int, group: UInt32)]) {
    self.type = type
    self.parameter = parameter
    self.runs = runs
  }

  /// Returns the box for the next `count` samples; `nil` if none of them is in a group.
  mutating func take(_ count: Int) throws(EditError) -> Box? {
    var entries: [SampleToGroupBox.Entry] = []
    var left = count
    while left > 0, run < runs.count {
      let step = min(left, runs[run].count - taken)
      if step > 0 {
        entries.append(.init(sampleCount: UInt32(clamping: step), groupDescriptionIndex: runs[run].group))
      }
      left -= step
      taken += step
      if taken >= runs[run].count { (run, taken) = (run + 1, 0) }
    }
    // Samples that are not listed are not in a group. ISO/IEC 14496-12, 8.9.2
    while let last = entries.last, last.groupDescriptionIndex == 0 { entries.removeLast() }
    guard !entries.isEmpty else { return nil }
    var box = SampleToGroupBox()
    box.groupingType = type
    if let parameter { (box.version, box.groupingTypeParameter) = (1, parameter) }
    do throws(ParseError) { box.entries = try PackedTable(entries) } catch { throw .refused("\(error)") }
    return Box("sbgp", box, in: .box("traf"), registry: .standard)
  }
}

/// The sub-samples of a track with one value of the flags, read sequentially from the first sample. ISO/IEC
/// 14496-12, 8.7.7
struct DividedSampleRuns {
  let flags: UInt32
  private let entries: [SubSampleInformationBox.Entry]
  private var next = 0
  /// The distance in samples from the last sample that was read to the next one with sub-samples.
  private var distance: Int

  init(flags: UInt32, entries: [SubSampleInformationBox.Entry]) {
    self.flags = flags
    self.entries = entries
    distance = Int(entries.first?.sampleDelta ?? 0)
  }

  /// Returns the box for the next `count` samples; `nil` if none of them has sub-samples.
  mutating func take(_ count: Int) -> Box? {
    var taken: [SubSampleInformationBox.Entry] = []
    var left = count
    while next < entries.count, distance <= left {
      var entry = entries[next]
      entry.sampleDelta = UInt32(clamping: distance)
      taken.append(entry)
      left -= distance
      next += 1
      distance = next < entries.count ? Int(entries[next].sampleDelta) : 0
    }
    distance -= left
    return taken.isEmpty ? nil : JoinedGroups.box(flags, taken, in: "traf")
  }
}
