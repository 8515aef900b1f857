// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A position in the presentation of a movie: a time or a picture.
public enum MoviePosition: Hashable, Sendable, CustomStringConvertible {
  /// A time from the beginning of the presentation.
  case time(MediaTime)
  /// A picture of the main video track, by its number in presentation order, counted from 0.
  case picture(Int)

  /// Reads seconds (`4.25`), minutes and seconds (`1:04.25`), hours, minutes and seconds (`1:00:04.25`), or the number of a
  /// picture (`#5`); `nil` for anything else. Digits after the ninth decimal place are ignored.
  public init?(_ text: String) {
    if text.hasPrefix("#") {
      guard let number = Int(text.dropFirst()), number >= 0, text.dropFirst().allSatisfy(\.isNumber) else {
        return nil
      }
      self = .picture(number)
      return
    }
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = fields.last, fields.count <= 3 else { return nil }
    var seconds: Int64 = 0
    for field in fields.dropLast() {
      guard let number = Self.number(field), number < 1_000_000 else { return nil }
      seconds = (seconds + number) * 60
    }
    let parts = last.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(Self.number), whole < 1_000_000_000, parts.count <= 2,
      fields.count == 1 || whole < 60
    else { return nil }
    seconds += whole
    guard parts.count == 2 else {
      self = .time(MediaTime(value: seconds, timescale: 1))
      return
    }
    // No movie has a timescale finer than a billionth of a second.
    let digits = parts[1].prefix(9)
    guard let fraction = Self.number(digits), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    var scale: Int64 = 1
    for _ in 0..<digits.count { scale *= 10 }
    let (value, overflow) = seconds.multipliedReportingOverflow(by: scale)
    guard !overflow, value < 1 << 62 else { return nil }
    self = .time(MediaTime(value: value + fraction, timescale: UInt32(scale)))
  }

  private static func number(_ digits: Substring) -> Int64? {
    !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }

  /// The time in seconds, or the number of the picture.
  public var description: String {
    switch self {
    case .time(let time): time.words
    case .picture(let number): "#\(number)"
    }
  }
}
