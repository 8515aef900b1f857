// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
public import ISOBMFF

/// How a decoded picture is prepared for display: it is cropped to the part to show, scaled for the shape of
/// its pixels, and mirrored and rotated, in this order.
public struct DisplayGeometry: Hashable, Sendable {
  /// The ratio of a pixel's width to its height.
  public struct PixelShape: Hashable, Sendable {
    /// The relative width.
    public var width: Int
    /// The relative height.
    public var height: Int

    /// Makes a shape; `nil` if the width or height is not positive.
    public init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }

    /// A pixel as wide as it is high.
    public static let square = PixelShape(1, 1)

    private init(_ width: Int, _ height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A rectangular part of a picture, in pixels.
  public struct Region: Hashable, Sendable {
    /// The number of pixels to the left of it.
    public var x: Int
    /// The number of rows above it.
    public var y: Int
    /// The number of pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Makes a part of a picture.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The clean aperture (`clap`); `nil` for the whole picture. Of two eyes that share a picture, what each sees of the aperture
  /// of the whole.
  public var aperture: CleanApertureBox?
  /// The shape of a pixel (`pasp`, else from the video usability information).
  public var pixelShape = PixelShape.square
  /// How the picture is rotated and mirrored (the matrix of `tkhd`).
  public var orientation = PictureOrientation.upright

  /// Makes the geometry of a picture that is shown as it is decoded.
  public init() {}

  /// The part of a picture of that size to show: all of it if there is no clean aperture, or one that is not
  /// inside the picture.
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

  /// Returns the geometry of one of the halves of a picture that two eyes share. The aperture is one of the whole picture, and
  /// each eye sees the half of it that is in its own half. If their seam is not in the middle of the aperture, the eyes
  /// would see parts of different sizes: then each sees all of its half.
  func half(_ half: Region, of size: PictureSize) -> DisplayGeometry {
    let whole = region(of: size)
    let isCentred =
      half.width < size.width
      ? 2 * (half.width - whole.x) == whole.width : 2 * (half.height - whole.y) == whole.height
    var geometry = self
    geometry.aperture = nil
    guard isCentred else { return geometry }
    let left = max(whole.x, half.x), top = max(whole.y, half.y)
    let right = min(whole.x + whole.width, half.x + half.width)
    let bottom = min(whole.y + whole.height, half.y + half.height)
    geometry.aperture = CleanApertureBox(
      showing: Region(x: left - half.x, y: top - half.y, width: right - left, height: bottom - top),
      of: PictureSize(width: half.width, height: half.height))
    return geometry
  }

  /// The start and length of the aperture in one direction. The offset is from centre to centre; a start
  /// between two pixels is rounded down. ISO/IEC 14496-12, 12.1.4
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

  /// The size at which a picture is shown: the clean aperture, made wider or narrower if pixels are not square,
  /// and rotated.
  public func displaySize(of size: PictureSize) -> PictureSize {
    let region = region(of: size)
    let width = max(1, (region.width * pixelShape.width + pixelShape.height / 2) / pixelShape.height)
    return orientation.swapsSides
      ? PictureSize(width: region.height, height: width) : PictureSize(width: width, height: region.height)
  }
}

extension CleanApertureBox {
  /// Makes the aperture that shows a part of a picture of that size; `nil` if that is all of it.
  init?(showing part: DisplayGeometry.Region, of size: PictureSize) {
    guard part.width != size.width || part.height != size.height else { return nil }
    self.init()
    (widthN, widthD) = (UInt32(clamping: part.width), 1)
    (heightN, heightD) = (UInt32(clamping: part.height), 1)
    (horizOffN, horizOffD) = (Int32(clamping: 2 * part.x + part.width - size.width), 2)
    (vertOffN, vertOffD) = (Int32(clamping: 2 * part.y + part.height - size.height), 2)
  }
}

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
