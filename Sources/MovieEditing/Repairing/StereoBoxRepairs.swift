// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension BoxRepair {
  /// The repairs of the boxes of stereo and projected video that do not depend on their values.
  static let ofStereoBoxes: [BoxRepair] = [
    plainBoxes, boxVersions, misplacedBoxes, repeatedBoxes(.duplicateBox), boxSizes, emptyBoxes,
  ]

  /// Removes version and flags from plain boxes that were written with these four bytes.
  private static let plainBoxes = ofEntries(.fullBoxHeader) { entry, _ in
    let types = entry.replaceDescendants { box in
      guard box.isLoaded, box.isFullFieldOfView || box.beginsWithVersionAndFlags else { return nil }
      return box.withBody(box.body.suffix(from: 4).array)
    }
    guard !types.isEmpty else { return nil }
    return BoxChange(
      "", "version and flags of plain boxes", old: types.map(\.description).joined(separator: ", "),
      new: "none")
  }

  /// Sets version 0 in boxes of an unknown version that have the length of version 0.
  private static let boxVersions = ofEntries(.boxVersion) { entry, _ in
    let types = entry.replaceDescendants { box in
      guard box.isLoaded, box.body[0] ?? 0 > 0, StereoBoxHome.sizes[box.type] == box.size,
        !["cams", "cmfy", "hfov"].contains(box.type)
      else { return nil }
      return box.withBody([0] + box.body.suffix(from: 1).array)
    }
    guard !types.isEmpty else { return nil }
    return BoxChange(
      "", "version of boxes", old: "unknown", new: "0: " + types.map(\.description).joined(separator: ", "))
  }

  /// Moves misplaced boxes to where they belong, if there is none yet: those outside of sample entries into the one that the first
  /// sample has, the others within their entry.
  private static let misplacedBoxes = BoxRepair(.misplacedBox) { tree, broken in
    var steps: [RepairStep] = []
    for track in broken.tracks(of: .misplacedBox) {
      for (index, description) in track.formatDescriptions.enumerated() {
        guard let path = BoxPath(description.path), var home = tree[path] else { continue }
        var around: [BoxPath] = []
        var moved: [(box: Box, from: String)] = []
        if index + 1 == Int(clamping: track.mainDescriptionNumber) {
          for steps in ["", "/mdia/minf/stbl", "/mdia/minf", "/mdia"] {
            guard let path = BoxPath(track.path + steps), var box = tree[path] else { continue }
            let found = box.removeChildren(of: ["vexu", "hfov", "eyes"], path: track.path + steps)
            if !found.isEmpty { around.append(path) }
            moved += found
          }
        }
        moved += home.removeChildren(of: StereoBoxHome.typesInUsage, path: description.path)
        moved += home.removeStrays(path: description.path)
        var done: [RepairStep] = []
        for (box, from) in moved {
          guard StereoBoxHome.isVacant(box.type, in: home), let way = StereoBoxHome.containers(of: box.type)
          else { break }
          home.put(box, in: way[...])
          let place = ([description.path] + way.map(\.description)).joined(separator: "/")
          done.append(
            RepairStep(
              place, "place of '\(box.type)'", old: from, new: place, rule: .misplacedBox, track: track.id))
        }
        // If another box is in the right place, it is not known which one is wrong: the entry stays as it is.
        guard done.count == moved.count, !moved.isEmpty else { continue }
        try tree.replace(path, with: home)
        for path in around {
          guard var box = tree[path] else { continue }
          _ = box.removeChildren(of: ["vexu", "hfov", "eyes"], path: "")
          try tree.replace(path, with: box)
        }
        steps += done
      }
    }
    return steps
  }

  /// Removes boxes of a sample entry that repeat an earlier one with the same bytes.
  static func repeatedBoxes(_ rule: Rule) -> BoxRepair {
    ofEntries(rule) { entry, _ in
      var types: [FourCC] = []
      entry.removeRepetitions(&types)
      guard !types.isEmpty else { return nil }
      let names = types.map(\.description).joined(separator: ", ")
      return BoxChange("", "duplicate boxes", old: names, new: "once")
    }
  }

  /// Removes bytes after the fields of a box, and padding.
  private static let boxSizes = ofEntries(.boxSizes) { entry, _ in
    let types = entry.replaceDescendants { box in
      guard let size = StereoBoxHome.sizes[box.type], box.size > size, box.isLoaded,
        box.structuralProblem == nil
      else { return nil }
      if box.isContainer {
        let kept = box.children.filter { $0.type != "free" && $0.type != "skip" }
        guard kept.count < box.children.count else { return nil }
        var new = box
        new.children = kept
        return new
      }
      guard let decoding = box.decodePayload(), decoding.error == nil, !decoding.unread.isEmpty else {
        return nil
      }
      return box.withBody(box.body.prefix(size - box.headerSize).array)
    }
    guard !types.isEmpty else { return nil }
    return BoxChange(
      "", "bytes after the fields", old: types.map(\.description).joined(separator: ", "), new: "none")
  }

  /// Removes empty containers. An `eyes` without `stri`, in an entry with the configuration of other layers, gets a `stri` for
  /// both eyes.
  private static let emptyBoxes = ofEntries(.striUnreadable) { entry, _ in
    guard let place = entry.children.firstIndex(where: { $0.type == "vexu" }) else { return nil }
    var vexu = entry.children[place]
    var done: [String] = []
    for type: FourCC in ["proj", "pack", "eyes", "lnsc"] {
      guard let index = vexu.children.firstIndex(where: { $0.type == type }),
        vexu.children[index].structuralProblem == nil
      else { continue }
      if type == "eyes", vexu.children[index].first("stri") == nil,
        entry.first(LHEVCConfigurationBox.self) != nil
      {
        var stereo = StereoViewInformationBox()
        (stereo.hasLeftEyeView, stereo.hasRightEyeView) = (true, true)
        vexu.children[index].children.insert(Box("stri", stereo, registry: .standard), at: 0)
        done.append("stri")
      } else if vexu.children[index].children.isEmpty,
        vexu.children[index].size == vexu.children[index].headerSize
      {
        vexu.children.remove(at: index)
        done.append("no \(type)")
      }
    }
    guard !done.isEmpty else { return nil }
    if vexu.children.isEmpty { entry.children.remove(at: place) } else { entry.children[place] = vexu }
    return BoxChange(
      "vexu", "boxes without their required content", old: "\(done.count)",
      new: done.joined(separator: ", "))
  }
}

