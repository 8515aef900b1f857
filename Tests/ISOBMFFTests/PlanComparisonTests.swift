// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import TestSupport
import Testing

@testable import ISOBMFF

/// What was written, compared with the plan of it.
@Suite struct PlanComparisonTests {
  private static let file = patternedBytes(4_000_000)
  private static let first = patternedBytes(70_000).map { $0 ^ 0x33 }
  private static let last: [UInt8] = [7, 8, 9]
  /// Two ranges of a file, the second of them by way of another plan, with bytes from memory around them.
  private static let expected = first + file[1_000..<1_500_000] + [1, 2] + file[2_000_000..<3_500_000] + last

  private func plan() throws -> WritePlan {
    let source = MemoryBytes(Self.file)
    let inner = try WritePlan(pieces: [
      .bytes(ByteView([1, 2])), .range(2_000_000..<4_000_000, of: source),
    ])
    return try WritePlan(pieces: [
      .bytes(ByteView(Self.first)), .range(1_000..<1_500_000, of: source), .range(0..<1_500_002, of: inner),
      .bytes(ByteView(Self.last)),
    ])
  }

  private func difference(
    _ bytes: [UInt8], whole: [Range<UInt64>] = [], probes: Int = 8
  ) throws -> UInt64? {
    try plan().firstDifference(in: MemoryBytes(bytes), whole: whole, probes: probes)
  }

  @Test func whatIsAsPlannedHasNoDifference() throws {
    #expect(try difference(Self.expected) == nil)
    #expect(try difference(Self.expected, whole: [5..<100_000, 1_000_000..<9_000_000], probes: 1) == nil)
    #expect(try WritePlan(pieces: []).firstDifference(in: MemoryBytes([]), whole: [], probes: 8) == nil)
  }

  /// Bytes that are made for the plan, and the ends of ranges, one by one.
  @Test func singleBytesAreNoticed() throws {
    let middle = 70_000 + 1_499_000
    let end = Self.expected.count
    for place in [
      0, 1, 65_536, 69_999, 70_000, middle - 1, middle, middle + 1, middle + 2, end - 4, end - 3, end - 1,
    ] {
      var bytes = Self.expected
      bytes[place] ^= 1
      #expect(try difference(bytes) != nil, "\(place)")
    }
  }

  /// All bytes of ranges that have to be compared completely, and all bytes of a short output.
  @Test func nothingIsLeftOutOfWhatIsWhole() throws {
    for place in stride(from: 100_000, to: 600_000, by: 9_973) + [100_000, 599_999] {
      var bytes = Self.expected
      bytes[place] ^= 0x80
      let found = try difference(bytes, whole: [0..<10, 100_000..<600_000], probes: 1)
      #expect(found.map { $0 <= UInt64(place) && $0 + 1 << 18 > UInt64(place) } == true, "\(place)")
      #expect(try difference(bytes, probes: 1_000) != nil, "\(place)")
    }
  }

  /// A change as long as the distance of two places is found, wherever it is.
  @Test func placesAreEvenlyDistributed() throws {
    let step = (1_499_000 + 1_500_000) / 8
    for start in stride(from: 70_000, to: Self.expected.count - step, by: 50_021) {
      var bytes = Self.expected
      for place in start..<(start + step) { bytes[place] ^= 4 }
      #expect(try difference(bytes) != nil, "\(start)")
    }
  }

  /// An output that is cut off, too long, or shifted by some bytes.
  @Test func otherSizesAndPlacesAreNoticed() throws {
    for count in [0, 1, 70_000, Self.expected.count - 1] {
      #expect(try difference(Array(Self.expected.prefix(count))) == UInt64(count))
    }
    #expect(try difference(Self.expected + [0]) == UInt64(Self.expected.count))
    for shift in [1, 512, 4_096] {
      var bytes = Self.expected
      let moved = Self.file[(2_000_000 + shift)..<(3_500_000 + shift)]
      bytes.replaceSubrange((bytes.count - 3 - 1_500_000)..<(bytes.count - 3), with: moved)
      #expect(try difference(bytes) != nil, "\(shift)")
    }
  }

  /// A plan of more ranges than ends are compared of reads some of them, and a bounded number of bytes.
  @Test func manyRangesAreReadInPart() throws {
    let source = CountedReads(Self.file)
    var pieces: [WritePlan.Piece] = []
    var bytes: [UInt8] = []
    for number in 0..<20_000 {
      let start = number * 199
      let own = UInt8(number & 255)
      pieces.append(.range(UInt64(start)..<UInt64(start + 150), of: source))
      pieces.append(.bytes(ByteView([own])))
      bytes += Self.file[start..<(start + 150)]
      bytes.append(own)
    }
    let plan = try WritePlan(pieces: pieces)
    #expect(try plan.firstDifference(in: MemoryBytes(bytes), whole: [], probes: 1) == nil)
    #expect(source.count < 2_200_000)
    var other = bytes
    other[151 * 10_000 + 150] ^= 1
    #expect(try plan.firstDifference(in: MemoryBytes(other), whole: [], probes: 1) == 1_510_150)
  }
}

@Suite struct ByteOriginsTests {
  private struct Unknown: ByteSource {
    var size: UInt64? { 100 }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView { .empty(at: range.lowerBound) }
  }

  /// The same bytes by several ways, and equal bytes of other objects.
  @Test func bytesOfOnePlaceHaveOneOrigin() throws {
    let file = CountedReads(patternedBytes(1_000)), other = CountedReads(patternedBytes(1_000))
    let memory = ByteView(patternedBytes(100))
    let straight = try WritePlan(pieces: [.range(100..<300, of: file), .bytes(memory)])
    let pieces = try WritePlan(pieces: [
      .bytes(ByteView([1])), .range(100..<150, of: file), .range(150..<300, of: file),
      .range(0..<40, of: MemoryBytes(memory)), .bytes(memory.suffix(from: 40)),
    ])
    let nested = try WritePlan(pieces: [.range(1..<301, of: pieces)])
    let origins = try #require(ByteOrigins(of: 0..<300, in: straight))
    #expect(
      origins == ByteOrigins(of: 1..<301, in: pieces) && origins == ByteOrigins(of: 0..<300, in: nested))
    #expect(origins != ByteOrigins(of: 0..<299, in: nested))
    #expect(ByteOrigins(of: 100..<300, in: file) == ByteOrigins(of: 0..<200, in: nested))
    #expect(ByteOrigins(of: 100..<300, in: other) != ByteOrigins(of: 0..<200, in: nested))
    #expect(ByteOrigins(of: 101..<301, in: file) != ByteOrigins(of: 0..<200, in: nested))
    // No bytes are the same everywhere.
    #expect(ByteOrigins(of: 7..<7, in: file) == ByteOrigins(of: 0..<0, in: nested))
    // Nothing was read for that.
    #expect(file.count == 0 && other.count == 0)
  }

  @Test func whatIsNotKnownHasNoOrigin() throws {
    let plan = try WritePlan(pieces: [.bytes(ByteView([1, 2])), .range(0..<100, of: Unknown())])
    #expect(ByteOrigins(of: 0..<2, in: plan) != nil)
    #expect(ByteOrigins(of: 0..<3, in: plan) == nil && ByteOrigins(of: 0..<1, in: Unknown()) == nil)
    #expect(
      ByteOrigins(of: 0..<103, in: plan) == nil && ByteOrigins(of: 0..<3, in: MemoryBytes([1, 2])) == nil)
  }
}
