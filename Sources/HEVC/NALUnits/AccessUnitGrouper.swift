// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Groups the NAL units of a byte stream into access units.
///
/// In a stream of several layers, an access unit holds a picture of each. It begins with a picture of the base
/// layer (or, if that is missing, of a layer not above the last one), or with the first parameter set, prefix SEI
/// or delimiter of layer 0 that precedes it after the last slice segment. Parameter sets, SEI and delimiters
/// between the layers of an access unit do not begin a new one, *whatever their layer*. ISO/IEC 23008-2, 7.4.2.4.4
/// and F.7.4.2.4.4
public struct AccessUnitGrouper<Unit: NALUnitDescription> {
  /// How many units an access unit may have; a longer one is cut, so that no stream can fill the memory.
  public let maximumUnits: Int

  private var units: [Unit] = []
  private var hasSlice = false
  /// The first unit after the last slice segment that can begin an access unit.
  private var candidate: Int?
  /// Whether the bitstream ended after the last slice segment.
  private var isOver = false
  private var lastPicture: (layerID: UInt8, order: Int?)?

  /// Makes a grouper without units.
  public init(maximumUnits: Int = 1 << 16) { self.maximumUnits = max(1, maximumUnits) }

  /// Adds the next unit in decoding order.
  ///
  /// - Parameters:
  ///   - unit: the unit.
  ///   - pictureOrderCount: the order count of a slice segment, if known: pictures with different order counts
  ///     never share an access unit.
  /// - Returns: the previous access unit, if this unit shows that it is complete.
  public mutating func add(_ unit: Unit, pictureOrderCount: Int? = nil) -> AccessUnit<Unit>? {
    guard let complete = units(before: unit, pictureOrderCount: pictureOrderCount) else { return nil }
    return AccessUnit(complete)
  }

  /// Adds the next unit; returns the units of the previous access unit if this one shows that it is complete.
  package mutating func units(before unit: Unit, pictureOrderCount: Int? = nil) -> [Unit]? {
    let header = unit.header
    var complete: [Unit]?
    if units.count >= maximumUnits { complete = cut(at: units.count) }
    if header.isValid, hasSlice {
      if header.type.isVideoCodingLayer {
        if beginsAccessUnit(unit, pictureOrderCount) {
          complete = cut(at: candidate ?? units.count) ?? complete
        }
      } else if header.layerID == 0 {
        if candidate == nil, header.type.mayBeginAccessUnit { candidate = units.count }
        if header.type == .endOfBitstream { isOver = true }
      }
    }
    units.append(unit)
    if header.isValid, header.type.isVideoCodingLayer {
      hasSlice = true
      candidate = nil
      isOver = false
      if header.type.isSliceSegment {
        if let last = lastPicture, last.layerID == header.layerID, !unit.startsPicture {
          lastPicture = (header.layerID, pictureOrderCount ?? last.order)
        } else {
          lastPicture = (header.layerID, pictureOrderCount)
        }
      }
    }
    return complete
  }

  /// The last access unit; `nil` if there are no units.
  public mutating func finish() -> AccessUnit<Unit>? {
    guard let last = lastUnits() else { return nil }
    return AccessUnit(last)
  }

  /// The units of the last access unit; `nil` if there are none.
  package mutating func lastUnits() -> [Unit]? { cut(at: units.count) }

  private func beginsAccessUnit(_ unit: Unit, _ order: Int?) -> Bool {
    if isOver { return true }
    guard unit.header.type.isSliceSegment, let last = lastPicture else { return false }
    if let order, let lastOrder = last.order, order != lastOrder { return true }
    // If its first slice segment is missing, a picture is still recognised as a new one if its layer is lower.
    return unit.startsPicture ? unit.header.layerID <= last.layerID : unit.header.layerID < last.layerID
  }

  private mutating func cut(at index: Int) -> [Unit]? {
    guard index > 0 else { return nil }
    var complete: [Unit] = []
    if index >= units.count {
      swap(&complete, &units)
    } else {
      complete = Array(units[..<index])
      units.removeFirst(index)
    }
    hasSlice = false
    candidate = nil
    isOver = false
    lastPicture = nil
    return complete
  }
}

extension AccessUnitGrouper: Sendable where Unit: Sendable {}

extension AccessUnitGrouper {
  /// Groups a complete sequence of units.
  public static func group(_ units: some Sequence<Unit>) -> [AccessUnit<Unit>] {
    var grouper = AccessUnitGrouper()
    var groups: [AccessUnit<Unit>] = []
    for unit in units {
      if let group = grouper.add(unit) { groups.append(group) }
    }
    if let last = grouper.finish() { groups.append(last) }
    return groups
  }
}
