// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC
import HEVCCoding

/// A picture assembled from others of the same sample format, such as a still image made of tiles.
package struct PictureCanvas {
  private let format: PictureFormat
  private let buffer: PictureBuffer

  /// Allocates a picture of this size with the sample format of `format`; all samples of each component are set to
  /// its entry in `fill`.
  package init(_ size: PictureSize, _ format: PictureFormat, fill: [Int]) {
    var format = format
    format.picWidthInLumaSamples = UInt32(clamping: size.width)
    format.picHeightInLumaSamples = UInt32(clamping: size.height)
    format.conformanceWindow = nil
    self.format = format
    buffer = PictureBuffer(SampleFormat(format))
    buffer.allocate()
    for (plane, value) in zip(buffer.planes, fill) { plane.fill(with: value) }
  }

  /// Whether a picture has the sample format of this one.
  package func accepts(_ picture: DecodedPicture) -> Bool {
    var other = SampleFormat(picture.format)
    other.width = buffer.format.width
    other.height = buffer.format.height
    return other == buffer.format
  }

  /// Copies the part of a picture inside its conformance window, and no more than `size`, to a position, which must be a whole
  /// number of chroma samples from the corner. Parts beyond the edges are omitted.
  package func put(_ picture: DecodedPicture, _ size: PictureSize, x: Int, y: Int) {
    guard accepts(picture) else { return }
    for component in buffer.planes.indices {
      guard let window = picture.window(of: component) else { continue }
      let shiftX = component == 0 ? 0 : buffer.format.chromaShiftX
      let shiftY = component == 0 ? 0 : buffer.format.chromaShiftY
      let plane = buffer.planes[component], left = x >> shiftX, top = y >> shiftY
      let width = min(window.width, (size.width + 1 << shiftX - 1) >> shiftX)
      let height = min(window.height, (size.height + 1 << shiftY - 1) >> shiftY)
      let skippedColumns = max(0, -left), skippedRows = max(0, -top)
      plane.copy(
        from: picture.buffer.planes[component], x: window.x + skippedColumns, y: window.y + skippedRows,
        width: min(width, plane.width - left) - skippedColumns,
        height: min(height, plane.height - top) - skippedRows,
        toX: left + skippedColumns, toY: top + skippedRows)
    }
  }

  /// The assembled picture. Nothing may be added to it afterwards.
  package func finished(like picture: DecodedPicture, problems: [PictureProblem], tag: Int) -> DecodedPicture
  {
    buffer.layerID = picture.layerID
    buffer.finish()
    return DecodedPicture(
      layerID: picture.layerID, orderCount: 0, type: picture.type, tag: tag, format: format,
      vui: picture.vui, baseVUI: picture.baseVUI, colourMessages: picture.colourMessages, hash: .none,
      problems: problems, buffer: buffer, loan: nil)
  }
}
