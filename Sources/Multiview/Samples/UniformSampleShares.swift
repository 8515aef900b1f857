// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// How many samples of equal size, or with sizes of half a byte, the tracks of a movie may list.
///
/// A table can list billions of samples of equal size in a few bytes. But they all have bytes of their own in
/// the file, unless they overlap or are in another file: so the length of the file bounds them, or a limit.
struct UniformSampleShares: Sendable {
  private let tables: [Int]
  /// How many are left for movie fragments.
  let ofFragments: Int

  /// Gives each track as many as it asks for, in order, as long as there are any left.
  init(_ tracks: [TrackBoxes], fileSize: UInt64?, limits: Limits) {
    var left = max(limits.maximumUniformSamples, Int(clamping: fileSize ?? 0))
    var tables: [Int] = []
    tables.reserveCapacity(tracks.count)
    for track in tracks {
      let share = min(left, Self.count(in: track.sampleTable))
      tables.append(share)
      left -= share
    }
    self.tables = tables
    ofFragments = left
  }

  /// How many of them a sample table has.
  private static func count(in table: Box?) -> Int {
    if let sizes = table?.first(SampleSizeBox.self) {
      return sizes.sampleSize == 0 ? 0 : Int(clamping: sizes.sampleCount)
    }
    // Of a large table the tree has the beginning; two samples take a byte.
    guard let box = table?.first("stz2"), box.payload(CompactSampleSizeBox.self)?.entries.format == 4 else {
      return 0
    }
    return 2 * min(box.size, Int.max / 2)
  }

  /// How many the tables of a track may list.
  func ofTrack(_ index: Int) -> Int { tables.indices.contains(index) ? tables[index] : 0 }
}
