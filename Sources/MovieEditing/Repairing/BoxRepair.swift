// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A repair that changes only boxes: no sample is rewritten.
struct BoxRepair: Sendable {
  /// The rules that the movie satisfies after the repair.
  let rules: Set<Rule>
  /// Changes the boxes, and returns the changes.
  let apply: @Sendable (inout BoxTree, RepairCase) throws -> [RepairStep]

  init(
    _ rules: Rule..., apply: @escaping @Sendable (inout BoxTree, RepairCase) throws -> [RepairStep]
  ) {
    self.rules = Set(rules)
    self.apply = apply
  }

  /// Makes a repair of each track in which the rule is broken.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - change: changes the boxes of a track and returns the changes; none if the track cannot be repaired.
  static func ofTracks(
    _ rule: Rule, _ change: @escaping @Sendable (inout BoxTree, Track, MovieFile) throws -> [BoxChange]
  ) -> BoxRepair {
    BoxRepair(rule) { tree, broken in
      try broken.tracks(of: rule).flatMap { track in
        try change(&tree, track, broken.movie).map { $0.step(rule, track, in: track.path) }
      }
    }
  }

  /// Makes a repair of each sample entry of the tracks in which the rule is broken.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - change: changes an entry and returns the change; `nil` if the entry satisfies the rule.
  static func ofEntries(
    _ rule: Rule, _ change: @escaping @Sendable (inout Box, FormatDescription) throws -> BoxChange?
  ) -> BoxRepair {
    BoxRepair(rule) { tree, broken in
      var steps: [RepairStep] = []
      for track in broken.tracks(of: rule) {
        for description in track.formatDescriptions where !description.isProtected {
          guard let path = BoxPath(description.path), var entry = tree[path],
            let done = try change(&entry, description)
          else { continue }
          try tree.replace(path, with: entry)
          steps.append(done.step(rule, track, in: description.path))
        }
      }
      return steps
    }
  }

  /// All repairs, in an order in which each makes the next possible: boxes that are misplaced or damaged come
  /// before their contents.
  static let all = ofStructure + ofStereoBoxes + ofRecords + ofTables + ofHeaders
}

/// A change of a track or of a sample entry.
struct BoxChange {
  /// The path of the box relative to the track or entry; empty for the entry itself.
  let box: String
  let name: String
  let old: String
  let new: String

  init(_ box: String, _ name: String, old: String, new: String) {
    (self.box, self.name, self.old, self.new) = (box, name, old, new)
  }

  fileprivate func step(_ rule: Rule, _ track: Track, in path: String) -> RepairStep {
    RepairStep(box.isEmpty ? path : path + "/" + box, name, old: old, new: new, rule: rule, track: track.id)
  }
}

/// A movie, and the findings that a repair fixes.
struct RepairCase: Sendable {
  let movie: MovieFile
  let findings: [Finding]

  func findings(of rule: Rule) -> [Finding] { findings.filter { $0.rule == rule } }

  /// Returns the tracks in which a rule is broken.
  func tracks(of rule: Rule) -> [Track] {
    let ids = Set(findings(of: rule).compactMap(\.trackID))
    return movie.tracks.filter { ids.contains($0.id) }
  }
}

extension Box {
  /// Reads a box from bytes, for a tree that is written and read again.
  init?(reading bytes: [UInt8]) {
    let boxes = BoxTree(ByteView(bytes), registry: .standard).boxes
    guard boxes.count == 1, let box = boxes.first else { return nil }
    self = box
  }

  /// Returns the same box with other bytes after its header, which has a size of 32 bits.
  func withBody(_ body: [UInt8]) -> Box? {
    let size = UInt32(clamping: body.count + 8)
    return Box(reading: size.bigEndianBytes + type.rawValue.bigEndianBytes + body)
  }

  /// Replaces descendants by other boxes, and returns the types of those that were replaced.
  mutating func replaceDescendants(_ other: (Box) -> Box?) -> [FourCC] {
    var types: [FourCC] = []
    for index in children.indices {
      if let new = other(children[index]) {
        types.append(children[index].type)
        children[index] = new
      } else if !children[index].children.isEmpty {
        var child = children[index]
        let below = child.replaceDescendants(other)
        if !below.isEmpty { children[index] = child }
        types += below
      }
    }
    return types
  }
}
