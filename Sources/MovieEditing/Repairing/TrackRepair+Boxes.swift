// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

extension TrackRepair {
  /// Changes the boxes of the track, if its samples are not moved.
  func apply(to tree: inout BoxTree) throws {
    for (index, description) in track.formatDescriptions.enumerated() {
      // What is not reported is not changed.
      guard lengthSize != nil || steps.contains(where: { $0.isWithin(description.path) }),
        let path = BoxPath(description.path), let new = self.description(ofEntry: index)
      else { continue }
      try tree.replace(path, with: try entry(description, new))
    }
    guard rewritesTimes, let edits, let path = BoxPath(track.path) else { return }
    let samples = try track.samples()
    let duration = samples.sample(at: 0)?.duration ?? 1
    let tables = try compositionTables(samples, unit: duration)
    try tree.edit(path) { (trak: inout Box) throws(ParseError) in
      trak.setEdits(edits.list)
      try trak.editAll(TrackHeaderBox.self) { $0.setDuration(edits.duration) }
      trak.editSampleTable { stbl in
        stbl.removeAll { ["ctts", "cslg"].contains($0.type) }
        let place = stbl.firstIndex { $0.type == "stts" } ?? stbl.count - 1
        stbl.insert(contentsOf: tables, at: place + 1)
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

  /// Returns the box of the track with the samples that were written.
  func trackBox(
    _ old: Box, _ session: MuxSession, _ times: PictureTimes, isQuickTime: Bool
  ) throws -> Box {
    if keepsTimes { return try keptTrackBox(old, session, times, isQuickTime: isQuickTime) }
    var trak = old
    let media = UInt64(clamping: times.table.decodeEndTime)
    if let edits {
      trak.setEdits(edits.list)
      try trak.editAll(TrackHeaderBox.self) { $0.setDuration(edits.duration) }
    }
    let entries = try entries(session, isQuickTime: isQuickTime)
    let isSplit = try track.samples().count != times.count
    let new = try isSplit || !times.includesSyncSamples(track.samples())
    let groups = try times.groupBoxes(), tables = try times.table.boxes()
    // Groups that all samples are in still apply.
    let common =
      isSplit ? try SampleGroups(of: track, skipsUnreadable: true).common(toAll: times.count).boxes() : []
    trak.editSampleTable { stbl in
      let kept = (isSplit ? common : stbl).filter { box in
        switch SampleTableRole(box.type) {
        case .entries, .times, .sizes, .places, .subSamples, .auxiliary: false
        case .access: !new
        case .groups: !(new && Self.isAboutAccess(box))
        case .priorities, .filler, nil: true
        }
      }
      // What the track has of this stays, and what it lacks is added.
      let types = Set(kept.map(\.type)), groupings = Set(kept.compactMap(\.groupingType))
      let own = tables.filter { !types.contains($0.type) }
      let ownGroups = groups.filter { group in group.groupingType.map { !groupings.contains($0) } ?? true }
      stbl = [Self.descriptions(entries)] + ownGroups + kept + own
    }
    try trak.editAll(MediaHeaderBox.self, in: "mdia") { header in
      header.timescale = session.timescale
      header.setDuration(media)
    }
    return trak
  }

  /// Whether a box of sample groups is about where decoding can begin.
  private static func isAboutAccess(_ box: Box) -> Bool {
    box.groupingType == "sync" || box.groupingType == "rap "
  }

  private static func descriptions(_ entries: [Box]) -> Box {
    Box("stsd", SampleDescriptionBox(), children: entries, registry: .standard)
  }

  private func entries(_ session: MuxSession, isQuickTime: Bool) throws -> [Box] {
    var entries: [Box] = []
    for description in session.descriptions {
      let known = track.formatDescriptions
      entries.append(
        try description.entry.flatMap { known.indices.contains($0) ? known[$0] : nil }
          .map { try entry($0, description) } ?? description.entry(isQuickTime: isQuickTime))
    }
    return entries
  }

  /// Returns the box of a track whose samples are the same, at the same times: only where they are, and how large, is new.
  private func keptTrackBox(
    _ old: Box, _ session: MuxSession, _ times: PictureTimes, isQuickTime: Bool
  ) throws -> Box {
    var trak = old
    let entries = try entries(session, isQuickTime: isQuickTime)
    let isAnew = try !times.includesSyncSamples(track.samples())
    func isReplaced(_ box: Box) -> Bool {
      switch SampleTableRole(box.type) {
      case .sizes, .places, .subSamples, .auxiliary: true
      case .access: isAnew
      case .groups: isAnew && Self.isAboutAccess(box)
      case .entries, .times, .priorities, .filler, nil: false
      }
    }
    let tables = try times.table.boxes().filter(isReplaced)
    let groups = isAnew ? try times.groupBoxes() : []
    trak.editSampleTable { stbl in
      stbl.removeAll(where: isReplaced)
      if let place = stbl.firstIndex(where: { $0.type == "stsd" }) {
        stbl[place] = Self.descriptions(entries)
      } else {
        stbl.insert(Self.descriptions(entries), at: 0)
      }
      stbl += groups + tables
    }
    return trak
  }
}

extension RepairStep {
  /// Whether the step changes a box at a path, or below it.
  fileprivate func isWithin(_ path: String) -> Bool { (place + "/").hasPrefix(path + "/") }
}

extension Box {
  /// Sets the duration in the movie header to that of the longest track.
  mutating func setMovieDuration() throws(ParseError) {
    let tracks = children.filter { $0.type == "trak" }
    let longest = tracks.compactMap { $0.first(TrackHeaderBox.self)?.knownDuration }.max() ?? 0
    try editAll(MovieHeaderBox.self) { $0.setDuration(longest) }
  }
}
