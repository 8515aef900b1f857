// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
public import Multiview

extension MovieFile {
  /// The pictures of a photo: both eyes of its first stereo pair, else the primary image, with all of its layers.
  ///
  /// Images that are made of others are put together: grids, overlays, and images with properties of their own. The sample of the
  /// group is the number of the item, and photos have no time. Rotation, mirroring, clean aperture, the shape of pixels and the colours
  /// are those of the item's properties; where another image says how opaque it is, its colours have an alpha channel.
  ///
  /// - Throws: ``PictureError/unsupported(_:)`` where the file has no image that is coded as HEVC, or made of such;
  ///   ``PictureError/notDecoded(sample:reason:)``, ``PictureError/unreadable(_:)``.
  public func photo() throws(PictureError) -> PictureGroup {
    var reader = try photoReader()
    if let pair = reader.items.stereoPairs.first {
      return PictureGroup(
        ofPhoto: pair.left,
        try reader.pictures(ofItem: pair.left, eye: .left)
          + reader.pictures(ofItem: pair.right, eye: .right))
    }
    guard let primary = reader.items.primaryItemID else {
      throw .unsupported("names no primary image (pitm)")
    }
    return PictureGroup(ofPhoto: primary, try reader.pictures(ofItem: primary, eye: nil))
  }

  /// The pictures of one image of a file, by ascending layer: it need not be the primary one.
  ///
  /// - Parameter item: the number by which the file knows the image.
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
      throw .unsupported("has no image that is coded as HEVC")
    }
    return reader
  }
}

extension PictureGroup {
  fileprivate init(ofPhoto item: UInt32, _ pictures: [Picture]) {
    self.init(presentationTime: nil, duration: nil, sample: Int(item), layers: pictures, halves: [])
  }
}
