// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// A table of chunk offsets (`stco`, `co64`) that is too large to be held, read a window at a time.
struct StoredOffsets: Sendable {
  /// The fields of the box in its file: flags, number of rows, rows, and whatever follows them.
  private let fields: Range<Int>
  let origin: BoxOrigin
  let isWide: Bool
  let count: Int

  /// `nil` for another box, for one that is in memory, and where the rows are not all there.
  init?(_ box: Box) throws(ParseError) {
    guard box.type == "stco" || box.type == "co64", box.registration?.payloadType != nil, !box.isLoaded,
      !box.isNew, box.replacement == nil
    else { return nil }
    let start = box.offset + box.headerSize
    guard start + 8 <= box.fileRange.upperBound else { return nil }
    origin = box.kind.origin
    isWide = box.type == "co64"
    let rows = try origin.bytes((start + 4)..<(start + 8)).bigEndian(at: 0, width: 4) ?? 0
    count = Int(clamping: rows)
    fields = start..<box.fileRange.upperBound
    guard count <= (fields.count - 8) / width else { return nil }
  }

  var width: Int { isWide ? 8 : 4 }
  /// How many bytes precede the rows.
  static var headBytes: Int { 8 }
  /// What follows the rows.
  var rest: Range<Int> { (fields.lowerBound + Self.headBytes + count * width)..<fields.upperBound }

  func flags() throws(ParseError) -> ByteView {
    try origin.bytes(fields.lowerBound..<(fields.lowerBound + 4))
  }

  /// Calls `body` with each offset of some rows.
  func forEach(
    _ rows: Range<Int>, _ body: (UInt64) throws(ParseError) -> Void
  ) throws(ParseError) {
    let window = (1 << 18) / width
    var row = rows.lowerBound
    while row < rows.upperBound {
      let next = min(rows.upperBound, row + window)
      let start = fields.lowerBound + Self.headBytes
      let bytes = try origin.bytes((start + row * width)..<(start + next * width))
      for index in 0..<(next - row) {
        try body(isWide ? bytes.word64(index) : UInt64(bytes.word32(index)))
      }
      row = next
    }
  }
}

/// The fields of a table of chunk offsets with those of the output, made when they are read.
struct RelocatedOffsets: ByteSource {
  private let old: StoredOffsets
  private let map: OffsetMap
  private let isWide: Bool

  init(_ old: StoredOffsets, _ map: OffsetMap, isWide: Bool) {
    (self.old, self.map, self.isWide) = (old, map, isWide)
  }

  private var width: Int { isWide ? 8 : 4 }
  private var rowsEnd: Int { StoredOffsets.headBytes + old.count * width }
  var count: Int { rowsEnd + old.rest.count }
  var size: UInt64? { UInt64(count) }

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = Int(min(range.upperBound, UInt64(count)))
    guard range.lowerBound < UInt64(end) else { return .empty(at: range.lowerBound) }
    let start = Int(range.lowerBound)
    do {
      var bytes: [UInt8] = []
      var first = start
      if start < StoredOffsets.headBytes {
        bytes += try old.flags().array
        bytes.appendBigEndian(UInt64(old.count), width: 4)
        first = 0
      }
      let low = max(0, start - StoredOffsets.headBytes) / width
      let high = min(old.count, max(0, end - StoredOffsets.headBytes + width - 1) / width)
      if low < high {
        if first > 0 { first = StoredOffsets.headBytes + low * width }
        bytes.reserveCapacity(bytes.count + (high - low) * width)
        var places = map.places(in: old.origin)
        try old.forEach(low..<high) { (offset) throws(ParseError) in
          bytes.appendBigEndian(try places.new(offset), width: width)
        }
      }
      if end > rowsEnd {
        if start > rowsEnd { first = rowsEnd }
        bytes += try old.origin.bytes(old.rest).array
      }
      return ByteView(bytes).suffix(from: start - first).prefix(end - start).copy(at: range.lowerBound)
    } catch {
      throw SourceError(.other("\(error)"), offset: range.lowerBound)
    }
  }
}

extension OffsetMap {
  /// Finds the new places of many bytes of one file, most of which are close together.
  struct Places {
    fileprivate let map: OffsetMap
    fileprivate let origin: BoxOrigin
    private var last: (old: Range<UInt64>, new: UInt64) = (0..<0, 0)

    fileprivate init(_ map: OffsetMap, _ origin: BoxOrigin) { (self.map, self.origin) = (map, origin) }

    /// The new place of a byte, which must be written.
    mutating func new(_ offset: UInt64) throws(ParseError) -> UInt64 {
      if last.old.contains(offset) { return last.new + (offset - last.old.lowerBound) }
      if let stretch = map.stretch(containing: offset, of: origin) {
        last = (
          UInt64(stretch.old.lowerBound)..<UInt64(stretch.old.upperBound), UInt64(stretch.new)
        )
        return last.new + (offset - last.old.lowerBound)
      }
      guard let new = map.new(offset, of: origin) else { throw Relocation.lost(offset, "chunk_offset") }
      return new
    }
  }

  /// For many bytes of a file.
  func places(in origin: BoxOrigin) -> Places { Places(self, origin) }
}
