// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

/// The contents of the boxes of a file that have no meaning (`free`, `skip`, `wide`): often what other boxes were before they
/// were changed in place.
package struct FreeSpace {
  /// The ranges of the file, in order, without the headers of the boxes.
  package private(set) var ranges: [Range<UInt64>] = []

  private static let types: Set<FourCC> = ["free", "skip", "wide"]
  /// The boxes in which programs leave space for metadata that grow. Space elsewhere, such as in a sample entry, is part of a
  /// description, and is not what another box was.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "edts", "mdia", "minf", "dinf", "udta", "meta", "ilst", "meco", "iprp", "ipco", "mvex",
    "moof", "traf",
    "mfra",
  ]

  /// Finds free space in a movie. Space in which a table has samples, or an item has its bytes, is not free.
  package init(_ movie: MovieFile) {
    guard let tree = movie.tree else { return }
    // Most movies of many fragments have none in them.
    let isUsed = { (type: FourCC) in !Self.types.contains(type) }
    let isInFragments = !tree.has(only: isUsed, in: "moof") || !tree.has(only: isUsed, in: "traf")
    collect(tree.boxes, isInFragments ? Self.containers : Self.containers.subtracting(["moof"]))
    guard !ranges.isEmpty else { return }
    removeUsed(by: movie)
  }

  /// Finds free space in boxes.
  package init(in boxes: [Box]) { collect(boxes, Self.containers) }

  private mutating func collect(_ boxes: [Box], _ containers: Set<FourCC>) {
    for box in boxes {
      if Self.types.contains(box.type) {
        let start = min(box.offset + box.headerSize, box.fileRange.upperBound)
        if start < box.fileRange.upperBound {
          ranges.append(UInt64(start)..<UInt64(box.fileRange.upperBound))
        }
      } else if containers.contains(box.type) {
        collect(box.children, containers)
      }
    }
  }

  private mutating func removeUsed(by movie: MovieFile) {
    // For each range, the last one up to it that is not known to be used; -1 for none. Each is passed once.
    var unused = Array(ranges.indices)
    func lastUnused(_ index: Int) -> Int {
      var found = index
      while found >= 0, unused[found] != found { found = unused[found] }
      var next = index
      while next >= 0, unused[next] != found, next != found { (next, unused[next]) = (unused[next], found) }
      return found
    }
    func use(_ range: Range<UInt64>) {
      var index = lastUnused(ranges.partitionIndex { $0.lowerBound < range.upperBound } - 1)
      while index >= 0, ranges[index].overlaps(range) {
        unused[index] = index - 1
        index = lastUnused(index)
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
    ranges = ranges.indices.filter { unused[$0] == $0 }.map { ranges[$0] }
  }
}
