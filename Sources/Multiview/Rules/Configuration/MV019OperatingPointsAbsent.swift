// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let operatingPointsAbsent = Rule(
    "MV019", .note, "Operating points are not described (oinf)",
    source: "ISO/IEC 14496-15, 9.6.2; absent from all files of Apple", for: [.iso],
    why: "The standard asks tracks with several layers for the sample group oinf. Apple writes neither it "
      + "nor linf, and its players do not look for them: this is normal.",
    mend: "Nothing needs to be done for Apple platforms. Other readers of L-HEVC may want oinf and linf."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, let table = track.track.box?["mdia/minf/stbl"] else { return }
    let groups = table.all("sgpd").compactMap { $0.body.fourCC(at: 4) }
    let others = track.track.references("oref")
    guard !groups.contains("oinf"), others.isEmpty else { return }
    findings.add("the track has several layers and no oinf", at: track.place, wanted: "oinf")
  }
}
