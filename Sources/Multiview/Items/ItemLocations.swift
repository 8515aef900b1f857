// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF

/// Where the bytes of the items of a file are. ISO/IEC 14496-12, 8.11.3
struct ItemLocations {
  private var locations: [UInt32: ItemLocationBox.Item] = [:]
  private var protected: Set<UInt32> = []
  /// Where the bytes of `idat` are.
  private let itemData: Range<UInt64>?
  private let movie: MovieFile

  init(_ meta: Box, in tree: BoxTree, of movie: MovieFile) {
    self.movie = movie
    itemData = meta.first("idat").map { box -> Range<UInt64> in
      let range = box.fileRange, start = min(range.upperBound, range.lowerBound + box.headerSize)
      return UInt64(clamping: start)..<UInt64(clamping: range.upperBound)
    }
    for location in tree.first(ItemLocationBox.self, in: meta)?.items ?? []
    where locations[location.itemID] == nil {
      locations[location.itemID] = location
    }
    for box in meta.first("iinf")?.all("infe") ?? [] {
      guard let entry = tree.whole(box).payload(ItemInfoEntryBox.self) else { continue }
      if entry.itemProtectionIndex != 0 { protected.insert(entry.itemID) }
    }
  }

  /// The bytes of an item.
  subscript(id: UInt32) -> ItemBytes {
    let (pieces, obstacle) = places(id)
    return ItemBytes(
      id: id, obstacle: obstacle, pieces: pieces, source: movie.source, limit: movie.limits.maximumSampleBytes
    )
  }

  /// The bytes of the item in the file, or why they are not there.
  private func places(_ id: UInt32) -> ([Range<UInt64>], String?) {
    if protected.contains(id) { return ([], "is encrypted") }
    guard let location = locations[id] else { return ([], "has no location in the file (iloc)") }
    guard location.dataReferenceIndex == 0 else { return ([], "is in another file") }
    let room: Range<UInt64>
    switch location.constructionMethod {
    case .file: room = 0..<min(movie.source.size ?? .max, UInt64(Int64.max))
    case .itemData:
      guard let itemData else { return ([], "is in an idat box that is missing") }
      room = itemData
    default: return ([], "is assembled from other items")
    }
    var extents = location.extents
    if extents.isEmpty, location.bareExtentCount > 0 { extents = [ItemLocationBox.Extent()] }
    var pieces: [Range<UInt64>] = []
    for extent in extents {
      let (start, isTooFar) = location.baseOffset.addingReportingOverflow(extent.offset)
      guard !isTooFar, start <= room.upperBound - room.lowerBound else {
        return ([], "lies beyond the end of the file")
      }
      let first = room.lowerBound + start
      let length = extent.length == 0 ? room.upperBound - first : extent.length
      guard length <= room.upperBound - first else { return ([], "lies beyond the end of the file") }
      pieces.append(first..<(first + length))
    }
    return (pieces, nil)
  }
}

/// The bytes of an item, wherever they are.
struct ItemBytes: Sendable {
  let id: UInt32
  /// Why they cannot be read; `nil` if they can.
  let obstacle: String?
  let pieces: [Range<UInt64>]
  let source: any ByteSource
  let limit: Int

  /// How many they are.
  var byteCount: UInt64 {
    pieces.reduce(0) { min($0, 1 << 62) + min($1.upperBound - $1.lowerBound, 1 << 62) }
  }

  /// Reads them: fewer where the file has ended.
  ///
  /// - Throws: `SourceError` if the file cannot be read, or the item has more bytes than the limits allow.
  func read() throws(SourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      guard piece.count <= limit - bytes.count else {
        throw SourceError(
          .other("item \(id) has more than \(limit) bytes (maximumSampleBytes)"), offset: piece.lowerBound)
      }
      let found = try source.read(piece)
      bytes += found.array
      guard found.count == piece.count else { break }
    }
    return bytes
  }
}

extension MovieFile {
  /// The ranges of the file that have the bytes of its items.
  package var itemRanges: [Range<UInt64>] {
    guard let tree, let meta = tree.first("meta"), let items else { return [] }
    let locations = ItemLocations(meta, in: tree, of: self)
    return items.items.flatMap { locations[$0.id].pieces }
  }
}
