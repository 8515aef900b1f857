// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Updates fields that contain absolute offsets to those of the output.
struct Relocation {
  let map: OffsetMap
  let origin: BoxOrigin
  /// Whether 64 bits are needed, or were used before.
  var isWide: Bool

  typealias Result = (type: FourCC?, fields: ByteView)

  /// The fields with new offsets; `nil` if none changes.
  ///
  /// - Parameters:
  ///   - ends: where the box ends in the file, and in the output.
  ///   - parent: the size of the enclosing box in the output, and in the file.
  mutating func relocated(
    _ payload: any BoxPayload, ends: (old: UInt64, new: UInt64), parent: (new: Int, old: Int?)?
  ) throws(ParseError) -> Result? {
    switch payload {
    case let table as ChunkOffsetBox:
      try offsets(flags: table.flags, table.entries.count, isStoredWide: false) {
        UInt64(table.entries[$0].value)
      }
    case let table as ChunkLargeOffsetBox:
      try offsets(flags: table.flags, table.entries.count, isStoredWide: true) { table.entries[$0].value }
    case let box as SampleAuxiliaryInformationOffsetsBox: try auxiliaryOffsets(box)
    case let box as ItemLocationBox: try locations(box)
    case let box as SegmentIndexBox: try index(box, ends)
    case let box as TrackFragmentRandomAccessBox: try randomAccess(box)
    case var box as MovieFragmentRandomAccessOffsetBox:
      try {
        () throws(ParseError) -> Result? in
        guard let parent, parent.new != parent.old else { return nil }
        box.parentSize = UInt32(clamping: parent.new)
        return (nil, ByteView(try box.encoded()))
      }()
    default: nil
    }
  }

  /// The new position of a byte; throws if it is not written.
  func new(_ offset: UInt64, _ field: StaticString) throws(ParseError) -> UInt64 {
    guard let new = map.new(offset, of: origin) else { throw Self.lost(offset, field) }
    return new
  }

  static func lost(_ offset: UInt64, _ field: StaticString) -> ParseError {
    ParseError(
      .invalid("points to byte \(offset), which is not written: it was removed, or replaced by an edit"),
      offset: Int(clamping: offset), field: field.description)
  }

  // MARK: Chunks

  private mutating func offsets(
    flags: UInt32, _ count: Int, isStoredWide: Bool, _ value: (Int) -> UInt64
  ) throws(ParseError) -> Result? {
    if !isWide { isWide = isStoredWide }
    var hasChanged = isWide != isStoredWide
    var bytes: [UInt8] = []
    func begin(_ width: Int) {
      bytes.removeAll()
      bytes.reserveCapacity(8 + count * width)
      bytes.appendBigEndian(UInt64(flags), width: 4)
      bytes.appendBigEndian(UInt64(clamping: count), width: 4)
    }
    begin(isWide ? 8 : 4)
    var index = 0
    while index < count {
      let old = value(index)
      let new = try new(old, "chunk_offset")
      if new != old { hasChanged = true }
      if new > UInt64(UInt32.max), !isWide {
        // Start again, with 64-bit offsets. ISO/IEC 14496-12, 8.7.5
        isWide = true
        hasChanged = true
        begin(8)
        index = 0
        continue
      }
      bytes.appendBigEndian(new, width: isWide ? 8 : 4)
      index += 1
    }
    return hasChanged ? (isWide ? "co64" : "stco", ByteView(bytes)) : nil
  }

  private mutating func auxiliaryOffsets(
    _ box: SampleAuxiliaryInformationOffsetsBox
  ) throws(ParseError) -> Result? {
    var new = box
    for index in new.offsets.indices { new.offsets[index] = try self.new(new.offsets[index], "offset") }
    if new.offsets.contains(where: { $0 > UInt64(UInt32.max) }) { isWide = true }
    if isWide { new.version = 1 }
    return new == box ? nil : (nil, ByteView(try new.encoded()))
  }

  // MARK: Items

