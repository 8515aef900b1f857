// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC
import ISOBMFF

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

extension Track {
  /// Which half of the picture is which eye's; `nil` if the eyes do not share pictures.
  public var packedEyes: PackedEyes? {
    guard classificationReport.stereoKind == .packed, let packing = stereo.packing else { return nil }
    return PackedEyes(packing, isReversed: stereo.eyeViewsReversed == true)
  }

  /// The size at which what one eye sees is shown: of a picture that two eyes share, the half; inside the clean
  /// aperture, with square pixels, and rotated.
  public var viewSize: PictureSize? {
    guard let size = displaySize else { return nil }
    let geometry = displayGeometry
    guard let half = packedEyes?.viewSize(in: size) else { return geometry.displaySize(of: size) }
    return geometry.half(.init(x: 0, y: 0, width: half.width, height: half.height), of: size)
      .displaySize(of: half)
  }

  /// The size of what one eye sees, as it is coded: of a picture that two eyes share, the half.
  package var codedViewSize: PictureSize? {
    guard let size = displaySize else { return nil }
    return packedEyes?.viewSize(in: size) ?? size
  }

  /// The part of a picture to show, the shape of its pixels and its rotation, by the sample entry and the track
  /// header; the shape of pixels that no `pasp` specifies, by the bitstream.
  package var displayGeometry: DisplayGeometry {
    var geometry = DisplayGeometry()
    geometry.aperture = sampleEntry?.first(CleanApertureBox.self)
    geometry.pixelShape = boxedPixelShape ?? DisplayGeometry.PixelShape(layers.first?.sps?.vui) ?? .square
    geometry.orientation = orientation ?? .upright
    return geometry
  }

  /// The shape of a pixel by `pasp`, square if that makes no sense; `nil` without one.
  package var boxedPixelShape: DisplayGeometry.PixelShape? {
    sampleEntry?.first(PixelAspectRatioBox.self).map {
      DisplayGeometry.PixelShape(width: Int(clamping: $0.hSpacing), height: Int(clamping: $0.vSpacing))
        ?? .square
    }
  }
}

extension DisplayGeometry.PixelShape {
  /// Makes the shape that a bitstream specifies; `nil` if it specifies none.
  package init?(_ vui: VUIParameters?) {
    guard let ratio = vui?.aspectRatio?.ratio else { return nil }
    self.init(width: Int(ratio.width), height: Int(ratio.height))
  }
}
