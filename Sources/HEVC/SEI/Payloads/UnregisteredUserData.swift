// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `user_data_unregistered` (5): data in a format identified by a UUID, which anyone may choose.
/// ISO/IEC 23008-2, D.2.7
public struct UnregisteredUserData: SEIPayload {
  public static let payloadType = SEIPayloadType(5)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.7"
  public static let summary: StaticString = "Data in a format identified by a UUID, which anyone may choose."

  /// The UUID (`uuid_iso_iec_11578`).
  public var uuid = ByteView([UInt8](repeating: 0, count: 16))
  /// The data after the UUID (`user_data_payload_byte`).
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.bytes("uuid_iso_iec_11578", &uuid, count: 16, .uuid)
    try c.remainder("user_data_payload_byte", &data)
  }

  /// What the data is; `nil` if unknown.
  public var meaning: String? {
    switch (uuid.bigEndian(at: 0, width: 8), uuid.bigEndian(at: 8, width: 8)) {
    case (0x2CA2_DE09_B517_47DB, 0xBB55_A4FE_7FC2_FC4E): "x265 version and options"
    case (0x4756_4ADC_5C4C_433F, 0x94EF_C511_3CD1_43A8): "Apple private data"
    case (0xDC45_E9BD_E6D9_48B7, 0x962C_D820_D923_EEEF): "x264 version and options"
    default: nil
    }
  }
}
