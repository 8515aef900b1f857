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
