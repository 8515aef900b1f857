// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let colourContradicts = Rule(
    "MV063", .warning, "colr contradicts the VUI of the bitstream",
    source: "ISO/IEC 14496-12, 12.1.5", for: [.iso, .spatial, .stereo, .immersive, .hls],
    why: "Some players go by the box and some by the bitstream: colours, or the switch to HDR, depend on "
      + "the player.",
    mend: "Make colr and the VUI of the SPS say the same. colr takes precedence by the standard."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let colour = ColourFacts(track)
    guard let box = colour.box, let signal = colour.signal?.colour else { return }
    let pairs: [(String, Int, Int)] = [
      ("colour_primaries", Int(box.colourPrimaries), Int(signal.colourPrimaries)),
      ("transfer_characteristics", Int(box.transferCharacteristics), Int(signal.transferCharacteristics)),
      ("matrix_coefficients", Int(box.matrixCoefficients), Int(signal.matrixCoeffs)),
    ]
    for (name, found, wanted) in pairs where found != wanted && found != 2 && wanted != 2 {
      // 1, 6, 14 and 15 are the same curve. ISO/IEC 23091-2, table 3
      let curves: Set<Int> = [1, 6, 14, 15]
      if name == "transfer_characteristics", curves.contains(found), curves.contains(wanted) { continue }
      // So are the primaries 6 and 7, and the coefficients 5 and 6.
      if name == "colour_primaries", [found, wanted].allSatisfy((6...7).contains) { continue }
      if name == "matrix_coefficients", [found, wanted].allSatisfy((5...6).contains) { continue }
      findings.add(
        "\(name) is \(found) in colr, \(wanted) in the VUI", at: colour.place, found: "\(found)",
        wanted: "\(wanted)")
    }
  }
}
