// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension StereoTags {
  /// The tags as they are written: values in the box `eyes` imply ``eyes``, which is both eyes unless specified.
  var completed: StereoTags {
    var tags = self
    if tags.eyes == nil, !values(in: "eyes").isEmpty { tags.eyes = [.leftEye, .rightEye] }
    if tags.eyes != nil {
      tags.isReversed = tags.isReversed ?? false
      tags.hasAdditionalViews = tags.hasAdditionalViews ?? false
    }
    return tags
  }

  /// The values in boxes of a type, and in the boxes inside these.
  private func values(in type: FourCC) -> StereoTags {
    var values = StereoTags()
    for tag in StereoTag.all where tag.box.contains(type) { tag.copy(self, &values) }
    return values
  }

  /// Writes the values that differ from `old` to the boxes of a sample entry. Other boxes are not changed, and
  /// boxes that become empty are removed.
  func write(to entry: inout Box, replacing old: StereoTags) {
    let usageIndex = entry.children.firstIndex { $0.type == "vexu" }
    var usage = usageIndex.map { entry.children[$0] } ?? Box("vexu", registry: .standard)
    let sections: [FourCC] = ["eyes", "proj", "pack"]
    let changed = sections.filter { values(in: $0) != old.values(in: $0) }
    for section in changed {
      let tags = StereoTag.all.filter { $0.box.contains(section) }
      usage.change(section) { box in
        // The other boxes have no meaning without the value of the first tag.
        guard tags[0].text(self) != nil else { return box.children.removeAll() }
        for tag in tags { box.put(tag, of: self, at: tag.box.dropFirst(2)) }
        // An empty box that also names the kind of projection would name the old one.
        box.children.removeAll { $0.type != "prji" && $0.registration?.isOf(ProjectionKindBox.self) == true }
      }
    }
    if !changed.isEmpty {
      if let usageIndex {
        if usage.children.isEmpty {
          entry.children.remove(at: usageIndex)
        } else {
          entry.children[usageIndex] = usage
        }
      } else if !usage.children.isEmpty {
        let place = entry.children.firstIndex { $0.type == "hfov" } ?? entry.children.endIndex
        entry.children.insert(usage, at: place)
      }
    }
    for tag in StereoTag.all where tag.box.count == 1 && tag.text(self) != tag.text(old) {
      entry.put(tag, of: self, at: tag.box[...])
    }
  }
}

extension Box {
  /// The order of boxes in `vexu` and `eyes` in files by Apple's writers. Boxes that are not listed stay where they are.
  private static let order: [FourCC] = [
    "must", "stri", "hero", "cams", "cmfy", "eyes", "proj", "pack", "lnsc",
  ]

  /// Changes the first child of that type. It is added if there is none, and removed if it becomes empty.
  fileprivate mutating func change(_ type: FourCC, _ body: (inout Box) -> Void) {
    guard let index = children.firstIndex(where: { $0.type == type }) else {
      var made = Box(type, in: .box(self.type), registry: .standard)
      body(&made)
      if !made.children.isEmpty { children.insert(made, at: place(for: type)) }
      return
    }
    var child = children[index]
    if child.structuralProblem != nil {
      // What is put into a box that cannot be read whole would not be found there: one of what can be read takes its place. It
      // stays as it is if nothing is put into it.
      var made = Box(type, in: .box(self.type), registry: .standard)
      made.children = child.children
      body(&made)
      if !made.children.isEmpty {
        children[index] = made
      } else if !child.children.isEmpty {
        children.remove(at: index)
      }
      return
    }
    body(&child)
    if child.children.isEmpty { children.remove(at: index) } else { children[index] = child }
  }

  /// Sets the value of a tag in the first box at a path; for `nil`, removes all boxes of its type.
  fileprivate mutating func put(_ tag: StereoTag, of tags: StereoTags, at path: ArraySlice<FourCC>) {
    guard let type = path.first else { return }
    if path.count > 1 { return change(type) { $0.put(tag, of: tags, at: path.dropFirst()) } }
    let index = children.firstIndex { $0.type == type }
    // Flags and reserved bits are kept if they can be read.
    let decoding = index.flatMap { children[$0].decodePayload() }
    if let payload = tag.payload(tags, decoding?.error == nil ? decoding?.payload : nil) {
      if let index { return children[index].replacePayload(payload) }
      children.insert(Box(type, payload, in: .box(self.type), registry: .standard), at: place(for: type))
    } else if index != nil {
      children.removeAll { $0.type == type }
    }
  }

  private func place(for type: FourCC) -> Int {
    let order = Self.order
    guard let rank = order.firstIndex(of: type) else {
      // In sample entries, `hfov` follows `vexu`.
      return children.firstIndex { $0.type == "vexu" }.map { $0 + 1 } ?? children.endIndex
    }
    let last = children.lastIndex { child in order.firstIndex(of: child.type).map { $0 < rank } ?? false }
    if let last { return last + 1 }
    // No box that precedes it is present: it goes before all others in the order.
    return children.firstIndex { order.contains($0.type) } ?? children.startIndex
  }
}
