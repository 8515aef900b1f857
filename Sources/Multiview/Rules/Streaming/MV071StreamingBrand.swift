// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let streamingBrand = Rule(
    "MV071", .warning, "No brand says that the movie is one of iso6 or later",
    source: "RFC 8216, 3.3", for: [.hls],
    why: "What HLS asks of segments came with iso6: movies of older brands need not have decode times in "
      + "their fragments, and a strict player does not take them. Most look at the boxes alone.",
    mend: "Add iso6, or cmfc where the movie is CMAF, to the compatible brands, if the fragments are made so."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.isFragmented, let box = context.movie.tree?.first("ftyp"),
      context.movie.tree?.first("moov") != nil
    else { return }
    let container = context.movie.container
    let brands = [container.majorBrand].compactMap { $0 } + container.compatibleBrands
    guard !brands.contains(where: FourCC.isStreamingBrand) else { return }
    findings.add(
      "no brand is iso6 or later", at: BoxPlace(path: "ftyp", offset: box.offset),
      found: Set(brands).sorted().listed { "\($0)" }, wanted: "iso6 or later")
  }
}

extension FourCC {
  /// Whether the rules of a brand contain those of `iso6`: later ones of the family, CMAF, and the brand that Apple's
  /// own segmenter writes.
  fileprivate static func isStreamingBrand(_ brand: FourCC) -> Bool {
    if streamingBrands.contains(brand) { return true }
    // iso6 to iso9, isoa to isol
    return ("iso6"..."iso9").contains(brand) || ("isoa"..."isol").contains(brand)
  }

  private static let streamingBrands: Set<FourCC> = ["hlsf", "cmfc", "cmf2", "cmff", "cmfl", "cmfs"]
}
