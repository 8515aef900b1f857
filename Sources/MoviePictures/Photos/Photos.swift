// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
public import Multiview

extension MovieFile {
  /// Returns the pictures of a photo: both eyes of its first stereo pair; otherwise the primary image, with all
  /// of its layers or the one that it selects (`lsel`).
  ///
  /// Derived images are assembled from others: grids, overlays, and images with properties of their own.
  /// ``PictureGroup/sample`` is the item ID, the left eye's for a pair, and photos have no time. Rotation,
  /// mirroring, clean aperture, the shape of pixels and the colours are those of the item's properties. If an
  /// alpha image belongs to the image, its colours have an alpha channel.
  ///
  /// - Throws: ``PictureError/unsupported(_:)`` if the file has no image that is coded as HEVC, or one that cannot be
  ///   assembled; ``PictureError/notDecoded(sample:reason:)``; ``PictureError/tooLarge(width:height:)``;
  ///   ``PictureError/unreadable(_:)``.
  public func photo() throws(PictureError) -> PictureGroup {
    var reader = try photoReader()
    if let pair = reader.items.stereoPairs.first {
      return PictureGroup(
        ofPhoto: pair.left,
        try reader.pictures(ofItem: pair.left, eye: .left)
          + reader.pictures(ofItem: pair.right, eye: .right))
    }
    guard let primary = reader.items.primaryItemID else {
      throw .unsupported("has no primary image (pitm)")
    }
    return PictureGroup(ofPhoto: primary, try reader.pictures(ofItem: primary, eye: nil))
  }

  /// Returns the pictures of any image of a file, by ascending layer.
  ///
  /// - Parameter item: the item ID of the image.
  /// - Throws: as ``Multiview/MovieFile/photo()`` does.
  public func photo(item: UInt32) throws(PictureError) -> PictureGroup {
    var reader = try photoReader()
    let pairs = reader.items.stereoPairs
    let eye: StereoEye? =
      pairs.contains { $0.left == item } ? .left : pairs.contains { $0.right == item } ? .right : nil
    return PictureGroup(ofPhoto: item, try reader.pictures(ofItem: item, eye: eye))
  }

  private func photoReader() throws(PictureError) -> PhotoReader {
    guard let reader = PhotoReader(self), !reader.codedImages.isEmpty else {
      throw .unsupported("has no image coded as HEVC")
    }
    return reader
  }
}

extension PictureGroup {
  fileprivate init(ofPhoto item: UInt32, _ pictures: [Picture]) {
    self.init(presentationTime: nil, duration: nil, sample: Int(item), layers: pictures, halves: [])
  }
}
