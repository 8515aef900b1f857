// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MovieEncoding

/// Says how far encoding is, where a person waits.
final class EncodingMeter {
  private let line: Progress
  private let start = ContinuousClock.now

  init(_ surroundings: Surroundings) { line = Progress(surroundings) }

  /// How many seconds have passed.
  var seconds: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  func show(_ progress: EncodingProgress) {
    line.show(
      Self.rate(progress.pictures, seconds)
        + ", \(Quantity.bytes(UInt64(clamping: progress.layerBytes.reduce(0, +))))")
  }

  func clear() { line.clear() }

  /// How many pictures there are in a second.
  static func rate(_ pictures: Int, _ seconds: Double) -> String {
    let tenths = seconds > 0 ? Int(clamping: Int64(min(1e9, Double(pictures) / seconds * 10))) : 0
    return "\(tenths / 10).\(tenths % 10) pictures a second"
  }
}
