// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import ISOBMFF

/// One layer of an image that is put together from others, at the level of samples: nothing is converted.
struct PhotoCanvas {
  private let canvas: PictureCanvas
  private let first: DecodedPicture
  private var problems: [PictureProblem] = []

  /// - Parameters:
  ///   - first: one of the images: all have its sample format.
  ///   - colour: what its samples mean.
  ///   - fill: red, green and blue where no image is, in parts of 65 535; `nil` for black.
  init(_ size: PictureSize, _ first: DecodedPicture, _ colour: ColourInterpretation, _ fill: [UInt16]?) {
    self.first = first
    let fill = (fill ?? [0, 0, 0]).prefix(3).map { Double($0) / 65_535 }
    // A canvas ends with a whole chroma sample; the aperture cuts what is too much.
    canvas = PictureCanvas(
      PictureSize(width: size.width + size.width & 1, height: size.height + size.height & 1), first.format,
      fill: colour.samples(
        red: fill[0], green: fill[1], blue: fill[2], bitDepthLuma: first.format.bitDepthLuma,
        bitDepthChroma: first.format.bitDepthChroma))
  }

  /// Puts an image at a place; answers why that is not possible.
  mutating func put(_ picture: DecodedPicture, x: Int, y: Int) -> String? {
    guard canvas.accepts(picture) else { return "has another sample format than the first part" }
    let format = picture.format
    let hasChroma = format.chromaArrayType != 0
    let stepX = hasChroma ? format.subWidthC : 1, stepY = hasChroma ? format.subHeightC : 1
    guard x % stepX == 0, y % stepY == 0 else {
      return "is at (\(x), \(y)), between two chroma samples: that is not put together"
    }
    canvas.put(picture, x: x, y: y)
    problems += picture.problems
    return nil
  }

  func finished(tag: Int) -> DecodedPicture { canvas.finished(like: first, problems: problems, tag: tag) }

  /// What cuts a canvas to an odd size: the last column or row goes; `nil` where none does.
  static func aperture(of size: PictureSize) -> CleanApertureBox? {
    guard size.width & 1 == 1 || size.height & 1 == 1 else { return nil }
    var box = CleanApertureBox()
    (box.widthN, box.widthD) = (UInt32(clamping: size.width), 1)
    (box.heightN, box.heightD) = (UInt32(clamping: size.height), 1)
    (box.horizOffN, box.horizOffD) = (size.width & 1 == 1 ? -1 : 0, 2)
    (box.vertOffN, box.vertOffD) = (size.height & 1 == 1 ? -1 : 0, 2)
    return box
  }
}
