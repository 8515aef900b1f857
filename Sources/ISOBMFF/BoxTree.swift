// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// The boxes of a file: all that could be found, in order, and what is wrong with their sizes and nesting.
///
/// Building a tree reads headers, and boxes of up to 64 KiB in whole; of large tables only the beginning, of media data
/// nothing. So a movie opens in a time that depends on the number of its boxes, and not on its length.
public struct BoxTree: Sendable {
  private var contents: [Box]
  /// Where the bytes are in the file that belong to no box, after the last one.
  public let trailingRange: Range<Int>
  /// Damage found in sizes and nesting.
  public let diagnostics: DiagnosticList
  /// Where the bytes come from.
  public let source: any ByteSource
  /// Whether the rules of QuickTime apply: the brand says so, or there is none.
  public let isQuickTime: Bool
  let origin: BoxOrigin
  /// What could not be done when a box was set by its path.
  var editProblem: ParseError?

  /// Finds the boxes in bytes that are in memory.
  public init(_ bytes: ByteView, registry: BoxRegistry = .iso, limits: Limits = .standard) {
    source = MemoryBytes(bytes)
    origin = BoxOrigin(source: source, start: bytes.fileOffset, registry: registry, limits: limits)
    var builder = BoxTreeBuilder(input: .memory(bytes), origin: origin)
    (contents, trailingRange) = builder.buildFile()
    isQuickTime = builder.isQuickTime
    diagnostics = builder.finish(contents)
  }

  /// Finds the boxes of a file. Throws where not even the first bytes can be read; a fault further on ends the tree
  /// there, with a diagnostic.
  public init(
    _ source: some ByteSource, registry: BoxRegistry = .iso, limits: Limits = .standard
  ) throws(SourceError) {
    let reader = WindowReader(source)
    _ = try reader.bytes(at: 0, count: 1)
    self.source = source
    origin = BoxOrigin(source: source, registry: registry, limits: limits)
    var builder = BoxTreeBuilder(input: .source(reader), origin: origin)
    (contents, trailingRange) = builder.buildFile()
    isQuickTime = builder.isQuickTime
    diagnostics = builder.finish(contents)
  }

  /// The boxes at the top level. What is put in is known by its new place.
  public var boxes: [Box] {
    get { contents }
    _modify {
      defer { Box.place(&contents, in: BoxSurroundings(scope: .file), isQuickTime: isQuickTime, origin) }
      yield &contents
    }
  }

  /// What the boxes were known by.
  public var registry: BoxRegistry { origin.registry }
  /// What bounded the work.
  public var limits: Limits { origin.limits }

  /// The first box at the top level of that type.
  public func first(_ type: FourCC) -> Box? {
    for index in boxes.indices where boxes[index].kind.context.type == type { return boxes[index] }
    return nil
  }

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
      if let error = box.decodeLoadedPayload()?.error { list.append(error.inPath(path)) }
    }
    return list
  }
}
