// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Properties of text that are needed for every field shown.
extension String {
  /// How many columns the text takes if every character takes one.
  package var columnCount: Int {
    var text = self
    return text.withUTF8 { bytes in unsafe bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
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
