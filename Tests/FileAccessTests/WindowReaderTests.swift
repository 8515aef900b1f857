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

  /// A source that notes what is asked for.
  final class Noting: ByteSource {
    let bytes: [UInt8]
    let requests = Locked<[Range<UInt64>]>([])
    let size: UInt64?

    init(count: Int, knowsSize: Bool = true) {
      size = knowsSize ? UInt64(count) : nil
      bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }

    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      requests.withLock { $0.append(range) }
      return ByteView(bytes, fileOffset: 0).suffix(from: Int(range.lowerBound)).prefix(range.count)
    }
  }

  @Test func noMoreIsAskedForThanASmallSourceHas() throws {
    let source = Noting(count: 10_000)
    let reader = WindowReader(source)
    #expect(try reader.bytes(at: 0, count: 16).array == Array(source.bytes[..<16]))
    #expect(try reader.bytes(at: 9_990, count: 100).isEmpty == false)
    #expect(try reader.bytes(at: 9_990, count: 10).array == Array(source.bytes[9_990...]))
    #expect(try reader.bytes(at: 10_000, count: 1).isEmpty)
    #expect(try reader.bytes(at: 20_000, count: 1).isEmpty)
    let requests = source.requests.withLock { $0 }
    // One byte more than there is shows that there is no more.
    #expect(requests.first == 0..<10_001)
    #expect(requests.allSatisfy { $0.count <= 10_001 && $0.lowerBound < 10_000 })
  }

  @Test(arguments: [true, false]) func theFirstWindowIsLarge(knowsSize: Bool) throws {
    let source = Noting(count: 1 << 20, knowsSize: knowsSize)
    let reader = WindowReader(source)
    for offset in [0, 65_000, 65_536] { _ = try reader.bytes(at: offset, count: 16) }
    // And the next, where the first ends, twice as large.
    #expect(source.requests.withLock { $0 } == [0..<65_536, 65_536..<196_608])
  }

  /// What lies between headers is read through where it is short, and skipped where it is long.
  @Test(arguments: [(5_000, 8), (100_000, 12)]) func shortSkips(distance: Int, most: Int) throws {
    let source = Noting(count: 1 << 20)
    let reader = WindowReader(source)
    for offset in stride(from: 0, to: source.bytes.count - 16, by: distance) {
      #expect(try reader.bytes(at: offset, count: 16).array == Array(source.bytes[offset..<offset + 16]))
    }
    let requests = source.requests.withLock { $0 }
    #expect(requests.count <= most)
    // After a long skip no more than the smallest window.
    #expect(distance < 10_000 || requests.dropFirst().allSatisfy { $0.count == WindowReader.smallestWindow })
  }
}
