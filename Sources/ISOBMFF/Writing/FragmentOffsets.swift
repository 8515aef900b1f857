// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A movie fragment: its offsets are relative to a base, which may be absolute or the fragment itself.
final class FragmentOffsets {
  let box: Box
  let path: String
  /// The fragment as it is written, if it was edited; otherwise `nil`.
  private let edited: LayoutNode?
  private let externalTracks: ExternalTracks
  private(set) var start = 0
  /// Fields that change: their distance from the start of the fragment, and their bytes.
  private var patches: [(offset: Int, bytes: [UInt8])] = []

  init(_ box: Box, path: String, edited: LayoutNode?, _ externalTracks: ExternalTracks) {
    self.box = box
    self.externalTracks = externalTracks
    self.path = path
    self.edited = edited
  }

  func place(at position: Int) throws(ParseError) -> Int {
    start = position
    guard let edited else { return box.size }
    _ = try edited.place(at: position)
    return edited.size
  }

  func map(into map: inout OffsetMap) {
    if let edited { return edited.map(into: &map) }
    map.add(box.fileRange, at: start, of: box.kind.origin)
  }

  func emit(into pieces: inout PieceCollector) throws(ParseError) {
    if let edited {
      if patches.isEmpty { return try edited.emit(into: &pieces) }
      return pieces.append(ByteView(patched(try written(edited).array)))
    }
    var position = 0
    for patch in patches.sorted(by: { $0.offset < $1.offset }) {
      try copy(position..<patch.offset, into: &pieces)
      pieces.append(ByteView(patch.bytes))
      position = patch.offset + patch.bytes.count
    }
    try copy(position..<box.size, into: &pieces)
  }

  private func copy(_ range: Range<Int>, into pieces: inout PieceCollector) throws(ParseError) {
    try pieces.append(
      (box.offset + range.lowerBound)..<(box.offset + range.upperBound), of: box.kind.origin,
      loaded: box.isLoaded ? box.bytes.slice(range) ?? ByteView() : ByteView())
  }

  private func patched(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for patch in patches {
      bytes.replaceSubrange(patch.offset..<(patch.offset + patch.bytes.count), with: patch.bytes)
    }
    return bytes
  }

  private func written(_ node: LayoutNode) throws(ParseError) -> ByteView {
    var collector = PieceCollector()
    try node.emit(into: &collector)
    return ByteView(try collector.finish().encoded(limit: box.kind.origin.limits.maximumBoxBytes))
  }

  // MARK: Offsets

  /// Updates the offsets to the positions in `map`. None of them changes its size.
  func relocate(_ map: OffsetMap) throws(ParseError) {
    patches = []
    guard !box.isNew else { return }
    do throws(ParseError) {
      let moof: Box
      if let edited {
        let tree = BoxTree(try written(edited), registry: box.kind.origin.registry)
        guard let first = tree.boxes.first else { return }
        moof = first
      } else {
        moof = try box.whole()
      }
      for (index, traf) in moof.all("traf").enumerated() {
        do { try relocate(traf, isFirst: index == 0, start: moof.offset, map) } catch {
          throw error.inPath("traf[\(index)]")
        }
      }
    } catch {
      throw error.inPath(path)
    }
  }

  private func relocate(
    _ traf: Box, isFirst: Bool, start moofStart: Int, _ map: OffsetMap
  ) throws(ParseError) {
    guard let header = traf.first("tfhd"), let fields = header.payload(TrackFragmentHeaderBox.self),
      !externalTracks.contain(fields)
    else { return }
    let relocation = Relocation(map: map, origin: box.kind.origin, isWide: true)
    let oldBase: Int, newBase: Int
    // ISO/IEC 14496-12, 8.8.7: what the offsets of a run are relative to.
    if let base = fields.baseDataOffset {
      let new = try relocation.new(base, "base_data_offset")
      if new != base {
        patch(header.offset - moofStart + header.headerSize + 8, UInt64(new), width: 8)
      }
      (oldBase, newBase) = (Int(clamping: base), Int(clamping: new))
    } else {
      // In a fragment without a base, the first run begins at the fragment, and each further one where the
      // previous one ended: so all must have moved by the same distance, which is checked here.
      (oldBase, newBase) = (box.offset, start)
    }
    let isChained = fields.baseDataOffset == nil && !fields.isDefaultBaseMoof && !isFirst
    for child in traf.children {
      if child.type == "trun", let run = child.payload(TrackRunBox.self), let offset = run.dataOffset {
        let moved = try moved(Int(offset), from: oldBase, to: newBase, relocation, "data_offset")
        guard moved != Int(offset) else { continue }
        guard !isChained, let narrow = Int32(exactly: moved) else { throw cannotMove(child, "data_offset") }
        patch(
          child.offset - moofStart + child.headerSize + 8, UInt64(UInt32(bitPattern: narrow)), width: 4)
      } else if child.type == "saio", let places = child.payload(SampleAuxiliaryInformationOffsetsBox.self) {
        let width = places.version == 0 ? 4 : 8
        var position = child.offset - moofStart + child.headerSize + 8 + (places.flags & 1 != 0 ? 8 : 0)
        for offset in places.offsets {
          let moved = try moved(Int(clamping: offset), from: oldBase, to: newBase, relocation, "offset")
          if moved != Int(clamping: offset) {
            guard !isChained, moved >= 0, width == 8 || moved <= Int(UInt32.max) else {
              throw cannotMove(child, "offset")
            }
            patch(position, UInt64(moved), width: width)
          }
          position += width
        }
      }
    }
  }

  private func moved(
    _ offset: Int, from oldBase: Int, to newBase: Int, _ relocation: Relocation, _ field: StaticString
  ) throws(ParseError) -> Int {
    let (old, overflow) = oldBase.addingReportingOverflow(offset)
    guard !overflow, old >= 0 else { return offset }
    return Int(clamping: try relocation.new(UInt64(old), field)) - newBase
  }

  private func cannotMove(_ child: Box, _ field: StaticString) -> ParseError {
    ParseError(
      .invalid("cannot represent the new distance between the data and the fragment"),
      offset: child.offset,
      field: field.description, path: "\(child.type)")
  }

  private func patch(_ offset: Int, _ value: UInt64, width: Int) {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(value, width: width)
    patches.append((offset, bytes))
  }
}
