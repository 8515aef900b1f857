// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Where the bins of syntax elements go: into the stream, or into a sum of their prices.
///
/// Code that is generic over it stays in this module, so that each sink gets specialised code.
protocol BinSink {
  /// A bin with a context; `bin` is 0 or 1.
  mutating func bin(_ bin: Int, _ context: Int)

  /// Up to 16 bins without a context, the first of them in the highest of `count` bits.
  mutating func bypass(_ bins: Int, _ count: Int)

  /// A bin that may end something.
  mutating func terminate(_ isEnd: Bool)
}

extension BinSink {
  /// A flag with a context.
  @inline(__always)
  mutating func flag(_ isSet: Bool, _ context: Int) { bin(isSet ? 1 : 0, context) }

  /// Up to 32 bins without a context.
  @inline(__always)
  mutating func bypassBits(_ bins: Int, _ count: Int) {
    if count > 16 {
      bypass(bins &>> 16 & (1 &<< (count &- 16) &- 1), count &- 16)
      return bypass(bins & 0xFFFF, 16)
    }
    if count > 0 { bypass(bins, count) }
  }

  /// `count` ones, then a zero.
  @inline(__always)
  mutating func bypassUnary(_ count: Int) {
    bypassBits((1 &<< count &- 1) &<< 1, count &+ 1)
  }

  /// A k-th order Exp-Golomb code of bypass bins. 9.3.3.5
  mutating func expGolomb(_ value: Int, order: Int) {
    var order = order, rest = value, ones = 0
    while rest >= 1 &<< order {
      rest = rest &- 1 &<< order
      order = order &+ 1
      ones = ones &+ 1
    }
    bypassUnary(ones)
    bypassBits(rest, order)
  }
}
