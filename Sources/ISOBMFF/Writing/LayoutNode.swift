// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A part of the output whose size is known before any of it is written.
final class LayoutNode {
  enum Content {
    /// Bytes of a file, unchanged.
    case span(BoxOrigin, Range<Int>, loaded: ByteView)
    /// Bytes in memory, and the bytes of a file that they replace.
    case bytes(ByteView, replacing: (BoxOrigin, Range<Int>)?)
    /// A box: a newly written header, and what follows it.
    case box(BoxFrame, [LayoutNode])
    /// A box whose fields are absolute offsets.
    case offsets(OffsetBox)
    /// A movie fragment.
    case fragment(FragmentOffsets)
  }

  let content: Content
  private(set) var size = 0
  private(set) var start = 0

  init(_ content: Content) { self.content = content }

  /// Computes the sizes, and gives each part its position; returns where the next one begins.
  func place(at position: Int) throws(ParseError) -> Int {
    start = position
    switch content {
    case .span(_, let range, _): size = range.count
    case .bytes(let bytes, _): size = bytes.count
    case .offsets(let box): size = try box.size()
    case .fragment(let fragment): size = try fragment.place(at: position)
    case .box(let frame, let parts):
      // The header depends on the size of what follows, but that does not depend on the header's position.
      var inside = 0
      for part in parts {
        _ = try part.place(at: 0)
        inside = try sum(inside, part.size)
      }
      frame.setBody(inside)
      size = try sum(frame.headerSize, inside)
      var next = try sum(position, frame.headerSize)
      for part in parts { next = try part.move(to: next) }
    }
    return try sum(position, size)
  }

  private func move(to position: Int) throws(ParseError) -> Int {
    start = position
    switch content {
    case .box(let frame, let parts):
      var next = try sum(position, frame.headerSize)
      for part in parts { next = try part.move(to: next) }
    case .fragment(let fragment): _ = try fragment.place(at: position)
    default: break
    }
    return try sum(position, size)
  }

  private func sum(_ left: Int, _ right: Int) throws(ParseError) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    guard !overflow else {
      throw ParseError(
        .invalidSize(UInt64(clamping: left), reason: "cannot grow: no file can be larger"), offset: 0)
    }
    return sum
  }

  /// Records where the bytes of files are now.
  func map(into map: inout OffsetMap) {
    switch content {
    case .span(let origin, let range, _): map.add(range, at: start, of: origin)
    case .bytes(let bytes, let replacing?):
      if replacing.1.count == bytes.count { map.add(replacing.1, at: start, of: replacing.0) }
    case .bytes: break
    case .box(let frame, let parts):
      if let old = frame.original, !old.isNew {
        let header = old.offset..<(old.offset + min(old.headerSize, frame.headerSize))
        map.add(header, at: start, of: old.kind.origin)
      }
      for part in parts { part.map(into: &map) }
    case .offsets(let box):
      if !box.box.isNew {
        let range = box.box.fileRange
        map.add(size == range.count ? range : range.prefix(8), at: start, of: box.box.kind.origin)
      }
    case .fragment(let fragment): fragment.map(into: &map)
    }
  }

  /// Records where bytes of files are that are written unchanged.
  func mapKept(into map: inout OffsetMap) throws(ParseError) {
    switch content {
    case .span(let origin, let range, _): map.add(range, at: start, of: origin)
    case .bytes(let bytes, let replacing?):
      // Newly written bytes may be the same as before.
      if try replacing.0.has(bytes, at: replacing.1) { map.add(replacing.1, at: start, of: replacing.0) }
    case .bytes, .fragment: break
    case .box(let frame, let parts):
      if let header = frame.keptHeader(size: size) { map.add(header, at: start, of: frame.origin) }
      for part in parts { try part.mapKept(into: &map) }
    case .offsets(let box):
      if let range = try box.keptRange { map.add(range, at: start, of: box.box.kind.origin) }
    }
  }

  /// Calls `body` with every part that contains offsets.
  func forEachOffsets(
    _ body: (LayoutNode) throws(ParseError) -> Void
  ) throws(ParseError) {
    switch content {
    case .span, .bytes: break
    case .box(_, let parts): for part in parts { try part.forEachOffsets(body) }
    case .offsets, .fragment: try body(self)
    }
  }

  /// Adds the bytes to the plan.
  func emit(into pieces: inout PieceCollector) throws(ParseError) {
    switch content {
    case .span(let origin, let range, let loaded): try pieces.append(range, of: origin, loaded: loaded)
    case .bytes(let bytes, _): pieces.append(bytes)
    case .box(let frame, let parts):
      pieces.append(try frame.header(size: size))
      for part in parts { try part.emit(into: &pieces) }
    case .offsets(let box): try box.emit(size: size, into: &pieces)
    case .fragment(let fragment): try fragment.emit(into: &pieces)
    }
  }
}

