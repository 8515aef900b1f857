// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The sample tables of a track in two files, compared a window at a time: however many samples there are, the memory is the same.
///
/// All tables but those of the chunk offsets must have the same bytes. Of the chunks in one box at the top level of the old file all must
/// have moved alike, and the bytes at some of them are compared.
struct TableComparison {
  private let old: Tables
  private let new: Tables
  /// The boxes of the old file in which chunks can be, in their order.
  private let places: [Range<UInt64>]

  private struct Tables {
    var source: any ByteSource
    var table: Box

    init?(_ track: Track, in movie: MovieFile) {
      guard !movie.container.isFragmented, track.externalDescriptions.isEmpty,
        let path = BoxPath(track.path + "/mdia/minf/stbl"), let table = movie.tree?[path],
        table.structuralProblem == nil
      else { return nil }
      source = movie.source
      self.table = table
    }

    func bytes(_ range: Range<Int>) throws(SourceError) -> ByteView {
      try source.read(UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
  }

  /// The rows of a table, of which a window is in memory.
  private struct Rows {
    let tables: Tables
    let count: Int
    private let start: Int
    private let stride: Int
    private var window = ByteView()
    private var first = 0

    /// - Parameters:
    ///   - head: how many bytes of fields precede the rows, the last four of which count them.
    ///   - stride: how many bytes a row takes.
    init(_ box: Box, in tables: Tables, head: Int, stride: Int) throws(SourceError) {
      self.tables = tables
      self.stride = stride
      start = box.offset + box.headerSize + head
      let stated = try tables.bytes((start - 4)..<start).bigEndian(at: 0, width: 4) ?? 0
      count = min(Int(clamping: stated), max(0, box.fileRange.upperBound - start) / stride)
    }

    /// A number in a row that exists.
    mutating func number(_ row: Int, at offset: Int = 0, width: Int = 4) throws(SourceError) -> UInt64 {
      if row < first || row >= first + window.count / stride {
        first = row
        let end = min(count, row + TableComparison.windowBytes / stride)
        window = try tables.bytes((start + row * stride)..<(start + end * stride))
      }
      return window.bigEndian(at: (row - first) * stride + offset, width: width) ?? 0
    }
  }

  private static let offsets: Set<FourCC> = ["stco", "co64"]
  /// Boxes that an edit changes, or that hold places of the file.
  private static let changing: Set<FourCC> = ["stsd", "stco", "co64", "saio"]
  private static let windowBytes = 1 << 18
  /// At about how many chunks bytes are compared, and how many at one.
  private static let probeCount = 24
  private static let probeBytes: UInt64 = 1 << 16

  /// `nil` where samples are in fragments or in other files, or there is no table that could be compared so.
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

  /// What the comparison has shown.
  enum Outcome {
    case same
    case different(String)
    /// Samples reach over the end of the box that they begin in, or sizes are in a form that is not read here.
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
    guard let oldBox = Self.offsetBox(old), let newBox = Self.offsetBox(new),
      let runBox = old.table.first("stsc"), let sizeBox = old.table.first("stsz")
    else { return .unknown }
    let (oldWidth, newWidth) = (oldBox.type == "stco" ? 4 : 8, newBox.type == "stco" ? 4 : 8)
    var before = try Rows(oldBox, in: old, head: 8, stride: oldWidth)
    var after = try Rows(newBox, in: new, head: 8, stride: newWidth)
    guard before.count == after.count else { return .different("the number of chunks") }
    var sizes = try ChunkSizes(
      runs: Rows(runBox, in: old, head: 8, stride: 12), sizes: Rows(sizeBox, in: old, head: 12, stride: 4),
      equal: old.bytes(
        (sizeBox.offset + sizeBox.headerSize + 4)..<(sizeBox.offset + sizeBox.headerSize + 8)
      ).bigEndian(at: 0, width: 4) ?? 0)
    /// By how much the chunks in each place have moved.
    var moves: [Int: UInt64] = [:]
    let step = max(1, before.count / Self.probeCount)
    for chunk in 0..<before.count {
      let size = try sizes.next(chunk)
      let offset = try before.number(chunk, width: oldWidth)
      guard let place = place(of: offset) else {
        // What lies beyond the file did so before. What begins in the box of the movie may reach into media data.
        if offset >= old.source.size ?? 0 { continue }
        return .unknown
      }
      guard let size, size <= places[place].upperBound - offset else { return .unknown }
      let moved = try after.number(chunk, width: newWidth)
      guard moves[place, default: moved &- offset] == moved &- offset else {
        return .different("the place of chunk \(chunk + 1)")
      }
      moves[place] = moved &- offset
      guard chunk % step == 0 || chunk == before.count - 1 else { continue }
      let count = Int(min(Self.probeBytes, places[place].upperBound - offset))
      guard try old.source.read(at: offset, count: count) == new.source.read(at: moved, count: count) else {
        return .different("the bytes of chunk \(chunk + 1)")
      }
    }
    return .same
  }

  private static func offsetBox(_ tables: Tables) -> Box? {
    tables.table.children.first { offsets.contains($0.type) }
  }

  /// How many bytes each chunk has, in their order.
  private struct ChunkSizes {
    var runs: Rows
    var sizes: Rows
    /// The size of every sample; 0 where each has its own.
    let equal: UInt64
    private var run = 0
    private var sample = 0

    init(runs: Rows, sizes: Rows, equal: UInt64) {
      self.runs = runs
      self.sizes = sizes
      self.equal = equal
    }

    /// The size of the next chunk; `nil` where the tables do not say it.
    mutating func next(_ chunk: Int) throws(SourceError) -> UInt64? {
      while run + 1 < runs.count, try runs.number(run + 1) <= UInt64(chunk) + 1 { run += 1 }
      guard run < runs.count, try runs.number(run) <= UInt64(chunk) + 1 else { return nil }
      let count = try runs.number(run, at: 4)
      // Both have 32 bits.
      if equal > 0 { return equal &* count }
      var size: UInt64 = 0
      let end = min(sample + Int(clamping: count), sizes.count)
      while sample < end {
        size &+= try sizes.number(sample)
        sample += 1
      }
      return size
    }
  }

  private func place(of offset: UInt64) -> Int? {
    let index = places.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && places[index].contains(offset) ? index : nil
  }
}
