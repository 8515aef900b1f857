// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

/// Reads times as metadata has them: `2024-05-01T12:30:00+0200`. ISO 8601
///
/// - Parameter isInUTC: whether a time without its zone is one in UTC.
/// - Returns: seconds since the beginning of 1970 in UTC; `nil` for text that is not a full date, or that has a time without
///   its zone, which could be any moment of a day.
package func secondsSince1970(iso8601 text: String, isInUTC: Bool = false) -> Double? {
  var parser = TimeParser(text)
  return parser.seconds(isInUTC)
}

private struct TimeParser {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  private mutating func skip(_ character: Character) -> Bool {
    guard let byte = character.asciiValue, rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func number(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
    guard rest.prefix(digits).count == digits else { return nil }
    var value = 0
    for byte in rest.prefix(digits) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest = rest.dropFirst(digits)
    return range.contains(value) ? value : nil
  }

  mutating func seconds(_ isInUTC: Bool) -> Double? {
    guard let year = number(4, in: 1...9_999), skip("-"), let month = number(2, in: 1...12), skip("-"),
      let day = number(2, in: 1...Self.days(in: month, of: year))
    else { return nil }
    let midnight = Double(Self.days(before: year, month, day)) * 86_400
    if rest.isEmpty { return midnight }
    guard skip("T") || skip(" "), let hour = number(2, in: 0...23), skip(":"),
      let minute = number(2, in: 0...59)
    else { return nil }
    var time = Double(hour * 3_600 + minute * 60)
    if skip(":") {
      guard let second = number(2, in: 0...60) else { return nil }
      time += Double(second)
      if skip(".") || skip(",") {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, digits.count <= 12, let part = Double("0." + String(Substring(digits))) else {
          return nil
        }
        time += part
        rest = rest[digits.endIndex...]
      }
    }
    guard let zone = isInUTC && rest.isEmpty ? 0 : zone(), rest.isEmpty else { return nil }
    return midnight + time - zone
  }

  /// How many seconds the zone is ahead of UTC.
  private mutating func zone() -> Double? {
    if skip("Z") { return 0 }
    let sign: Double = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(2, in: 0...23) else { return nil }
    if rest.isEmpty { return sign * Double(hours * 3_600) }
    _ = skip(":")
    guard let minutes = number(2, in: 0...59) else { return nil }
    return sign * Double(hours * 3_600 + minutes * 60)
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days between the beginning of 1970 and a day of the Gregorian calendar.
  private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
    let last = year - 1
    var days = last * 365 + last / 4 - last / 100 + last / 400 - 719_162
    for earlier in 1..<month { days += Self.days(in: earlier, of: year) }
    return days + day - 1
  }
}

extension MetadataItem {
  /// The value as a moment, in seconds since the beginning of 1970 in UTC: a date, with a time and its zone or alone. `nil`
  /// for other text. MultiviewFoundation has it as a `Date`.
  public var secondsSince1970: Double? { stringValue.flatMap { Multiview.secondsSince1970(iso8601: $0) } }
}

extension MovieFile {
  /// Seconds between the beginning of 1904, from which boxes count, and that of 1970.
  package static let boxEpoch: Double = 2_082_844_800

  /// The creation date of the movie, in seconds since the beginning of 1970 in UTC: from the camera's metadata,
  /// which has the time zone, otherwise from the user data (`©day`), otherwise from the movie header. `nil` if
  /// none has it; 0 in the header means that it is not known.
  public var creationSecondsSince1970: Double? {
    let metadata = metadata
    for key in [MetadataKey.creationDate, .userDataCreationDate] {
      for item in metadata.all(key) {
        if let seconds = item.secondsSince1970 { return seconds }
      }
    }
    guard let time = tree?.movieHeader?.creationTime, time > 0 else {
      return nil
    }
    return Double(time) - Self.boxEpoch
  }
}
