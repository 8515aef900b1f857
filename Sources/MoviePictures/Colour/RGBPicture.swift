// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture of red, green and blue samples, row by row from the top: three values per pixel, or four with an
/// alpha channel.
public struct RGBPicture: Hashable, Sendable {
  /// The number of bits of a value.
  public enum Depth: Int, Hashable, Sendable {
    /// 8 bits: values from 0 to 255.
    case eight = 8
    /// 16 bits: values from 0 to 65 535.
    case sixteen = 16

    /// The largest value: white in the colour channels, opaque in the alpha channel.
    public var maximum: Int { (1 << rawValue) - 1 }
  }

  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of bits of a value.
  public let depth: Depth
  /// Whether each pixel has a fourth value, its opacity. The colours are not multiplied by it.
  public let hasAlpha: Bool
  /// Red, green and blue of each pixel, and its opacity if there is an alpha channel: ``channels`` values per pixel.
  public private(set) var samples: [UInt16]
  /// The colour primaries, as a code point of ISO/IEC 23091-2; `nil` if not known.
  public var primaries: Int?
  /// The transfer function, as a code point of ISO/IEC 23091-2; `nil` if not known.
  public var transfer: Int?
  /// The ICC profile of the colours, which takes precedence over primaries and transfer function; `nil` without one.
  public var iccProfile: [UInt8]?

  /// The number of values per pixel: 3, or 4 with an alpha channel.
  public var channels: Int { hasAlpha ? 4 : 3 }

  /// Makes a picture of these samples; `nil` if width or height is not positive, or if there are not exactly three
  /// samples for each pixel (four with an alpha channel).
  public init?(
    width: Int, height: Int, depth: Depth = .eight, hasAlpha: Bool = false, samples: [UInt16],
    primaries: Int? = nil, transfer: Int? = nil
  ) {
    guard width > 0, height > 0 else { return nil }
    let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
    let channels = hasAlpha ? 4 : 3
    guard !isTooLarge, pixels <= Int.max / channels, samples.count == channels * pixels else { return nil }
    self.init(width, height, depth, hasAlpha, samples, primaries, transfer)
  }

  /// Makes a picture without checking the number of samples, which the caller guarantees.
  private init(
    _ width: Int, _ height: Int, _ depth: Depth, _ hasAlpha: Bool, _ samples: [UInt16], _ primaries: Int?,
    _ transfer: Int?
  ) {
    assert(samples.count == (hasAlpha ? 4 : 3) * width * height)
    self.width = width
    self.height = height
    self.depth = depth
    self.hasAlpha = hasAlpha
    self.samples = samples
    self.primaries = primaries
    self.transfer = transfer
  }

  /// The red, green and blue of a pixel; black outside the picture.
  public subscript(x: Int, y: Int) -> (red: UInt16, green: UInt16, blue: UInt16) {
    guard x >= 0, y >= 0, x < width, y < height else { return (0, 0, 0) }
    let place = (y * width + x) * channels
    return (samples[place], samples[place + 1], samples[place + 2])
  }

  /// Returns a picture of another size with the same depth and colours. For each pixel `(x, y)` of it, `place`
  /// returns the index of the pixel of this picture that is copied.
  func rearranged(width: Int, height: Int, _ place: (Int, Int) -> Int) -> RGBPicture {
    var moved: [UInt16] = []
    let channels = channels
    moved.reserveCapacity(channels * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let from = channels * place(x, y)
        for channel in 0..<channels { moved.append(samples[from + channel]) }
      }
    }
    return replacing(width: width, height: height, moved)
  }

  /// Returns a picture of other samples, with the depth, alpha channel and colours of this one unless others
  /// are given.
  func replacing(
    width: Int, height: Int, depth: Depth? = nil, hasAlpha: Bool? = nil, _ samples: [UInt16]
  ) -> RGBPicture {
    var picture = RGBPicture(
      width, height, depth ?? self.depth, hasAlpha ?? self.hasAlpha, samples, primaries, transfer)
    picture.iccProfile = iccProfile
    return picture
  }

  /// Makes a picture of samples that ``RGBConverter`` has converted.
  init(width: Int, height: Int, depth: Depth, converted samples: [UInt16], _ colour: ColourInterpretation) {
    self.init(width, height, depth, false, samples, colour.primaries, colour.transfer)
    iccProfile = colour.iccProfile
  }
}
