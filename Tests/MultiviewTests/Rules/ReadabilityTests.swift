// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// What a limit leaves unread is not missing, and is reported once.
@Suite struct ReadabilityTests {
  @Test(arguments: ["spatial.mov", "cmaf-hevc-sidx.mp4"])
  func boxesBeyondALimitAreNotMissing(_ fixture: String) throws {
    let bytes = Fixtures.bytes(fixture).array
    var total = 0
    BoxTree(ByteView(bytes), registry: .standard).forEachBox { _, _ in total += 1 }
    for count in 20..<total {
      var limits = Limits()
      limits.maximumBoxes = count
      let report = try MovieFile(bytes: bytes, limits: limits).check()
      #expect(report.verdict(.spatial)?.outcome != .pass, "\(count)")
      // Where the movie box is whole, what its boxes say is judged; what fragments lack is not theirs to lack.
      let found = report.findings.filter { $0.severity == .error && $0.targets != [.iso] }
      #expect(
        !found.contains { $0.message.contains("has no tfhd") || $0.rule.id == "MV038" }, "\(count): \(found)")
      #expect(report.findings.filter { $0.rule.id == "MV100" }.count <= 1, "\(count)")
      #expect(Set(report.unreadable).count == report.unreadable.count, "\(count)")
    }
  }
}