extension Box {
  /// Whether it is a field of view with version and flags.
  fileprivate var isFullFieldOfView: Bool {
    type == "hfov" && body.count == 8 && body.bigEndian(at: 0, width: 4) == 0
  }

  /// Removes the children of some types, and returns them.
  fileprivate mutating func removeChildren(of types: Set<FourCC>, path: String) -> [(box: Box, from: String)]
  {
    let found = children.filter { types.contains($0.type) }
    guard !found.isEmpty else { return [] }
    children.removeAll { types.contains($0.type) }
    return found.map { ($0, path) }
  }

  /// Removes boxes of the stereo family that are in a wrong box of that family, and returns them.
  fileprivate mutating func removeStrays(path: String, around: [FourCC] = []) -> [(box: Box, from: String)] {
    var moved: [(box: Box, from: String)] = []
    for index in children.indices.reversed() {
      let child = children[index]
      guard let home = StereoBoxHome.containers(of: child.type) else { continue }
      if home != around, !around.isEmpty {
        moved.append((child, path))
        children.remove(at: index)
      } else if child.isContainer {
        var inner = child
        let found = inner.removeStrays(path: path + "/\(child.type)", around: around + [child.type])
        guard !found.isEmpty else { continue }
        children[index] = inner
        moved += found
      }
    }
    return moved
  }

  /// Inserts a box at a path of types, and adds boxes of the path that are missing.
  fileprivate mutating func put(_ box: Box, in path: ArraySlice<FourCC>) {
    guard let step = path.first else {
      children.append(box)
      return
    }
    if let index = children.firstIndex(where: { $0.type == step }) {
      var child = children[index]
      child.put(box, in: path.dropFirst())
      children[index] = child
    } else {
      var child = Box(step, nil, children: [], registry: .standard)
      child.put(box, in: path.dropFirst())
      children.append(child)
    }
  }

  /// Removes boxes of the stereo family, and configuration records, that repeat the first of their type.
  fileprivate mutating func removeRepetitions(_ types: inout [FourCC]) {
    var index = 0
    while index < children.count {
      let child = children[index]
      let isKnown = StereoBoxHome.containers(of: child.type) != nil || ["hvcC", "lhvC"].contains(child.type)
      if isKnown, let first = children[..<index].first(where: { $0.type == child.type }),
        child.isRepetition(of: first)
      {
        types.append(child.type)
        children.remove(at: index)
        continue
      }
      if isKnown, child.isContainer, !child.children.isEmpty {
        var inner = child
        let before = types.count
        inner.removeRepetitions(&types)
        if types.count > before { children[index] = inner }
      }
      index += 1
    }
  }
}
