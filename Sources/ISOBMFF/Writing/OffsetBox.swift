// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A box whose fields are absolute file offsets, or sizes derived from them. It is written with those of the
/// output.
final class OffsetBox {
  let box: Box
  let path: String
  /// The file that the offsets refer to.
  let data: DataPlace
  /// The enclosing box, whose size is in `mfro`.
  weak var parent: LayoutNode?
  /// Whether something depends on sizes in a `sidx` that would have to change with it.
  var sizesAreFixed = false
  private let ownFields: ByteView?
  private let mayReachEnd: Bool
  private var replacement: (type: FourCC, fields: Fields)?
  /// Once offsets have 64 bits, they keep them: otherwise a box could grow and shrink forever.
  private(set) var isWide = false

  /// The form in which the fields are written.
  private enum Fields {
    case bytes(ByteView)
    /// Offsets that are computed when they are read.
    case offsets(RelocatedOffsets)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .offsets(let offsets): offsets.count
      }
    }
  }

  /// Where the media data of a track is.
  enum DataPlace {
    case thisFile
    case otherFiles
    case both
  }

  /// - Parameters:
  ///   - ownFields: the fields of a box that has been edited.
  ///   - mayReachEnd: whether the size of the box may be written as extending to the end.
  init(_ box: Box, path: String, data: DataPlace, ownFields: ByteView?, mayReachEnd: Bool) {
    self.box = box
    self.path = path
    self.data = data
    self.ownFields = ownFields
    self.mayReachEnd = mayReachEnd
  }

  private var frame: BoxFrame {
    get throws(ParseError) { try BoxFrame(box, type: replacement?.type, mayReachEnd: mayReachEnd) }
  }

  private var fields: Fields? { replacement?.fields ?? ownFields.map { .bytes($0) } }

  func size() throws(ParseError) -> Int {
    guard let fields else { return box.size }
    let frame = try frame
    frame.setBody(fields.count)
    return frame.headerSize + fields.count
  }

  func emit(size: Int, into pieces: inout PieceCollector) throws(ParseError) {
    guard let fields else {
      return try pieces.append(box.fileRange, of: box.kind.origin, loaded: box.bytes)
    }
    let frame = try frame
    frame.setBody(fields.count)
    pieces.append(try frame.header(size: size))
    switch fields {
    case .bytes(let bytes): pieces.append(bytes)
    case .offsets(let offsets): pieces.append(allOf: offsets)
    }
  }

  /// The position of the box in its file, if it is written unchanged.
  var keptRange: Range<Int>? {
    get throws(ParseError) {
      guard !box.isNew else { return nil }
      switch fields {
      case nil: return box.fileRange
      case .offsets?: return nil
      case .bytes(let bytes)?:
        let body = (box.offset + box.headerSize)..<max(box.offset + box.headerSize, box.fileRange.upperBound)
        return try box.kind.origin.has(bytes, at: body) ? box.fileRange : nil
      }
    }
  }

  /// Updates the offsets to the positions in `map`.
  ///
  /// - Returns: whether the size of the box has changed.
  func relocate(_ map: OffsetMap, start: Int, size: Int) throws(ParseError) -> Bool {
    guard data != .otherFiles else { return false }
    do throws(ParseError) {
      let sizeBefore = try self.size()
      guard let new = try relocated(map, start: start, size: size) else {
        replacement = nil
        return try self.size() != sizeBefore
      }
      if data == .both {
        throw ParseError(
          .invalid("has offsets into this file and into others, and which of them moved is unknown"),
          offset: box.offset)
      }
      if sizesAreFixed {
        throw ParseError(
          .invalid("has sizes that an ssix subdivides; remove both boxes to write the movie"),
          offset: box.offset)
      }
      isWide = new.isWide
      replacement = (new.type, new.fields)
      return try self.size() != sizeBefore
    } catch {
      throw error.inPath(path)
    }
  }

  /// The new fields of the box; `nil` if nothing changes.
  private func relocated(
    _ map: OffsetMap, start: Int, size: Int
  ) throws(ParseError) -> (type: FourCC, fields: Fields, isWide: Bool)? {
    if let stored = try StoredOffsets(box) { return try relocated(stored, map) }
    let old = try old()
    var relocation = Relocation(map: map, origin: box.kind.origin, isWide: isWide)
    let new = try relocation.relocated(
      old.payload, ends: (UInt64(clamping: box.fileRange.upperBound), UInt64(clamping: start + size)),
      parent: parent.map { ($0.size, $0.originalSize) })
    guard let new else { return nil }
    return (
      new.type ?? box.type,
      .bytes(new.fields.count == 0 ? new.fields : joined(new.fields, old.unread)), relocation.isWide
    )
  }

  /// The same for a table that is too large for memory.
  private func relocated(
    _ stored: StoredOffsets, _ map: OffsetMap
  ) throws(ParseError) -> (type: FourCC, fields: Fields, isWide: Bool)? {
    var isWide = isWide || stored.isWide
    var hasChanged = isWide != stored.isWide
    var places = map.places(in: stored.origin)
    try stored.forEach(0..<stored.count) { (offset) throws(ParseError) in
      let new = try places.new(offset)
      if new != offset { hasChanged = true }
      // ISO/IEC 14496-12, 8.7.5
      if new > UInt64(UInt32.max), !isWide { (isWide, hasChanged) = (true, true) }
    }
    guard hasChanged else { return nil }
    return (isWide ? "co64" : "stco", .offsets(RelocatedOffsets(stored, map, isWide: isWide)), isWide)
  }

  private func old() throws(ParseError) -> (payload: any BoxPayload, unread: ByteView) {
    if let replacement = box.replacement { return replacement }
    guard let decoding = try box.whole().decodeLoadedPayload() else {
      throw ParseError(.missing("the payload"), offset: box.offset)
    }
    if let error = decoding.error { throw error }
    return (decoding.payload, decoding.unread)
  }

  private func joined(_ fields: ByteView, _ unread: ByteView) -> ByteView {
    unread.isEmpty ? fields : ByteView(fields.array + unread.array)
  }
}

extension LayoutNode {
  /// How many bytes the box has in the file that it comes from; `nil` if it is new.
  var originalSize: Int? {
    if case .box(let frame, _) = content, let original = frame.original, !original.isNew {
      original.size
    } else {
      nil
    }
  }
}
