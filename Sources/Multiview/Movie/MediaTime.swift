// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A time or a duration: a whole number of units, of which `timescale` make a second. Exact, as `CMTime` is.
public struct MediaTime: Sendable {
  /// How many units.
  public var value: Int64
  /// How many units make a second; never 0.
  public var timescale: UInt32

  /// Makes a time. A timescale of 0, which files do contain, is taken for 1.
  public init(value: Int64, timescale: UInt32) {
    self.value = value
    self.timescale = max(1, timescale)
  }

  /// No time.
  public static let zero = MediaTime(value: 0, timescale: 1)

  /// The time in seconds, rounded to the nearest `Double`.
  public var seconds: Double { Double(value) / Double(timescale) }

  /// The time in words, to the microsecond: `4.25 s`.
  package var words: String { decimal(converted(to: 1_000_000).value, over: 1_000_000) + " s" }

  /// The same time in another scale, rounded to the nearest unit, halves away from zero.
  public func converted(to scale: UInt32) -> MediaTime {
    guard scale != timescale else { return self }
    guard
      let (whole, rest) = value.magnitude.scaled(by: UInt64(max(1, scale)), over: UInt64(timescale))
    else { return MediaTime(value: value < 0 ? .min : .max, timescale: scale) }
    let rounded = rest >= (UInt64(timescale) + 1) / 2 ? whole &+ 1 : whole
    let magnitude = Int64(clamping: rounded)
    return MediaTime(value: value < 0 ? -magnitude : magnitude, timescale: scale)
  }

  /// The same time in another scale, or the last unit before it.
  func roundedDown(to scale: UInt32) -> MediaTime {
    let nearest = converted(to: scale)
    return nearest > self ? MediaTime(value: nearest.value &- 1, timescale: scale) : nearest
  }
}

extension MediaTime {
  /// Reads seconds (`4.25`), a fraction of seconds (`3/2`), minutes and seconds (`1:04.25`), or hours, minutes and
  /// seconds (`1:00:04.25`); `nil` for anything else. Digits after the ninth decimal place are ignored.
  package init?(_ text: String) {
    func number(_ digits: Substring) -> Int64? {
      (1...15).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int64(digits) : nil
    }
    let quotient = text.split(separator: "/", omittingEmptySubsequences: false)
    if quotient.count == 2 {
      guard let value = number(quotient[0]), let scale = number(quotient[1]), scale > 0, scale <= UInt32.max
      else { return nil }
      self.init(value: value, timescale: UInt32(scale))
      return
    }
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    let parts = fields.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard fields.count <= 3, parts.count <= 2, let whole = parts.first.flatMap(number),
      whole < (fields.count == 1 ? 10_000_000_000 : 60)
    else { return nil }
    var seconds: Int64 = 0
    for field in fields.dropLast() {
      guard let count = number(field), count < 1_000_000 else { return nil }
      seconds = (seconds + count) * 60
    }
    seconds += whole
    var scale: Int64 = 1
    if parts.count == 2 {
      // No movie has a timescale finer than a billionth of a second.
      let digits = parts[1].prefix(9)
      guard let rest = number(digits), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      for _ in digits { scale *= 10 }
      let (units, overflow) = seconds.multipliedReportingOverflow(by: scale)
      guard !overflow, units < 1 << 62 else { return nil }
      seconds = units + rest
    }
    self.init(value: seconds, timescale: UInt32(scale))
  }
}

extension MediaTime: Hashable, Comparable {
  /// Compares the times, not their scales: 1/2 equals 2/4.
  public static func == (left: MediaTime, right: MediaTime) -> Bool { order(left, right) == 0 }

  /// Compares the times exactly.
  public static func < (left: MediaTime, right: MediaTime) -> Bool { order(left, right) < 0 }

  private static func order(_ left: MediaTime, _ right: MediaTime) -> Int {
    let first = left.value.multipliedFullWidth(by: Int64(right.timescale))
    let second = right.value.multipliedFullWidth(by: Int64(left.timescale))
    if first.high != second.high { return first.high < second.high ? -1 : 1 }
    return first.low == second.low ? 0 : first.low < second.low ? -1 : 1
  }

  /// Hashes the reduced fraction, so that equal times have equal hashes.
  public func hash(into hasher: inout Hasher) {
    let divisor = Self.divisor(value.magnitude, UInt64(timescale))
    hasher.combine(value < 0)
    hasher.combine(value.magnitude / divisor)
    hasher.combine(UInt64(timescale) / divisor)
  }
}

extension MediaTime: CustomStringConvertible {
  /// `200/600`
  public var description: String { "\(value)/\(timescale)" }
}
