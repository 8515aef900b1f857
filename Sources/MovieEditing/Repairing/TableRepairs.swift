// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

extension BoxRepair {
  /// The repairs of sample tables, for samples whose bytes are intact.
  static let ofTables: [BoxRepair] = [movedChunks, externalMedia, counts, syncSamples, edits]

  /// Corrects chunk offsets that are wrong by the same distance, because something was inserted before the media
  /// data, or because one table was written wrongly. Tracks whose samples are where their tables say are not
  /// changed.
  private static let movedChunks = BoxRepair(.samplesOutsideFile, .sampleFraming) { tree, broken in
    for track in broken.tracks(of: .samplesOutsideFile) + broken.tracks(of: .sampleFraming) {
      guard case .moved(let shift) = FramingFault.find(in: track, of: broken.movie) else { continue }
      var steps: [RepairStep] = []
      let moved = try MovedTracks(broken.movie, by: shift)
      for other in broken.movie.tracks where moved.contains(other) {
        for name in ["stco", "co64"] {
          let place = other.path + "/mdia/minf/stbl/" + name
          guard let path = BoxPath(place), tree[path] != nil else { continue }
          try tree.edit(path) { (box: inout Box) throws(ParseError) in try box.moveChunks(by: shift) }
          steps.append(
            RepairStep(
              place, "chunk offsets", old: "off by \(-shift) bytes", new: "at the samples",
              rule: broken.findings(of: .samplesOutsideFile).isEmpty ? .sampleFraming : .samplesOutsideFile,
              track: other.id))
        }
      }
      return steps
    }
    return []
  }

  /// Corrects data references that name another file, if the samples are in this one.
  private static let externalMedia = ofTracks(.externalMedia) { tree, track, movie in
    guard FramingFault.hasSamplesHere(track, of: movie),
      let path = BoxPath(track.path + "/mdia/minf/dinf/dref")
    else { return [] }
    try tree.edit(path) { (box: inout Box) throws(ParseError) in
      box.children = box.children.map { entry in
        entry.type == "alis"
          ? Box("alis", DataEntryAliasBox(), registry: .standard)
          : Box("url ", DataEntryURLBox(), registry: .standard)
      }
    }
    return [
      BoxChange("mdia/minf/dinf/dref", "location of the samples", old: "another file", new: "this file")
    ]
  }

  /// Corrects tables of times with fewer or more samples than the track has.
  private static let counts = ofTracks(.sampleTables) { tree, track, _ in
    let place = "mdia/minf/stbl"
    guard let path = BoxPath(track.path + "/" + place), let table = tree[path],
      let counts = SampleCounts(table, in: tree), counts.isDecided, let duration = counts.duration
    else { return [] }
    var changes: [BoxChange] = []
    let all = UInt32(clamping: counts.sizes)
    if counts.times != counts.sizes {
      try tree.edit(path) { (box: inout Box) throws(ParseError) in
        guard let index = box.children.firstIndex(where: { $0.type == "stts" }) else { return }
        try box.children[index].edit(TimeToSampleBox.self) { table throws(ParseError) in
          table.entries = try PackedTable([.init(sampleCount: all, sampleDelta: duration)])
        }
      }
      changes.append(
        BoxChange(
          place + "/stts", "samples with durations", old: "\(counts.times)", new: "\(counts.sizes)"))
    }
    if let offsets = counts.offsets, offsets > counts.sizes {
      try tree.edit(path) { (box: inout Box) throws(ParseError) in
        guard let index = box.children.firstIndex(where: { $0.type == "ctts" }) else { return }
        try box.children[index].edit(CompositionOffsetBox.self) { table throws(ParseError) in
          var left = all, kept: [CompositionOffsetBox.Entry] = []
          for entry in table.entries where left > 0 {
            let count = min(entry.sampleCount, left)
            left -= count
            kept.append(.init(sampleCount: count, sampleOffset: entry.sampleOffset))
          }
          table.entries = try PackedTable(kept)
        }
      }
      changes.append(
        BoxChange(
          place + "/ctts", "samples with composition times", old: "\(offsets)", new: "\(counts.sizes)"))
    }
    return changes
  }

