// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let lensIncomplete = Rule(
    "MV088", .error, "The description of a lens is incomplete",
    source: "FormatDescriptionUtilities in the source of WebKit; Apple, Spatial and Immersive Media – Format "
      + "additions 1.9.8",
    .observed, for: [.immersive],
    why:
      "A parametric projection is computed from the whole description: WebKit takes a lens only where none "
      + "of its values is lacking.",
    mend:
      "Write lnhd, rdim, lnin with the projection offset, ldst with the limit of the radial angle, lfad, and "
      + "lnex with corg and cxfm/uqua into each lens."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive else { return }
    for lens in track.stereo.lenses where !lens.missing.isEmpty {
      findings.add(
        "the lens lacks \(lens.missing.joined(separator: ", "))", at: lens.place,
        wanted: lens.missing.joined(separator: ", "))
    }
  }
}
