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

  /// By how much the quantisation parameter of a picture differs from that of others: the more depend on it, the more it is
  /// worth.
  func qpOffset(_ picture: PlannedPicture) -> Int {
    keyInterval == 1 ? 0 : picture.isKey ? -3 : picture.level
  }

  /// The quantisation parameter of a picture, if it is given.
  func qp(_ picture: PlannedPicture) -> Int { max(0, min(51, constantQP + qpOffset(picture))) }
}