  /// Removes samples from the sync samples whose picture of the lowest layer depends on others.
  private static let syncSamples = ofTracks(.syncSample) { tree, track, movie in
    guard !movie.container.isFragmented, let path = BoxPath(track.path + "/mdia/minf/stbl") else { return [] }
    var kept: [UInt32Record] = [], count = 0
    let lookup = AccessUnitLookup(track)
    for sample in try track.samples() where sample.isSync {
      count += 1
      if try lookup.accessUnit(of: sample).isRandomAccessPoint {
        kept.append(UInt32Record(UInt32(clamping: sample.index + 1)))
      }
    }
    guard kept.count < count else { return [] }
    try tree.edit(path) { (box: inout Box) throws(ParseError) in
      var table = SyncSampleBox()
      table.entries = try PackedTable(kept)
      let new = Box("stss", table, registry: .standard)
      if let index = box.children.firstIndex(where: { $0.type == "stss" }) {
        box.children[index] = new
      } else {
        let after = box.children.lastIndex { ["stts", "ctts", "cslg"].contains($0.type) }
        box.children.insert(new, at: after.map { $0 + 1 } ?? box.children.count)
      }
    }
    return [BoxChange("mdia/minf/stbl/stss", "sync samples", old: "\(count)", new: "\(kept.count)")]
  }

  /// Adds an edit that removes the composition delay of video, in a movie whose other tracks have such an edit.
  private static let edits = ofTracks(.unevenShift) { tree, track, movie in
    guard let header = tree.movieHeader, header.timescale > 0, let path = BoxPath(track.path),
      let start = track.compositionDelay, start > 0, track.timescale > 0
    else { return [] }
    // With fragments, an edit of no duration lasts to the end.
    let media = movie.container.isFragmented ? 0 : UInt64(clamping: try track.samples().endTime)
    guard let duration = media.converted(from: track.timescale, to: header.timescale, roundingUp: true)
    else { return [] }
    try tree.edit(path) { (trak: inout Box) throws(ParseError) in
      trak.children.removeAll { $0.type == "edts" }
      trak.setEdits(EditListBox([.init(editDuration: duration, mediaTime: start)]))
    }
    return [BoxChange("edts/elst", "beginning of the video", old: "0", new: "\(start)")]
  }
}

extension Box {
  fileprivate mutating func moveChunks(by shift: Int) throws(ParseError) {
    let place = offset
    func moved(_ offset: UInt64) throws(ParseError) -> UInt64 {
      let (new, overflow) = Int(clamping: offset).addingReportingOverflow(shift)
      guard !overflow, new >= 0 else {
        throw ParseError(.invalid("a chunk would be before the beginning of the file"), offset: place)
      }
      return UInt64(new)
    }
    if type == "stco" {
      try edit(ChunkOffsetBox.self) { table throws(ParseError) in
        var new: [UInt32Record] = []
        for entry in table.entries {
          guard let offset = UInt32(exactly: try moved(UInt64(entry.value))) else {
            throw ParseError(.invalid("a chunk would be beyond 4 GiB"), offset: place)
          }
          new.append(UInt32Record(offset))
        }
        table.entries = try PackedTable(new)
      }
    } else {
      try edit(ChunkLargeOffsetBox.self) { table throws(ParseError) in
        var new: [UInt64Record] = []
        for entry in table.entries { new.append(UInt64Record(try moved(entry.value))) }
        table.entries = try PackedTable(new)
      }
    }
  }
}

extension AccessUnitPlaces {
  /// Whether decoding can begin at the picture of the lowest layer; true if none is known.
  fileprivate var isRandomAccessPoint: Bool {
    let slices = units.filter(\.header.type.isSliceSegment)
    return slices.min { $0.header.layerID < $1.header.layerID }?.header.type.isRandomAccessPoint ?? true
  }
}
