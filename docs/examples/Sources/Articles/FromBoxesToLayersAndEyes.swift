// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

// The code of the article "From boxes to layers and eyes".

func aBox(_ movie: MovieFile) {
  guard let tree = movie.tree else { return }
  if let entry = tree["moov/trak[0]/mdia/minf/stbl/stsd/hvc1"] {
    print(entry.children.map(\.type), entry.fileRange)
  }
  for match in tree.matches("**/vexu") { print(match.path, match.box.offset) }
  for match in tree.matches("**/*") { print(match.path, match.box.offset, match.box.fileRange.count) }
}

func itsFields(_ tree: BoxTree) {
  guard let box = tree["moov/trak[0]/mdia/minf/stbl/stts"] else { return }
  if let times = box.payload(TimeToSampleBox.self) { print(times.entries.count) }
  if let decoding = box.decodePayload() {
    print(decoding.error?.description ?? "whole", decoding.unread.count, "bytes after the fields")
  }
}

func itsParameterSets(_ track: Track) {
  guard let description = track.mainDescription else { return }
  for record in [description.hevcConfiguration?.nalUnits, description.layeredConfiguration?.nalUnits] {
    for unit in record ?? [] { print(unit.type, unit.layerID, unit.bytes.count) }
  }
  let analysis = track.layerAnalysis
  for layer in analysis.layers {
    print(layer.layerID, layer.viewID ?? 0, layer.croppedSize ?? "?", layer.profileTierLevel ?? "?")
  }
}

func itsStreams(_ track: Track) throws {
  var stream: [UInt8] = []
  let summary = try track.extract(eye: .right) { bytes in
    stream += bytes
    return true
  }
  print(summary.layers, summary.samples, stream.count)
}

func itsSamples(_ movie: MovieFile, _ track: Track) throws {
  for sample in try track.samples().prefix(3) {
    let bytes = try movie.source.read(sample.range)
    print(sample.isSync ? "sync" : "other", bytes.count, "bytes, first", bytes.array.first ?? 0)
  }
}
