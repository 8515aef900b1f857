// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ISOBMFF
import Multiview

extension RGBPicture {
  /// The largest number of pixels of a picture after scaling: twice that of the largest picture of level 6.2.
  static let maximumPixels = 2 * 35_651_584
  /// The largest width or height of a picture after scaling.
  static let maximumSide = 1 << 16

  /// Returns the picture as it is shown with a geometry.
  func shown(by geometry: DisplayGeometry) throws(PictureError) -> RGBPicture {
    let region = geometry.region(of: PictureSize(width: width, height: height))
    var picture = cropped(to: region)
    let shape = geometry.pixelShape
    if shape.width != shape.height {
      let wide = max(1, (picture.width * shape.width + shape.height / 2) / shape.height)
      picture = try picture.scaled(width: wide, height: picture.height)
    }
    return picture.oriented(geometry.orientation)
  }

  /// Returns a part of the picture; the whole picture if the part is not inside it.
  func cropped(to region: DisplayGeometry.Region) -> RGBPicture {
    guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
      region.width <= width - region.x, region.height <= height - region.y,
      region.width < width || region.height < height
    else { return self }
    return rearranged(width: region.width, height: region.height) { x, y in
      (region.y &+ y) &* width &+ region.x &+ x
    }
  }

  /// Returns the picture mirrored, if the orientation is, and then rotated clockwise.
  public func oriented(_ orientation: PictureOrientation) -> RGBPicture {
    guard orientation != .upright else { return self }
    let isMirrored = orientation.isMirrored
    let (columns, rows) = (width, height)
    let swaps = orientation.swapsSides
    return rearranged(width: swaps ? rows : columns, height: swaps ? columns : rows) { x, y in
      var from: (x: Int, y: Int)
      switch orientation.rotation {
      case 90: from = (y, rows - 1 - x)
      case 180: from = (columns - 1 - x, rows - 1 - y)
      case 270: from = (columns - 1 - y, x)
      default: from = (x, y)
      }
      if isMirrored { from.x = columns - 1 - from.x }
      return from.y * columns + from.x
    }
  }
}
