// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

// The code of the article "Parsing a raw stream".

func printStream(_ bytes: ByteView) throws {
  var store = ParameterSetStore()
  var pictures = 0
  for result in AnnexBNALUnits(bytes) {
    guard case .success(let unit) = result else {
      // A unit that is too short for its header: the next one is found all the same.
      print(result)
      continue
    }
    switch unit.type {
    case .vpsNUT, .spsNUT, .ppsNUT:
      store.insert(unit)
    case .idrWRADL, .idrNLP, .craNUT:
      print("decoding can begin: \(unit.type), layer \(unit.layerID)")
      pictures += 1
    case let type where type.isVideoCodingLayer:
      pictures += 1
    case .prefixSEI:
      for message in unit.seiMessages().messages { print("message \(message.payloadType)") }
    default:
      break
    }
  }
  print("\(pictures) slices")
  for entry in store.sequenceParameterSets {
    print(
      "SPS \(entry.content.spsSeqParameterSetID) of layer \(entry.unit.layerID): \(entry.content.pictureFormat?.croppedSize?.description ?? "-")"
    )
  }
}
