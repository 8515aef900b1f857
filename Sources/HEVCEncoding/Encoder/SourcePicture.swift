// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC
package import HEVCCoding

/// The size and the sample format of the pictures that an encoder takes: 4:2:0 with 8 or 10 bits.
public struct SourceFormat: Hashable, Sendable {
  /// The size in luma samples: both numbers are even.
  public var size: PictureSize
  /// The number of bits of a sample, the same in all planes: 8 or 10.
  public var bitDepth: Int

  /// Makes a format.
  public init(size: PictureSize, bitDepth: Int = 8) {
    self.size = size
    self.bitDepth = bitDepth
  }

  /// The number of bytes of a sample.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
  /// How near coded pictures are to those of the source: the peak signal-to-noise ratio in decibels; `nil` if they are equal.
  ///
  /// - Parameters:
  ///   - squaredErrors: the sum of the squared differences of all samples of a plane.
  ///   - plane: 0 for luma, 1 and 2 for chroma.
  ///   - pictures: how many pictures the sum is of.
  public func signalToNoiseRatio(squaredErrors: Int, plane: Int, pictures: Int) -> Double? {
    guard squaredErrors > 0, pictures > 0 else { return nil }
    let peak = Double(1 << bitDepth - 1)
    let samples = Double(size.width) * Double(size.height) / (plane == 0 ? 1 : 4) * Double(pictures)
    return 10 * PortableMath.log10(peak * peak * samples / Double(squaredErrors))
  }

  /// The number of bytes of a picture, plane by plane without gaps.
  public var pictureBytes: Int { size.width * size.height * 3 / 2 * bytesPerSample }
}

/// A picture of one eye that is to be encoded.
///
/// It keeps a copy of the samples, extended to whole coding blocks, in about half the memory that they take: many pictures wait until
/// it is known what depends on them.
public final class SourcePicture: Sendable {
  /// The size and the sample format.
  public let format: SourceFormat
  /// The samples of each plane, with those that extend the picture, in strips of ``stripHeight`` rows.
  private let planes: [[PackedPlane]]
  /// The number of rows that are packed at a time: with whole planes, memory would be fragmented.
  private static let stripHeight = 64

  /// Makes a picture from samples.
  ///
  /// - Parameters:
  ///   - format: the size and the sample format.
  ///   - bytes: the samples of Y, Cb and Cr: of 8 bits one byte a sample, else two, the least significant first.
  ///   - offsets: where the first sample of each plane is, in bytes.
  ///   - strides: how many bytes a row of each plane begins after the previous one.
  /// - Throws: an ``EncodingError`` if the format cannot be encoded, or the bytes are too few.
  public init(
    _ format: SourceFormat, planes bytes: ByteView, offsets: [Int], strides: [Int]
  ) throws(EncodingError) {
    try format.check()
    self.format = format
    guard offsets.count == 3, strides.count == 3 else {
      throw EncodingError(.unsupported, "a picture has three planes")
    }
    var packed: [[PackedPlane]] = []
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      let width = format.size.width >> shift, height = format.size.height >> shift
      let coded = format.codedSize.height >> shift
      var strips: [PackedPlane] = []
      for top in stride(from: 0, to: coded, by: Self.stripHeight) {
        let plane = Plane(
          width: format.codedSize.width >> shift, height: min(Self.stripHeight, coded - top),
          bitDepth: format.bitDepth, isWide: format.bitDepth > 8)
        defer { plane.free() }
        let rows = min(plane.height, height - top)
        for y in 0..<rows {
          let start = offsets[component] + (top + y) * strides[component]
          guard let row = bytes.slice(start..<(start + width * format.bytesPerSample)) else {
            throw EncodingError(.unreadable, "a picture has fewer samples than its size requires")
          }
          plane.storeRow(y, row, count: width)
        }
        let highest = plane.highest(width: width, height: rows)
        guard highest < 1 << format.bitDepth else {
          throw EncodingError(
            .unsupported,
            "a sample has the value \(highest): \(format.bitDepth) bits end at \(1 << format.bitDepth - 1)",
            advice: "Put the bits of each sample at the low end of its two bytes.")
        }
        // Each strip has rows of the picture: less than a coding block is added.
        plane.extend(width: width, height: rows)
        strips.append(PackedPlane(plane))
      }
      packed.append(strips)
    }
    planes = packed
  }

  /// Makes a picture from planes that follow each other without gaps.
  public convenience init(_ format: SourceFormat, bytes: ByteView) throws(EncodingError) {
    let row = format.size.width * format.bytesPerSample, luma = row * format.size.height
    try self.init(
      format, planes: bytes, offsets: [0, luma, luma + luma / 4], strides: [row, row / 2, row / 2])
  }

  /// The samples, in memory of a pool.
  func samples(_ pool: PicturePool? = nil) -> PictureBuffer {
    let buffer = PictureBuffer(format.coded, pool)
    buffer.allocate()
    for (plane, strips) in zip(buffer.planes, planes) {
      for (index, strip) in strips.enumerated() { strip.unpack(into: plane, row: index * Self.stripHeight) }
    }
    buffer.finish()
    return buffer
  }
}

extension SourceFormat {
  /// The size of coded pictures: whole coding blocks of 8x8.
  package var codedSize: PictureSize {
    PictureSize(width: (size.width + 7) & ~7, height: (size.height + 7) & ~7)
  }

  /// The form of coded pictures.
  package var coded: SampleFormat {
    var coded = PictureFormat()
    coded.picWidthInLumaSamples = UInt32(clamping: codedSize.width)
    coded.picHeightInLumaSamples = UInt32(clamping: codedSize.height)
    coded.bitDepthLumaMinus8 = UInt32(clamping: bitDepth - 8)
    coded.bitDepthChromaMinus8 = UInt32(clamping: bitDepth - 8)
    return SampleFormat(coded)
  }

  /// Checks what does not depend on the number of eyes.
  package func check() throws(EncodingError) {
    guard bitDepth == 8 || bitDepth == 10 else {
      throw EncodingError(
        .unsupported, "samples of \(bitDepth) bits cannot be encoded: the profiles have 8 or 10")
    }
    guard size.width > 0, size.height > 0, size.width & 1 == 0, size.height & 1 == 0 else {
      throw EncodingError(
        .unsupported, "pictures of \(size) cannot be encoded: with 4:2:0, width and height are even",
        advice: "Crop or pad them to even numbers.")
    }
    // MaxLumaPs of level 6.2, and its longest side. A.4.1
    guard size.width <= 16_888, size.height <= 16_888,
      UInt64(codedSize.width) * UInt64(codedSize.height) <= 35_651_584
    else {
      throw EncodingError(.unsupported, "pictures of \(size) are larger than any level of HEVC allows")
    }
  }
}

extension Plane {
  /// The highest of the upper left samples; 0 for samples of 8 bits, of which none is too high.
  fileprivate func highest(width: Int, height: Int) -> Int {
    guard isWide else { return 0 }
    var highest = 0
    for y in 0..<height {
      for x in 0..<width { highest = max(highest, self[x, y]) }
    }
    return highest
  }
}
