// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A position in the presentation of a movie: a time or a picture.
public enum MoviePosition: Hashable, Sendable, CustomStringConvertible {
  /// A time from the beginning of the presentation.
  case time(MediaTime)
  /// A picture of the main video track, by its number in presentation order, counted from 0.
  case picture(Int)

  /// Reads seconds (`4.25`), a fraction of seconds (`3/2`), minutes and seconds (`1:04.25`), hours, minutes and seconds
  /// (`1:00:04.25`), or the number of a picture (`#5`); `nil` for anything else. Digits after the ninth decimal place are ignored.
  public init?(_ text: String) {
    if text.hasPrefix("#") {
      guard let number = Int(text.dropFirst()), number >= 0, text.dropFirst().allSatisfy(\.isNumber) else {
        return nil
      }
      self = .picture(number)
      return
    }
    guard let time = MediaTime(text) else { return nil }
    self = .time(time)
  }

  /// The time in seconds, or the number of the picture.
  public var description: String {
    switch self {
    case .time(let time): time.words
    case .picture(let number): "#\(number)"
    }
  }
}
