// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

/// A picture that was decoded and whose turn to be shown has come.
public struct DecodedPicture: Sendable {
  /// The layer. `nuh_layer_id`
  public let layerID: UInt8
  /// The place in the order of output, within a coded video sequence. `PicOrderCntVal`
  public let orderCount: Int
  /// What kind of picture it is.
  public let type: NALUnitType
  /// What the caller handed in with the access unit that the picture belongs to.
  public let tag: Int
  /// Size and sample format, with the conformance window.
  public let format: PictureFormat
  /// What the picture hash message says of the samples.
  public let hash: PictureHashVerdict
  /// What could not be decoded: empty for a picture that is whole. What is missing is filled with the picture nearest in time.
  public let problems: [PictureProblem]

  /// All samples, before cropping.
  package let buffer: PictureBuffer

  /// The size inside the conformance window.
  public var size: PictureSize { format.croppedSize ?? format.codedSize }

  /// How many planes there are: luma alone, or luma, Cb and Cr.
  public var planeCount: Int { buffer.planes.count }

  /// Where the cropped part of a plane is.
  package func window(of component: Int) -> (x: Int, y: Int, width: Int, height: Int)? {
    guard buffer.planes.indices.contains(component) else { return nil }
    let subWidth = component == 0 ? 1 : format.subWidthC, subHeight = component == 0 ? 1 : format.subHeightC
    var x = 0, y = 0
    if format.croppedSize != nil, let window = format.conformanceWindow {
      x = Int(clamping: window.leftOffset) * format.subWidthC
      y = Int(clamping: window.topOffset) * format.subHeightC
    }
    return (x / subWidth, y / subHeight, size.width / subWidth, size.height / subHeight)
  }

  /// The MD5 sum of a plane inside the conformance window, row by row: one byte a sample of up to 8 bits, else two, the
  /// least significant first. `nil` for a plane that the picture lacks.
  public func md5(ofPlane component: Int) -> [UInt8]? {
    guard let window = window(of: component) else { return nil }
    return buffer.md5(component, x: window.x, y: window.y, width: window.width, height: window.height)
  }
}
