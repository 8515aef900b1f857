// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// The tracks of a movie whose chunk offsets are wrong by a distance.
///
/// Samples of HEVC show by their contents whether they are where the tables say. Those of other codecs are
/// judged by the space that is left: samples do not overlap, and media data has no holes where samples were.
struct MovedTracks {
  private var indices: Set<Int> = []

  /// Returns whether the offsets of a track are wrong.
  func contains(_ track: Track) -> Bool { indices.contains(track.index) }

  /// Determines the tracks of a movie in which at least one is wrong by a distance.
  init(_ movie: MovieFile, by shift: Int) throws(SourceError) {
    let media = Ranges(
      (movie.tree?.boxes ?? []).filter { $0.type == "mdat" }.map {
        UInt64(clamping: $0.offset + $0.headerSize)..<UInt64(clamping: $0.fileRange.upperBound)
      })
    var known = Ranges([])
    var open: [(index: Int, ranges: Ranges)] = []
    for track in movie.tracks where track.externalMedia.isEmpty {
      let ranges = Ranges(try track.samples().lazy.filter { $0.size > 0 }.map(\.range))
      let fault = FramingFault.find(in: track, of: movie)
      if fault == .moved(by: shift) {
        indices.insert(track.index)
        known.add(ranges.moved(by: shift))
      } else if fault == nil, FramingFault.hasSamplesHere(track, of: movie) {
        known.add(ranges)
      } else {
        open.append((track.index, ranges))
      }
    }
    // The largest first: it leaves the least doubt.
    for (index, ranges) in open.sorted(by: { $0.ranges.count > $1.ranges.count }) {
      let moved = ranges.moved(by: shift)
      let isMoved = moved.free(in: media, beside: known) > ranges.free(in: media, beside: known)
      if isMoved { indices.insert(index) }
      known.add(isMoved ? moved : ranges)
    }
  }
}

/// Ranges of bytes in a file, sorted, that do not overlap.
private struct Ranges {
  private var list: [Range<UInt64>] = []

  init(_ ranges: some Sequence<Range<UInt64>>) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { list.appendMerging(range) }
  }

  mutating func add(_ other: Ranges) { self = Ranges(list + other.list) }

  /// The number of bytes.
  var count: UInt64 { list.reduce(0) { $0 &+ UInt64($1.count) } }

  /// Returns the ranges at another place; what would be before the beginning of the file is left out.
  func moved(by shift: Int) -> Ranges {
    func moved(_ offset: UInt64) -> UInt64 {
      shift < 0 ? offset - min(offset, UInt64(shift.magnitude)) : offset &+ UInt64(shift.magnitude)
    }
    return Ranges(
      list.compactMap { range in
        let (start, end) = (moved(range.lowerBound), moved(range.upperBound))
        return start < end ? start..<end : nil
      })
  }

  /// The number of bytes that are in some ranges, and not in others.
  func free(in media: Ranges, beside others: Ranges) -> UInt64 {
    let inside = common(with: media)
    return inside.count - inside.common(with: others).count
  }

  private func common(with other: Ranges) -> Ranges {
    var found: [Range<UInt64>] = []
    var (left, right) = (0, 0)
    while left < list.count, right < other.list.count {
      let both = list[left].clamped(to: other.list[right])
      if !both.isEmpty { found.append(both) }
      if list[left].upperBound < other.list[right].upperBound { left += 1 } else { right += 1 }
    }
    return Ranges(found)
  }
}
