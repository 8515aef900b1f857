// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreGraphics)
import CoreFoundation
public import CoreGraphics
public import MoviePictures

extension RGBPicture {
  /// The name of the colour space that its code points specify; `nil` if Core Graphics has no name for it, or they are
  /// not known.
  public var colorSpaceName: CFString? {
    switch (primaries, transfer) {
    case (1, 13): CGColorSpace.sRGB
    case (1, 1), (1, 6): CGColorSpace.itur_709
    case (12, 13): CGColorSpace.displayP3
    case (9, 1), (9, 6), (9, 14), (9, 15): CGColorSpace.itur_2020
    case (9, 16): CGColorSpace.itur_2100_PQ
    case (9, 18): CGColorSpace.itur_2100_HLG
    default: nil
    }
  }

  /// Makes an image of the same samples.
  ///
  /// - Parameter space: the colour space; `nil` for the one of ``colorSpaceName``, or sRGB if there is none.
  /// - Returns: `nil` if Core Graphics refuses.
  public func makeImage(space: CGColorSpace? = nil) -> CGImage? {
    guard let space = space ?? CGColorSpace(name: colorSpaceName ?? CGColorSpace.sRGB) else { return nil }
    let isWide = depth == .sixteen
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * (isWide ? 2 : 1))
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      if isWide { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
    }
    guard let data = unsafe CFDataCreate(nil, bytes, bytes.count), let provider = CGDataProvider(data: data)
    else { return nil }
    var info = (hasAlpha ? CGImageAlphaInfo.last : .none).rawValue
    if isWide { info |= CGBitmapInfo.byteOrder16Little.rawValue }
    let pixelBytes = channels * (isWide ? 2 : 1)
    return unsafe CGImage(
      width: width, height: height, bitsPerComponent: depth.rawValue, bitsPerPixel: 8 * pixelBytes,
      bytesPerRow: width * pixelBytes, space: space, bitmapInfo: CGBitmapInfo(rawValue: info),
      provider: provider,
      decode: nil, shouldInterpolate: true, intent: .defaultIntent)
  }
}
#endif
