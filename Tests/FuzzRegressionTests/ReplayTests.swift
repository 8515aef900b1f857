// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FuzzEntries
import TestSupport
import Testing

/// What the fuzzers do, without a fuzzer: known inputs through every entry.
@Suite struct ReplayTests {
  @Test(arguments: FuzzTarget.all)
  func fixtures(target: FuzzTarget) {
    for name in Fixtures.media {
      let findings = target.run(Fixtures.bytes(name))
      #expect(findings.problems.isEmpty, "\(name): \(findings.problems)")
    }
  }

  @Test(arguments: FuzzTarget.all)
  func crashers(target: FuzzTarget) {
    let names = filesBelow(Fixtures.path("crashers")).filter { !$0.hasSuffix(".md") }
    #expect(!names.isEmpty)
    for name in names {
      let findings = target.run(Fixtures.bytes("crashers/" + name))
      #expect(findings.problems.isEmpty, "\(name): \(findings.problems)")
    }
  }
}
