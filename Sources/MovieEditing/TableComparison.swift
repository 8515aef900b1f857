// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A comparison of the sample tables of a track in two files, in windows: the memory does not depend on the
/// number of samples.
///
/// All tables except chunk offsets must have the same bytes. All chunks in one top-level box of the old file
/// must have moved by the same distance. Bytes that a plan copies from the same place of the same file are the same, and are not
/// read; of others, those of some chunks are compared.
struct TableComparison {
  private let old: Tables
  private let new: Tables
  private let media: MediaPlaces

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

    func origins(of box: Box) -> ByteOrigins? {
      ByteOrigins(of: UInt64(box.offset)..<UInt64(box.fileRange.upperBound), in: source)
    }

    /// The boxes with the places of chunks.
    var places: [Box] { table.children.filter { $0.type == "stco" || $0.type == "co64" } }

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
  ///
  /// - Parameter media: the boxes of media data, which all tracks share.
  init?(
    of old: Track, in oldMovie: MovieFile, and new: Track, in newMovie: MovieFile, _ media: MediaPlaces
  ) {
    guard let old = Tables(old, in: oldMovie), let new = Tables(new, in: newMovie) else { return nil }
    self.old = old
    self.new = new
    self.media = media
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
    if let here = old.origins(of: left), here == new.origins(of: right) { return true }
    var done = 0
    while done < left.size {
      let count = min(left.size - done, Self.windowBytes)
      let here = try old.bytes((left.offset + done)..<(left.offset + done + count))
      guard try here == new.bytes((right.offset + done)..<(right.offset + done + count)) else { return false }
      done += count
    }
    return true
  }

  /// Whether the tables with the places of chunks are the same.
  private var hasSamePlaces: Bool {
    let (mine, others) = (old.places, new.places)
    return mine.count == others.count
      && zip(mine, others).allSatisfy { left, right in
        old.origins(of: left).map { $0 == new.origins(of: right) } ?? false
      }
  }

  private func chunkOutcome() throws(SourceError) -> Outcome {
    if hasSamePlaces, media.isUnmoved { return .same }
    let places = media.ranges
    guard let oldChunks = try ChunkExtents(old.table), let newChunks = try ChunkExtents(new.table) else {
      return .unknown
    }
    var chunks = oldChunks, others = newChunks
    guard chunks.count == others.count else { return .different("the number of chunks") }
    /// The distance by which the chunks in each box have moved.
    var moves: [Int: UInt64] = [:]
    /// The boxes with bytes of other origins, of which some are read.
    var unsure: Set<Int> = []
    let step = max(1, chunks.count / Self.probeCount)
    var chunk = -1
    while let (offset, size) = try chunks.nextChunk(), let moved = try others.nextPlace() {
      chunk += 1
      guard let place = media.place(of: offset) else {
        // A chunk beyond the end of the file was there before, too. One that begins in `moov` may extend into
        // media data.
        if offset >= old.source.size ?? 0 { continue }
        return .unknown
      }
      guard let size, size <= places[place].upperBound - offset else { return .unknown }
      if let move = moves[place] {
        guard move == moved &- offset else { return .different("the place of chunk \(chunk + 1)") }
      } else {
        moves[place] = moved &- offset
        if !media.isKept(place, movedBy: moved &- offset) { unsure.insert(place) }
      }
      guard unsure.contains(place), chunk % step == 0 || chunk == chunks.count - 1 else { continue }
      let count = Int(min(Self.probeBytes, places[place].upperBound - offset))
      guard try old.source.read(at: offset, count: count) == new.source.read(at: moved, count: count) else {
        return .different("the bytes of chunk \(chunk + 1)")
      }
    }
    return .same
  }
}

/// The boxes of a file that can contain chunks, and whether another file has them with the same bytes.
final class MediaPlaces {
  /// The ranges of the boxes of the old file, in their order.
  let ranges: [Range<UInt64>]
  /// Whether everything outside of `moov` is where it was, with bytes of the same origin.
  private(set) lazy var isUnmoved = findUnmoved()
  private let old: MovieFile
  private let new: any ByteSource
  private var known: [Move: Bool] = [:]

  private struct Move: Hashable {
    let place: Int
    let distance: UInt64
  }

  init(of old: MovieFile, in new: any ByteSource) {
    self.old = old
    self.new = new
    let size = old.source.size ?? 0
    ranges = (old.tree?.boxes ?? []).filter { $0.type != "moov" }.compactMap { box in
      let end = min(UInt64(clamping: box.fileRange.upperBound), size)
      return UInt64(box.offset) < end ? UInt64(box.offset)..<end : nil
    }
  }

  /// The box that contains a byte; `nil` if none does.
  func place(of offset: UInt64) -> Int? {
    let index = ranges.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && ranges[index].contains(offset) ? index : nil
  }

  /// Whether the new file has all bytes of a box, moved by that distance. Many tracks ask for the same.
  func isKept(_ place: Int, movedBy distance: UInt64) -> Bool {
    let move = Move(place: place, distance: distance)
    if let answer = known[move] { return answer }
    let answer = hasSameOrigins(ranges[place], movedBy: distance)
    known[move] = answer
    return answer
  }

  private func hasSameOrigins(_ range: Range<UInt64>, movedBy distance: UInt64 = 0) -> Bool {
    guard let before = ByteOrigins(of: range, in: old.source) else { return false }
    let start = range.lowerBound &+ distance
    let (end, overflow) = start.addingReportingOverflow(range.upperBound - range.lowerBound)
    return !overflow && before == ByteOrigins(of: start..<end, in: new)
  }

  private func findUnmoved() -> Bool {
    let size = old.source.size ?? 0
    var position: UInt64 = 0
    for box in old.tree?.boxes ?? [] where box.type == "moov" {
      let start = UInt64(clamping: box.offset)
      guard start >= position, start <= size, hasSameOrigins(position..<start) else { return false }
      position = min(size, UInt64(clamping: max(box.offset, box.fileRange.upperBound)))
    }
    return hasSameOrigins(position..<size)
  }
}
