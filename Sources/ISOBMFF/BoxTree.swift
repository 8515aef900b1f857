// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// The boxes of a file: all that were found, in order, and what is wrong with their sizes and nesting.
///
/// Building a tree reads headers, boxes of up to 64 KiB completely, of larger tables only the beginning, and no
/// media data. So the time to open a movie depends on the number of its boxes, and not on its length.
public struct BoxTree: Sendable {
  private var contents: [Box]
  /// The bytes of the file after the last box that do not belong to any box.
  public let trailingRange: Range<Int>
  /// Damage found in sizes and nesting.
  public let diagnostics: DiagnosticList
  /// Where the bytes come from.
  public let source: any ByteSource
  /// Whether the rules of QuickTime apply: the file has the QuickTime brand, or no brand.
  public let isQuickTime: Bool
  /// The first error of the source while boxes were looked for: where it occurred, boxes may be missing.
  package let readFailure: SourceError?
  let origin: BoxOrigin
  /// The kinds of boxes that were found; `nil` if not all are known, and after a change.
  private var foundKinds: [BoxKind]?
  /// What could not be done when a box was set by its path; `nil` if everything could.
  var editProblem: ParseError?

  /// Finds the boxes in bytes in memory.
  public init(_ bytes: ByteView, registry: BoxRegistry = .iso, limits: Limits = .standard) {
    source = MemoryBytes(bytes)
    origin = BoxOrigin(source: source, start: bytes.fileOffset, registry: registry, limits: limits)
    var builder = BoxTreeBuilder(bytes, origin: origin)
    (contents, trailingRange) = builder.buildFile()
    readFailure = nil
    isQuickTime = builder.isQuickTime
    foundKinds = builder.foundKinds
    diagnostics = builder.finish(contents)
  }

  /// Finds the boxes of a file. Throws if not even the first bytes can be read; an error further on ends the tree
  /// there, with a diagnostic.
  public init(
    _ source: some ByteSource, registry: BoxRegistry = .iso, limits: Limits = .standard
  ) throws(SourceError) {
    let reader = WindowReader(source)
    _ = try reader.bytes(at: 0, count: 1)
    self.source = source
    origin = BoxOrigin(source: source, registry: registry, limits: limits)
    var builder = BoxTreeBuilder(reader, origin: origin)
    (contents, trailingRange) = builder.buildFile()
    readFailure = builder.readFailure
    isQuickTime = builder.isQuickTime
    foundKinds = builder.foundKinds
    diagnostics = builder.finish(contents)
  }

  /// The boxes at the top level. Added boxes are interpreted according to their new place.
  public var boxes: [Box] {
    get { contents }
    _modify {
      foundKinds = nil
      defer { Box.place(&contents, in: BoxSurroundings(scope: .file), isQuickTime: isQuickTime, origin) }
      yield &contents
    }
  }

  /// The registry that interprets the boxes.
  public var registry: BoxRegistry { origin.registry }
  /// The limits that applied to building the tree.
  public var limits: Limits { origin.limits }

  /// The first box of this type at the top level; `nil` if there is none.
  public func first(_ type: FourCC) -> Box? {
    for index in boxes.indices where boxes[index].kind.context.type == type { return boxes[index] }
    return nil
  }

  /// Whether only boxes of certain types were found directly in those of the type `parent`. `false` if that is not known
  /// without looking.
  package func has(only isExpected: (FourCC) -> Bool, in parent: FourCC) -> Bool {
    guard let foundKinds else { return false }
    return foundKinds.allSatisfy { kind in
      isExpected(kind.context.type)
        || !foundKinds.contains { $0.context.type == parent && $0.childScope == kind.context.scope }
    }
  }

  /// The boxes that `path` leads to.
  public func matches(_ path: BoxPath) -> [BoxPath.Match] { path.matches(in: boxes) }

  /// The same box and those inside it, with all their bytes in memory.
  public func loaded(_ box: Box) throws(SourceError) -> Box {
    guard !box.isLoaded, !box.isEdited else { return box }
    let size = min(box.size, limits.maximumBoxBytes)
    let bytes = try source.read(UInt64(box.offset)..<UInt64(box.offset + size))
    return box.with(bytes: bytes)
  }

  /// The same box with all its bytes in memory; if they cannot be read, with those that are.
  package func whole(_ box: Box) -> Box {
    do { return try loaded(box) } catch { return box }
  }

  /// The payload of the first child of `parent` that has one of this kind, read completely.
  package func first<Payload: BoxPayload>(_: Payload.Type, in parent: Box) -> Payload? {
    for child in parent.children where child.registration?.isOf(Payload.self) == true {
      if let payload = whole(child).payload(Payload.self) { return payload }
    }
    return nil
  }

  /// The path to the innermost box that contains the byte at `offset`; empty if no box does.
  public func path(at offset: Int) -> String {
    var locator = BoxLocator(boxes)
    return locator.path(at: offset)
  }

  /// Calls `body` with every box and its path, parents first.
  public func forEachBox(_ body: (Box, _ path: String) -> Void) { BoxTree.visit(boxes, "", body) }

  private static func visit(_ boxes: [Box], _ prefix: String, _ body: (Box, String) -> Void) {
    BoxPath.forEachSibling(boxes) { box, name, _ in
      body(box, prefix + name)
      if !box.children.isEmpty { visit(box.children, prefix + name + "/", body) }
    }
  }

  /// Reports what is wrong with the fields of the boxes, by reading every payload once.
  public func payloadDiagnostics() -> DiagnosticList {
    var list = DiagnosticList()
    readPayloads(of: boxes, in: { "" }, &list)
    return list
  }

  /// Reads the payloads of boxes and of those in them. Paths are made for errors only: most boxes have none.
  private func readPayloads(of boxes: [Box], in prefix: () -> String, _ list: inout DiagnosticList) {
    var steps = BoxPath.Steps(boxes)
    for index in boxes.indices {
      func path() -> String { prefix() + steps[index] }
      // Media data has no fields, and containers have theirs at their beginning.
      let isWhole = !boxes[index].isFieldsPartial || boxes[index].bytes.isEmpty
      let error = isWhole ? boxes[index].loadedFieldsError : whole(boxes[index]).loadedFieldsError
      if let error { list.append(error.inPath(path())) }
      if boxes[index].children.isEmpty { continue }
      readPayloads(of: boxes[index].children, in: { path() + "/" }, &list)
    }
  }
}
