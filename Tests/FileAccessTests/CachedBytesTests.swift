// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import FileAccess

/// Large requests ahead of small reads.
@Suite struct CachedBytesTests {
  /// Hands out bytes whose values follow from their places, and records what was asked for.
  final class Store: ByteSource {
    let count: Int
    let knowsSize: Bool
    let ranges = Locked<[Range<UInt64>]>([])

    init(_ count: Int, knowsSize: Bool = true) {
      self.count = count
      self.knowsSize = knowsSize
    }

    var size: UInt64? { knowsSize ? UInt64(count) : nil }

    static func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 13) }

    static func bytes(_ range: Range<UInt64>) -> [UInt8] { range.map(byte) }

    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      ranges.withLock { $0.append(range) }
      let end = min(range.upperBound, UInt64(count))
      guard range.lowerBound < end else { return .empty(at: range.lowerBound) }
      return ByteView(Self.bytes(range.lowerBound..<end), fileOffset: Int(range.lowerBound))
    }
  }

  @Test(arguments: [true, false])
  func anyReadsHaveTheBytesOfTheSource(knowsSize: Bool) throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      let store = Store(Int.random(in: 0...700_000, using: &random), knowsSize: knowsSize)
      let cache = CachedBytes(
        store, policy: CachePolicy(smallestRead: 4_096, largestRead: 65_536, capacity: 64 << 10))
      for _ in 0..<60 {
        let start = UInt64.random(in: 0...800_000, using: &random)
        let end = start + UInt64([0, 1, 16, 5_000, 40_000, 200_000].randomElement(using: &random) ?? 0)
        let view = try cache.read(start..<end)
        let last = min(end, UInt64(store.count))
        #expect(view.array == (start < last ? Store.bytes(start..<last) : []))
        #expect(view.fileOffset == Int(start))
      }
    }
  }

  @Test(arguments: [true, false])
  func noByteIsAskedForTwice(knowsSize: Bool) throws {
    let store = Store(1_000_003, knowsSize: knowsSize)
    let cache = CachedBytes(store)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let start = UInt64.random(in: 0..<1_000_100, using: &random)
      _ = try cache.read(start..<start + UInt64.random(in: 1...3_000, using: &random))
    }
    _ = try cache.read(0..<2_000_000)
    let ranges = store.ranges.withLock { $0 }.sorted { $0.lowerBound < $1.lowerBound }
    for (left, right) in zip(ranges, ranges.dropFirst()) { #expect(left.upperBound <= right.lowerBound) }
    #expect(cache.statistics.bytes == 1_000_003 && cache.statistics.requests == ranges.count)
  }

  @Test func readingOnTakesFewRequests() throws {
    let store = Store(32 << 20)
    let cache = CachedBytes(store)
    for start in stride(from: UInt64(0), to: 32 << 20, by: 8_192) {
      _ = try cache.read(start..<start + 8_192)
    }
    // 64 KiB, twice as much each time up to 4 MiB, and on with that: 1+2+…+64 pieces of 64 KiB are not quite 8 MiB.
    #expect(cache.statistics.requests == 7 + 7 && cache.statistics.bytes == 32 << 20)
  }

  @Test func littleIsKeptOfMuch() throws {
    let store = Store(8 << 20)
    let cache = CachedBytes(
      store, policy: CachePolicy(smallestRead: 16 << 10, largestRead: 16 << 10, capacity: 256 << 10))
    for start in stride(from: UInt64(0), to: 8 << 20, by: 16_384) {
      _ = try cache.read(start..<start + 16_384)
    }
    let before = cache.statistics.requests
    _ = try cache.read((8 << 20) - 100_000..<(8 << 20))
    #expect(cache.statistics.requests == before)
    _ = try cache.read(0..<10)
    #expect(cache.statistics.requests == before + 1)
  }

  @Test func policiesAreSensible() {
    let policy = CachePolicy(smallestRead: -1, largestRead: 1, capacity: 0)
    #expect(policy.capacity == 64 << 10 && policy.smallestRead == 4 << 10 && policy.largestRead == 4 << 10)
    #expect(CachePolicy(smallestRead: .max, largestRead: .max, capacity: 1 << 20).largestRead == 256 << 10)
  }
}