extension BoxOrigin {
  /// Whether the file has these bytes in a range.
  func has(_ bytes: ByteView, at range: Range<Int>) throws(ParseError) -> Bool {
    guard bytes.count == range.count else { return false }
    guard !bytes.isEmpty else { return true }
    return try self.bytes(range) == bytes
  }
}

extension Range<Int> {
  fileprivate func prefix(_ count: Int) -> Range<Int> {
    lowerBound..<Swift.min(lowerBound + count, upperBound)
  }
}

/// The header of a box that is newly written.
final class BoxFrame {
  let type: FourCC
  let userType: ByteView?
  /// The box in the file, if there is one.
  let original: Box?
  /// Whether the size of the box may be written as extending to the end.
  let mayReachEnd: Bool
  /// The file that the box comes from.
  let origin: BoxOrigin
  private let sizeForm: BoxHeader.SizeForm
  private(set) var isLarge = false

  init(_ box: Box, type: FourCC? = nil, mayReachEnd: Bool) throws(ParseError) {
    self.type = type ?? box.type
    userType = box.userType
    try box.checkUserType()
    original = box
    origin = box.kind.origin
    sizeForm = box.sizeForm
    self.mayReachEnd = mayReachEnd
  }

  var headerSize: Int { (isLarge ? 16 : 8) + (userType?.count ?? 0) }
  private var reachesEnd: Bool { sizeForm == .toEnd && mayReachEnd }

  func setBody(_ count: Int) {
    let (size, overflow) = count.addingReportingOverflow(8 + (userType?.count ?? 0))
    isLarge = !reachesEnd && (sizeForm == .large || overflow || size > Int(UInt32.max))
  }

  /// The position of the header in the file, if it is written unchanged.
  func keptHeader(size: Int) -> Range<Int>? {
    guard let original, !original.isNew, size == original.size, headerSize == original.headerSize,
      type == original.type, sizeForm != .toEnd || mayReachEnd
    else { return nil }
    return original.offset..<(original.offset + headerSize)
  }

  func header(size: Int) throws(ParseError) -> ByteView {
    // A damaged header is not to be changed, as long as the box keeps its size.
    if let original, let kept = keptHeader(size: size) {
      guard original.bytes.count < headerSize else { return original.bytes.prefix(headerSize) }
      return try original.kind.origin.bytes(kept)
    }
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt64(reachesEnd ? 0 : isLarge ? 1 : UInt32(clamping: size)), width: 4)
    bytes.appendBigEndian(UInt64(type.rawValue), width: 4)
    if isLarge { bytes.appendBigEndian(UInt64(clamping: size), width: 8) }
    if let userType { bytes.append(contentsOf: userType) }
    return ByteView(bytes)
  }
}

extension [UInt8] {
  /// Appends the low `width` bytes of a number.
  mutating func appendBigEndian(_ value: UInt64, width: Int) {
    var shift = width &* 8
    while shift > 0 {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: value &>> UInt64(shift)))
    }
  }
}
