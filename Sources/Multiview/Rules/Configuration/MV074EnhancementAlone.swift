// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let enhancementAlone = Rule(
    "MV074", .error, "A track of enhancement layers has no base layer to build on",
    source: "ISO/IEC 14496-15, 9.5.3 and 9.6", for: [.spatial, .stereo, .iso],
    why: "lhv1 and lhe1 promise layers that build on a track of their own, named by a reference sbas, and a "
      + "record lhvC alone. Without that track there is nothing to decode; Apple platforms do not take the "
      + "entries at all.",
    mend:
      "If the samples hold the base layer too, name the entry hvc1, with hvcC and lhvC. Otherwise add the "
      + "track of the base layer, and a tref with sbas to it."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, description.isEnhancementOnly else { return }
    let bases = (track.track.references("sbas") + track.track.references("scal"))
      .filter { $0 != track.track.id && track.movie.track(id: $0) != nil }
    guard bases.isEmpty else { return }
    let holdsBase = track.analysis.layers.contains { $0.layerID == 0 && $0.isInSamples == true }
    findings.add(
      "the sample entry is '\(description.codec)', and no reference leads to a base layer"
        + (holdsBase ? "; the samples hold it themselves" : ""),
      at: track.place, found: "\(description.codec)", wanted: holdsBase ? "hvc1" : "tref/sbas")
  }
}
