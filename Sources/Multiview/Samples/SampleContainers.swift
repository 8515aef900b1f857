// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The boxes that list the samples of a track, one after the other: its `stbl`, and its `traf` in each fragment.
struct SampleContainers: Sequence, IteratorProtocol {
  private let count: Int
  private var table: Box?
  private var tableCount: Int
  private var first = 0
  private var fragments: TrackFragments

  init(_ track: Track) throws(SourceError) {
    table = track.sampleTableBox
    fragments = track.fragmentBoxes
    let samples = track.isRawStream ? nil : try track.samples()
    (tableCount, count) = (samples?.table.count ?? 0, samples?.count ?? 0)
  }

  /// Nothing.
  init() { (fragments, count, tableCount) = (TrackFragments(), 0, 0) }

  /// The next box, and the indices of the samples that it lists.
  mutating func next() -> (box: Box, samples: Range<Int>)? {
    if let table {
      self.table = nil
      first = tableCount
      return (table, 0..<tableCount)
    }
    guard let box = fragments.next() else { return nil }
    // The number follows version and flags.
    let own = box.children.reduce(0) {
      $1.type == "trun" ? $0 &+ Int($1.body.bigEndian(at: 4, width: 4) ?? 0) : $0
    }
    let start = first
    first = Swift.min(count, start &+ own)
    return (box, start..<first)
  }
}

/// The `traf` of a track in each fragment, one after the other.
package struct TrackFragments: Sequence, IteratorProtocol {
  private let boxes: [Box]
  private let places: [MovieContext.FragmentPlace]
  private var position = 0

  init(_ track: Track) {
    boxes = track.context.hasFragments ? track.context.tree?.boxes ?? [] : []
    places = boxes.isEmpty ? [] : track.context.fragmentPlaces[track.id] ?? []
  }

  /// None.
  init() { (boxes, places) = ([], []) }

  /// The next one.
  package mutating func next() -> Box? {
    guard position < places.count else { return nil }
    defer { position += 1 }
    return boxes[places[position].fragment].children[places[position].child]
  }
}

extension Track {
  /// The boxes that list its samples in movie fragments.
  package var fragmentBoxes: TrackFragments { TrackFragments(self) }
}
