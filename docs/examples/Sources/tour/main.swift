// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

let movie = try MovieFile(path: "spatial.mov")
for track in movie.tracks { print(track.id, track.classification, track.codecString ?? "?") }
for track in movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo) {
  for layer in track.layers {
    let sets = track.layerAnalysis.parameterSets(forLayers: [layer.layerID])
    print("layer \(layer.layerID)", layer.eye.map { "\($0) eye" } ?? layer.role, sets.map(\.type))
  }
  for sample in try track.samples().prefix(1) {
    for group in try track.taggedNALUnits(of: sample) {
      print("sample \(sample.index), layer \(group.layerID): \(group.byteCount) bytes")
    }
  }
}
