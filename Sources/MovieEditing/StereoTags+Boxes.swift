// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension StereoTags {
  /// The order of boxes in files by Apple's writers. Boxes that are not listed stay where they are.
  private static let orderInUsage: [FourCC] = ["must", "eyes", "proj", "pack", "lnsc"]
  private static let orderInEyes: [FourCC] = ["must", "stri", "hero", "cams", "cmfy"]

  /// Writes the values that differ from `old` to the boxes of a sample entry. Other boxes are not changed, and
  /// boxes that become empty are removed.
  func write(to entry: inout Box, replacing old: StereoTags) {
    let usageIndex = entry.children.firstIndex { $0.type == "vexu" }
    var usage = usageIndex.map { entry.children[$0] } ?? Box("vexu", registry: .standard)
    let before = (eyeValues == old.eyeValues, projection == old.projection, packing == old.packing)
    if !before.0 { usage.change("eyes", order: Self.orderInUsage) { writeEyes(to: &$0) } }
    if !before.1 {
      usage.change("proj", order: Self.orderInUsage) { box in
        // The other boxes have no meaning without the kind.
        guard projection != nil else { return box.children.removeAll() }
        box.put("prji", ProjectionInformationBox.self, projection) { $0.projection = $1 }
        // An empty box that also names the kind of projection would name the old one.
        box.children.removeAll { $0.type != "prji" && $0.registration?.payloadType == ProjectionKindBox.self }
      }
    }
    if !before.2 {
      usage.change("pack", order: Self.orderInUsage) { box in
        guard packing != nil else { return box.children.removeAll() }
        box.put("pkin", ViewPackingInformationBox.self, packing) { $0.packing = $1 }
      }
    }
    if before != (true, true, true) {
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
    if fieldOfView != old.fieldOfView {
      entry.put(
        "hfov", HorizontalFieldOfViewBox.self, fieldOfView, after: "vexu"
      ) { $0.fieldOfView = $1 }
    }
  }

  /// The values that are stored in the box `eyes`.
  private var eyeValues: StereoTags {
    var values = self
    for tag in StereoTag.all where !tag.isOfEyes { tag.remove(from: &values) }
    return values
  }

  /// The tags as they are written: values in the box `eyes` imply ``eyes``, which is both eyes unless specified.
  var completed: StereoTags {
    var tags = self
    if tags.eyes == nil, !eyeValues.isEmpty { tags.eyes = [.leftEye, .rightEye] }
    if tags.eyes != nil {
      tags.isReversed = tags.isReversed ?? false
      tags.hasAdditionalViews = tags.hasAdditionalViews ?? false
    }
    return tags
  }

  private func writeEyes(to box: inout Box) {
    let order = Self.orderInEyes
    guard let eyes else { return box.children.removeAll() }
    box.put("stri", StereoViewInformationBox.self, eyes, order: order) { payload, eyes in
      payload.hasLeftEyeView = eyes.contains(.leftEye)
      payload.hasRightEyeView = eyes.contains(.rightEye)
      payload.eyeViewsReversed = isReversed ?? false
      payload.hasAdditionalViews = hasAdditionalViews ?? false
    }
    box.put("hero", HeroEyeBox.self, heroEye, order: order) { $0.heroEye = $1 }
    box.change("cams", order: order) { cams in
      cams.put("blin", CameraBaselineBox.self, baseline) { $0.baseline = $1 }
    }
    box.change("cmfy", order: order) { comfort in
      comfort.put("dadj", DisparityAdjustmentBox.self, disparityAdjustment) { $0.adjustment = $1 }
    }
  }
}

extension Box {
  /// Changes the first child of that type. It is added if there is none, and removed if it becomes empty.
  fileprivate mutating func change(_ type: FourCC, order: [FourCC], _ body: (inout Box) -> Void) {
    guard let index = children.firstIndex(where: { $0.type == type }) else {
      var made = Box(type, in: .box(self.type), registry: .standard)
      body(&made)
      if !made.children.isEmpty { children.insert(made, at: place(for: type, order)) }
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

  /// Sets the value of the first child of that type; for `nil`, removes all children of that type.
  fileprivate mutating func put<Payload: BoxPayload, Value>(
    _ type: FourCC, _: Payload.Type, _ value: Value?, order: [FourCC] = [], after: FourCC? = nil,
    _ set: (inout Payload, Value) -> Void
  ) {
    guard let value else {
      if children.contains(where: { $0.type == type }) { children.removeAll { $0.type == type } }
      return
    }
    guard let index = children.firstIndex(where: { $0.type == type }) else {
      var payload = Payload()
      set(&payload, value)
      var place = place(for: type, order)
      if let after, let other = children.firstIndex(where: { $0.type == after }) { place = other + 1 }
      children.insert(Box(type, payload, in: .box(self.type), registry: .standard), at: place)
      return
    }
    // Flags and reserved bits are kept if they can be read.
    let decoding = children[index].decodePayload()
    var payload = decoding?.error == nil ? decoding?.payload as? Payload ?? Payload() : Payload()
    set(&payload, value)
    children[index].replacePayload(payload)
  }

  private func place(for type: FourCC, _ order: [FourCC]) -> Int {
    guard let rank = order.firstIndex(of: type) else { return children.endIndex }
    let last = children.lastIndex { child in order.firstIndex(of: child.type).map { $0 < rank } ?? false }
    if let last { return last + 1 }
    // No box that precedes it is present: it goes before all others in the order.
    return children.firstIndex { order.contains($0.type) } ?? children.startIndex
  }
}
