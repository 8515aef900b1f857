// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A field of comma-separated values, quoted where it has to be. RFC 4180
///
/// Readers of CSV look at bytes: to them a comma is a comma even if a combining mark follows it.
package func csvField(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard scalars.contains(where: { $0 == "," || $0 == "\"" || Character($0).isNewline }) else { return text }
  var field = "\""
  for scalar in scalars {
    if scalar == "\"" { field.unicodeScalars.append(scalar) }
    field.unicodeScalars.append(scalar)
  }
  field.unicodeScalars.append("\"")
  return field
}
