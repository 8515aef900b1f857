// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How many bits in a second the segments of a stream take.
package struct StreamRates {
  /// The size of each segment in bytes, and how long it lasts.
  package var segments: [(size: UInt64, seconds: Double)] = []

  /// No segments.
  package init() {}

  /// Segments.
  package init(_ segments: [(size: UInt64, seconds: Double)]) { self.segments = segments }

  /// Bits in a second over all segments.
  package var average: Int {
    let seconds = segments.reduce(0) { $0 + $1.seconds }
    let bits = segments.reduce(0.0) { $0 + Double($1.size) * 8 }
    return whole(seconds > 0 ? bits / seconds : bits)
  }

  /// The highest rate of segments that follow each other, and last together between half and one and a half of the target
  /// duration. HTTP Live Streaming, 2nd edition (draft-pantos-hls-rfc8216bis), 4.4.6.2
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
        // Segments without a duration would never come to an end.
        if part.seconds <= 0 { break }
      }
    }
    // No segments last as long together where the stream is short.
    return peak.map(whole) ?? average
  }

  private func whole(_ rate: Double) -> Int { Int(clamping: Int64(min(rate.rounded(.up), 9e15))) }
}
