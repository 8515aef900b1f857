// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What planning takes from the configuration, as plain numbers.

extension EncoderConfiguration {
  /// In which order pictures are coded.
  var pictureOrder: PictureOrder {
    guard keyInterval > 1 else { return PictureOrder(groupSize: 1, anchorCount: 1) }
    guard allowsReordering else { return PictureOrder(groupSize: 1, anchorCount: effort <= 1 ? 1 : 2) }
    return PictureOrder(
      groupSize: effort <= 2 ? 4 : 8, anchorCount: effort <= 1 ? 1 : 2,
      innerReferences: effort >= 4 ? (2, 2) : (1, 1))
  }

  /// The quantisation parameter of a picture: the more others depend on it, the more it is worth.
  func qp(_ picture: PlannedPicture) -> Int {
    let offset = keyInterval == 1 ? 0 : picture.isKey ? -3 : picture.level
    return max(0, min(51, constantQP + offset))
  }
}
