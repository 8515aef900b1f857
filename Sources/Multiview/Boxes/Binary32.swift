// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A single-precision number as it is in a file, bit for bit.
///
/// Comparison is by bits, so that values that are not a number (NaN) are kept by reading and writing.
public struct Binary32: RawRepresentable, Hashable, Sendable {
  /// The bits, IEEE 754 binary32.
  public var rawValue: UInt32
  /// Makes a number from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes a number.
  public init(_ value: Float) { rawValue = value.bitPattern }
  /// The number.
  public var value: Float { Float(bitPattern: rawValue) }
}

extension Binary32: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(floatLiteral value: Float) { self.init(value) }
  public init(integerLiteral value: Int16) { self.init(Float(value)) }
  /// The number in decimal.
  public var description: String { "\(value)" }
}

extension FieldCoder where Self: ~Escapable {
  /// A single-precision number.
  mutating func binary32(_ name: StaticString, _ value: inout Binary32) throws(ParseError) {
    try code(name, &value, bits: 32, .binaryFloat)
  }

  /// A single-precision number that may be absent.
  mutating func binary32(
    _ name: StaticString, _ value: inout Binary32?, if isPresent: Bool
  ) throws(ParseError) {
    var bits = value?.rawValue
    try u(name, &bits, 32, if: isPresent, .binaryFloat)
    value = bits.map(Binary32.init(rawValue:))
  }
}
