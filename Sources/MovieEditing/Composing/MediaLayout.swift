// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The bytes of a movie that become media of the new one, and their new offsets in the media data: in the order of the old file,
/// each once, however many tracks refer to them. If a sample is made from pieces that are not consecutive, all
/// of them are placed at the position of its first piece.
struct MediaLayout {
  /// A cut, and the samples of its track.
  typealias CutSamples = (cut: TrackCut, samples: TrackSamples)

  /// A sample that is made from several pieces.
  private struct Composed {
    let sample: Int
    let pieces: Range<Int>
    /// The offset in the old file of the piece whose position the sample takes.
    let anchor: UInt64
    var start: UInt64 = 0
  }

  /// The ranges of the old file, in the order of the new one.
  private(set) var ranges: [Range<UInt64>] = []
  /// The ranges that keep their order; sorted by offset once all are added.
  private var plain: [Range<UInt64>] = []
  /// The new offset of each of these.
  private var starts: [UInt64] = []
  /// The samples that are made from several pieces; sorted by their anchors once all are added.
  private var composed: [Composed] = []
  private var composedPieces: [Range<UInt64>] = []
  /// The total number of bytes.
  private(set) var count: UInt64 = 0

  /// Orders the bytes of the samples that are taken from the tracks of a movie.
  ///
  /// - Parameters:
  ///   - all: the cuts.
  ///   - first: the offset in the new media data of the first byte.
  init(_ all: [CutSamples], at first: UInt64) throws(EditError) {
    // Pieces of a sample become consecutive when the bytes between them are left out. If another track refers to
    // these bytes, the pieces have to be placed together; then they are no longer among the plain ranges, which
    // may affect other samples.
    var torn = all.map { _ in Set<Int>() }
    var hasFound = true
    while hasFound {
      (plain, composed, composedPieces) = ([], [], [])
      for (index, samples) in all.enumerated() { add(samples, torn[index]) }
      sort()
      hasFound = false
      for (index, samples) in all.enumerated() {
        guard let kept = samples.cut.kept, !kept.areTogether else { continue }
        for sample in samples.cut.spans.lazy.flatMap(\.samples) where !torn[index].contains(sample) {
          guard isTorn(kept.pieces(of: sample)) else { continue }
          torn[index].insert(sample)
          hasFound = true
        }
      }
    }
    try place(at: first)
  }

  private mutating func add(_ all: CutSamples, _ torn: Set<Int>) {
    for span in all.cut.spans {
      if let kept = all.cut.kept {
        for sample in span.samples {
          let pieces = kept.pieces(of: sample)
          let isTogether = kept.areTogether || torn.contains(sample)
          add(pieces, of: sample, isTogether ? kept.anchor(of: pieces) : nil)
        }
        continue
      }
      all.samples.forEachUniform(in: span.samples) { add($0.range) }
    }
  }

  /// Whether pieces of a sample would not be consecutive in the new movie, because of the bytes of other samples.
  private func isTorn(_ pieces: ArraySlice<Range<UInt64>>) -> Bool {
    guard pieces.count > 1, let first = pieces.first else { return false }
    var index = plain.partitionIndex { $0.lowerBound <= first.lowerBound } - 1
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      guard index >= 0, index + 1 < plain.count, piece.upperBound == plain[index].upperBound,
        next.lowerBound == plain[index + 1].lowerBound
      else { return true }
      // Samples that are placed together go between the others by their anchors.
      let other = composed.partitionIndex { $0.anchor < plain[index].lowerBound }
      if other < composed.count, composed[other].anchor < next.lowerBound { return true }
      index += 1
    }
    return false
  }

  /// Adds the pieces of a sample.
  ///
  /// - Parameter anchor: the piece whose position all of them take, if they have to be placed together; `nil` if
  ///   they become consecutive because the bytes between them are left out.
  private mutating func add(
    _ pieces: ArraySlice<Range<UInt64>>, of sample: Int, _ anchor: Range<UInt64>?
  ) {
    if pieces.count > 1, let anchor {
      let place = composedPieces.count
      composedPieces += pieces
      composed.append(
        Composed(sample: sample, pieces: place..<composedPieces.count, anchor: anchor.lowerBound))
    } else {
      for piece in pieces { add(piece) }
    }
  }

  private mutating func add(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    plain.appendJoining(range)
  }

  /// Sorts all ranges, and joins those that touch.
  private mutating func sort() {
    plain.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [Range<UInt64>] = []
    for range in plain { joined.appendMerging(range) }
    plain = joined
    composed.sort { ($0.anchor, $0.sample) < ($1.anchor, $1.sample) }
  }

  /// Sets the new offsets of all ranges.
  private mutating func place(at first: UInt64) throws(EditError) {
    var position = first
    var next = 0
    for range in plain {
      while next < composed.count, composed[next].anchor < range.lowerBound { try place(&next, &position) }
      starts.append(position)
      try append(range, &position)
    }
    while next < composed.count { try place(&next, &position) }
    count = position - first
  }

  private mutating func place(_ next: inout Int, _ position: inout UInt64) throws(EditError) {
    composed[next].start = position
    for piece in composed[next].pieces { try append(composedPieces[piece], &position) }
    next += 1
  }

  private mutating func append(_ range: Range<UInt64>, _ position: inout UInt64) throws(EditError) {
    let (next, overflow) = position.addingReportingOverflow(range.upperBound - range.lowerBound)
    guard !overflow, next <= UInt64(Int64.max) else {
      throw EditError(.exceedsLimit, "the samples have more bytes than a file can have")
    }
    position = next
    ranges.appendJoining(range)
  }

  /// The new offset of a sample that is made from several pieces; `nil` if it is not one.
  ///
  /// - Parameters:
  ///   - sample: the index of the sample.
  ///   - anchor: the offset in the old movie of the piece whose position the sample takes.
  func place(ofComposed sample: Int, at anchor: UInt64) -> UInt64? {
    let index = composed.partitionIndex { ($0.anchor, $0.sample) < (anchor, sample) }
    guard index < composed.count, (composed[index].anchor, composed[index].sample) == (anchor, sample)
    else { return nil }
    return composed[index].start
  }

  /// The end of the last range that begins before an offset of the old movie; `nil` if there is none.
  func end(before limit: UInt64) -> UInt64? {
    // Plain ranges are sorted; those that are placed together are not.
    let last = plain.partitionIndex { $0.lowerBound < limit } - 1
    let others = composedPieces.lazy.filter { $0.lowerBound < limit }.map(\.upperBound).max()
    return [last >= 0 ? plain[last].upperBound : nil, others].compactMap { $0 }.max()
  }

  /// The range that contains a byte of the old movie, and its offset in the new one; `nil` if there is none.
  func piece(containing offset: UInt64) -> (old: Range<UInt64>, new: UInt64)? {
    let index = plain.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && plain[index].contains(offset) ? (plain[index], starts[index]) : nil
  }
}

extension Array {
  /// Appends a range, to the last one if that ends where it begins.
  mutating func appendJoining<Bound>(_ range: Range<Bound>) where Element == Range<Bound> {
    if let last = indices.last, self[last].upperBound == range.lowerBound {
      self[last] = self[last].lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
