// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Powers and logarithms with the same results on every system: colours must not depend on the C library.
enum Exponentials {
  /// ln 2
  private static let ln2 = 0.693_147_180_559_945_309_417

  /// The logarithm to base 2; -infinity for numbers that are not positive.
  static func log2(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x > 0 ? x : -.infinity }
    var mantissa = x.significand, exponent = Double(x.exponent)
    if mantissa > 1.414_213_562 {
      mantissa /= 2
      exponent += 1
    }
    // ln m = 2 (t + t³/3 + t⁵/5 + …), with |t| at most 0.172: eleven terms are more precise than a Double.
    let t = (mantissa - 1) / (mantissa + 1), square = t * t
    var sum = 0.0
    for odd in stride(from: 21.0, through: 1, by: -2) { sum = sum * square + 1 / odd }
    return exponent + 2 * t * sum / ln2
  }

  /// 2 to the power of `x`.
  static func exp2(_ x: Double) -> Double {
    guard x > -1_000 else { return 0 }
    guard x < 1_000 else { return .infinity }
    let whole = x.rounded()
    let rest = (x - whole) * ln2
    var sum = 1.0
    for divisor in stride(from: 15.0, through: 1, by: -1) { sum = sum * rest / divisor + 1 }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }

  /// `base` to the power of `exponent`; 0 for a base that is not positive.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? exp2(exponent * log2(base)) : 0
  }

  /// The natural logarithm.
  static func log(_ x: Double) -> Double { log2(x) * ln2 }

  /// e to the power of `x`.
  static func exp(_ x: Double) -> Double { exp2(x / ln2) }
}
