// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@testable import FileAccess

@Suite struct WindowReaderTests {
  /// As many bytes as there are numbers for; each is the last byte of its place.
  struct Endless: ByteSource {
    var size: UInt64? { nil }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      ByteView(range.map { UInt8(truncatingIfNeeded: $0) }, fileOffset: Int(clamping: range.lowerBound))
    }
  }

  @Test func whatStandsAtTheEndOfNumbersIsRead() throws {
    let reader = WindowReader(Endless())
    for distance in [100, 5_000, 17, 16, 70_000] {
      let start = Int.max - distance
      let bytes = try reader.bytes(at: start, count: 16)
      #expect(bytes.array == (start..<start + 16).map { UInt8(truncatingIfNeeded: $0) })
      #expect(bytes.fileOffset == start)
    }
    #expect(try reader.bytes(at: Int.max - 15, count: 16).isEmpty)
    #expect(try reader.bytes(at: Int.max, count: 1).isEmpty)
    #expect(try reader.bytes(at: -1, count: 1).isEmpty)
    // And it goes on.
    #expect(try reader.bytes(at: 0, count: 3).array == [0, 1, 2])
  }
}
