// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Powers and logarithms by series, which are the same on all platforms: streams may not depend on a library of the system.
enum PortableMath {
  private static let ln2 = 0.693_147_180_559_945_3

  /// The logarithm to base 2 of a positive number.
  static func log2(_ value: Double) -> Double {
    let mantissa = value.significand
    let z = (mantissa - 1) / (mantissa + 1)
    var term = z, sum = 0.0
    for odd in stride(from: 1.0, through: 39, by: 2) {
      sum += term / odd
      term *= z * z
    }
    return Double(value.exponent) + 2 * sum * 1.442_695_040_888_963_4
  }

  /// The logarithm to base 10 of a positive number.
  static func log10(_ value: Double) -> Double { log2(value) * 0.301_029_995_663_981_2 }

  /// 2 to the power of a number between -1000 and 1000.
  static func exp2(_ value: Double) -> Double {
    let whole = value.rounded(.down)
    let x = (value - whole) * ln2
    var term = 1.0, sum = 1.0
    for n in 1...20 {
      term *= x / Double(n)
      sum += term
    }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }
}
