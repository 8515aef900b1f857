// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture that another one refers to.
public struct ReferencePicture: Hashable, Sendable {
  /// The layer: another one than that of the current picture for a picture of the same access unit.
  public var layerID: UInt8
  /// PicOrderCntVal, or its low bits alone where ``isLowBitsOnly`` is set.
  public var orderCount: Int
  /// Whether it is marked as "used for long-term reference": so are pictures of other layers. F.8.1.6
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

/// The pictures that a picture refers to or that are kept for later ones. ISO/IEC 23008-2, 8.3.2 and G.8.1.3
public struct ReferencePictureSet: Hashable, Sendable {
  /// PocStCurrBefore: shown before the current picture, the closest first.
  public let shortTermBefore: [Int]
  /// PocStCurrAfter: shown after the current picture, the closest first.
  public let shortTermAfter: [Int]
  /// PocStFoll: kept for later pictures.
  public let shortTermFollowing: [Int]
  /// The order counts of the long-term pictures that this picture may use. `PocLtCurr`
  public let longTerm: [ReferencePicture]
  /// PocLtFoll: kept for later pictures.
  public let longTermFollowing: [ReferencePicture]
  /// RefPicSetInterLayer0, by layer: pictures of the same access unit.
  public let interLayer0: [UInt8]
  /// RefPicSetInterLayer1, by layer: those of views on the other side of the base view.
  public let interLayer1: [UInt8]

  /// The set of a picture with a slice `header` and an order count.
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
  /// The layers that the picture refers to, by the side of the base view on which they are. G.8.1.3
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
