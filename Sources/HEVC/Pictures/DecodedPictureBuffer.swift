// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Keeps decoded pictures while others refer to them and until they are output, and determines the output order.
///
/// It does not deal with samples: `Picture` is whatever the decoder keeps of a picture. All layers share one
/// buffer; each has its own capacity, and the pictures of an access unit are output together.
/// ISO/IEC 23008-2, 8.3.2, C.5.2 and F.8.3.2
package struct DecodedPictureBuffer<Picture> {
  /// How a picture is marked. 8.3.2
  package enum Marking: Hashable, Sendable {
    case unused, shortTerm, longTerm
  }

  /// A picture in the buffer.
  package struct Entry {
    /// What the decoder keeps of the picture.
    package var picture: Picture
    /// The layer (`nuh_layer_id`).
    package let layerID: UInt8
    /// The position in output order (`PicOrderCntVal`).
    package let orderCount: Int
    /// Whether it replaces a missing picture, and is never output. 8.3.3
    package let isGenerated: Bool
    fileprivate(set) var marking: Marking
    /// Whether it is needed for output.
    package fileprivate(set) var isWaiting: Bool
    fileprivate let accessUnit: Int
    /// How many pictures have been decoded while this one waits for output (`PicLatencyCount`).
    fileprivate var latency = 0
  }

  /// The pictures of an access unit, by ascending layer.
  package typealias Output = [Entry]

  package private(set) var entries: [Entry] = []
  private var accessUnit = 0
  /// The limits of the access unit being decoded: those of its lowest layer.
  private var limits = BufferLimits(reorder: 16, capacity: 16)
  private var hasBegun = false

  /// Makes an empty buffer.
  package init() {}

  // MARK: Before a picture

  /// Prepares for the next picture: marks pictures that it no longer refers to, and returns those that are due for
  /// output. 8.3.2 and C.5.2.2
  package mutating func begin(_ plan: PicturePlan) -> [Output] {
    var outputs: [Output] = []
    if plan.startsSequence {
      if plan.isLowestLayer {
        if plan.discardsPriorPictures { stopWaiting() } else { outputs = flush() }
      }
      for index in entries.indices where plan.restartsLayers || entries[index].layerID == plan.layerID {
        if entries[index].accessUnit != accessUnit || entries[index].layerID == plan.layerID {
          entries[index].marking = .unused
        }
      }
    }
    mark(plan)
    removeUnused()
    if !hasBegun {
      hasBegun = true
      limits = plan.limits
      while isOverfull || count(ofLayer: plan.layerID) >= plan.limits.capacity, let next = bump() {
        outputs.append(next)
      }
    }
    return outputs
  }

  /// Marks the pictures of the layer according to the reference picture set. 8.3.2
  private mutating func mark(_ plan: PicturePlan) {
    let set = plan.references
    for index in entries.indices where entries[index].layerID == plan.layerID {
      guard entries[index].marking != .unused, entries[index].accessUnit != accessUnit else { continue }
      let count = entries[index].orderCount
      if set.longTerm.contains(where: { $0.matches(count, plan) })
        || set.longTermFollowing.contains(where: { $0.matches(count, plan) })
      {
        entries[index].marking = .longTerm
      } else if entries[index].marking == .longTerm || !set.shortTerm(contains: count) {
        entries[index].marking = .unused
      }
    }
    // No level allows more than 16 pictures; a set of a damaged stream may list three times as many.
    var excess = entries.reduce(-16) { $0 + ($1.layerID == plan.layerID && $1.marking != .unused ? 1 : 0) }
    for index in entries.indices where excess > 0 && entries[index].layerID == plan.layerID {
      guard entries[index].marking != .unused else { continue }
      entries[index].marking = .unused
      excess -= 1
    }
  }

  private mutating func stopWaiting() {
    for index in entries.indices { entries[index].isWaiting = false }
  }

  private mutating func removeUnused() {
    entries.removeAll { !$0.isWaiting && $0.marking == .unused && $0.accessUnit != accessUnit }
  }

  private func count(ofLayer id: UInt8) -> Int {
    entries.reduce(0) { $0 + ($1.layerID == id && !$1.isGenerated ? 1 : 0) }
  }

  // MARK: References

  /// A picture of the layer that is marked as used for reference; `nil` if it is missing.
  package func reference(_ wanted: ReferencePicture, of plan: PicturePlan) -> Entry? {
    entries.first {
      $0.layerID == wanted.layerID && $0.marking != .unused && $0.accessUnit != accessUnit
        && wanted.matches($0.orderCount, plan)
    }
  }

  /// The picture of another layer of the same access unit; `nil` if it is missing.
  package func interLayerReference(_ layerID: UInt8) -> Entry? {
    entries.last { $0.accessUnit == accessUnit && $0.layerID == layerID }
  }

  /// The picture of the layer with the nearest order count: the best substitute for a missing one.
  package func nearest(to orderCount: Int, layerID: UInt8) -> Entry? {
    entries.filter { $0.layerID == layerID && $0.accessUnit != accessUnit }
      .min { abs($0.orderCount &- orderCount) < abs($1.orderCount &- orderCount) }
  }

  /// Adds a substitute for a missing picture. 8.3.3
  @discardableResult
  package mutating func insert(generated picture: Picture, for reference: ReferencePicture) -> Entry {
    let entry = Entry(
      picture: picture, layerID: reference.layerID, orderCount: reference.orderCount, isGenerated: true,
      marking: reference.isLongTerm ? .longTerm : .shortTerm, isWaiting: false, accessUnit: accessUnit - 1)
    entries.append(entry)
    return entry
  }

  // MARK: After a picture

  /// Adds a picture that is decoded, or about to be. It is not output before its access unit is complete.
  package mutating func insert(_ picture: Picture, _ plan: PicturePlan) {
    // The stream may contain the same picture twice: the later one is used.
    entries.removeAll { $0.accessUnit == accessUnit && $0.layerID == plan.layerID }
    entries.append(
      Entry(
        picture: picture, layerID: plan.layerID, orderCount: plan.orderCount, isGenerated: false,
        marking: .shortTerm, isWaiting: plan.isOutput, accessUnit: accessUnit))
  }

  /// Ends the access unit, and returns the access units that are due for output. C.5.2.3
  package mutating func endAccessUnit() -> [Output] {
    guard hasBegun else { return [] }
    hasBegun = false
    if let count = entries.first(where: { $0.accessUnit == accessUnit && $0.isWaiting })?.orderCount {
      for index in entries.indices where entries[index].isWaiting && entries[index].orderCount > count {
        entries[index].latency += 1
      }
    }
    accessUnit += 1
    var outputs: [Output] = []
    while isOverfull, let next = bump() { outputs.append(next) }
    return outputs
  }

  /// Whether too many access units wait, or one has waited for too long.
  private var isOverfull: Bool {
    var waiting: [Int] = []
    for entry in entries where entry.isWaiting {
      if let latency = limits.latency, entry.latency >= latency { return true }
      if !waiting.contains(entry.accessUnit) { waiting.append(entry.accessUnit) }
    }
    return waiting.count > limits.reorder
  }

  /// Removes and returns the waiting access unit that is first in output order. C.5.2.4
  private mutating func bump() -> Output? {
    let waiting = entries.filter(\.isWaiting)
    guard let first = waiting.min(by: { ($0.orderCount, $0.accessUnit) < ($1.orderCount, $1.accessUnit) })
    else {
      return nil
    }
    let output = waiting.filter { $0.accessUnit == first.accessUnit }.sorted { $0.layerID < $1.layerID }
    for index in entries.indices where entries[index].accessUnit == first.accessUnit {
      entries[index].isWaiting = false
    }
    removeUnused()
    return output
  }

  /// Removes and returns all waiting pictures, in output order.
  package mutating func flush() -> [Output] {
    var outputs: [Output] = []
    while let next = bump() { outputs.append(next) }
    return outputs
  }

  /// Discards all pictures.
  package mutating func removeAll() {
    entries = []
    hasBegun = false
  }
}

extension DecodedPictureBuffer.Entry: Sendable where Picture: Sendable {}
extension DecodedPictureBuffer: Sendable where Picture: Sendable {}

extension ReferencePicture {
  /// Whether it is the picture with an order count, of which it may specify only the low bits.
  fileprivate func matches(_ count: Int, _ plan: PicturePlan) -> Bool {
    isLowBitsOnly ? count & (plan.sps.maxPicOrderCntLsb - 1) == orderCount : count == orderCount
  }
}

extension ReferencePictureSet {
  fileprivate func shortTerm(contains count: Int) -> Bool {
    shortTermBefore.contains(count) || shortTermAfter.contains(count) || shortTermFollowing.contains(count)
  }
}
