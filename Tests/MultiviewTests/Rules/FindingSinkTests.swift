// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@testable import Multiview

@Suite struct FindingSinkTests {
  /// Notes, and findings for other targets, never keep an error from being found.
  @Test func everyKindHasItsOwnLimit() {
    var sink = FindingSink(.referenceToNoTrack, limit: 2)
    for number in 0..<5 {
      sink.add("note \(number)", path: "", offset: nil, severity: .note, targets: [.iso])
    }
    for number in 0..<5 { sink.add("error \(number)", path: "", offset: nil, targets: [.hls]) }
    for number in 0..<5 { sink.add("usual \(number)") }
    #expect(
      sink.findings.map(\.message) == ["note 0", "note 1", "error 0", "error 1", "usual 0", "usual 1"])
    #expect(sink.omitted == 9)
  }
}
