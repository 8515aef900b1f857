// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

extension SlicePlan {
  /// The slice header of a planned picture in a layer, except for its quantisation parameter.
  ///
  /// - Parameter isFirst: whether it is the first picture of the stream.
  init(_ picture: PlannedPicture, layer: Int, isFirst: Bool) {
    let type: NALUnitType
    if picture.isKey {
      // Apple's encoders pair these two. Later pictures do not begin a new sequence, which would have to do so in both layers.
      type = isFirst && layer == 0 ? .refreshWithoutLeading : .cleanRandomAccess
    } else {
      type = picture.isReferenced ? .trailing : .trailingNonReference
    }
    self.init(type: type, layer: layer)
    orderCount = picture.number
    references =
      (picture.before + picture.after).map { Reference(orderCount: $0) }
      + picture.kept.map { Reference(orderCount: $0, isUsed: false) }
    // The picture of the base layer at the same time is one more, in both lists.
    let views = layer > 0 ? 1 : 0
    count0 = picture.before.count + views
    guard count0 > 0 else { return }
    sliceType = picture.after.isEmpty ? .p : .b
    if !picture.before.isEmpty { collocated = 0 }
    guard sliceType == .b else { return }
    count1 = picture.after.count + views
    guard views > 0 else { return }
    // Without this, those before the picture would come before that of the base layer. F.8.3.4
    entries1 = (picture.after.indices + [picture.after.count + picture.before.count]).map {
      UInt8(truncatingIfNeeded: $0)
    }
  }
}
