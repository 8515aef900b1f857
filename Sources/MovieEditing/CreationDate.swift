// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

/// A date and time, as text and as the seconds that movies store.
public struct CreationDate: Hashable, Sendable, CustomStringConvertible {
  /// The number of seconds since 1904-01-01 00:00 UTC.
  public let secondsSince1904: UInt64
  /// The date in ISO 8601, as it was given, with its UTC offset if it has one.
  public let description: String

  /// Reads a date such as `2024-05-01T12:30:00Z`, or with `+0200` or `+02:00` in place of `Z`. The time of day
  /// may be missing, and without a UTC offset the date is in UTC. `nil` for anything else, and for dates before
  /// 1904.
  public init?(_ text: String) {
    // Movies store whole seconds: fractions are ignored.
    guard let seconds = Multiview.secondsSince1970(iso8601: text, isInUTC: true)?.rounded(.down),
      seconds >= -MovieFile.boxEpoch
    else { return nil }
    secondsSince1904 = UInt64(seconds + MovieFile.boxEpoch)
    description = text
  }

  /// Makes the date of a movie, in UTC; `nil` if its year has more than four digits.
  init?(secondsSince1904 seconds: UInt64) {
    guard seconds < 255_000_000_000, let text = macintoshDate(seconds) else { return nil }
    secondsSince1904 = seconds
    description = text
  }
}
