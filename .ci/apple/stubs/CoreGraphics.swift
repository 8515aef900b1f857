// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What this package uses of Core Graphics, as Swift imports Apple's headers. For type checks only.

@_exported public import CoreFoundation

public typealias CGFloat = Double

public class CGColorSpace {
  public init?(name: CFString) {}
  public static let sRGB = CFString()
  public static let displayP3 = CFString()
  public static let itur_709 = CFString()
  public static let itur_2020 = CFString()
  @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
  public static let itur_2100_PQ = CFString()
  @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
  public static let itur_2100_HLG = CFString()
}

public class CGDataProvider {
  public init?(data: CFData) {}
}

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none = 0
  case premultipliedLast = 1
  case last = 3
}
public struct CGBitmapInfo: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
}
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent = 0
}

public class CGImage {
  public init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) {}
}
