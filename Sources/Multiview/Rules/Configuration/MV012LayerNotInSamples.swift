// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerNotInSamples = Rule(
    "MV012", .error, "No sample holds one of the layers that are configured",
    source: "ISO/IEC 14496-15, 9.6; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls, .iso],
    why: "The configuration promises two views and the samples never deliver one of them: the decoder waits "
      + "for it, or shows one eye, or none.",
    mend: "Mux again from a stream that has both layers. Where the second is missing, lhvC and vexu may also "
      + "be taken away, and the movie is honest 2D."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, track.description?.isEnhancementOnly == false,
      !track.hasViewElsewhere
    else { return }
    let census = track.census
    guard census.lookedAt > 0, !census.layers.isEmpty else { return }
    let found = census.layers.keys.sorted(), configured = track.configuredLayers
    guard census.layers[0] != nil else {
      findings.add(
        "none of \(census.lookedAt) samples holds a picture of layer 0, from which the others are predicted",
        at: track.place(of: "hvcC"), found: Rule.names(found), wanted: Rule.names([0] + configured.sorted()))
      return
    }
    guard found.allSatisfy({ $0 == 0 }) || !configured.isEmpty && configured.isDisjoint(with: found) else {
      return
    }
    let wanted = configured.isEmpty ? [1] : configured.sorted()
    findings.add(
      "none of \(census.lookedAt) samples holds a picture of "
        + (configured.isEmpty ? "a layer above 0" : Rule.names(wanted)),
      at: track.place(of: "lhvC"), found: Rule.names(found), wanted: Rule.names([0] + wanted))
  }

  fileprivate static func names(_ layers: [UInt8]) -> String {
    "layer\(layers.count == 1 ? "" : "s") " + layers.map(String.init).joined(separator: " and ")
  }
}

extension TrackFacts {
  /// The layers above 0 whose sequence parameter sets stand in `lhvC`.
  fileprivate var configuredLayers: Set<UInt8> {
    let units = description?.layeredConfiguration?.nalUnits ?? []
    return Set(units.filter { $0.type == .sequenceParameterSet && $0.layerID > 0 }.map(\.layerID))
  }
}
