// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension FourCC: Codable {
  /// Encodes the code as its ``description``: four characters, or more where a byte is not printable.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let code = FourCC(text) ?? FourCC(escaped: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a four-character code")
    }
    self = code
  }

  /// Reads a code whose unprintable bytes are spelled `\xNN`.
  private init?(escaped text: String) {
    var bytes: [UInt8] = []
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "x" {
        rest.removeFirst()
        let digits = rest.prefix(2)
        guard digits.count == 2, let byte = UInt8(String(digits), radix: 16) else { return nil }
        bytes.append(byte)
        rest.removeFirst(2)
      } else {
        guard scalar.value < 0x100 else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      }
    }
    guard bytes.count == 4 else { return nil }
    self.init(bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }
}
