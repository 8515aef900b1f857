// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
package import Multiview

/// Quantities as people read them.
package enum Quantity {
  /// At most `digits` digits after the point, without zeros at the end.
  package static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    var scale: Int64 = 1
    for _ in 0..<max(0, digits) { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    return ValueText.quotient(Int64(scaled), scale)
  }

  /// `12.3 kB`
  package static func bytes(_ count: some BinaryInteger) -> String {
    let value = Double(count)
    for (size, unit) in [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")] where value >= size {
      return decimal(value / size, 1) + " " + unit
    }
    return "\(count) B"
  }

  /// `5.8 Mb/s`
  package static func bitRate(_ bitsPerSecond: Double) -> String {
    for (size, unit) in [(1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")] where bitsPerSecond >= size {
      return decimal(bitsPerSecond / size, 1) + " " + unit
    }
    return decimal(bitsPerSecond, 0) + " b/s"
  }

  /// `0.333 s`, `1:02:03.4`
  package static func duration(_ time: MediaTime) -> String {
    let seconds = time.seconds
    guard seconds.magnitude >= 60, seconds.magnitude < 1e12 else { return decimal(seconds, 3) + " s" }
    let tenths = Int64((seconds.magnitude * 10).rounded())
    let whole = tenths / 10
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    var text = seconds < 0 ? "-" : ""
    text += whole >= 3_600 ? "\(whole / 3_600):\(two(whole / 60 % 60))" : "\(whole / 60)"
    text += ":\(two(whole % 60))"
    if tenths % 10 != 0 { text += ".\(tenths % 10)" }
    return text
  }

  /// `+2 %`
  package static func percent(_ ratio: Double) -> String {
    (ratio > 0 ? "+" : "") + decimal(ratio * 100, 2) + " %"
  }

  /// `1 sample`, `2 samples`
  package static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(number) " + (number == 1 ? one : many ?? one + "s")
  }

  /// `320×180`
  package static func size(_ width: some CustomStringConvertible, _ height: some CustomStringConvertible)
    -> String
  {
    "\(width)×\(height)"
  }
}
