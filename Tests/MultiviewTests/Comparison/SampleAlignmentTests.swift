// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Multiview
import TestSupport
import Testing

@Suite struct SampleAlignmentTests {
  /// A list of keys with their places, that counts how often it is read.
  private final class Keys: AlignedList {
    struct Place: Sendable {
      var key: UInt64
      var index: Int
    }

    let keys: [UInt64]
    private var index: Int
    let reads: Counter

    final class Counter { var count = 0 }

    init(_ keys: [UInt64], from index: Int = 0, reads: Counter = Counter()) {
      (self.keys, self.index, self.reads) = (keys, index, reads)
    }

    func next() throws(SourceError) -> Place? {
      guard index < keys.count else { return nil }
      reads.count += 1
      index += 1
      return Place(key: keys[index - 1], index: index - 1)
    }

    func continuation() throws(SourceError) -> Keys { Keys(keys, from: index, reads: reads) }
    static func key(of place: Place) -> UInt64 { place.key }
  }

  /// What became of each element, a letter and its place: `=` the same, `!` changed, `-` lost, `+` added.
  private static func steps(
    _ first: [UInt64], _ second: [UInt64], window: Int = 64, reads: Keys.Counter = Keys.Counter()
  ) throws -> (text: String, first: [Int], second: [Int], same: [(Int, Int)]) {
    var alignment = SampleAlignment(
      Keys(first, reads: reads), Keys(second, reads: reads), windowLength: window)
    var text = ""
    var left: [Int] = [], right: [Int] = [], same: [(Int, Int)] = []
    while let step = try alignment.next() {
      switch step {
      case .same(let old, let new):
        text += "="
        left.append(old.index)
        right.append(new.index)
        same.append((old.index, new.index))
      case .changed(let old, let new):
        text += "!"
        left.append(old.index)
        right.append(new.index)
      case .lost(let old):
        text += "-"
        left.append(old.index)
      case .added(let new):
        text += "+"
        right.append(new.index)
      }
    }
    return (text, left, right, same)
  }

  @Test func whatWasDone() throws {
    let cases: [([UInt64], [UInt64], String)] = [
      ([1, 2, 3], [1, 2, 3], "==="), ([], [], ""), ([], [1, 2], "++"), ([1], [], "-"),
      ([1, 2, 3, 4, 5], [1, 2, 5], "==--="), ([1, 2], [7, 8, 1, 2], "++=="), ([1, 2, 3], [1, 9, 3], "=!="),
      ([1, 2], [3, 4, 5], "!!+"), ([1, 2, 3, 4], [1, 2], "==--"),
      ([1, 2, 3, 4, 5, 6], [1, 9, 8, 4, 5], "=!!==-"),
    ]
    for (first, second, expected) in cases {
      for window in [1, 2, 3, 64] where window > 8 || expected.allSatisfy({ $0 == "=" || $0 == "!" }) {
        #expect(
          try Self.steps(first, second, window: window).text == expected, "\(first), \(second), \(window)")
      }
    }
  }

  /// Whatever was taken away, put in and changed, and however short the window: every element comes exactly once, in its order; those
  /// called the same are; and where keys are all different, what was only taken away is found exactly.
  @Test func randomEdits() throws {
    var random = SeededGenerator(seed: 26)
    for round in 0..<600 {
      let isUnique = round % 2 == 0
      let count = Int.random(in: 0...120, using: &random)
      let keys = (0..<count).map { isUnique ? UInt64($0) : UInt64.random(in: 0...4, using: &random) }
      let kept = keys.indices.filter { _ in Int.random(in: 0...4, using: &random) > 0 }
      // In a window that is longer than any gap.
      let cut = try Self.steps(keys, kept.map { keys[$0] }, window: 40)
      if isUnique { #expect(cut.same.map(\.0) == kept) }
      var other = kept.map { keys[$0] }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        other.insert(
          UInt64.random(in: 0...90, using: &random), at: Int.random(in: 0...other.count, using: &random))
      }
      let found = try Self.steps(keys, other, window: Int.random(in: 1...30, using: &random))
      #expect(found.first == Array(keys.indices) && found.second == Array(other.indices))
      #expect(found.same.allSatisfy { keys[$0] == other[$1] })
    }
  }

  /// What was cut away may be longer than any window.
  @Test func farAway() throws {
    let all = (0..<10_000).map { UInt64($0) }
    let end = Array(all[6_000...])
    let lost = try Self.steps(all, end, window: 100)
    #expect(lost.text == String(repeating: "-", count: 6_000) + String(repeating: "=", count: 4_000))
    let added = try Self.steps(end, all, window: 100)
    #expect(added.text == String(repeating: "+", count: 6_000) + String(repeating: "=", count: 4_000))
    // A cut in the middle, and three changed ones before it.
    let middle = Array(all[..<1_000]) + [70_001, 70_002, 70_003] + Array(all[7_000...])
    let cut = try Self.steps(all, middle, window: 100)
    #expect(
      cut.same.count == 4_000 && cut.text.count { $0 == "!" } == 3 && cut.text.count { $0 == "-" } == 5_997)
  }

  /// Lists that have nothing in common are read through no more than three times.
  @Test func nothingInCommon() throws {
    let reads = Keys.Counter()
    let first = (0..<20_000).map { UInt64($0) }, second = (50_000..<70_000).map { UInt64($0) }
    let found = try Self.steps(first, second, window: 100, reads: reads)
    #expect(found.text == String(repeating: "!", count: 20_000))
    #expect(reads.count <= 3 * 40_000, "\(reads.count)")
  }
}
