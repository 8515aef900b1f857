// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@Suite struct NumberTextTests {
  @Test(
    arguments: [
      (0, 1_000, "0"), (63_400, 1_000, "63.4"), (-1, 1_000, "-0.001"), (-2_000, 1_000, "-2"), (5, 1, "5"),
      (1_000_001, 1_000_000, "1.000001"), (2, 3, "0.666666666"), (.min, 10, "-922337203685477580.8"),
      (.max, 1_000_000_000, "9223372036.854775807"),
    ] as [(Int64, UInt64, String)])
  func asManyPlacesAsAreNeeded(value: Int64, divisor: UInt64, text: String) {
    #expect(decimal(value, over: divisor) == text)
  }

  @Test(
    arguments: [
      (0, 1_000, 3, "0.000"), (29_970, 1_000, 3, "29.970"), (4_004_000, 1_000_000, 6, "4.004000"),
      (1_999, 1_000, 0, "1"), (-7, 1_000, 3, "-0.007"),
    ] as [(Int64, UInt64, Int, String)])
  func asManyPlacesAsAreAskedFor(value: Int64, divisor: UInt64, places: Int, text: String) {
    #expect(decimal(value, over: divisor, places: places) == text)
  }
}
