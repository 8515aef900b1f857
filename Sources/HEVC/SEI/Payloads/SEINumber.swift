// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A number as an exponent and a mantissa, whose length depends on the exponent and a precision. ISO/IEC 23008-2,
/// G.14.3.3
public struct SEINumber: Sendable, Hashable {
  /// Whether it is negative; `false` if it has no sign.
  public var isNegative = false
  /// The exponent; 63 is reserved.
  public var exponent: UInt8 = 0
  /// The digits after the leading one.
  public var mantissa: UInt64 = 0

  /// Zero.
  public init() {}

  /// Makes a number.
  public init(exponent: UInt8, mantissa: UInt64, isNegative: Bool = false) {
    self.exponent = exponent
    self.mantissa = mantissa
    self.isNegative = isNegative
  }

  /// How many bits the mantissa takes.
  public static func mantissaLength(exponent: UInt8, precision: UInt32) -> Int {
    let sum = Int(exponent) + Int(clamping: precision)
    return exponent == 0 ? max(0, sum - 30) : min(64, max(0, sum - 31))
  }

  /// The value of the number.
  public func value(precision: UInt32) -> Double {
    let length = Self.mantissaLength(exponent: exponent, precision: precision)
    let magnitude: Double
    if exponent == 0 {
      magnitude = Double(sign: .plus, exponent: -30 - length, significand: Double(mantissa))
    } else {
      let fraction = Double(sign: .plus, exponent: -length, significand: Double(mantissa))
      magnitude = Double(sign: .plus, exponent: Int(exponent) - 31, significand: 1 + fraction)
    }
    return isNegative ? -magnitude : magnitude
  }
}

extension FieldCoder where Self: ~Escapable {
  /// A number of an SEI message, without a sign.
  mutating func number(
    _ exponent: StaticString, _ mantissa: StaticString, _ value: inout SEINumber, precision: UInt32
  ) throws(ParseError) {
    try u(exponent, &value.exponent, 6)
    let length = SEINumber.mantissaLength(exponent: value.exponent, precision: precision)
    if length > 0 { try u(mantissa, &value.mantissa, length) }
  }

  /// A number of an SEI message, with a sign.
  mutating func number(
    _ sign: StaticString, _ exponent: StaticString, _ mantissa: StaticString, _ value: inout SEINumber,
    precision: UInt32
  ) throws(ParseError) {
    try flag(sign, &value.isNegative)
    try number(exponent, mantissa, &value, precision: precision)
  }
}
