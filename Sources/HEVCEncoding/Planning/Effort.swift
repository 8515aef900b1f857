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

  /// Whether blocks are quantised by how much later pictures depend on them, and not all alike.
  var weighsBlocks: Bool { constantQP == nil && keyInterval > 1 }

  /// Whether the pictures after a group are looked at before it is encoded. Otherwise they are taken to depend on the group as this
  /// depends on what was before it.
  var looksAhead: Bool { effort >= 4 }

  /// By how much the quantisation parameter of a picture differs from that of others: the more depend on it, the more it is
  /// worth.
  func qpOffset(_ picture: PlannedPicture) -> Int {
    keyInterval == 1 ? 0 : picture.isKey ? -3 : picture.level
  }

  /// The same if blocks are weighed, from which most of it follows.
  func worthOffset(_ picture: PlannedPicture) -> Int { picture.isKey ? -3 : picture.level > 0 ? 1 : 0 }

  /// The difference between the parameter of another view and that of the base layer: key pictures of the other view are
  /// predicted, too.
  func viewOffset(_ picture: PlannedPicture, view: Int) -> Int { picture.isKey && view > 0 ? 3 : 0 }

  /// The parameter of pictures with no offset.
  var baseQP: Int {
    if let constantQP { return constantQP }
    // What is worth more is finer by about as much on average, so that a factor gives the quality of this parameter.
    return weighsBlocks ? min(51, constantRateFactor + 4) : constantRateFactor
  }
}
