// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let colourOfHDRAbsent = Rule(
    "MV062", .warning, "HDR video without colr",
    source: "ISO/IEC 14496-12, 12.1.5; HLS authoring specification for Apple devices, 1.29",
    for: [.spatial, .stereo, .immersive, .hls],
    why: "The VUI says PQ or HLG. Players that decide by the sample entry whether to switch to HDR take "
      + "the movie for SDR, and it looks grey.",
    mend: "Add colr nclx (in QuickTime nclc) with the code points of the VUI."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let colour = ColourFacts(track)
    guard colour.bitstreamIsHDR, colour.box == nil, let signal = colour.signal?.colour else { return }
    findings.add(
      "the VUI has transfer characteristics \(signal.transferCharacteristics), the sample entry no colr",
      at: track.place,
      wanted: "colr \(signal.colourPrimaries), \(signal.transferCharacteristics), \(signal.matrixCoeffs)")
  }
}
