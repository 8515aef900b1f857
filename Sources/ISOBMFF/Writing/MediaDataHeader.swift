// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The header of media data (`mdat`), whose bytes are written by themselves.
package enum MediaDataHeader {
  /// Whether so many bytes need a header with a size of 64 bits.
  package static func needsLargeSize(_ count: UInt64) -> Bool { count > UInt64(UInt32.max) - 8 }

  /// The header of so many bytes.
  ///
  /// - Parameter isLarge: whether the size has 64 bits: the header has 16 bytes then, otherwise 8.
  package static func bytes(of count: UInt64, isLarge: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(isLarge ? 1 : count &+ 8, width: 4)
    bytes.appendBigEndian(UInt64(("mdat" as FourCC).rawValue), width: 4)
    if isLarge { bytes.appendBigEndian(count &+ 16, width: 8) }
    return bytes
  }
}
