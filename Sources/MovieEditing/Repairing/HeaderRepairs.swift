// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension BoxRepair {
  /// The repairs of headers, and of sound descriptions. They come last: durations follow from tables and edits.
  static let ofHeaders: [BoxRepair] = [durations, sizes, quickTimeSound]

  private static let durations = BoxRepair(.headerDurations) { tree, broken in
    var steps: [RepairStep] = []
    // Every header of a movie in which one is wrong gets the duration that follows from the samples; those that are
    // right are not changed.
    for item in HeaderDurations(broken.movie).items where item.isAbsurd {
      let track = item.track.map { broken.movie.tracks[$0].id }
      guard broken.findings(of: .headerDurations).contains(where: { $0.trackID == track }),
        try tree.setDuration(item)
      else { continue }
      steps.append(
        RepairStep(
          item.path, "duration", old: HeaderDurations.Item.words(item.stated, item.timescale),
          new: HeaderDurations.Item.words(item.actual, item.timescale), rule: .headerDurations, track: track))
    }
    return steps
  }

  private static let sizes = ofTracks(.headerSize) { tree, track, _ in
    guard let size = PresentedSize(track), let header = track.header, header.width == 0 || header.height == 0,
      size.width < 65_536, size.height < 65_536, let path = BoxPath(track.path + "/tkhd")
    else { return [] }
    let (width, height) = (UInt32(size.width * 65_536), UInt32(size.height * 65_536))
    try tree.edit(path, TrackHeaderBox.self) { ($0.width, $0.height) = (width, height) }
    return [
      BoxChange(
        "tkhd", "picture size", old: "\(header.width >> 16)×\(header.height >> 16)",
        new: "\(width >> 16)×\(height >> 16)")
    ]
  }

  /// Puts the descriptor of AAC where QuickTime has it.
  private static let quickTimeSound = ofEntries(.quickTimeSound) { entry, _ in
    guard entry.isPlainAAC, let changed = entry.inQuickTimeForm else { return nil }
    entry = changed
    return BoxChange("", "sound description", old: "version 0", new: "version 1")
  }
}

extension BoxTree {
  /// Gives a header the duration that follows from the samples and edits; returns whether there is one.
  mutating func setDuration(_ item: HeaderDurations.Item) throws(ParseError) -> Bool {
    guard let path = BoxPath(item.path) else { return false }
    try edit(path) { (box: inout Box) throws(ParseError) in
      try box.editTimedHeader { $0.setDuration(item.actual) }
    }
    return true
  }
}
