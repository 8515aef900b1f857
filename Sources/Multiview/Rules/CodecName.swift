// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The name of a codec in `CODECS`, which may be written in several ways.
struct CodecName: Hashable {
  /// The parts between the points. The case of hexadecimal digits does not count (RFC 6381, 3.3), and zero bytes at the end
  /// of the constraints of HEVC may be left out (ISO/IEC 14496-15, E.3).
  private var parts: [String]

  init(_ name: some StringProtocol) {
    let text = String(name).filter { $0 != " " }
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    for index in parts.indices.dropFirst() where parts[index].allSatisfy(\.isHexDigit) {
      parts[index] = parts[index].uppercased()
    }
    guard isHEVC else { return }
    while parts.count > 4, parts.last.flatMap({ UInt8($0, radix: 16) }) == 0 { parts.removeLast() }
  }

  private var isHEVC: Bool { ["hvc1", "hev1"].contains(parts[0]) }

  /// Whether a player that reads this name in a playlist expects that codec.
  ///
  /// Apple's tools write the compatibility flags of HEVC in the order of the bitstream: `60000000` for 6. AAC that a decoder
  /// extends by itself (SBR and parametric stereo, with implicit signalling) is named by what the decoder makes of it.
  /// ISO/IEC 14496-3, 1.6.5
  func names(_ codec: CodecName) -> Bool {
    if self == codec || withReversedFlags == codec { return true }
    return codec.parts == ["mp4a", "40", "2"]
      && (parts == ["mp4a", "40", "5"] || parts == ["mp4a", "40", "29"])
  }

  private var withReversedFlags: CodecName? {
    guard isHEVC, parts.count > 2, parts[2].count == 8, var flags = UInt32(parts[2], radix: 16) else {
      return nil
    }
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed &<< 1 | flags & 1
      flags &>>= 1
    }
    var name = self
    name.parts[2] = String(reversed, radix: 16, uppercase: true)
    return name
  }
}
