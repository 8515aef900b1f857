// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A picture of red, green and blue samples, row after row from the top: three numbers a pixel, or four with an alpha channel.
public struct RGBPicture: Hashable, Sendable {
  /// How large the numbers of a picture can be.
  public enum Depth: Int, Hashable, Sendable {
    /// From 0 to 255.
    case eight = 8
    /// From 0 to 65 535.
    case sixteen = 16

    /// White.
    public var maximum: Int { (1 << rawValue) - 1 }
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// How large the numbers can be.
  public let depth: Depth
  /// Whether a fourth number says how opaque a pixel is. Colours are not multiplied by it.
  public let hasAlpha: Bool
  /// Red, green and blue of each pixel in turn, and its opacity where there is an alpha channel: ``channels`` numbers a pixel.
  public private(set) var samples: [UInt16]
  /// The colours of red, green, blue and white, as a code point of ISO/IEC 23091-2; `nil` where it is not known.
  public var primaries: Int?
  /// From light to numbers, as a code point of ISO/IEC 23091-2; `nil` where it is not known.
  public var transfer: Int?

  /// How many numbers a pixel has: 3, or 4 with an alpha channel.
  public var channels: Int { hasAlpha ? 4 : 3 }

  /// A picture of these samples; `nil` where there are not three for each pixel, or four with an alpha channel.
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

  /// The number of samples is the caller's to get right.
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

  /// Red, green and blue of a pixel; black outside of the picture.
  public subscript(x: Int, y: Int) -> (red: UInt16, green: UInt16, blue: UInt16) {
    guard x >= 0, y >= 0, x < width, y < height else { return (0, 0, 0) }
    let place = (y * width + x) * channels
    return (samples[place], samples[place + 1], samples[place + 2])
  }

  /// A picture of another size with the same depth and colours, whose pixel at `(x, y)` is the one of this picture that
  /// `place` gives, by its number.
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

  /// Other samples with the same depth and colours.
  func replacing(
    width: Int, height: Int, depth: Depth? = nil, hasAlpha: Bool? = nil, _ samples: [UInt16]
  ) -> RGBPicture {
    RGBPicture(width, height, depth ?? self.depth, hasAlpha ?? self.hasAlpha, samples, primaries, transfer)
  }

  /// What ``RGBConverter`` has made.
  init(width: Int, height: Int, depth: Depth, converted samples: [UInt16], _ colour: ColourInterpretation) {
    self.init(width, height, depth, false, samples, colour.primaries, colour.transfer)
  }
}
