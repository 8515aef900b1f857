// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreVideo)
public import CoreFoundation
public import CoreVideo
public import MoviePictures
import Multiview

extension Picture {
  /// The pixel format of Core Video that takes the samples as they were decoded, in two planes; `nil` if there is none:
  /// for luma only, and for depths other than 8 and 10 bits.
  public var pixelFormat: OSType? {
    (try? PlanarFrame(self)).flatMap { Self.pixelFormat(of: $0) }
  }

  private static func pixelFormat(of frame: PlanarFrame) -> OSType? {
    let isFull = frame.isFullRange ?? false
    switch (frame.chromaArrayType, frame.bitDepth) {
    case (1, 8):
      return isFull
        ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    case (2, 8):
      return isFull
        ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange : kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
    case (3, 8):
      return isFull
        ? kCVPixelFormatType_444YpCbCr8BiPlanarFullRange : kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
    case (1, 10):
      return isFull
        ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    case (2, 10):
      return isFull
        ? kCVPixelFormatType_422YpCbCr10BiPlanarFullRange : kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
    case (3, 10):
      return isFull
        ? kCVPixelFormatType_444YpCbCr10BiPlanarFullRange : kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange
    default: return nil
    }
  }

  /// Makes a pixel buffer of the decoded samples, which are not rotated or scaled, with attachments that specify their
  /// colours.
  ///
  /// - Parameter attributes: the attributes of the buffer, such as `kCVPixelBufferIOSurfacePropertiesKey`.
  /// - Throws: ``PictureError`` if no pixel format takes the samples, and ``FrameworkError``.
  public func makePixelBuffer(attributes: CFDictionary? = nil) throws -> CVPixelBuffer {
    let frame = try PlanarFrame(self)
    guard let format = Self.pixelFormat(of: frame) else { throw Self.unsupported(frame) }
    var made: CVPixelBuffer?
    let status = unsafe CVPixelBufferCreate(nil, frame.width, frame.height, format, attributes, &made)
    guard status == kCVReturnSuccess, let made else { throw FrameworkError("CVPixelBufferCreate", status) }
    try Self.copy(frame, to: made)
    attachColour(to: made)
    return made
  }

  /// Copies the decoded samples into a pixel buffer, such as one from a pool, and adds attachments that specify their
  /// colours. The buffer must have the size of the picture and its ``pixelFormat``.
  ///
  /// - Throws: ``PictureError`` if the buffer has another size or format, and ``FrameworkError``.
  public func copy(to buffer: CVPixelBuffer) throws {
    let frame = try PlanarFrame(self)
    guard let format = Self.pixelFormat(of: frame) else { throw Self.unsupported(frame) }
    guard CVPixelBufferGetPixelFormatType(buffer) == format, CVPixelBufferGetWidth(buffer) == frame.width,
      CVPixelBufferGetHeight(buffer) == frame.height
    else {
      throw PictureError.unsupported("the pixel buffer differs from the picture in size or pixel format")
    }
    try Self.copy(frame, to: buffer)
    attachColour(to: buffer)
  }

  private static func unsupported(_ frame: PlanarFrame) -> PictureError {
    .unsupported(
      "no pixel format has samples of \(frame.bitDepth) bits in chroma format \(frame.chromaArrayType)")
  }

  private static func copy(_ frame: PlanarFrame, to buffer: CVPixelBuffer) throws {
    guard let rows = BiplanarRows(frame) else { throw unsupported(frame) }
    let status = CVPixelBufferLockBaseAddress(buffer, [])
    guard status == kCVReturnSuccess else {
      throw FrameworkError("CVPixelBufferLockBaseAddress", status)
    }
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    for plane in 0..<2 {
      let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
      let count = rows.rowBytes(ofPlane: plane)
      guard let base = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, plane), stride >= count,
        CVPixelBufferGetHeightOfPlane(buffer, plane) >= rows.rowCount(ofPlane: plane)
      else { throw FrameworkError("CVPixelBufferGetBaseAddressOfPlane") }
      for y in 0..<rows.rowCount(ofPlane: plane) {
        // Rows of the buffer are `stride` bytes apart, of which there are at least `count`.
        unsafe base.advanced(by: y * stride).copyMemory(from: rows.row(y, ofPlane: plane), byteCount: count)
      }
    }
  }

  /// Says what the samples mean, as far as the movie does.
  private func attachColour(to buffer: CVPixelBuffer) {
    func attach(_ key: CFString, _ value: CFString?) {
      if let value { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }
    attach(kCVImageBufferColorPrimariesKey, colour.primariesName)
    attach(kCVImageBufferTransferFunctionKey, colour.transferName)
    attach(kCVImageBufferYCbCrMatrixKey, colour.matrixName)
    attach(kCVImageBufferChromaLocationTopFieldKey, chromaLocationName)
  }

  /// The location of chroma samples under the name of Core Video.
  private var chromaLocationName: CFString? {
    switch chromaLocation {
    case 0: kCVImageBufferChromaLocation_Left
    case 1: kCVImageBufferChromaLocation_Center
    case 2: kCVImageBufferChromaLocation_TopLeft
    case 3: kCVImageBufferChromaLocation_Top
    case 4: kCVImageBufferChromaLocation_BottomLeft
    case 5: kCVImageBufferChromaLocation_Bottom
    default: nil
    }
  }
}

extension VideoColour {
  /// The primaries under the name of Core Video, which format descriptions use too.
  var primariesName: CFString? {
    switch primaries {
    case 1: kCVImageBufferColorPrimaries_ITU_R_709_2
    case 5: kCVImageBufferColorPrimaries_EBU_3213
    case 6, 7: kCVImageBufferColorPrimaries_SMPTE_C
    case 9: kCVImageBufferColorPrimaries_ITU_R_2020
    case 11: kCVImageBufferColorPrimaries_DCI_P3
    case 12: kCVImageBufferColorPrimaries_P3_D65
    default: nil
    }
  }

  /// The transfer function. Those of BT.709, BT.601 and BT.2020 are the same function.
  var transferName: CFString? {
    switch transfer {
    case 1, 6: kCVImageBufferTransferFunction_ITU_R_709_2
    case 7: kCVImageBufferTransferFunction_SMPTE_240M_1995
    case 8: kCVImageBufferTransferFunction_Linear
    case 13: kCVImageBufferTransferFunction_sRGB
    case 14, 15: kCVImageBufferTransferFunction_ITU_R_2020
    case 16: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
    case 17: kCVImageBufferTransferFunction_SMPTE_ST_428_1
    case 18: kCVImageBufferTransferFunction_ITU_R_2100_HLG
    default: nil
    }
  }

  /// The matrix.
  var matrixName: CFString? {
    switch matrix {
    case 1: kCVImageBufferYCbCrMatrix_ITU_R_709_2
    case 5, 6: kCVImageBufferYCbCrMatrix_ITU_R_601_4
    case 7: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
    case 9: kCVImageBufferYCbCrMatrix_ITU_R_2020
    default: nil
    }
  }
}
#endif
