// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// Samples that the filters need as they were before.
///
/// A plain value that owns nothing: ``CodingMemory`` allocates and frees its memory.
package struct FilterRows {
  /// A row of coding tree blocks before sample adaptive offset, with a row of samples above and below.
  package let unfiltered: Plane
  /// The last row of samples of the row of coding tree blocks above, before sample adaptive offset.
  package let above: (Plane, Plane, Plane)

  package init(_ picture: PictureGeometry) {
    let isWide = max(picture.bitDepthLuma, picture.chromaArrayType == 0 ? 0 : picture.bitDepthChroma) > 8
    func rows(_ count: Int) -> Plane {
      Plane(width: picture.width, height: count, bitDepth: isWide ? 16 : 8, isWide: isWide)
    }
    unfiltered = rows((1 << picture.ctbLog2Size) + 2)
    above = (rows(1), rows(1), rows(1))
  }

  package func free() {
    unfiltered.free()
    above.0.free()
    above.1.free()
    above.2.free()
  }
}
