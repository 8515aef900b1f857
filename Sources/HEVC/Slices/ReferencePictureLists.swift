// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The source of an entry of a reference picture list: an index into one of the parts of the reference picture
/// set.
enum ReferenceSource: Hashable, Sendable {
  case shortTermBefore(Int)
  case shortTermAfter(Int)
  case longTerm(Int)
  case interLayer0(Int)
  case interLayer1(Int)
  /// The current picture itself, in screen content.
  case currentPicture
}

extension SliceHeader {
  /// Both lists, as positions in the reference picture set, which do not require order counts.
  /// ISO/IEC 23008-2, 8.3.4 and F.8.3.4
  var referenceLists: (l0: [ReferenceSource], l1: [ReferenceSource]) {
    let deltas = shortTermPictures
    var before: [ReferenceSource] = [], after: [ReferenceSource] = []
    for index in 0..<deltas.count where deltas.isUsed(index) {
      if index < deltas.numNegativePics {
        before.append(.shortTermBefore(before.count))
      } else {
        after.append(.shortTermAfter(after.count))
      }
    }
    let longTerm = (0..<(self.longTerm?.numUsed ?? 0)).map { ReferenceSource.longTerm($0) }
    let layers = interLayerSets
    let layers0 = layers.0.indices.map { ReferenceSource.interLayer0($0) }
    let layers1 = layers.1.indices.map { ReferenceSource.interLayer1($0) }
    let current: [ReferenceSource] = parameters?.currPicRefEnabled == true ? [.currentPicture] : []
    let modification = refPicListsModification

    var l0 = Self.list(
      before + layers0 + after + longTerm + layers1 + current, numRefIdxL0Active,
      modification?.flagL0 == true ? modification?.entriesL0 : nil)
    if !current.isEmpty, modification?.flagL0 != true, numPicTotalCurr > l0.count, !l0.isEmpty {
      l0[l0.count - 1] = .currentPicture
    }
    let l1 = Self.list(
      after + layers1 + before + longTerm + layers0 + current, numRefIdxL1Active,
      modification?.flagL1 == true ? modification?.entriesL1 : nil)
    return (l0, l1)
  }

  /// Whether there are other pictures for the lists.
  var hasReferences: Bool {
    if shortTermPictures.numUsed > 0 || longTerm?.numUsed ?? 0 > 0 { return true }
    let layers = interLayerSets
    return !layers.0.isEmpty || !layers.1.isEmpty
  }

  /// `count` entries of `candidates`, repeated in order or selected by `entries`.
  private static func list(
    _ candidates: [ReferenceSource], _ count: Int, _ entries: [UInt8]?
  ) -> [ReferenceSource] {
    guard !candidates.isEmpty else { return [] }
    return (0..<count).map { index in
      let place = entries.map { index < $0.count ? Int($0[index]) : 0 } ?? index
      return candidates[place % candidates.count]
    }
  }

  /// RefPicList0 and RefPicList1 of a slice of the picture with this order count.
  public func referencePictureLists(orderCount: Int) -> (l0: [ReferencePicture], l1: [ReferencePicture]) {
    let set = ReferencePictureSet(self, orderCount: orderCount)
    let lists = referenceLists
    let layerID = unit.layerID
    func picture(_ source: ReferenceSource) -> ReferencePicture {
      switch source {
      case .shortTermBefore(let index):
        return ReferencePicture(layerID: layerID, orderCount: set.shortTermBefore[index])
      case .shortTermAfter(let index):
        return ReferencePicture(layerID: layerID, orderCount: set.shortTermAfter[index])
      case .longTerm(let index): return set.longTerm[index]
      case .interLayer0(let index):
        return ReferencePicture(layerID: set.interLayer0[index], orderCount: orderCount, isLongTerm: true)
      case .interLayer1(let index):
        return ReferencePicture(layerID: set.interLayer1[index], orderCount: orderCount, isLongTerm: true)
      case .currentPicture:
        return ReferencePicture(layerID: layerID, orderCount: orderCount, isLongTerm: true)
      }
    }
    return (lists.l0.map(picture), lists.l1.map(picture))
  }
}
