// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import HEVC
import HEVCDecoding
import MoviePictures
import Multiview

/// Decodes the pictures of an image of a file.
struct ImagePictures {
  let image: CodedImage
  private var options = HEVCDecoder.Options()

  /// The pictures of an image: those of `layer` alone, where one is named.
  init(_ image: CodedImage, layer: Int? = nil, checksHashes: Bool = true) {
    self.image = image
    if let layer {
      options.layers = [UInt8(clamping: layer)]
    } else if !image.hasLayers {
      // Its data may hold further layers, which another item stands for.
      options.layers = [0]
    }
    options.checksHashes = checksHashes
  }

  /// Hands each picture to `body`, in the order of output, until that answers `false`.
  func forEach(
    noting damage: (TrackPictures.Problem) -> Void, _ body: (DecodedPicture) -> Bool
  ) throws(SourceError) {
    let tag = Int(image.id)
    func note(_ text: String, _ layerID: UInt8? = nil) {
      damage(TrackPictures.Problem(sample: tag, layerID: layerID, description: text))
    }
    if let obstacle = image.obstacle { return note(obstacle) }
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
      note(hasSlice && !isStart ? "begins with a picture at which no decoder can start" : "has no picture")
    }
    for picture in pictures {
      guard body(picture) else { return }
    }
  }
}
