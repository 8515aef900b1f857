// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

extension TrackRepair {
  /// Changes the boxes of the track, if its samples are not moved.
  func apply(to tree: inout BoxTree) throws {
    for (index, description) in track.formatDescriptions.enumerated() where !steps.isEmpty {
      guard let path = BoxPath(description.path), let new = self.description(ofEntry: index) else { continue }
      let entry = try entry(description, new)
      try tree.edit(path) { (box: inout Box) throws(ParseError) in box = entry }
    }
    guard rewritesTimes, let edits, let path = BoxPath(track.path) else { return }
    let samples = try track.samples()
    let duration = samples.sample(at: 0)?.duration ?? 1
    let tables = try compositionTables(samples, unit: duration)
    try tree.edit(path) { (trak: inout Box) throws(ParseError) in
      trak.setEdits(edits.list)
      try trak.setDuration(edits.duration)
      trak.changeTables { stbl in
        stbl.children.removeAll { ["ctts", "cslg"].contains($0.type) }
        let place = stbl.children.firstIndex { $0.type == "stts" } ?? stbl.children.count - 1
        stbl.children.insert(contentsOf: tables, at: place + 1)
      }
    }
    try tree.edit("moov") { (moov: inout Box) throws(ParseError) in try moov.setMovieDuration() }
  }

  /// Returns the tables of composition times, without changing the durations of samples.
  private func compositionTables(_ samples: TrackSamples, unit: Int64) throws -> [Box] {
    let shifts = try shifts()
    var builder = SampleTableBuilder()
    for sample in samples {
      var sample = sample
      sample.compositionOffset = shifts.isEmpty ? 0 : shifts[sample.index] &* unit
      try builder.append(sample)
    }
    return try builder.boxes().filter { $0.type == "ctts" || $0.type == "cslg" }
  }

  /// Returns a sample entry whose records have all parameter sets; everything else is kept.
  func entry(_ old: FormatDescription, _ new: StreamDescription) throws -> Box {
    var base = try new.baseRecord()
    var layered = try new.layeredRecord()
    if let record = old.box.first(HEVCConfigurationBox.self)?.record, !record.arrays.isEmpty {
      // Other values of the record are kept. Its messages go into samples only if these are rewritten.
      let arrays = base.arrays
      let messages = record.arrays.filter(\.nalUnitType.isSEI)
      base = record
      base.arrays = arrays.filter { $0.nalUnitType.isParameterSet }
      base.arrays += record.arrays.filter { !$0.nalUnitType.isParameterSet && !$0.nalUnitType.isSEI }
      base.arrays += rewritesMedia || messages.isEmpty ? arrays.filter(\.nalUnitType.isSEI) : messages
    }
    // Rewritten samples have lengths of four bytes.
    let size = rewritesMedia ? 4 : lengthSize ?? track.lengthSize
    base.lengthSizeMinusOne = UInt8(clamping: size - 1)
    layered?.lengthSizeMinusOne = base.lengthSizeMinusOne
    var children = old.box.children.filter { $0.type != "hvcC" && $0.type != "lhvC" }
    let place = old.box.children.firstIndex { $0.type == "hvcC" || $0.type == "lhvC" } ?? 0
    var records = [Box("hvcC", HEVCConfigurationBox(base), in: .visualSampleEntry, registry: .standard)]
    if let layered {
      records.append(Box("lhvC", LHEVCConfigurationBox(layered), in: .visualSampleEntry, registry: .standard))
    }
    children.insert(contentsOf: records, at: min(place, children.count))
    let isComplete = rewritesMedia || !steps.contains { $0.name == "parameter sets in samples" }
    guard isComplete, let type = Self.betterType(of: old) else {
      var entry = old.box
      entry.children = children
      return entry
    }
    guard let payload = old.box.payload(VisualSampleEntry.self) else {
      throw EditError.refused("the sample entry cannot be read")
    }
    return Box(type, payload, children: children, in: .visualSampleDescription, registry: .standard)
  }

  /// Returns the box of the track with the samples that were written.
  func trackBox(
    _ old: Box, _ session: MuxSession, _ times: PictureTimes, isQuickTime: Bool
  ) throws -> Box {
    var trak = old
    let media = UInt64(clamping: times.table.decodeEndTime)
    if let edits {
      trak.setEdits(edits.list)
      try trak.setDuration(edits.duration)
    }
    var entries: [Box] = []
    for description in session.descriptions {
      let known = track.formatDescriptions
      entries.append(
        try description.entry.flatMap { known.indices.contains($0) ? known[$0] : nil }
          .map { try entry($0, description) } ?? description.entry(isQuickTime: isQuickTime))
    }
    let isSplit = try track.samples().count != times.count
    let groups = try times.groupBoxes(), tables = try times.table.boxes()
    trak.changeTables { stbl in
      // Groups that apply to all samples, or to samples that are not changed.
      let kept = stbl.children.filter { box in
        guard box.type == "sgpd" || box.type == "sbgp", !isSplit else { return false }
        let type =
          box.type == "sgpd"
          ? box.payload(SampleGroupDescriptionBox.self)?.groupingType
          : box.payload(SampleToGroupBox.self)?.groupingType
        return type != "sync" && type != "rap "
      }
      stbl.children =
        [Box("stsd", SampleDescriptionBox(), children: entries, registry: .standard)] + groups + kept + tables
    }
    for mdia in trak.children.indices where trak.children[mdia].type == "mdia" {
      for header in trak.children[mdia].children.indices
      where trak.children[mdia].children[header].type == "mdhd" {
        try trak.children[mdia].children[header].edit(MediaHeaderBox.self) { header in
          header.timescale = session.timescale
          header.duration = media
          if media >= UInt64(UInt32.max) { header.version = 1 }
        }
      }
    }
    return trak
  }
}

extension Box {
  /// Replaces the edit list of a track.
  fileprivate mutating func setEdits(_ edits: EditListBox) {
    let list = Box("edts", nil, children: [Box("elst", edits, registry: .standard)], registry: .standard)
    if let place = children.firstIndex(where: { $0.type == "edts" }) {
      children[place] = list
    } else {
      children.insert(list, at: children.firstIndex { $0.type == "mdia" } ?? 0)
    }
  }

  /// Sets the duration in the movie header to that of the longest track.
  mutating func setMovieDuration() throws(ParseError) {
    let headers = children.filter { $0.type == "trak" }.compactMap { $0.first(TrackHeaderBox.self) }
    let longest = headers.filter { !$0.isDurationUnknown }.map(\.duration).max() ?? 0
    for index in children.indices where children[index].type == "mvhd" {
      try children[index].edit(MovieHeaderBox.self) { header in
        header.duration = longest
        if longest >= UInt64(UInt32.max) { header.version = 1 }
      }
    }
  }

  /// Sets the duration in the track header.
  fileprivate mutating func setDuration(_ duration: UInt64) throws(ParseError) {
    for index in children.indices where children[index].type == "tkhd" {
      try children[index].edit(TrackHeaderBox.self) { header in
        header.duration = duration
        if duration >= UInt64(UInt32.max) { header.version = 1 }
      }
    }
  }

  /// Changes the sample tables of a track.
  fileprivate mutating func changeTables(_ change: (inout Box) -> Void) {
    guard let mdia = children.firstIndex(where: { $0.type == "mdia" }),
      let minf = children[mdia].children.firstIndex(where: { $0.type == "minf" }),
      let stbl = children[mdia].children[minf].children.firstIndex(where: { $0.type == "stbl" })
    else { return }
    change(&children[mdia].children[minf].children[stbl])
  }
}
