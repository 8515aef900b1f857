// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let samplesOutsideFile = Rule(
    "MV058", .error, "Samples stand outside the file",
    source: "ISO/IEC 14496-12, 8.7.5", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "The file was cut short, or chunk offsets were not corrected when boxes in front of the media "
      + "were changed: what is read there is not the video.",
    mend: "Copy the file again; or add the number of bytes by which moov grew to each offset in stco or "
      + "co64."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics where item.code == "sample-outside-file" { findings.add(item) }
    guard let found = track.census.outsideFile, track.movie.tree?.first("moof") != nil else { return }
    findings.add(
      "\(found.count) samples of fragments reach behind the end of the file, the first is sample \(found.sample): "
        + found.detail, path: track.path, offset: found.offset, sample: found.sample)
  }
}
