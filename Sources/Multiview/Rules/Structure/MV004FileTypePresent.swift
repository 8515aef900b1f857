// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let fileTypePresent = Rule(
    "MV004", .warning, "The file type is not said",
    source: "ISO/IEC 14496-12, 4.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Players choose their reader by the brands. A file without them, or with brands of nothing, is "
      + "taken for the oldest QuickTime, if it is taken at all.",
    mend: "Let the file begin with ftyp, and give it a brand that readers know: qt, mp42 or isom."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree, !context.isMediaSegment, tree.first("moov") != nil else { return }
    guard let box = tree.first("ftyp") else {
      findings.add("the file has no ftyp", path: "", offset: tree.boxes.first?.offset, wanted: "ftyp")
      return
    }
    let brands =
      [context.movie.container.majorBrand].compactMap { $0 } + context.movie.container.compatibleBrands
    let place = BoxPlace(path: "ftyp", offset: box.offset)
    if let first = tree.boxes.first, first.offset < box.offset, first.type == "moov" || first.type == "mdat" {
      findings.add(
        "ftyp stands behind \(first.type)", at: place, found: "\(first.type)", wanted: "ftyp first")
    }
    if !brands.contains(where: FourCC.isMovieBrand) {
      findings.add(
        "no brand is one of movies", at: place, found: brands.unique().listed { "\($0)" },
        wanted: "qt, mp42, isom and the like")
    }
  }
}

extension FourCC {
  /// Whether a brand is one of movies: of QuickTime, MP4, 3GPP, CMAF, DASH or Apple's and Adobe's variants.
  fileprivate static func isMovieBrand(_ brand: FourCC) -> Bool {
    movieFamilies.contains(FourCC(brand.rawValue & 0xFFFF_FF00 | 0x20))
  }

  /// Brands go by their first three characters; the last one stands for all.
  private static let movieFamilies: Set<FourCC> = [
    "iso ", "mp4 ", "qt  ", "M4V ", "M4A ", "3gp ", "3g2 ", "avc ", "das ", "cmf ", "hvc ", "msd ", "f4v ",
    "mp7 ", "dby ", "XAV ", "pan ", "ccf ", "hlg ", "hev ", "hei ", "mif ", "msf ", "mia ", "avi ", "vvc ",
    "jpe ",
  ]
}
