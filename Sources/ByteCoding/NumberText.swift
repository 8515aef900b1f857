// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// `value` in lower-case hexadecimal, padded with zeros to `digits`.
public func hexadecimal(_ value: UInt64, digits: Int = 1) -> String {
  let text = String(value, radix: 16)
  return text.utf8.count >= digits ? text : String(repeating: "0", count: digits - text.utf8.count) + text
}

/// `value / divisor` in decimal digits: `63400 / 1000` is `63.4`.
///
/// - Parameter places: the number of decimal places; without it, as many as are needed, up to nine.
package func decimal(_ value: Int64, over divisor: UInt64, places: Int? = nil) -> String {
  var (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: divisor)
  var text = (value < 0 ? "-" : "") + String(whole)
  var left = places ?? 9
  guard left > 0, rest != 0 || places != nil else { return text }
  text += "."
  while left > 0, rest != 0 || places != nil {
    (whole, rest) = divisor.dividingFullWidth(rest.multipliedFullWidth(by: 10))
    text += String(whole)
    left -= 1
  }
  return text
}
