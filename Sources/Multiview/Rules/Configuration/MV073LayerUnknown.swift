// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerUnknown = Rule(
    "MV073", .warning, "Samples hold pictures of a layer that nothing describes",
    source: "ISO/IEC 23008-2, F.7.4.3.1.1; ISO/IEC 14496-15, 9.5.3",
    .inferred, for: [.spatial, .stereo],
    why: "The layer is not in the VPS and has no parameter sets: its pictures cannot be decoded. Units whose "
      + "nuh_layer_id was written wrongly look like this, and then a view is missing.",
    mend: "Take the units of that layer out, or write the nuh_layer_id that VPS and lhvC have."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, let structure = track.analysis.structure else { return }
    let configured = Set(track.analysis.layers.filter(\.hasParameterSets).map(\.layerID))
    for (id, layer) in track.census.layers.sorted(by: { $0.key < $1.key })
    where structure.layer(id) == nil && !configured.contains(id) {
      let described = structure.layers.map { "\($0.id)" }.joined(separator: ", ")
      findings.add(
        "\(layer.samples) samples hold pictures of layer \(id)", path: track.path,
        offset: layer.first?.offset, sample: layer.first?.sample, found: "layer \(id)",
        wanted: "layers \(described)")
    }
  }
}
