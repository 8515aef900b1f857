// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A length in millionths of a metre, as `blin` counts it.
public struct Micrometers: RawRepresentable, Hashable, Sendable, Comparable {
  /// The count.
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes a length from millimetres, rounded to micrometres. Values outside 0 to 4294967.295 mm are clamped.
  public static func millimeters(_ value: Double) -> Micrometers {
    Micrometers(rawValue: UInt32(clampedRounding: value * 1_000))
  }
  /// The length in millimetres.
  public var millimeters: Double { Double(rawValue) / 1_000 }
  /// The length in metres.
  public var meters: Double { Double(rawValue) / 1_000_000 }
  public static func < (left: Micrometers, right: Micrometers) -> Bool { left.rawValue < right.rawValue }
}

/// An angle in thousandths of a degree, as `hfov` counts it.
public struct Millidegrees: RawRepresentable, Hashable, Sendable, Comparable {
  /// The count.
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes an angle from degrees, rounded to thousandths. Values outside 0 to 4294967.295° are clamped; angles above
  /// 360° are not plausible (`isPlausible`), and an editor refuses to write them.
  public static func degrees(_ value: Double) -> Millidegrees {
    Millidegrees(rawValue: UInt32(clampedRounding: value * 1_000))
  }
  /// The angle in degrees.
  public var degrees: Double { Double(rawValue) / 1_000 }
  /// Whether it is more than nothing and no more than the full circle.
  public var isPlausible: Bool { (1...360_000).contains(rawValue) }
  public static func < (left: Millidegrees, right: Millidegrees) -> Bool { left.rawValue < right.rawValue }
}

/// A shift in ten-thousandths of the picture's width, as `dadj` counts it; positive pushes the scene away.
public struct DisparityRatio: RawRepresentable, Hashable, Sendable, Comparable {
  /// The count, signed.
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  /// Makes a ratio from a fraction of the picture width, rounded to ten-thousandths. Values that make sense are
  /// from −1 to 1; others are not changed.
  public static func fraction(_ value: Double) -> DisparityRatio {
    let scaled = (value * 10_000).rounded()
    return DisparityRatio(rawValue: scaled.isNaN ? 0 : Int32(min(max(scaled, -2_147_483_648), 2_147_483_647)))
  }
  /// The shift as a fraction of the picture's width, -1 to 1.
  public var fraction: Double { Double(rawValue) / 10_000 }
  /// Whether it is no more than the picture's width.
  public var isLegal: Bool { (-10_000...10_000).contains(rawValue) }
  public static func < (left: DisparityRatio, right: DisparityRatio) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Micrometers: CustomStringConvertible {
  /// The count with its unit: `19240 µm`.
  public var description: String { "\(rawValue) µm" }
}

extension Millidegrees: CustomStringConvertible {
  /// The count over its divisor: `63400/1000°`.
  public var description: String { "\(rawValue)/1000°" }
}

extension DisparityRatio: CustomStringConvertible {
  /// The count over its divisor: `200/10000`.
  public var description: String { "\(rawValue)/10000" }
}

extension UInt32 {
  /// Makes the nearest integer; 0 for a value that is not a number.
  init(clampedRounding value: Double) {
    self = value.isNaN ? 0 : UInt32(Swift.min(Swift.max(value.rounded(), 0), 4_294_967_295))
  }
}
