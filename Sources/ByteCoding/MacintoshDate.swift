// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Seconds since the beginning of 1904, as boxes count them, as an ISO 8601 date in UTC; `nil` if that is too far
/// in the future.
package func macintoshDate(_ seconds: UInt64) -> String? {
  guard seconds < 1 << 40 else { return nil }
  // Days since 1970-01-01; 1904-01-01 is 24107 days before.
  let days = Int64(seconds / 86_400) - 24_107
  let time = seconds % 86_400
  // Civil date from a day count, by 400-year eras of 146097 days that start on 1 March.
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  func two(_ value: some BinaryInteger) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return "\(year)-\(two(month))-\(two(day))T\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
}
