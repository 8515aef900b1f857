// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC

/// Which half of a picture is for which eye, if both share one.
public struct PackedEyes: Hashable, Sendable {
  /// Whether the halves are side by side or one above the other.
  public var packing: ViewPacking
  /// The eye of the left or upper half.
  public var first: StereoEye
  /// The eye of the right or lower half.
  public var second: StereoEye { first.opposite }

  /// Makes one. The left eye comes first, unless `stri` says that the order is reversed.
  public init(_ packing: ViewPacking, isReversed: Bool) {
    self.packing = packing
    first = isReversed ? .right : .left
  }

  /// The size of one half.
  public func viewSize(in picture: PictureSize) -> PictureSize {
    packing == .overUnder
      ? PictureSize(width: picture.width, height: picture.height / 2)
      : PictureSize(width: picture.width / 2, height: picture.height)
  }
}

extension PackedEyes: CustomStringConvertible {
  /// In words: `left half: left eye, right half: right eye`.
  public var description: String {
    let halves = packing == .overUnder ? ("upper", "lower") : ("left", "right")
    return "\(halves.0) half: \(first) eye, \(halves.1) half: \(second) eye"
  }
}
