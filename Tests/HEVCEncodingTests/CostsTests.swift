// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import HEVCEncoding
import Testing

@Suite struct CostsTests {
  @Test(arguments: -12...51)
  func lambdaIsThatOfTheFormula(qp: Int) {
    let expected = 0.57 * pow(2, Double(qp - 12) / 3)
    #expect(abs(Costs.lambda(qp: qp) / expected - 1) < 1e-12)
  }
}
