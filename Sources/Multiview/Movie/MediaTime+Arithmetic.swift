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

  /// The smallest scale in which both times are whole numbers; where that is too large, the finer of the two.
  private static func commonTimescale(_ left: MediaTime, _ right: MediaTime) -> UInt32 {
    guard left.timescale != right.timescale else { return left.timescale }
    var (a, b) = (UInt64(left.timescale), UInt64(right.timescale))
    while b != 0 { (a, b) = (b, a % b) }
    let common = UInt64(left.timescale) / max(1, a) * UInt64(right.timescale)
    return UInt32(exactly: common) ?? max(left.timescale, right.timescale)
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
