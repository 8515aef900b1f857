// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The declaration of one field, for people who look it up.
package struct FieldDescription: Sendable {
  /// The name in the specification; of what an array holds, with `[]`.
  package var name: String
  /// The structures and arrays around it.
  package var scopes: [String]
  /// How it is in the bytes; `nil` for a structure or an array.
  package var coding: FieldCoding?
  /// How it reads best.
  package var format: FieldFormat
  /// What the specification allows.
  package var allowed: ClosedRange<Int64>?
  /// What the specification wants in a reserved field.
  package var expected: UInt64?
  /// Whether its width depends on other fields.
  package var hasVariableWidth = false
  /// Whether it may be absent.
  package var isOptional = false

  /// The name with the structures around it, joined by dots.
  package var path: String { (scopes + [name]).joined(separator: ".") }

  /// How it is in the bytes, and what it holds: `u(32), four characters`.
  package var codingText: String {
    guard let coding else { return "" }
    switch coding {
    case .bytes: return "bytes"
    case .terminatedString: return "zero-terminated text"
    case .bitString: return "bits"
    default: break
    }
    var text = coding.descriptor
    if hasVariableWidth {
      if case .signed = coding { text = "i(v)" } else { text = "u(v)" }
    }
    if let expected {
      let value = expected == 0 ? "zero" : hasVariableWidth ? "ones" : "0x" + hexadecimal(expected)
      return text + ", reserved, " + value
    }
    switch format {
    case .decimal, .hexadecimal, .named: break
    case .flag: break
    case .fourCC: text += ", four characters"
    case .fixedPoint(let bits): text += ", fixed point with \(bits) fraction bits"
    case .binaryFloat: text += ", floating point"
    case .language: text += ", language"
    case .macTime: text += ", seconds since 1904-01-01"
    case .scaled(let divisor, let unit):
      let unit = unit.description.trimmingSpaces
      text += divisor == 1 ? ", in \(unit)" : ", in 1/\(divisor) \(unit)"
    }
    return text
  }

  /// The range, where the declaration names one.
  package var rangeText: String {
    guard let allowed, expected == nil else { return "" }
    // All that fits is not a range worth naming.
    if coding == .expGolomb, allowed.lowerBound == 0, allowed.upperBound >= 0xFFFF_FFFE { return "" }
    if coding == .signedExpGolomb, allowed.upperBound >= 0x7FFF_FFFF { return "" }
    if allowed.lowerBound == allowed.upperBound { return "always \(allowed.lowerBound)" }
    return "\(allowed.lowerBound)…\(allowed.upperBound)"
  }

  /// The values that have a name; values of one name that follow each other together.
  package var meanings: [(values: ClosedRange<Int64>, name: String)] {
    guard case .named(let name) = format, let coding else { return [] }
    var range: ClosedRange<Int64> = 0...255
    switch coding {
    case .unsigned(let bits) where bits < 8: range = 0...((1 << Int64(bits)) - 1)
    case .signed: range = -128...127
    default: break
    }
    if let allowed, allowed.lowerBound <= 255 { range = allowed.lowerBound...min(allowed.upperBound, 255) }
    var found: [(values: ClosedRange<Int64>, name: String)] = []
    for value in range {
      guard let text = name(value) else { continue }
      if let last = found.last, last.name == text, last.values.upperBound == value - 1 {
        found[found.count - 1].values = last.values.lowerBound...value
      } else {
        found.append((value...value, text))
      }
    }
    return found
  }
}

extension String {
  /// Without spaces at either end.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
