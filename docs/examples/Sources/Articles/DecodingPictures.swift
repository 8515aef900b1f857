// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding

// The code of the articles on decoding.

func decodeAll(
  _ record: DecoderConfigurationRecord, _ samples: [[NALUnit]], show: (DecodedPicture) -> Void
) {
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
