// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A box with offsets in the file that are not updated, so that they are only correct in an exact copy of the file.
package struct UnfollowedPlace: Sendable {
  /// The path to the box.
  package let path: String
  /// The offset of the box in the file.
  package let offset: Int
  /// What the box contains, in words.
  package let reason: String
}

extension Box {
  /// The first box in this one, or the box itself, that has offsets which ``BoxTree/writePlan(_:)`` cannot change.
  ///
  /// - Parameter path: the path to this box.
  func unknownPlace(at path: String) -> UnfollowedPlace? {
    let reason: String? =
      switch type {
      case "cmov": "is a compressed movie, whose offsets cannot be changed"
      case "gps ":
        "has offsets into the file (GPS data of a dashboard camera), which cannot be changed"
      case "CTBO": "has offsets into the file (Canon), which cannot be changed"
      case "uuid" where userType?.hexadecimalText() == "85c0b687820f11e08111f4ce462b6a48":
        "has offsets into the file (Canon), which cannot be changed"
      default: nil
      }
    if let reason { return UnfollowedPlace(path: path, offset: offset, reason: reason) }
    return children.lazy.compactMap { $0.unknownPlace(at: path + "/\($0.type)") }.first
  }

  /// The first box in this one, or the box itself, that has offsets in the file and is not a sample table of a
  /// track: if the media data are rewritten, its offsets are no longer correct.
  ///
  /// - Parameter path: the path to this box.
  package func unfollowedPlace(at path: String) -> UnfollowedPlace? {
    unknownPlace(at: path) ?? itemPlace(at: path)
  }

  private func itemPlace(at path: String) -> UnfollowedPlace? {
    if type == "iloc", namesPlaces {
      return UnfollowedPlace(path: path, offset: offset, reason: "has the locations of items in the file")
    }
    guard type != "stsd" else { return nil }
    return children.lazy.compactMap { $0.itemPlace(at: path + "/\($0.type)") }.first
  }

  /// Whether locations of items count from the beginning of a file: others count from a box, or from another item.
  /// ISO/IEC 14496-12, 8.11.3
  private var namesPlaces: Bool {
    guard let decoding = decodePayload(), decoding.error == nil,
      let locations = decoding.payload as? ItemLocationBox
    else { return true }
    return locations.items.contains { item in
      item.constructionMethod == .file && (!item.extents.isEmpty || item.baseOffset > 0)
    }
  }
}

extension BoxTree {
  /// The first box outside media data that has offsets in the file and is not a sample table of a track.
  package var firstUnfollowedPlace: UnfollowedPlace? {
    boxes.lazy.filter { !["mdat", "imda", "mfra", "sidx", "ssix"].contains($0.type) }
      .compactMap { $0.unfollowedPlace(at: "\($0.type)") }.first
  }
}
