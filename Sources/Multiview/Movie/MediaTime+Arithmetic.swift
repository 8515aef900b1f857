// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// Makes the time that is nearest to a number of seconds, in units of 1/`timescale` seconds.
  ///
  /// Files store whole units, so the time is as exact as its timescale. A value that is too large becomes the largest
  /// possible time, and one that is not a number becomes 0.
  public init(seconds: Double, timescale: UInt32 = 90_000) {
    let scale = max(1, timescale)
    let units = (seconds * Double(scale)).rounded()
    let value: Int64
    if units.isNaN {
      value = 0
    } else {
      value = Int64(exactly: units) ?? (units < 0 ? .min : .max)
    }
    self.init(value: value, timescale: scale)
  }

  /// The smallest of the scales of both times in which both are whole numbers. If it is too large, that of the
  /// times in lowest terms; if that is too large as well, the finer scale of the two.
  private static func commonTimescale(_ left: MediaTime, _ right: MediaTime) -> UInt32 {
    guard left.timescale != right.timescale else { return left.timescale }
    return common(left.timescale, right.timescale)
      ?? common(left.reduced.timescale, right.reduced.timescale) ?? max(left.timescale, right.timescale)
  }

  private static func common(_ left: UInt32, _ right: UInt32) -> UInt32? {
    UInt32(exactly: UInt64(left) / divisor(UInt64(left), UInt64(right)) * UInt64(right))
  }

  /// The same time in the smallest timescale in which it is a whole number.
  package var reduced: MediaTime {
    let common = Self.divisor(value.magnitude, UInt64(timescale))
    guard common > 1 else { return self }
    return MediaTime(value: value / Int64(common), timescale: UInt32(UInt64(timescale) / common))
  }

  /// The greatest common divisor, at least 1; that of 0 and a number is the number.
  package static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (a, b) = (left, right)
    while b != 0 { (a, b) = (b, a % b) }
    return max(1, min(a, UInt64(Int64.max)))
  }
}

extension MediaTime: AdditiveArithmetic {
  /// The sum. It is exact if a timescale can represent both times, otherwise rounded to the finer timescale of
  /// the two; a sum that is too large becomes the largest possible time.
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    let scale = commonTimescale(left, right)
    let (first, second) = (left.converted(to: scale).value, right.converted(to: scale).value)
    let (sum, overflow) = first.addingReportingOverflow(second)
    return MediaTime(value: overflow ? (first < 0 ? .min : .max) : sum, timescale: scale)
  }

  /// The difference, as exact as the sum.
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    let scale = commonTimescale(left, right)
    let (first, second) = (left.converted(to: scale).value, right.converted(to: scale).value)
    let (difference, overflow) = first.subtractingReportingOverflow(second)
    return MediaTime(value: overflow ? (first < 0 ? .min : .max) : difference, timescale: scale)
  }

  /// The same time on the other side of 0.
  public static prefix func - (time: MediaTime) -> MediaTime {
    MediaTime(value: time.value == .min ? .max : -time.value, timescale: time.timescale)
  }
}

extension MediaTime: Codable {
  private enum CodingKeys: String, CodingKey {
    case value, timescale
  }

  /// Encodes `{"value": 200, "timescale": 600}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    try container.encode(timescale, forKey: .timescale)
  }

  /// Decodes `{"value": 200, "timescale": 600}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let timescale = try container.decode(UInt32.self, forKey: .timescale)
    guard timescale > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .timescale, in: container, debugDescription: "the timescale of a time is 0")
    }
    self.init(value: try container.decode(Int64.self, forKey: .value), timescale: timescale)
  }
}
