// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture that another one refers to.
public struct ReferencePicture: Hashable, Sendable {
  /// The layer; for a picture of the same access unit, different from that of the current picture.
  public var layerID: UInt8
  /// The order count, or only its low bits if ``isLowBitsOnly`` is set (`PicOrderCntVal`).
  public var orderCount: Int
  /// Whether it is marked as "used for long-term reference", as pictures of other layers always are. F.8.1.6
  public var isLongTerm: Bool
  /// Whether only the low bits of the order count are known.
  public var isLowBitsOnly: Bool

  /// Makes a reference.
  public init(layerID: UInt8, orderCount: Int, isLongTerm: Bool = false, isLowBitsOnly: Bool = false) {
    self.layerID = layerID
    self.orderCount = orderCount
    self.isLongTerm = isLongTerm
    self.isLowBitsOnly = isLowBitsOnly
  }
}

/// The pictures that a picture refers to, and those kept for later pictures. ISO/IEC 23008-2, 8.3.2 and G.8.1.3
public struct ReferencePictureSet: Hashable, Sendable {
  /// Pictures that precede the current one in output order, the closest first (`PocStCurrBefore`).
  public let shortTermBefore: [Int]
  /// Pictures that follow the current one in output order, the closest first (`PocStCurrAfter`).
  public let shortTermAfter: [Int]
  /// Short-term pictures kept for later pictures (`PocStFoll`).
  public let shortTermFollowing: [Int]
  /// The order counts of the long-term pictures that this picture may use. `PocLtCurr`
  public let longTerm: [ReferencePicture]
  /// Long-term pictures kept for later pictures (`PocLtFoll`).
  public let longTermFollowing: [ReferencePicture]
  /// The layers whose pictures of the same access unit come first (`RefPicSetInterLayer0`).
  public let interLayer0: [UInt8]
  /// The layers of views on the other side of the base view (`RefPicSetInterLayer1`).
  public let interLayer1: [UInt8]

  /// Makes the set of a picture with a slice `header` and an order count.
  public init(_ header: SliceHeader, orderCount: Int) {
    let deltas = header.shortTermPictures
    var before: [Int] = [], after: [Int] = [], following: [Int] = []
    for index in 0..<deltas.count {
      let picture = orderCount &+ Int(deltas[index])
      if !deltas.isUsed(index) {
        following.append(picture)
      } else if index < deltas.numNegativePics {
        before.append(picture)
      } else {
        after.append(picture)
      }
    }
    (shortTermBefore, shortTermAfter, shortTermFollowing) = (before, after, following)

    var current: [ReferencePicture] = [], later: [ReferencePicture] = []
    if let pictures = header.longTerm {
      let maximum = 1 << pictures.pocLsbBits
      for (index, cycles) in pictures.deltaPocMsbCycles.enumerated() {
        var (value, isUsed) = pictures.resolved(index)
        let isFull = pictures.pictures[index].deltaPocMsbPresentFlag
        // Equation 8-5.
        if isFull { value = value &+ orderCount &- cycles &* maximum &- (orderCount & (maximum - 1)) }
        let picture = ReferencePicture(
          layerID: header.unit.layerID, orderCount: value, isLongTerm: true, isLowBitsOnly: !isFull)
        if isUsed { current.append(picture) } else { later.append(picture) }
      }
    }
    (longTerm, longTermFollowing) = (current, later)
    (interLayer0, interLayer1) = header.interLayerSets
  }
}

extension SliceHeader {
  /// The layers that the picture refers to, by the side of the base view that they are on. G.8.1.3
  var interLayerSets: ([UInt8], [UInt8]) {
    guard let views = parameters?.video.viewIDs else { return ([], []) }
    var sets: ([UInt8], [UInt8]) = ([], [])
    for layer in activeReferenceLayers {
      let isBelow = views.current <= views.base && views.current <= layer.viewID
      let isAbove = views.current >= views.base && views.current >= layer.viewID
      if isBelow || isAbove { sets.0.append(layer.id) } else { sets.1.append(layer.id) }
    }
    return sets
  }
}
