// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What this package uses of Core Video, as Swift imports Apple's headers. For type checks only.

@_exported public import CoreFoundation

public typealias OSType = UInt32
public typealias CVReturn = Int32
public typealias CVOptionFlags = UInt64
public var kCVReturnSuccess: CVReturn { 0 }

public class CVBuffer {}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer

public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}
public func CVBufferSetAttachment(
  _ buffer: CVBuffer, _ key: CFString, _ value: AnyObject, _ attachmentMode: CVAttachmentMode
) {}

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags
  public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn { 0 }
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { 0 }
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { 0 }
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { 0 }
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { 0 }
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { 0 }
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? { nil }
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int { 0 }
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int { 0 }

/// 420v
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// 420f
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// x420
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// xf20
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// 422v
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
/// 422f
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
/// x422
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3232
/// xf22
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x7866_3232
/// 444v
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x3434_3476
/// 444f
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x3434_3466
/// x444
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3434
/// xf44
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x7866_3434

public let kCVImageBufferColorPrimariesKey = CFString()
public let kCVImageBufferTransferFunctionKey = CFString()
public let kCVImageBufferYCbCrMatrixKey = CFString()
public let kCVImageBufferChromaLocationTopFieldKey = CFString()
public let kCVImageBufferColorPrimaries_ITU_R_709_2 = CFString()
public let kCVImageBufferColorPrimaries_EBU_3213 = CFString()
public let kCVImageBufferColorPrimaries_SMPTE_C = CFString()
public let kCVImageBufferColorPrimaries_ITU_R_2020 = CFString()
public let kCVImageBufferColorPrimaries_DCI_P3 = CFString()
public let kCVImageBufferColorPrimaries_P3_D65 = CFString()
public let kCVImageBufferTransferFunction_ITU_R_709_2 = CFString()
public let kCVImageBufferTransferFunction_SMPTE_240M_1995 = CFString()
public let kCVImageBufferTransferFunction_Linear = CFString()
public let kCVImageBufferTransferFunction_sRGB = CFString()
public let kCVImageBufferTransferFunction_ITU_R_2020 = CFString()
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ = CFString()
public let kCVImageBufferTransferFunction_SMPTE_ST_428_1 = CFString()
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG = CFString()
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2 = CFString()
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4 = CFString()
public let kCVImageBufferYCbCrMatrix_SMPTE_240M_1995 = CFString()
public let kCVImageBufferYCbCrMatrix_ITU_R_2020 = CFString()
public let kCVImageBufferChromaLocation_Left = CFString()
public let kCVImageBufferChromaLocation_Center = CFString()
public let kCVImageBufferChromaLocation_TopLeft = CFString()
public let kCVImageBufferChromaLocation_Top = CFString()
public let kCVImageBufferChromaLocation_BottomLeft = CFString()
public let kCVImageBufferChromaLocation_Bottom = CFString()
