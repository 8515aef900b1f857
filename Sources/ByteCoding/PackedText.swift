// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Text that fields pack in special ways.
extension ByteView {
  /// The text in a field of fixed size that begins with a length. If the length is impossible, the field is read
  /// as text up to a zero byte.
  public var pascalText: String {
    guard let length = self[0] else { return "" }
    if Int(length) < count { return suffix(from: 1).prefix(Int(length)).utf8Text }
    var end = 0
    while let byte = self[end], byte != 0 { end += 1 }
    return prefix(end).utf8Text
  }
}

/// The three letters of ISO 639-2 that 15 bits hold, five bits each. ISO/IEC 14496-12, 8.4.2.3
package func languageLetters(_ packed: UInt16) -> String {
  var text = ""
  for shift in [10, 5, 0] as [UInt16] {
    text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: packed >> shift & 31) + 0x60))
  }
  return text
}
