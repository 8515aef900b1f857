// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import ISOBMFF

/// One layer of an image that is assembled from others by copying their samples, without conversion.
struct PhotoCanvas {
  private let canvas: PictureCanvas
  private let first: DecodedPicture
  private var problems: [PictureProblem] = []

  /// Makes a canvas filled with one colour.
  ///
  /// - Parameters:
  ///   - size: the size of the image.
  ///   - first: one of the parts; all parts have its sample format.
  ///   - colour: how its samples become colours.
  ///   - fill: red, green and blue of the areas without a part, in units of 1/65 535; `nil` for black.
  init(_ size: PictureSize, _ first: DecodedPicture, _ colour: ColourInterpretation, _ fill: [UInt16]?) {
    self.first = first
    let fill = (fill ?? [0, 0, 0]).prefix(3).map { Double($0) / 65_535 }
    // A canvas ends with a whole chroma sample; what exceeds the image is cropped when it is shown.
    canvas = PictureCanvas(
      PictureSize(width: size.width + size.width & 1, height: size.height + size.height & 1), first.format,
      fill: colour.samples(
        red: fill[0], green: fill[1], blue: fill[2], bitDepthLuma: first.format.bitDepthLuma,
        bitDepthChroma: first.format.bitDepthChroma))
  }

  /// Copies a part, of which the picture may exceed the size, to a position; returns why that is not possible, or `nil` if it
  /// was copied.
  mutating func put(_ picture: DecodedPicture, _ size: PictureSize, x: Int, y: Int) -> String? {
    guard canvas.accepts(picture) else { return "has another sample format than the first part" }
    let format = picture.format
    let hasChroma = format.chromaArrayType != 0
    let stepX = hasChroma ? format.subWidthC : 1, stepY = hasChroma ? format.subHeightC : 1
    guard x % stepX == 0, y % stepY == 0 else {
      return "is at (\(x), \(y)), between two chroma samples, which is not supported"
    }
    canvas.put(picture, size, x: x, y: y)
    problems += picture.problems
    return nil
  }

  func finished(tag: Int) -> DecodedPicture { canvas.finished(like: first, problems: problems, tag: tag) }
}
