// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC
package import HEVCCoding

/// Whether the samples of a picture match its picture hash message. ISO/IEC 23008-2, D.3.19
public enum PictureHashVerdict: String, Hashable, Sendable {
  /// The stream has no message for the picture, or the message was not checked.
  case none = "-"
  /// The samples are exactly those of the encoder.
  case match
  /// The samples differ from those of the encoder.
  case mismatch
}

extension PictureBuffer {
  /// Whether all samples, before cropping, match a message.
  package func verdict(_ hash: DecodedPictureHash) -> PictureHashVerdict {
    let components = 0..<planes.count
    switch hash.hashType {
    case 0 where hash.md5.count >= planes.count:
      return components.allSatisfy { md5($0) == hash.md5[$0].bytes.array } ? .match : .mismatch
    case 1 where hash.crc.count >= planes.count:
      return components.allSatisfy { crc($0) == hash.crc[$0] } ? .match : .mismatch
    case 2 where hash.checksum.count >= planes.count:
      return components.allSatisfy { checksum($0) == hash.checksum[$0] } ? .match : .mismatch
    default: return .none
    }
  }
}
