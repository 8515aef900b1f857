// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Index == Int {
  /// How many elements at the start satisfy `predicate`, provided that no element after the first failure does.
  @inlinable
  package func partitionIndex(_ predicate: (Element) -> Bool) -> Int {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = low &+ (high &- low) / 2
      if predicate(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
