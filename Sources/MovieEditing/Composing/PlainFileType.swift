// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension MovieFile {
  /// The brands without those of fragmented movies; `nil` if there are none of these.
  func plainFileType() throws(EditError) -> [UInt8]? {
    guard let tree, let box = tree.first("ftyp"),
      var brands = tree.whole(box).payload(FileTypeBox.self)
    else { return nil }
    // CMAF, DASH and HLS. ISO/IEC 23000-19, Annex A; ISO/IEC 23009-1, 6.3
    let ofFragments: Set<FourCC> = [
      "cmfc", "cmf2", "cmff", "cmfl", "cmfs", "dash", "dsms", "msdh", "msix", "lmsg", "sims", "risx", "hlsf",
    ]
    let old = brands
    brands.compatibleBrands.removeAll { ofFragments.contains($0) }
    if ofFragments.contains(brands.majorBrand) {
      brands.majorBrand = brands.compatibleBrands.first ?? "isom"
      brands.minorVersion = 0
    }
    guard brands.majorBrand != old.majorBrand || brands.compatibleBrands != old.compatibleBrands else {
      return nil
    }
    if brands.compatibleBrands.isEmpty { brands.compatibleBrands = [brands.majorBrand] }
    do throws(ParseError) { return try Box("ftyp", brands, in: .file, registry: .standard).encoded() } catch {
      throw .refused("\(error)")
    }
  }
}
