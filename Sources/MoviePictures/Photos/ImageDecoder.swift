// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess
import HEVC
package import HEVCDecoding
package import Multiview

/// Decodes the pictures of an image that is coded as HEVC.
package struct ImageDecoder {
  private let image: CodedImage
  private var options = HEVCDecoder.Options()

  /// Makes a decoder for an image: for `layer` alone if it is given, otherwise for all layers of the image.
  package init(_ image: CodedImage, layer: Int? = nil, checksHashes: Bool = true) {
    self.image = image
    if let layer {
      options.layers = [UInt8(clamping: layer)]
    } else if !image.hasLayers {
      // Its data may contain further layers, which belong to another item.
      options.layers = [0]
    }
    options.checksHashes = checksHashes
  }

  /// Decodes the pictures, by ascending layer, each tagged with the item ID; and returns what prevented others
  /// from being decoded.
  package func decode() throws(SourceError) -> (pictures: [DecodedPicture], problems: [TrackDecoder.Problem])
  {
    let tag = Int(image.id)
    var problems: [TrackDecoder.Problem] = []
    func note(_ text: String, _ layerID: UInt8? = nil) {
      problems.append(TrackDecoder.Problem(sample: tag, layerID: layerID, description: text))
    }
    if let obstacle = image.obstacle {
      note(obstacle)
      return ([], problems)
    }
    let decoder = HEVCDecoder(options)
    decoder.insert(parameterSets: image.configurationUnits)
    let found = try image.nalUnits()
    if let error = found.error { note("\(error)") }
    let pictures = decoder.decode(found.units, tag: tag) + decoder.finish()
    let failures = decoder.takeFailures()
    for failure in failures { note("layer \(failure.layerID): \(failure.problem)", failure.layerID) }
    if pictures.isEmpty, failures.isEmpty, options.layers?.contains(0) ?? true {
      let hasSlice = found.units.contains { $0.type.isSliceSegment }
      let isStart = found.units.contains { $0.type.isRandomAccessPoint && $0.layerID == 0 }
      note(hasSlice && !isStart ? "begins with a picture at which decoding cannot begin" : "has no picture")
    }
    return (pictures, problems)
  }
}
