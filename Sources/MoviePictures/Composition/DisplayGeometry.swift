// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
public import ISOBMFF

/// What is done to a decoded picture so that it can be shown: the part that is meant to be seen, the shape of its pixels, and
/// how it is turned. In this order.
public struct DisplayGeometry: Hashable, Sendable {
  /// How wide a pixel is for its height.
  public struct PixelShape: Hashable, Sendable {
    /// The relative width.
    public var width: Int
    /// The relative height.
    public var height: Int

    /// A shape; `nil` for one without width or height.
    public init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }

    /// As wide as high.
    public static let square = PixelShape(1, 1)

    private init(_ width: Int, _ height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A part of a picture, in its pixels.
  public struct Region: Hashable, Sendable {
    /// Pixels left of it.
    public var x: Int
    /// Rows above it.
    public var y: Int
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A part of a picture.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The clean aperture; `nil` for the whole picture. (`clap`)
  public var aperture: CleanApertureBox?
  /// The shape of a pixel. (`pasp`, else the video usability information)
  public var pixelShape = PixelShape.square
  /// How the picture is turned and mirrored. (the matrix of `tkhd`)
  public var orientation = PictureOrientation.upright

  /// The picture as it is decoded.
  public init() {}

  /// The part of a picture of that size that is meant to be seen: all of it where there is no clean aperture, or one that is
  /// not inside the picture.
  public func region(of size: PictureSize) -> Region {
    let whole = Region(x: 0, y: 0, width: size.width, height: size.height)
    guard let aperture,
      let (x, width) = Self.part(
        of: size.width, aperture.widthN, aperture.widthD, aperture.horizOffN, aperture.horizOffD),
      let (y, height) = Self.part(
        of: size.height, aperture.heightN, aperture.heightD, aperture.vertOffN, aperture.vertOffD)
    else { return whole }
    return Region(x: x, y: y, width: width, height: height)
  }

  /// The offset is from centre to centre; what is between two pixels becomes the one before. ISO/IEC 14496-12, 12.1.4
  private static func part(
    of size: Int, _ numerator: UInt32, _ denominator: UInt32, _ offset: Int32, _ offsetDenominator: UInt32
  ) -> (start: Int, count: Int)? {
    guard denominator > 0, offsetDenominator > 0 else { return nil }
    let count = Int(numerator) / Int(denominator)
    guard count > 0, count <= size else { return nil }
    let divisor = 2 * Int(offsetDenominator)
    let twice = (size - count) * Int(offsetDenominator) + 2 * Int(offset)
    guard twice >= 0 else { return nil }
    let start = twice / divisor
    return start + count <= size ? (start, count) : nil
  }

  /// The size at which a picture is shown: pixels that are not square make it wider or narrower.
  public func displaySize(of size: PictureSize) -> PictureSize {
    let region = region(of: size)
    let width = max(1, (region.width * pixelShape.width + pixelShape.height / 2) / pixelShape.height)
    return orientation.swapsSides
      ? PictureSize(width: region.height, height: width) : PictureSize(width: width, height: region.height)
  }
}

extension RGBPicture {
  /// How many pixels a picture may have after scaling: twice those of the largest picture of level 6.2.
  static let maximumPixels = 2 * 35_651_584
  /// How many pixels a row or a column may have after scaling.
  static let maximumSide = 1 << 16

  /// The picture as it is meant to be shown.
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

  /// A part of the picture; the whole where the part is not inside it.
  func cropped(to region: DisplayGeometry.Region) -> RGBPicture {
    guard region.x >= 0, region.y >= 0, region.width > 0, region.height > 0,
      region.width <= width - region.x, region.height <= height - region.y,
      region.width < width || region.height < height
    else { return self }
    return rearranged(width: region.width, height: region.height) { x, y in
      (region.y &+ y) &* width &+ region.x &+ x
    }
  }

  /// The picture mirrored, if it is to be, and turned by quarter turns.
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
