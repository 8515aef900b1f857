// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Properties of text that are needed for every field shown.
extension String {
  /// How many columns the text takes if every character takes one.
  package var columnCount: Int {
    var text = self
    return text.withUTF8 { bytes in unsafe bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
  }

  /// Whether every character is printable ASCII and neither a quotation mark nor a backslash: between quotes it
  /// then needs no escaping, as nearly all text.
  package var isPlainBetweenQuotes: Bool {
    var text = self
    return text.withUTF8 { bytes in
      unsafe bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
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
