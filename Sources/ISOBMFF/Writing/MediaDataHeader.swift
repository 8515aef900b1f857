// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The header of media data (`mdat`), whose contents are written separately.
package enum MediaDataHeader {
  /// Returns whether `count` bytes need a header with a size of 64 bits.
  package static func needsLargeSize(_ count: UInt64) -> Bool { count > UInt64(UInt32.max) - 8 }

  /// Returns the header of `count` bytes.
  ///
  /// - Parameters:
  ///   - count: the number of bytes of the contents.
  ///   - isLarge: whether the size has 64 bits, so that the header has 16 bytes instead of 8.
  package static func bytes(of count: UInt64, isLarge: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(isLarge ? 1 : count &+ 8, width: 4)
    bytes.appendBigEndian(UInt64(("mdat" as FourCC).rawValue), width: 4)
    if isLarge { bytes.appendBigEndian(count &+ 16, width: 8) }
    return bytes
  }
}
