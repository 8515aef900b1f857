// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC
package import HEVCCoding

/// Counts a picture that was returned to the caller for as long as it keeps it, or a copy.
final class PictureLoan: Sendable {
  private let schedule: DecodingSchedule

  init(_ schedule: DecodingSchedule) {
    self.schedule = schedule
    schedule.lend()
  }

  deinit { schedule.takeBack() }
}

/// A decoded picture, returned when it is due for output.
public struct DecodedPicture: Sendable {
  /// The layer of the picture (`nuh_layer_id`).
  public let layerID: UInt8
  /// The position in output order within the coded video sequence (`PicOrderCntVal`).
  public let orderCount: Int
  /// The type of the picture's NAL units.
  public let type: NALUnitType
  /// The tag that the caller passed with the access unit of the picture.
  public let tag: Int
  /// The picture's size, conformance window and sample format.
  public let format: PictureFormat
  /// The colours, chroma locations and pixel shape in the sequence parameter set; `nil` if it specifies none.
  /// The set of an enhancement layer often specifies none: the values of its base layer then apply.
  public let vui: VUIParameters?
  /// For a picture of an enhancement layer, what that of its base layer specifies, empty if nothing; `nil` if the picture of
  /// the base layer was not decoded.
  package let baseVUI: VUIParameters?
  /// The messages of the base layer about the coded video sequence; `nil` if decoding began at a picture that may be in the
  /// middle of a sequence.
  package let colourMessages: ColourMessages?
  /// Whether the samples match the picture hash message.
  public let hash: PictureHashVerdict
  /// What could not be decoded: empty for a complete picture. Missing parts are filled from the picture nearest in
  /// time.
  public let problems: [PictureProblem]

  /// All samples, before cropping.
  package let buffer: PictureBuffer
  let loan: PictureLoan?

  /// The size inside the conformance window.
  public var size: PictureSize { format.croppedSize ?? format.codedSize }

  /// The number of planes: 1 for luma alone, 3 for luma, Cb and Cr.
  public var planeCount: Int { buffer.planes.count }

  /// The part of a plane inside the conformance window; `nil` for a plane that the picture does not have.
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

  /// The samples of a plane inside the conformance window, row by row without gaps: samples of up to 8 bits as one byte
  /// each, others as two, least significant first. `nil` for a plane that the picture does not have.
  ///
  /// Luma is plane 0, Cb and Cr are planes 1 and 2, which are `format.subWidthC` times narrower and
  /// `format.subHeightC` times lower.
  public func bytes(ofPlane component: Int) -> [UInt8]? {
    guard let window = window(of: component) else { return nil }
    var bytes: [UInt8] = []
    buffer.planes[component].append(
      x: window.x, y: window.y, width: window.width, height: window.height, to: &bytes)
    return bytes
  }

  /// The MD5 sum of a plane inside the conformance window, row by row: samples of up to 8 bits as one byte each,
  /// others as two, least significant first. `nil` for a plane that the picture does not have.
  public func md5(ofPlane component: Int) -> [UInt8]? {
    guard let window = window(of: component) else { return nil }
    return buffer.md5(component, x: window.x, y: window.y, width: window.width, height: window.height)
  }
}
