// swift-multiview · SPDX-License-Identifier: Apache-2.0

// ISO/IEC 23008-2, 7.4.7.1 and F.7.4.7.1

extension SliceHeader {
  /// The short-term pictures that are kept: those of the set CurrRpsIdx. Empty for an IDR picture.
  public var shortTermPictures: ReferencePictureDeltas {
    if unit.type.isRefresh { return ReferencePictureDeltas() }
    if let stRefPicSet { return stRefPicSet.deltas }
    let sets = parameters?.shortTermPictures ?? []
    let index = Int(shortTermRefPicSetIdx ?? 0)
    return sets.indices.contains(index) ? sets[index] : ReferencePictureDeltas()
  }

  /// How many pictures of other layers may be used for prediction. `NumActiveRefLayerPics`
  public var numActiveRefLayerPics: Int {
    guard let p = parameters, unit.layerID > 0 else { return 0 }
    let available = p.referenceLayerIndices(temporalID: unit.temporalID).count
    if available == 0 { return 0 }
    if p.video.defaultRefLayersActive { return available }
    if interLayerPredEnabledFlag != true { return 0 }
    if p.video.maxOneActiveRefLayer || p.video.referenceLayers.count == 1 { return 1 }
    return min(Int(numInterLayerRefPicsMinus1 ?? 0) + 1, p.video.referenceLayers.count)
  }

  /// The layers whose pictures of the same access unit this one refers to (`RefPicLayerId`).
  public var refPicLayerIDs: [UInt8] { activeReferenceLayers.map(\.id) }

  var activeReferenceLayers: [SliceParameters.ReferenceLayer] {
    guard let p = parameters else { return [] }
    let count = numActiveRefLayerPics
    // If the layers are not coded, they are all those that the temporal sub-layer allows.
    let indices =
      interLayerPredLayerIdc.isEmpty
      ? p.referenceLayerIndices(temporalID: unit.temporalID) : interLayerPredLayerIdc.map { Int($0) }
    return indices.prefix(count).compactMap {
      p.video.referenceLayers.indices.contains($0) ? p.video.referenceLayers[$0] : nil
    }
  }

  /// How many pictures this one may refer to, including those of other layers (`NumPicTotalCurr`).
  public var numPicTotalCurr: Int {
    shortTermPictures.numUsed + (longTerm?.numUsed ?? 0) + numActiveRefLayerPics
      + (parameters?.currPicRefEnabled == true ? 1 : 0)
  }

  /// The number of entries in list 0.
  public var numRefIdxL0Active: Int {
    guard sliceType.isInter, let p = parameters else { return 0 }
    return Int(clamping: numRefIdxL0ActiveMinus1 ?? p.numRefIdxL0DefaultActiveMinus1) + 1
  }

  /// The number of entries in list 1.
  public var numRefIdxL1Active: Int {
    guard sliceType == .b, let p = parameters else { return 0 }
    return Int(clamping: numRefIdxL1ActiveMinus1 ?? p.numRefIdxL1DefaultActiveMinus1) + 1
  }

  /// The maximum number of merge candidates; `nil` in an I slice (`MaxNumMergeCand`).
  public var maxNumMergeCand: Int? { fiveMinusMaxNumMergeCand.map { 5 - Int(clamping: $0) } }

  /// The initial quantisation parameter of the slice (`SliceQpY`).
  public var sliceQpY: Int { 26 + Int(parameters?.initQpMinus26 ?? 0) + Int(sliceQpDelta) }

  /// Whether the picture is to be output, as far as the header determines that.
  public var isOutput: Bool { picOutputFlag ?? true }
}
