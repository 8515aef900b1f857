// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The boxes that list the samples of a track, one after the other: its `stbl`, and its `traf` in each fragment.
struct SampleContainers: Sequence, IteratorProtocol {
  private let tree: BoxTree?
  private let trackID: UInt32
  private let hasFragments: Bool
  private let count: Int
  private var table: Box?
  private var tableCount: Int
  private var first = 0
  private var nextBox = 0
  private var waiting: [Box] = []

  init(_ track: Track) throws(SourceError) {
    tree = track.context.tree
    trackID = track.id
    table = track.sampleTableBox
    hasFragments = track.context.hasFragments
    let samples = track.isRawStream ? nil : try track.samples()
    (tableCount, count) = (samples?.table.count ?? 0, samples?.count ?? 0)
  }

  /// Nothing.
  init() { (tree, trackID, hasFragments, count, tableCount) = (nil, 0, false, 0, 0) }

  /// The next box, and the indices of the samples that it lists.
  mutating func next() -> (box: Box, samples: Range<Int>)? {
    if let table {
      self.table = nil
      first = tableCount
      return (table, 0..<tableCount)
    }
    guard hasFragments, let tree else { return nil }
    while waiting.isEmpty {
      guard nextBox < tree.boxes.count else { return nil }
      let box = tree.boxes[nextBox]
      nextBox += 1
      guard box.type == "moof" else { continue }
      waiting = box.children.filter {
        $0.type == "traf" && $0.first(TrackFragmentHeaderBox.self)?.trackID == trackID
      }
      .reversed()
    }
    guard let box = waiting.popLast() else { return nil }
    // The number follows version and flags.
    let own = box.children.reduce(0) {
      $1.type == "trun" ? $0 &+ Int($1.body.bigEndian(at: 4, width: 4) ?? 0) : $0
    }
    let start = first
    first = Swift.min(count, start &+ own)
    return (box, start..<first)
  }
}
