// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The bit rates of the segments of a stream.
package struct StreamRates {
  /// The size of each segment in bytes, and its duration.
  package var segments: [(size: UInt64, seconds: Double)] = []

  /// Makes rates of no segments.
  package init() {}

  /// Makes the rates of some segments.
  package init(_ segments: [(size: UInt64, seconds: Double)]) { self.segments = segments }

  /// The average bit rate of all segments, in bits per second.
  package var average: Int {
    let seconds = segments.reduce(0) { $0 + $1.seconds }
    let bits = segments.reduce(0.0) { $0 + Double($1.size) * 8 }
    return whole(seconds > 0 ? bits / seconds : bits)
  }

  /// Returns the highest bit rate of consecutive segments that last together between 0.5 and 1.5 times the
  /// target duration. HTTP Live Streaming, 2nd edition (draft-pantos-hls-rfc8216bis), 4.4.6.2
  package func peak(target: Int) -> Int {
    var peak: Double?
    let (least, most) = (Double(target) * 0.5, Double(target) * 1.5)
    for first in segments.indices {
      var (bits, seconds) = (0.0, 0.0)
      for part in segments[first...] {
        bits += Double(part.size) * 8
        seconds += part.seconds
        if seconds > most { break }
        if seconds >= least, seconds > 0 { peak = max(peak ?? 0, bits / seconds) }
        // Segments without a duration would never reach the limit.
        if part.seconds <= 0 { break }
      }
    }
    // In a short stream, no segments last that long together.
    return peak.map(whole) ?? average
  }

  private func whole(_ rate: Double) -> Int { Int(clamping: Int64(min(rate.rounded(.up), 9e15))) }
}
