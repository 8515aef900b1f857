// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let enhancementSetsInBaseRecord = Rule(
    "MV007", .error, "Parameter sets of the second layer stand in hvcC",
    source: "ISO/IEC 14496-15, 9.5.3; reports of x265 streams remuxed by FFmpeg",
    .observed, for: [.spatial, .stereo],
    why: "hvcC configures the base layer. A decoder of the base layer that is handed sets of another layer "
      + "may take them for its own, and the layer that needs them is configured by lhvC only.",
    mend: "Move the units whose nuh_layer_id is above 0 from hvcC to lhvC, and keep the VPS in hvcC."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration else { return }
    let strays = record.nalUnits.filter { $0.layerID > 0 && $0.type.isParameterSet }
    guard let first = strays.first else { return }
    findings.add(
      "hvcC holds \(strays.listed { "\($0.type.name) of layer \($0.layerID)" })",
      path: track.place(of: "hvcC")?.path ?? track.path, offset: first.bytes.fileOffset,
      found: "layer \(first.layerID)", wanted: "layer 0")
  }
}
