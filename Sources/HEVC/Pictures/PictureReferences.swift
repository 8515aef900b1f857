// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// An entry of a reference picture list. 8.3.4
package struct BufferedReference<Picture> {
  /// What the decoder keeps of the picture.
  package var picture: Picture
  /// The layer; for a picture of the same access unit, different from that of the current picture
  /// (`nuh_layer_id`).
  package var layerID: UInt8
  /// The position in output order (`PicOrderCntVal`).
  package var orderCount: Int
  /// Whether it counts as a long-term picture, as those of other layers do (`LongTermRefPic`). F.8.1.6
  package var isLongTerm: Bool
}

extension BufferedReference: Sendable where Picture: Sendable {}

/// The pictures that the slices of a picture may refer to, as found in the buffer. ISO/IEC 23008-2, 8.3.2 and
/// F.8.3.2
package struct PictureReferences<Picture> {
  /// RefPicSetStCurrBefore, RefPicSetStCurrAfter and RefPicSetLtCurr.
  private var before: [BufferedReference<Picture>] = []
  private var after: [BufferedReference<Picture>] = []
  private var longTerm: [BufferedReference<Picture>] = []
  private var layers: [UInt8: BufferedReference<Picture>] = [:]
  /// The pictures that are not in the buffer.
  package private(set) var missing: [ReferencePicture] = []

  /// Finds the pictures in the set of `plan`. For a missing one, `generate` makes a substitute; it receives the
  /// nearest picture, if there is one.
  package init<E: Error>(
    _ plan: PicturePlan, in buffer: inout DecodedPictureBuffer<Picture>,
    generate: (ReferencePicture, DecodedPictureBuffer<Picture>.Entry?) throws(E) -> Picture
  ) throws(E) {
    let set = plan.references
    func find(_ wanted: ReferencePicture) throws(E) -> BufferedReference<Picture> {
      if let found = buffer.reference(wanted, of: plan) {
        return BufferedReference(
          picture: found.picture, layerID: wanted.layerID, orderCount: found.orderCount,
          isLongTerm: wanted.isLongTerm)
      }
      missing.append(wanted)
      let nearest = buffer.nearest(to: wanted.orderCount, layerID: wanted.layerID)
      let made = buffer.insert(generated: try generate(wanted, nearest), for: wanted)
      return BufferedReference(
        picture: made.picture, layerID: wanted.layerID, orderCount: wanted.orderCount,
        isLongTerm: wanted.isLongTerm)
    }
    for count in set.shortTermBefore {
      before.append(try find(ReferencePicture(layerID: plan.layerID, orderCount: count)))
    }
    for count in set.shortTermAfter {
      after.append(try find(ReferencePicture(layerID: plan.layerID, orderCount: count)))
    }
    for wanted in set.longTerm { longTerm.append(try find(wanted)) }
    for id in set.interLayer0 + set.interLayer1 {
      let wanted = ReferencePicture(layerID: id, orderCount: plan.orderCount, isLongTerm: true)
      let picture: Picture
      if let found = buffer.interLayerReference(id) {
        picture = found.picture
      } else {
        missing.append(wanted)
        picture = try generate(wanted, buffer.nearest(to: plan.orderCount, layerID: id))
      }
      layers[id] = BufferedReference(
        picture: picture, layerID: id, orderCount: plan.orderCount, isLongTerm: true)
    }
  }

  /// RefPicList0 and RefPicList1 of a slice of the picture. 8.3.4 and F.8.3.4
  package func lists(
    of slice: SliceHeader
  ) throws(PictureProblem) -> (l0: [BufferedReference<Picture>], l1: [BufferedReference<Picture>]) {
    guard slice.sliceType.isInter else { return ([], []) }
    let sources = slice.referenceLists
    let sets = slice.interLayerSets
    let l0 = try sources.l0.map { source throws(PictureProblem) in try entry(source, sets) }
    let l1 = try sources.l1.map { source throws(PictureProblem) in try entry(source, sets) }
    guard l0.count == slice.numRefIdxL0Active, l1.count == slice.numRefIdxL1Active else {
      throw .invalid("a slice is predicted from other pictures but refers to none")
    }
    return (l0, l1)
  }

  private func entry(
    _ source: ReferenceSource, _ sets: ([UInt8], [UInt8])
  ) throws(PictureProblem) -> BufferedReference<Picture> {
    let found: BufferedReference<Picture>?
    switch source {
    case .shortTermBefore(let index): found = before.indices.contains(index) ? before[index] : nil
    case .shortTermAfter(let index): found = after.indices.contains(index) ? after[index] : nil
    case .longTerm(let index): found = longTerm.indices.contains(index) ? longTerm[index] : nil
    case .interLayer0(let index): found = sets.0.indices.contains(index) ? layers[sets.0[index]] : nil
    case .interLayer1(let index): found = sets.1.indices.contains(index) ? layers[sets.1[index]] : nil
    case .currentPicture: throw .unsupported("prediction from the current picture (screen content coding)")
    }
    guard let found else { throw .invalid("the slices of a picture refer to different sets of pictures") }
    return found
  }
}

extension PictureReferences: Sendable where Picture: Sendable {}
