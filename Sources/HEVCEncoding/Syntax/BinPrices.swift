// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// What a bin costs, in 1/32768 of a bit: an entry for each state of a context, changed in bit 0 by the bin.
///
/// The price of the less probable symbol is log2( range / rangeTabLps ), and of the other one log2 of what is left, as a
/// mean over all ranges, each as frequent as 1 / range.
struct BinPrices: Sendable {
  /// Made once for all encoders and never freed.
  static let shared = BinPrices()

  private let table: Memory<UInt32>

  private init() {
    table = Memory(count: 128, repeating: 0)
    for index in 0..<64 {
      var less = 0.0, more = 0.0, weights = 0.0
      for range in 256...510 {
        let lps = Double(ArithmeticMemory.shared.range((range & 0xC0) << 1 + index << 1))
        let weight = 1 / Double(range)
        less += weight * PortableMath.log2(Double(range) / lps)
        more += weight * PortableMath.log2(Double(range) / (Double(range) - lps))
        weights += weight
      }
      table[2 * index] = UInt32(more / weights * 32_768 + 0.5)
      table[2 * index + 1] = UInt32(less / weights * 32_768 + 0.5)
    }
  }

  /// The price of a bin: `index` is the state of its context, whose bit 0 is the more probable symbol, exclusive-or the
  /// bin.
  @inline(__always)
  subscript(index: Int) -> UInt32 { table[index & 127] }
}
