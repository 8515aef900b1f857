// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

@Suite struct SampleAlignmentTests {
  /// What a list of runs says, spelled out: each sample of both lists once, in its order.
  private static func unrolled(_ runs: [SampleAlignment.Run]) -> (
    first: [Int], second: [Int], same: [(Int, Int)]
  ) {
    var first: [Int] = [], second: [Int] = [], same: [(Int, Int)] = []
    for run in runs {
      switch run {
      case .same(let i, let j, let count):
        first += i..<(i + count)
        second += j..<(j + count)
        same += zip(i..<(i + count), j..<(j + count)).map { ($0, $1) }
      case .changed(let i, let j, let count):
        first += i..<(i + count)
        second += j..<(j + count)
      case .lost(let i, let count): first += i..<(i + count)
      case .added(let j, let count): second += j..<(j + count)
      }
    }
    return (first, second, same)
  }

  @Test func equalLists() {
    #expect(SampleAlignment([1, 2, 3], [1, 2, 3]).runs == [.same(first: 0, second: 0, count: 3)])
    #expect(SampleAlignment([], []).runs == [])
  }

  @Test func whatWasDone() {
    #expect(
      SampleAlignment([1, 2, 3, 4, 5], [1, 2, 5]).runs
        == [
          .same(first: 0, second: 0, count: 2), .lost(first: 2, count: 2),
          .same(first: 4, second: 2, count: 1),
        ])
    #expect(
      SampleAlignment([1, 2], [7, 8, 1, 2]).runs
        == [.added(second: 0, count: 2), .same(first: 0, second: 2, count: 2)])
    #expect(
      SampleAlignment([1, 2, 3], [1, 9, 3]).runs
        == [
          .same(first: 0, second: 0, count: 1), .changed(first: 1, second: 1, count: 1),
          .same(first: 2, second: 2, count: 1),
        ])
    #expect(
      SampleAlignment([1, 2], [3, 4, 5]).runs
        == [.changed(first: 0, second: 0, count: 2), .added(second: 2, count: 1)])
  }

  /// Whatever was taken away, put in and changed: every sample is in exactly one run, those called the same are, and where
  /// keys are all different what was only taken away is found exactly.
  @Test func randomEdits() {
    var random = SeededGenerator(seed: 26)
    for round in 0..<400 {
      let isUnique = round % 2 == 0
      let count = Int.random(in: 0...60, using: &random)
      let keys = (0..<count).map { isUnique ? UInt64($0) : UInt64.random(in: 0...4, using: &random) }
      let kept = keys.indices.filter { _ in Int.random(in: 0...4, using: &random) > 0 }
      let cut = SampleAlignment(keys, kept.map { keys[$0] })
      if isUnique {
        #expect(Self.unrolled(cut.runs).same.map(\.0) == kept)
      }
      var other = kept.map { keys[$0] }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        other.insert(
          UInt64.random(in: 0...90, using: &random), at: Int.random(in: 0...other.count, using: &random))
      }
      let found = Self.unrolled(SampleAlignment(keys, other).runs)
      #expect(found.first == Array(keys.indices) && found.second == Array(other.indices))
      #expect(found.same.allSatisfy { keys[$0] == other[$1] })
    }
  }
}
