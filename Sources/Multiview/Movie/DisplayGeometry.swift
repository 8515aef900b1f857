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
  package func half(_ half: Region, of size: PictureSize) -> DisplayGeometry {
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
  package init?(showing part: DisplayGeometry.Region, of size: PictureSize) {
    guard part.width != size.width || part.height != size.height else { return nil }
    self.init()
    (widthN, widthD) = (UInt32(clamping: part.width), 1)
    (heightN, heightD) = (UInt32(clamping: part.height), 1)
    (horizOffN, horizOffD) = (Int32(clamping: 2 * part.x + part.width - size.width), 2)
    (vertOffN, vertOffD) = (Int32(clamping: 2 * part.y + part.height - size.height), 2)
  }
}
