// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A comparison of the sample tables of a track in two files, in windows: the memory does not depend on the
/// number of samples.
///
/// All tables except chunk offsets must have the same bytes. All chunks in one top-level box of the old file
/// must have moved by the same distance, and the bytes of some chunks are compared.
struct TableComparison {
  private let old: Tables
  private let new: Tables
  /// The ranges of the boxes of the old file that can contain chunks, in their order.
  private let places: [Range<UInt64>]

  private struct Tables {
    var source: any ByteSource
    var table: Box

    init?(_ track: Track, in movie: MovieFile) {
      guard !movie.container.isFragmented, track.externalMedia.isEmpty,
        let path = BoxPath(track.path + "/mdia/minf/stbl"), let table = movie.tree?[path],
        table.structuralProblem == nil
      else { return nil }
      source = movie.source
      self.table = table
    }

    func origins(of box: Box) -> [WritePlan.Origin]? {
      (source as? WritePlan)?.origins(of: UInt64(box.offset)..<UInt64(box.fileRange.upperBound))
    }

    func bytes(_ range: Range<Int>) throws(SourceError) -> ByteView {
      try source.read(UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
  }

  /// The boxes that an edit changes, or that contain offsets in the file.
  private static let changing: Set<FourCC> = ["stsd", "stco", "co64", "saio"]
  private static let windowBytes = 1 << 18
  /// The approximate number of chunks whose bytes are compared, and the number of bytes for each.
  private static let probeCount = 24
  private static let probeBytes: UInt64 = 1 << 16

  /// Makes a comparison; `nil` if samples are in fragments or in other files, or if the tables are missing or
  /// damaged.
  init?(of old: Track, in oldMovie: MovieFile, and new: Track, in newMovie: MovieFile) {
    guard let old = Tables(old, in: oldMovie), let new = Tables(new, in: newMovie) else { return nil }
    self.old = old
    self.new = new
    let size = oldMovie.source.size ?? 0
    places = (oldMovie.tree?.boxes ?? []).filter { $0.type != "moov" }.compactMap { box in
      let end = min(UInt64(clamping: box.fileRange.upperBound), size)
      return UInt64(box.offset) < end ? UInt64(box.offset)..<end : nil
    }
  }

  /// The result of the comparison.
  enum Outcome {
    case same
    case different(String)
    /// The comparison is not possible: a chunk is not inside one box, or sizes are in a form that is not supported.
    case unknown
  }

  /// Compares the tables, and bytes at some chunks.
  func outcome() throws(SourceError) -> Outcome {
    let mine = old.table.children.filter { !Self.changing.contains($0.type) }
    let others = new.table.children.filter { !Self.changing.contains($0.type) }
    guard mine.map(\.type) == others.map(\.type) else { return .different("the tables") }
    for (left, right) in zip(mine, others) {
      guard left.size == right.size, try hasSameBytes(left, right) else {
        return .different("the table \(left.type)")
      }
    }
    return try chunkOutcome()
  }

  private func hasSameBytes(_ left: Box, _ right: Box) throws(SourceError) -> Bool {
    // Bytes that are planned to be copied from the same range need not be read.
    if let here = old.origins(of: left), let there = new.origins(of: right), here == there { return true }
    var done = 0
    while done < left.size {
      let count = min(left.size - done, Self.windowBytes)
      let here = try old.bytes((left.offset + done)..<(left.offset + done + count))
      guard try here == new.bytes((right.offset + done)..<(right.offset + done + count)) else { return false }
      done += count
    }
    return true
  }

  private func chunkOutcome() throws(SourceError) -> Outcome {
    guard let oldChunks = try ChunkExtents(old.table), let newChunks = try ChunkExtents(new.table) else {
      return .unknown
    }
    var chunks = oldChunks, others = newChunks
    guard chunks.count == others.count else { return .different("the number of chunks") }
    /// The distance by which the chunks in each box have moved.
    var moves: [Int: UInt64] = [:]
    let step = max(1, chunks.count / Self.probeCount)
    var chunk = -1
    while let (offset, size) = try chunks.nextChunk(), let moved = try others.nextPlace() {
      chunk += 1
      guard let place = place(of: offset) else {
        // A chunk beyond the end of the file was there before, too. One that begins in `moov` may extend into
        // media data.
        if offset >= old.source.size ?? 0 { continue }
        return .unknown
      }
      guard let size, size <= places[place].upperBound - offset else { return .unknown }
      guard moves[place, default: moved &- offset] == moved &- offset else {
        return .different("the place of chunk \(chunk + 1)")
      }
      moves[place] = moved &- offset
      guard chunk % step == 0 || chunk == chunks.count - 1 else { continue }
      let count = Int(min(Self.probeBytes, places[place].upperBound - offset))
      guard try old.source.read(at: offset, count: count) == new.source.read(at: moved, count: count) else {
        return .different("the bytes of chunk \(chunk + 1)")
      }
    }
    return .same
  }

  private func place(of offset: UInt64) -> Int? {
    let index = places.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && places[index].contains(offset) ? index : nil
  }
}
