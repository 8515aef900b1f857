// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What this package uses of Core Media, as Swift imports Apple's headers. For type checks only.

@_exported public import CoreFoundation
@_exported public import CoreVideo

public typealias OSStatus = Int32
public typealias FourCharCode = UInt32

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public struct CMTime: Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    (self.value, self.timescale) = (value, timescale)
  }
  public var isNumeric: Bool { true }
}

public class CMFormatDescription {}
public typealias CMVideoFormatDescription = CMFormatDescription
public typealias CMVideoCodecType = FourCharCode
public func CMVideoFormatDescriptionCreate(
  allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32,
  extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus { 0 }
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms = CFString()
public let kCMFormatDescriptionExtension_ColorPrimaries = CFString()
public let kCMFormatDescriptionExtension_TransferFunction = CFString()
public let kCMFormatDescriptionExtension_YCbCrMatrix = CFString()
public let kCMFormatDescriptionExtension_FullRangeVideo = CFString()

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct CMStereoViewComponents: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static let leftEye = CMStereoViewComponents(rawValue: 1)
  public static let rightEye = CMStereoViewComponents(rawValue: 2)
}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct CMTag: Hashable, Sendable {
  public static func videoLayerID(_ value: Int64) -> CMTag { CMTag() }
  public static func stereoView(_ value: CMStereoViewComponents) -> CMTag { CMTag() }
}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public struct CMTaggedBuffer {
  public enum Buffer {
    case pixelBuffer(CVPixelBuffer)
  }
  public init(tags: [CMTag], buffer: Buffer) {}
}
