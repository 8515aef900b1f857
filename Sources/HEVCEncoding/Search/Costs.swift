// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much distortion a bit is worth.
package enum Costs {
  /// λ for sums of squared differences of samples of 8 bits at a quantisation parameter: each step of six
  /// doubles the size of a quantisation step, and so makes λ four times as large.
  package static func lambda(qp: Int) -> Double {
    // 0.57 · 2^((QP − 12) / 3)
    let cubeRoots = [1, 1.2599210498948732, 1.5874010519681994]
    let steps = qp - 12
    let whole = steps >= 0 ? steps / 3 : -((2 - steps) / 3)
    var value = 0.57 * cubeRoots[steps - 3 * whole]
    for _ in 0..<abs(whole) { value = whole > 0 ? value * 2 : value / 2 }
    return value
  }
}

/// The worth of bits at one quantisation parameter, in whole numbers, so that every machine decides alike.
///
/// Costs are distortions in parts of 256; prices of bins are in parts of 32768 of a bit.
struct RateCosts: Sendable {
  /// A cost that nothing reaches, and small enough to be added to others.
  static let unreachable = 1 << 60

  /// λ for squared differences.
  private let squared: Int
  /// √λ for absolute differences.
  private let absolute: Int

  init(qp: Int, bitDepth: Int) {
    // Two bits more a sample make differences four times, and their squares 16 times as large.
    let lambda = Costs.lambda(qp: qp) * Double(1 << (2 * max(0, bitDepth - 8)))
    squared = max(1, Int(lambda * 256))
    absolute = max(1, Int(lambda.squareRoot() * 256))
  }

  /// The cost of squared differences and a price.
  @inline(__always)
  func cost(squares: Int, price: UInt64) -> Int {
    squares &<< 8 &+ (squared &* Int(truncatingIfNeeded: price)) &>> 15
  }

  /// The cost of transformed differences and a price.
  @inline(__always)
  func cost(differences: Int, price: UInt64) -> Int {
    differences &<< 8 &+ (absolute &* Int(truncatingIfNeeded: price)) &>> 15
  }
}
