// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

/// The contents of the boxes of a file that have no meaning (`free`, `skip`, `wide`): often what other boxes were before they
/// were changed in place.
package struct FreeSpace {
  /// The ranges of the file, in order, without the headers of the boxes.
  package private(set) var ranges: [Range<UInt64>] = []

  private static let types: Set<FourCC> = ["free", "skip", "wide"]

  /// Finds free space in a movie. Space in which a table has samples, or an item has its bytes, is not free.
  package init(_ movie: MovieFile) {
    guard let tree = movie.tree else { return }
    collect(tree.boxes)
    guard !ranges.isEmpty else { return }
    removeUsed(by: movie)
  }

  /// Finds free space in boxes, at any depth.
  package init(in boxes: [Box]) { collect(boxes) }

  private mutating func collect(_ boxes: [Box]) {
    for box in boxes {
      if Self.types.contains(box.type) {
        let start = min(box.offset + box.headerSize, box.fileRange.upperBound)
        if start < box.fileRange.upperBound {
          ranges.append(UInt64(start)..<UInt64(box.fileRange.upperBound))
        }
      } else if !box.children.isEmpty {
        collect(box.children)
      }
    }
  }

  private mutating func removeUsed(by movie: MovieFile) {
    var used: Set<Int> = []
    func use(_ range: Range<UInt64>) {
      // The last range that begins before the end.
      var index = ranges.partitioningIndex { $0.lowerBound >= range.upperBound } - 1
      while index >= 0, ranges[index].overlaps(range) {
        used.insert(index)
        index -= 1
      }
    }
    for track in movie.tracks {
      do { for sample in try track.samples() { use(sample.range) } } catch {
        // Samples that cannot be found may be anywhere.
        ranges = []
        return
      }
    }
    for range in movie.itemRanges { use(range) }
    ranges = ranges.indices.filter { !used.contains($0) }.map { ranges[$0] }
  }
}

extension [Range<UInt64>] {
  /// The first index whose element, and all after it, satisfy a condition.
  fileprivate func partitioningIndex(_ condition: (Range<UInt64>) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
