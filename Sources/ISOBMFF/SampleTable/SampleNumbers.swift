// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A list of sample numbers, counted from 1 (`stss`, `stps`). Kept as bytes; if it is out of order, a sorted copy
/// is used.
struct SampleNumbers: Sendable {
  private let bytes: ByteView
  private let sorted: ContiguousArray<UInt32>?
  let count: Int

  init(_ table: PackedTable<UInt32Record>) {
    bytes = table.bytes
    count = table.count
    var last: UInt32 = 0
    for index in 0..<count {
      let number = bytes.word32(index)
      guard number >= last else {
        var copy = ContiguousArray<UInt32>()
        copy.reserveCapacity(count)
        for index in 0..<count { copy.append(bytes.word32(index)) }
        copy.sort()
        sorted = copy
        return
      }
      last = number
    }
    sorted = nil
  }

  /// Whether the numbers in the file are ascending.
  var isOrdered: Bool { sorted == nil }

  /// The sample at `position` in the list, counted from 0; after the end, one beyond every track.
  @inline(__always)
  func sample(_ position: Int) -> Int {
    guard position < count else { return .max }
    if let sorted { return Int(sorted[position]) &- 1 }
    return Int(bytes.word32(position)) &- 1
  }

  /// The next position with a different sample: a number that occurs twice counts once.
  @inline(__always)
  func position(after position: Int) -> Int {
    let next = position &+ 1
    let number = sample(position)
    return sample(next) == number && number < .max ? self.position(of: number &+ 1) : next
  }

  /// The first position whose sample is not less than `sample`.
  func position(of sample: Int) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low &+ high) / 2
      if self.sample(middle) < sample { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
