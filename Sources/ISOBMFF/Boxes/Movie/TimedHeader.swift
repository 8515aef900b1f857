// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The header of a movie (`mvhd`), a track (`tkhd`) or media (`mdhd`). In version 1, its times have 64 bits.
public protocol TimedHeader: VersionedFullBox {
  /// The time of creation, in seconds since 1904-01-01 00:00 UTC.
  var creationTime: UInt64 { get set }
  /// The time of the last change, in seconds since 1904-01-01 00:00 UTC.
  var modificationTime: UInt64 { get set }
  /// The duration; all bits are 1 if it is unknown.
  var duration: UInt64 { get set }
}

extension TimedHeader {
  /// Whether the duration is marked as unknown.
  public var isDurationUnknown: Bool { duration == (version == 1 ? UInt64.max : 0xFFFF_FFFF) }

  /// The duration; `nil` if it is marked as unknown.
  package var knownDuration: UInt64? { isDurationUnknown ? nil : duration }

  /// Sets the duration, with 64 bits if it does not fit in 32 bits or would be marked as unknown there.
  package mutating func setDuration(_ duration: UInt64) {
    self.duration = duration
    if duration >= UInt64(UInt32.max) { version = 1 }
  }
}

extension UInt64 {
  /// Converts a duration to another timescale, and rounds it to the nearest unit, or up. Returns `nil` if the result exceeds
  /// 64 bits, or the old timescale is 0.
  package func converted(from old: UInt32, to new: UInt32, roundingUp: Bool = false) -> UInt64? {
    guard let (whole, rest) = scaled(by: UInt64(new), over: UInt64(old)) else { return nil }
    let isMore = roundingUp ? rest > 0 : rest >= UInt64(old) - UInt64(old) / 2
    let (value, overflow) = whole.addingReportingOverflow(isMore ? 1 : 0)
    return overflow ? nil : value
  }
}
