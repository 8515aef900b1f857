// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let representationFormat = Rule(
    "MV050", .warning, "The VPS describes pictures of another size or format than the SPS",
    source: "ISO/IEC 23008-2, F.7.4.3.2.1", for: [.spatial, .stereo, .iso],
    why: "rep_format() of the VPS extension tells a decoder what to allocate for a layer before its SPS "
      + "comes. Known of x265: it leaves the cropping out.",
    mend: "Make pic_width, pic_height, conformance window, chroma format and bit depths of rep_format() "
      + "those of the SPS."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let vps = track.analysis.vps else { return }
    for layer in track.analysis.layers {
      guard let sps = layer.sps, !sps.isMultilayerForm, let format = sps.format,
        let index = vps.layerIndex(of: layer.layerID), let promised = vps.pictureFormat(at: index)
      else { continue }
      let found = Rule.described(promised), wanted = Rule.described(format)
      guard found != wanted else { continue }
      findings.add(
        "layer \(layer.layerID) is \(found) by the VPS, \(wanted) by the SPS", at: track.place(of: "hvcC"),
        found: found,
        wanted: wanted)
    }
  }
}

extension Rule {
  /// Size inside the window, chroma format and depths in words.
  fileprivate static func described(_ format: PictureFormat) -> String {
    "\(format.croppedSize ?? format.codedSize) \(format.chromaFormatName ?? "") "
      + "\(format.bitDepthLuma)/\(format.bitDepthChroma) bit"
  }
}
