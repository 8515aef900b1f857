// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Properties of text that are needed for every field shown.
extension String {
  /// How many columns of a terminal the text takes.
  package var columnCount: Int {
    var text = self
    // All that takes another number of columns than one begins with a byte from 0xCC.
    let (count, greatest) = text.withUTF8 { bytes in
      unsafe bytes.reduce(into: (0, UInt8(0))) { result, byte in
        if byte & 0xC0 != 0x80 { result.0 += 1 }
        result.1 = max(result.1, byte)
      }
    }
    guard greatest >= 0xCC else { return count }
    var columns = 0, last = 0
    var isJoined = false
    for scalar in text.unicodeScalars {
      // What a joiner makes one picture of stands in one place; a selector makes a picture of a character.
      if scalar == "\u{FE0F}", last == 1 { columns += 1 }
      last = isJoined && scalar.properties.isEmoji ? 0 : scalar.columnCount
      columns += last
      isJoined = scalar == "\u{200D}"
    }
    return columns
  }
}

extension Unicode.Scalar {
  /// Two for wide characters of East Asia and for pictures, none for marks on the character before.
  fileprivate var columnCount: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    // The second and third letters of a syllable.
    case 0x1160...0x11FF: return 0
    case 0x1F3FB...0x1F3FF: return 0
    // Letters of flags, two of which are one.
    case 0x1F1E6...0x1F1FF, 0x303F: return 1
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF,
      0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}

extension StaticString {
  /// Whether both are the same literal; for literals that the compiler has not merged, the result may be false
  /// although their text is equal.
  package func isSameLiteral(as other: StaticString) -> Bool {
    guard hasPointerRepresentation, other.hasPointerRepresentation else { return false }
    return unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount
  }
}
