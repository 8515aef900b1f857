// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The chroma samples of one component, interpolated at the positions of luma samples and multiplied by 16.
///
/// The distance between two samples is divided into four steps, which is enough for all six locations of
/// ISO/IEC 23008-2, Figure E.1. The first and the last sample are repeated beyond the edges.
struct ChromaRows {
  private let component: Int
  private let width: Int
  private let height: Int
  private let isHalfWide: Bool
  private let isHalfHigh: Bool
  /// The distance of the first sample from the first luma sample, in halves of a luma sample.
  private let startX: Int
  private let startY: Int
  /// The two rows last loaded, each with one more sample at both ends, and their indices.
  private var above: [Int32]
  private var below: [Int32]
  private var aboveRow = -1
  private var belowRow = -1
  private var mixed: [Int32]

  init(_ component: Int, _ source: some PlaneRows, _ location: Int) {
    self.component = component
    width = source.chromaWidth
    height = source.chromaHeight
    isHalfWide = source.chromaArrayType == 1 || source.chromaArrayType == 2
    isHalfHigh = source.chromaArrayType == 1
    // The location applies to 4:2:0; the samples of 4:2:2 are at the positions of every other luma sample.
    let location = source.hasCentredChroma ? 1 : isHalfHigh ? location : 0
    startX = isHalfWide && location & 1 == 1 ? 1 : 0
    startY = location >= 4 ? 2 : location >= 2 ? 0 : 1
    above = [Int32](repeating: 0, count: width + 2)
    below = above
    mixed = above
  }

  /// Writes the samples at the positions of a row of luma samples to `row`.
  mutating func interpolate(_ y: Int, _ source: some PlaneRows, into row: inout [Int32]) {
    let position = isHalfHigh ? 2 * y - startY : 4 * y
    let upper = position >> 2, part = Int32(truncatingIfNeeded: position & 3)
    load(max(0, min(height - 1, upper)), max(0, min(height - 1, part == 0 ? upper : upper + 1)), source)
    for x in mixed.indices { mixed[x] = above[x] &* (4 &- part) &+ below[x] &* part }
    guard isHalfWide else {
      for x in row.indices { row[x] = mixed[x &+ 1] &* 4 }
      return
    }
    for x in row.indices {
      let position = 2 &* x &- startX
      let left = position >> 2, part = Int32(truncatingIfNeeded: position & 3)
      row[x] = mixed[left &+ 1] &* (4 &- part) &+ mixed[left &+ 2] &* part
    }
  }

  private mutating func load(_ upper: Int, _ lower: Int, _ source: some PlaneRows) {
    if upper != aboveRow {
      if upper == belowRow {
        swap(&above, &below)
        swap(&aboveRow, &belowRow)
      } else {
        Self.load(component, upper, width, source, into: &above)
        aboveRow = upper
      }
    }
    if lower != belowRow {
      Self.load(component, lower, width, source, into: &below)
      belowRow = lower
    }
  }

  private static func load(
    _ component: Int, _ y: Int, _ width: Int, _ source: some PlaneRows, into row: inout [Int32]
  ) {
    source.load(component, row: y, into: &row, from: 1)
    row[0] = row[1]
    row[width + 1] = row[width]
  }
}
