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

  /// Makes a repair of each sample entry of the tracks in which the rule is broken.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - change: changes an entry and returns the change; `nil` if the entry satisfies the rule.
  static func ofEntries(
    _ rule: Rule, _ change: @escaping @Sendable (inout Box, FormatDescription) throws -> EntryChange?
  ) -> BoxRepair {
    BoxRepair(rule) { tree, broken in
      var steps: [RepairStep] = []
      for track in broken.tracks(of: rule) {
        for description in track.formatDescriptions where !description.isProtected {
          guard let path = BoxPath(description.path), var entry = tree[path],
            let done = try change(&entry, description)
          else { continue }
          let changed = entry
          try tree.edit(path) { (box: inout Box) throws(ParseError) in box = changed }
          let place = done.box.isEmpty ? description.path : description.path + "/" + done.box
          steps.append(
            RepairStep(
              rule: rule, trackID: track.id, place: place, name: done.name, old: done.old, new: done.new))
        }
      }
      return steps
    }
  }

  /// All repairs, in an order in which each makes the next possible: boxes that are misplaced or damaged come
  /// before their contents.
  static let all = ofStructure + ofStereoBoxes + ofRecords + ofTables + ofHeaders
}

/// A change of a sample entry.
struct EntryChange {
  /// The path of the box relative to the entry; empty for the entry itself.
  var box: String
  var name: String
  var old: String
  var new: String
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
    let count = UInt32(clamping: body.count + 8)
    let header = [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: count &>> shift) }
    return Box(reading: header + type.bytes + body)
  }

  /// Replaces descendants by other boxes, and returns the number of replacements.
  mutating func replaceDescendants(_ other: (Box) -> Box?) -> Int {
    var count = 0
    for index in children.indices {
      if let new = other(children[index]) {
        children[index] = new
        count += 1
      } else if !children[index].children.isEmpty {
        var child = children[index]
        let below = child.replaceDescendants(other)
        if below > 0 { children[index] = child }
        count += below
      }
    }
    return count
  }
}

extension FourCC {
  /// The four bytes of the code.
  var bytes: [UInt8] {
    [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: rawValue &>> shift) }
  }
}
