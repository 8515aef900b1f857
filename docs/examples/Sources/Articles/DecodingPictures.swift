// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding

// The code of the articles on decoding.

func show(_ picture: DecodedPicture) {
  // Luma, then Cb and Cr; 4:0:0 has luma alone.
  let planes = (0..<picture.planeCount).compactMap { picture.bytes(ofPlane: $0) }
  print(picture.layerID, picture.size, planes.map(\.count))
}

func decodeAll(_ record: DecoderConfigurationRecord, _ samples: [[NALUnit]]) {
  let decoder = HEVCDecoder()
  decoder.insert(parameterSets: record.nalUnits)
  for (index, sample) in samples.enumerated() {
    for picture in decoder.decode(sample, tag: index) { show(picture) }
  }
  for picture in decoder.finish() { show(picture) }
}

func decoderOfOneLayer() -> HEVCDecoder {
  var options = HEVCDecoder.Options()
  options.layers = [1]
  let decoder = HEVCDecoder(options)
  return decoder
}
