// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `decoded_picture_hash` (132): a hash of each colour component of the decoded picture. ISO/IEC 23008-2, D.2.19
public struct DecodedPictureHash: SEIPayload {
  public static let payloadType = SEIPayloadType(132)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.19"
  public static let summary: StaticString = "A hash of each colour component of the decoded picture."

  /// An MD5 sum.
  public struct MD5: FieldLayout {
    /// Its 16 bytes.
    public var bytes = ByteView([UInt8](repeating: 0, count: 16))
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.bytes("picture_md5", &bytes, count: 16)
    }
  }

  /// The kind of hash: 0 MD5, 1 CRC, 2 checksum (`hash_type`).
  public var hashType: UInt8 = 0
  /// The MD5 sum of each colour component (`picture_md5`).
  public var md5: [MD5] = []
  /// The CRC of each colour component (`picture_crc`).
  public var crc: [UInt16] = []
  /// The checksum of each colour component (`picture_checksum`).
  public var checksum: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("hash_type", &hashType, 8, .named(Self.name(_:)))
    // A picture has one colour component or three, which follows from the size of the payload.
    switch hashType {
    case 0: try c.array("picture_md5", &md5, count: count(&c, 128, md5.count), minimumBits: 128)
    case 1: try c.array("picture_crc", &crc, count: count(&c, 16, crc.count), bits: 16, .hexadecimal)
    case 2:
      try c.array("picture_checksum", &checksum, count: count(&c, 32, checksum.count), bits: 32, .hexadecimal)
    default: break
    }
  }

  private func count(_ c: inout some Coder, _ bits: Int, _ present: Int) -> Int {
    guard let left = c.bitsLeft else { return present }
    return left >= 3 * bits ? 3 : min(1, left / bits)
  }

  @Sendable
  private static func name(_ value: Int64) -> String? {
    switch value {
    case 0: "MD5"
    case 1: "CRC"
    case 2: "checksum"
    default: nil
    }
  }
}
