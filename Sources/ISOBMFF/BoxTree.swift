// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The boxes of a file: all that could be found, in order, and what is wrong with their sizes and nesting.
///
/// Building a tree reads headers, and boxes of up to 64 KiB in whole; of large tables only the beginning, of media data
/// nothing. So a movie opens in a time that depends on the number of its boxes, and not on its length.
public struct BoxTree: Sendable {
  /// The boxes at the top level.
  public var boxes: [Box]
  /// Where in the file bytes stand that belong to no box, behind the last one.
  public let trailingRange: Range<Int>
  /// Damage found in sizes and nesting.
  public let diagnostics: DiagnosticList
  /// Where the bytes come from.
  public let source: any ByteSource
  /// What the boxes were known by.
  public let registry: BoxRegistry
  /// What bounded the work.
  public let limits: Limits
  /// Whether the rules of QuickTime apply: the brand says so, or there is none.
  public let isQuickTime: Bool

  /// Finds the boxes in bytes that are in memory.
  public init(_ bytes: ByteView, registry: BoxRegistry = .iso, limits: Limits = .standard) {
    var builder = BoxTreeBuilder(input: .memory(bytes), registry: registry, limits: limits)
    (boxes, trailingRange) = builder.buildFile()
    source = MemoryBytes(bytes)
    self.registry = registry
    self.limits = limits
    isQuickTime = builder.isQuickTime
    diagnostics = builder.finish(boxes)
  }

  /// Finds the boxes of a file. Throws where not even the first bytes can be read; a fault further on ends the tree
  /// there, with a diagnostic.
  public init(
    _ source: some ByteSource, registry: BoxRegistry = .iso, limits: Limits = .standard
  ) throws(SourceError) {
    let reader = WindowReader(source)
    _ = try reader.bytes(at: 0, count: 1)
    var builder = BoxTreeBuilder(input: .source(reader), registry: registry, limits: limits)
    (boxes, trailingRange) = builder.buildFile()
    self.source = source
    self.registry = registry
    self.limits = limits
    isQuickTime = builder.isQuickTime
    diagnostics = builder.finish(boxes)
  }

  /// The first box at the top level of that type.
  public func first(_ type: FourCC) -> Box? {
    for index in boxes.indices where boxes[index].kind.context.type == type { return boxes[index] }
    return nil
  }

  /// The box at `path`.
  public subscript(path: BoxPath) -> Box? { path.matches(in: boxes, limit: 1).first?.box }

  /// The boxes that `path` leads to.
  public func matches(_ path: BoxPath) -> [BoxPath.Match] { path.matches(in: boxes) }

  /// The same box, and those in it, with all their bytes in memory.
  public func loaded(_ box: Box) throws(SourceError) -> Box {
    guard !box.isLoaded, !box.isEdited else { return box }
    let size = min(box.size, limits.maximumBoxBytes)
    let bytes = try source.read(UInt64(box.offset)..<UInt64(box.offset + size))
    return box.with(bytes: bytes)
  }

  /// The same box with all its bytes in memory; where they cannot be read, with those that are.
  package func whole(_ box: Box) -> Box {
    do { return try loaded(box) } catch { return box }
  }

  /// The payload of the first child of `parent` that has one of this kind, read with all its bytes.
  package func first<Payload: BoxPayload>(_: Payload.Type, in parent: Box) -> Payload? {
    for child in parent.children where child.registration?.payloadType == Payload.self {
      if let payload = whole(child).payload(Payload.self) { return payload }
    }
    return nil
  }

  /// The way to the innermost box that contains the byte at `offset`.
  public func path(at offset: Int) -> String {
    var locator = BoxLocator(boxes)
    return locator.path(at: offset)
  }

  /// Calls `body` with every box and the way to it, parents first.
  public func forEachBox(_ body: (Box, _ path: String) -> Void) { BoxTree.visit(boxes, "", body) }

  private static func visit(_ boxes: [Box], _ prefix: String, _ body: (Box, String) -> Void) {
    BoxPath.forEachSibling(boxes) { box, name, _ in
      body(box, prefix + name)
      if !box.children.isEmpty { visit(box.children, prefix + name + "/", body) }
    }
  }

  /// What is wrong with the fields of the boxes: reads every payload once.
  public func payloadDiagnostics() -> DiagnosticList {
    var list = DiagnosticList(limit: limits.maximumDiagnostics)
    forEachBox { box, path in
      // Media data is nobody's fields, and containers have theirs at their beginning.
      let box = box.isFieldsPartial && !box.bytes.isEmpty ? whole(box) : box
      if let error = box.decodePayload()?.error { list.append(error.inPath(path)) }
    }
    return list
  }

  /// The file as bytes. Boxes that nobody changed are copied as they were, media data too.
  public func encoded() throws -> [UInt8] {
    var encoder = Encoder()
    for box in boxes {
      if !box.isLoaded, !box.isEdited {
        encoder.append(try source.read(UInt64(box.offset)..<UInt64(box.offset + box.size)))
      } else {
        try box.encode(into: &encoder)
      }
    }
    if !trailingRange.isEmpty {
      encoder.append(try source.read(UInt64(trailingRange.lowerBound)..<UInt64(trailingRange.upperBound)))
    }
    return encoder.bytes
  }
}