  /// Only items with the construction method `file` have offsets in the file. ISO/IEC 14496-12, 8.11.3
  private func locations(_ box: ItemLocationBox) throws(ParseError) -> Result? {
    var new = box
    for index in new.items.indices {
      let item = new.items[index]
      guard item.constructionMethod == .file else { continue }
      guard item.dataReferenceIndex == 0 else {
        try checkReferenced(item)
        continue
      }
      if item.extents.isEmpty {
        if item.baseOffset > 0 { new.items[index].baseOffset = try self.new(item.baseOffset, "base_offset") }
        continue
      }
      let old = item.extents.map { $0.offset &+ item.baseOffset }
      var moved: [UInt64] = []
      for offset in old { moved.append(try self.new(offset, "extent_offset")) }
      guard moved != old else { continue }
      if box.baseOffsetSize > 0, item.baseOffset > 0,
        zip(old, moved).allSatisfy({ $1 &- $0 == moved[0] &- old[0] })
      {
        new.items[index].baseOffset = item.baseOffset &+ (moved[0] &- old[0])
      } else {
        let base = min(item.baseOffset, moved.min() ?? 0)
        new.items[index].baseOffset = base
        for (extent, offset) in moved.enumerated() { new.items[index].extents[extent].offset = offset - base }
      }
    }
    guard new != box else { return nil }
    let items = new.items.filter { $0.constructionMethod == .file }
    let highestBase = items.map(\.baseOffset).max() ?? 0
    let highest = items.flatMap { $0.extents.map(\.offset) }.max() ?? 0
    new.baseOffsetSize = max(new.baseOffsetSize, Self.width(highestBase))
    new.offsetSize = max(new.offsetSize, Self.width(highest))
    return (nil, ByteView(try new.encoded()))
  }

  /// Refuses an item with a data reference if its offsets would change: only the entry of the reference says
  /// whether it is this file or another one.
  private func checkReferenced(_ item: ItemLocationBox.Item) throws(ParseError) {
    for extent in item.extents {
      let old = extent.offset &+ item.baseOffset
      guard let new = try? self.new(old, "extent_offset"), new != old else { continue }
      throw ParseError(
        .invalid(
          "item \(item.itemID) is located by data reference \(item.dataReferenceIndex), which is not resolved: "
            + "its location would change in the new file"),
        offset: 0, field: "extent_offset", path: "iloc")
    }
  }

  private static func width(_ value: UInt64) -> UInt8 {
    value == 0 ? 0 : value <= UInt64(UInt32.max) ? 4 : 8
  }

  // MARK: Fragments

  /// The positions in a `sidx` count from its end, and each from the end of the previous one.
  /// ISO/IEC 14496-12, 8.16.3
  private mutating func index(
    _ box: SegmentIndexBox, _ ends: (old: UInt64, new: UInt64)
  ) throws(ParseError) -> Result? {
    let (first, overflow) = ends.old.addingReportingOverflow(box.firstOffset)
    guard !overflow else { throw Self.lost(.max, "first_offset") }
    var new = box
    var oldStart = first
    var newStart = try self.new(oldStart, "first_offset")
    guard newStart >= ends.new else {
      throw ParseError(
        .invalid("would come after what it refers to"), offset: Int(clamping: ends.old), field: "sidx")
    }
    new.firstOffset = newStart - ends.new
    var references: [SegmentIndexBox.Reference] = []
    for reference in box.references {
      var reference = reference
      let oldEnd = oldStart &+ UInt64(reference.referencedSize)
      guard let newEnd = reference.referencedSize == 0 ? newStart : map.newEnd(oldEnd, of: origin) else {
        throw Self.lost(oldEnd, "referenced_size")
      }
      guard newEnd >= newStart, newEnd - newStart < 1 << 31 else {
        throw ParseError(
          .invalid("refers to subsegments that are no longer in their original order"),
          offset: Int(clamping: oldStart), field: "referenced_size")
      }
      // Bytes inserted between two segments belong to the first one.
      reference.referencedSize = UInt32(truncatingIfNeeded: newEnd - newStart)
      references.append(reference)
      (oldStart, newStart) = (oldEnd, newEnd)
    }
    new.references = try PackedTable(references)
    if new.firstOffset > UInt64(UInt32.max) { isWide = true }
    if isWide { new.version = 1 }
    return new == box ? nil : (nil, ByteView(try new.encoded()))
  }

  private mutating func randomAccess(_ box: TrackFragmentRandomAccessBox) throws(ParseError) -> Result? {
    var entries: [TrackFragmentRandomAccessBox.Entry] = []
    for entry in box.entries {
      var entry = entry
      entry.moofOffset = try self.new(entry.moofOffset, "moof_offset")
      if entry.moofOffset > UInt64(UInt32.max) { isWide = true }
      entries.append(entry)
    }
    var format = box.entries.format
    if isWide { format.isWide = true }
    var new = box
    new.entries = try FormattedTable(entries, as: format)
    return new == box ? nil : (nil, ByteView(try new.encoded()))
  }
}
