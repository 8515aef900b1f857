// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Questions about text that are asked for every field that is shown.
extension String {
  /// How many columns it takes, where every character takes one.
  package var columnCount: Int {
    var text = self
    return text.withUTF8 { bytes in unsafe bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
  }

  /// Whether every character is a printable one of ASCII and is neither a quotation mark nor a reverse solidus: between quotes
  /// it then means itself, as in nearly all text.
  package var isPlainBetweenQuotes: Bool {
    var text = self
    return text.withUTF8 { bytes in
      unsafe bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
  }
}

extension StaticString {
  /// Whether both are the same literal; of literals that the compiler has not merged the answer may be no although they read
  /// the same.
  package func isSameLiteral(as other: StaticString) -> Bool {
    guard hasPointerRepresentation, other.hasPointerRepresentation else { return false }
    return unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount
  }
}
