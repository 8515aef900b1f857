// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which samples of two movies are the same, where some were taken away, added or changed.
package struct SampleAlignment {
  /// Neighbours with the same fate.
  package enum Run: Hashable {
    /// As many samples of both, with equal contents.
    case same(first: Int, second: Int, count: Int)
    /// As many samples of both, with other contents.
    case changed(first: Int, second: Int, count: Int)
    /// Samples that only the first movie has.
    case lost(first: Int, count: Int)
    /// Samples that only the second movie has.
    case added(second: Int, count: Int)
  }

  package private(set) var runs: [Run] = []

  /// Aligns two lists of keys. What both begin and end with is found by looking at it once; between, whichever list comes back
  /// to the next key of the other with fewer steps has the rest in excess.
  package init(_ first: [UInt64], _ second: [UInt64]) {
    let shorter = min(first.count, second.count)
    var start = 0
    while start < shorter, first[start] == second[start] { start += 1 }
    var tail = 0
    while tail < shorter - start, first[first.count - 1 - tail] == second[second.count - 1 - tail] {
      tail += 1
    }
    append(.same(first: 0, second: 0, count: start))
    align(first, second, start..<(first.count - tail), start..<(second.count - tail))
    append(.same(first: first.count - tail, second: second.count - tail, count: tail))
  }

  private mutating func align(
    _ first: [UInt64], _ second: [UInt64], _ left: Range<Int>, _ right: Range<Int>
  ) {
    let inFirst = Places(first, left), inSecond = Places(second, right)
    var (i, j) = (left.lowerBound, right.lowerBound)
    while i < left.upperBound, j < right.upperBound {
      if first[i] == second[j] {
        append(.same(first: i, second: j, count: 1))
        (i, j) = (i + 1, j + 1)
        continue
      }
      let ahead = inSecond.next(of: first[i], from: j), back = inFirst.next(of: second[j], from: i)
      switch (ahead, back) {
      case (nil, nil):
        append(.changed(first: i, second: j, count: 1))
        (i, j) = (i + 1, j + 1)
      case (let ahead?, let back) where back.map({ ahead - j <= $0 - i }) ?? true:
        append(.added(second: j, count: ahead - j))
        j = ahead
      case (_, let back):
        let back = back ?? i + 1
        append(.lost(first: i, count: back - i))
        i = back
      }
    }
    append(.lost(first: i, count: left.upperBound - i))
    append(.added(second: j, count: right.upperBound - j))
  }

  /// Adds a run to the last one where it goes on with it.
  private mutating func append(_ run: Run) {
    switch (runs.last, run) {
    case (_, .same(_, _, 0)), (_, .changed(_, _, 0)), (_, .lost(_, 0)), (_, .added(_, 0)): return
    case (.same(let first, let second, let count)?, .same(let next, let other, let more))
    where next == first + count && other == second + count:
      runs[runs.count - 1] = .same(first: first, second: second, count: count + more)
    case (.changed(let first, let second, let count)?, .changed(let next, let other, let more))
    where next == first + count && other == second + count:
      runs[runs.count - 1] = .changed(first: first, second: second, count: count + more)
    default: runs.append(run)
    }
  }

  /// Where keys are in a list.
  private struct Places {
    private var places: [UInt64: [Int]] = [:]

    init(_ keys: [UInt64], _ range: Range<Int>) {
      for place in range { places[keys[place], default: []].append(place) }
    }

    /// The first place of a key at or after `start`.
    func next(of key: UInt64, from start: Int) -> Int? {
      guard let list = places[key] else { return nil }
      var (low, high) = (0, list.count)
      while low < high {
        let middle = low + (high - low) / 2
        if list[middle] < start { low = middle + 1 } else { high = middle }
      }
      return low < list.count ? list[low] : nil
    }
  }
}
