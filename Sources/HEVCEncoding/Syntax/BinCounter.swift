// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Adds up what bins would cost, and moves the states of their contexts as the encoder does.
struct BinCounter: BinSink {
  /// The price of the bins so far, in 1/32768 of a bit.
  var price: UInt64 = 0
  /// The states of the contexts: copies of those of the encoder.
  let states: ContextStates
  private let tables = ArithmeticMemory.shared
  private let prices = BinPrices.shared

  /// A counter that starts at 0, whose owner sets the contexts.
  init(states: ContextStates) { self.states = states }

  @inline(__always)
  mutating func bin(_ bin: Int, _ context: Int) {
    let state = Int(states[context])
    price = price &+ UInt64(prices[state ^ bin])
    let mask = 0 &- ((state ^ bin) & 1)
    states[context] = tables.transition(128 &+ (state ^ mask))
  }

  @inline(__always)
  mutating func bypass(_ bins: Int, _ count: Int) {
    price = price &+ UInt64(truncatingIfNeeded: count) &<< 15
  }

  mutating func terminate(_ isEnd: Bool) { price = price &+ (isEnd ? 7 &<< 15 : 229) }

  /// The price in whole bits, rounded up.
  var bits: Int { Int(truncatingIfNeeded: (price &+ 32_767) &>> 15) }
}
