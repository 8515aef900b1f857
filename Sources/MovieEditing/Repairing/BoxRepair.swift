// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A repair that changes boxes alone: no sample is written anew.
struct BoxRepair: Sendable {
  /// The rules that it makes the movie keep.
  let rules: Set<RuleID>
  /// Changes the boxes; answers what it changed.
  let apply: @Sendable (inout BoxTree, RepairCase) throws -> [RepairStep]

  init(
    _ rules: RuleID..., apply: @escaping @Sendable (inout BoxTree, RepairCase) throws -> [RepairStep]
  ) {
    self.rules = Set(rules)
    self.apply = apply
  }

  /// A repair of each sample entry of the tracks in which the rule is broken.
  ///
  /// - Parameter change: answers what it changed, or `nil` where an entry keeps the rule.
  static func ofEntries(
    _ rule: RuleID, _ change: @escaping @Sendable (inout Box, FormatDescription) throws -> EntryChange?
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

  /// All of them, in the order in which one makes the next possible: what is misplaced or damaged comes before what is in it.
  static let all = ofStructure + ofStereoBoxes + ofRecords + ofTables
}

/// What was changed of a sample entry.
struct EntryChange {
  /// The box, as a path from the entry; empty for the entry itself.
  var box: String
  var name: String
  var old: String
  var new: String
}

/// A movie, and what is found wrong with it that a repair puts right.
struct RepairCase: Sendable {
  let movie: MovieFile
  let findings: [Finding]

  func findings(of rule: RuleID) -> [Finding] { findings.filter { $0.rule.id == rule } }

  /// The tracks in which a rule is broken.
  func tracks(of rule: RuleID) -> [Track] {
    let ids = Set(findings(of: rule).compactMap(\.trackID))
    return movie.tracks.filter { ids.contains($0.id) }
  }
}

extension Box {
  /// The box that some bytes are, to be put into a tree that is written and read again.
  init?(reading bytes: [UInt8]) {
    let boxes = BoxTree(ByteView(bytes), registry: .standard).boxes
    guard boxes.count == 1, let box = boxes.first else { return nil }
    self = box
  }

  /// The same box with other bytes after its header, which has 32 bits for the size.
  func withBody(_ body: [UInt8]) -> Box? {
    let count = UInt32(clamping: body.count + 8)
    let header = [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: count &>> shift) }
    return Box(reading: header + type.bytes + body)
  }

  /// Puts other boxes in the place of children, and of those below; answers how many.
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
  /// The four bytes.
  var bytes: [UInt8] {
    [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: rawValue &>> shift) }
  }
}
