// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A date and time, as text and as the seconds that movies store.
public struct CreationDate: Hashable, Sendable, CustomStringConvertible {
  /// The number of seconds since 1904-01-01 00:00 UTC.
  public let secondsSince1904: UInt64
  /// The date in ISO 8601, as it was given, with its UTC offset.
  public let description: String

  /// The number of seconds from 1904 to 1970.
  private static let epoch: Int64 = 2_082_844_800

  /// Reads a date such as `2024-05-01T12:30:00Z`, or with `+0200` or `+02:00` in place of `Z`. The time of day
  /// may be missing, and without a UTC offset the date is in UTC. `nil` for anything else, and for dates before
  /// 1904.
  public init?(_ text: String) {
    var scanner = Scanner(rest: text.utf8[...])
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
      (1...12).contains(month),
      scanner.skip("-"), let day = scanner.number(2), day >= 1, day <= Self.days(month, of: year)
    else { return nil }
    var seconds = Self.daysSince1970(year, month, day) * 86_400
    if scanner.skip("T") || scanner.skip(" ") {
      guard let hour = scanner.number(2), hour < 24, scanner.skip(":"), let minute = scanner.number(2),
        minute < 60
      else { return nil }
      seconds += hour * 3_600 + minute * 60
      if scanner.skip(":") {
        guard let second = scanner.number(2), second < 60 else { return nil }
        seconds += second
        // Movies store whole seconds: fractions are ignored.
        if scanner.skip(".") { while scanner.number(1) != nil {} }
      }
      if !scanner.skip("Z"), !scanner.rest.isEmpty {
        let isEast = scanner.skip("+")
        guard isEast || scanner.skip("-"), let hours = scanner.number(2), hours < 24 else { return nil }
        _ = scanner.skip(":")
        guard let minutes = scanner.number(2), minutes < 60 else { return nil }
        seconds += (isEast ? -1 : 1) * (hours * 3_600 + minutes * 60)
      }
    }
    guard scanner.rest.isEmpty, seconds >= -Self.epoch else { return nil }
    secondsSince1904 = UInt64(seconds + Self.epoch)
    description = text
  }

  /// Makes the date of a movie, in UTC; `nil` if its year has more than four digits.
  init?(secondsSince1904 seconds: UInt64) {
    guard seconds < 255_000_000_000, let text = macintoshDate(seconds) else { return nil }
    secondsSince1904 = seconds
    description = text
  }

  private static func days(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Scanner {
    var rest: Substring.UTF8View

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ digits: Int) -> Int64? {
      guard rest.count >= digits, rest.prefix(digits).allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      let value = rest.prefix(digits).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
      rest.removeFirst(digits)
      return value
    }
  }
}
