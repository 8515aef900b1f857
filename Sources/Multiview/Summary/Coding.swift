// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

// What programs put into JSON, property lists and databases. Codes are coded as their text, measures as their numbers.

extension RawRepresentable where RawValue == FourCC, Self: Encodable {
  /// Encodes the four characters.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension RawRepresentable where RawValue == FourCC, Self: Decodable {
  /// Decodes the four characters.
  public init(from decoder: any Decoder) throws {
    let code = try FourCC(from: decoder)
    guard let value = Self(rawValue: code) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(code)' is not a known code"))
    }
    self = value
  }
}

extension CheckTarget: Codable {}
extension Classification: Codable {}
extension DisparityRatio: Codable {}
extension HeroEye: Codable {}
extension MediaType: Codable {}
extension MetadataKey: Codable {}
extension Micrometers: Codable {}
extension Millidegrees: Codable {}
extension Projection: Codable {}
extension StereoEye: Codable {}
extension StereoKind: Codable {}
extension ViewPacking: Codable {}
