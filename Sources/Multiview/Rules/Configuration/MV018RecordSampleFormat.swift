// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let recordSampleFormat = Rule(
    "MV018", .error, "hvcC has another sample format than the SPS",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Players set up their decoder by chroma format and bit depth of hvcC, before they see a picture: "
      + "with the wrong ones they refuse the track or show wrong colours.",
    mend: "Copy chroma_format_idc and both bit depths from the SPS of the base layer."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration, let format = track.baseSPS?.format else {
      return
    }
    let pairs: [(String, Int, Int)] = [
      ("chroma_format_idc", Int(record.chromaFormat), Int(format.chromaFormatIdc)),
      ("the luma bit depth", Int(record.bitDepthLumaMinus8) + 8, format.bitDepthLuma),
      ("the chroma bit depth", Int(record.bitDepthChromaMinus8) + 8, format.bitDepthChroma),
    ]
    for (name, found, wanted) in pairs where found != wanted {
      // Of monochrome video the depth of chroma means nothing.
      if format.chromaFormatIdc == 0, name == "the chroma bit depth" { continue }
      findings.add(
        "\(name) is \(found) in hvcC, \(wanted) in the SPS", at: track.place(of: "hvcC"), found: "\(found)",
        wanted: "\(wanted)")
    }
  }
}
