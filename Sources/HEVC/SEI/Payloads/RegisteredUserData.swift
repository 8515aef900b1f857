// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `user_data_registered_itu_t_t35` (4): data in a format registered by a national body, such as captions and
/// dynamic HDR metadata. ISO/IEC 23008-2, D.2.6
public struct RegisteredUserData: SEIPayload {
  public static let payloadType = SEIPayloadType(4)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.6"
  public static let summary: StaticString =
    "Data in a registered format, such as captions or dynamic HDR metadata."

  /// The country code; 0xB5 is the United States (`itu_t_t35_country_code`).
  public var countryCode: UInt8 = 0xB5
  /// The extension that follows the country code 0xFF; otherwise `nil` (`itu_t_t35_country_code_extension_byte`).
  public var countryCodeExtension: UInt8?
  /// The data after the country code (`itu_t_t35_payload_byte`).
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("itu_t_t35_country_code", &countryCode, 8, .hexadecimal)
    try c.u("itu_t_t35_country_code_extension_byte", &countryCodeExtension, 8, if: countryCode == 0xFF)
    try c.remainder("itu_t_t35_payload_byte", &data)
  }

  /// The provider code with which the data of most countries begins; `nil` if the data is too short
  /// (`itu_t_t35_terminal_provider_code`).
  public var providerCode: UInt16? { data.bigEndian(at: 0, width: 2).map(UInt16.init(truncatingIfNeeded:)) }

  /// What the data is; `nil` if unknown.
  public var meaning: String? {
    guard countryCodeExtension == nil, let provider = providerCode else { return nil }
    switch (countryCode, provider) {
    case (0xB5, 0x0031):
      guard let identifier = data.fourCC(at: 2) else { return nil }
      switch identifier {
      case "GA94":
        switch data[6] {
        case 3: return "CEA-608/708 captions"
        case 6: return "bar data"
        default: return "ATSC A/53 data"
        }
      case "DTG1": return "active format description"
      default: return nil
      }
    case (0xB5, 0x003C):
      guard data.bigEndian(at: 2, width: 3) == 0x00_0104 else { return nil }
      return "HDR10+ (ST 2094-40)"
    case (0xB5, 0x003A): return "SL-HDR"
    case (0xB5, 0x003B): return "Dolby Vision"
    case (0xB5, 0x5890): return "film grain (AFGS1)"
    case (0x26, 0x0004): return data.bigEndian(at: 2, width: 2) == 5 ? "HDR Vivid" : nil
    default: return nil
    }
  }
}
