// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

extension PictureBuffer {
  /// Fills coding tree units, given by their addresses, with the samples at the same place in another picture, or
  /// with grey if there is none of the same format.
  func conceal(_ addresses: [Int], _ geometry: PictureGeometry, from other: PictureBuffer?) {
    let size = 1 << geometry.ctbLog2Size
    for address in addresses {
      let x = address % geometry.widthInCtbs * size, y = address / geometry.widthInCtbs * size
      for (component, plane) in planes.enumerated() {
        let subWidth = component == 0 ? 1 : geometry.subWidthC
        let subHeight = component == 0 ? 1 : geometry.subHeightC
        let left = x / subWidth, top = y / subHeight
        let width = min(size / subWidth, plane.width - left),
          height = min(size / subHeight, plane.height - top)
        if let other, other.format == format {
          plane.copy(from: other.planes[component], x: left, y: top, width: width, height: height)
        } else {
          for row in top..<(top + max(0, height)) {
            for column in left..<(left + max(0, width)) { plane[column, row] = 1 << (plane.bitDepth - 1) }
          }
        }
      }
    }
  }
}
