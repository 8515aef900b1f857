// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Finds boxes: one walk over headers, with a limit on depth and on the number of boxes.
struct BoxTreeBuilder {
  enum Input {
    case memory(ByteView)
    case source(WindowReader)
  }

  /// Boxes up to this size are loaded in whole.
  static let loadThreshold = 64 * 1024
  /// Of larger ones that hold no boxes, this much.
  static let prefixLength = 4 * 1024
  /// At the top level these are never loaded: they hold media, or nothing.
  static let mediaTypes: Set<FourCC> = ["mdat", "imda", "free", "skip", "wide"]

  let input: Input
  let registry: BoxRegistry
  let limits: Limits
  private(set) var isQuickTime = true
  private var kinds: [KindKey: BoxKind] = [:]
  private var boxCount = 0
  private var isFull = false
  private var diagnostics: DiagnosticList

  init(input: Input, registry: BoxRegistry, limits: Limits) {
    self.input = input
    self.registry = registry
    self.limits = limits
    diagnostics = DiagnosticList(limit: limits.maximumDiagnostics)
  }

  /// A context in two words: a movie of many fragments asks for the same few kinds a hundred thousand times.
  private struct KindKey: Hashable {
    let place: UInt64
    let type: UInt64

    init(_ type: FourCC, _ around: Surroundings) {
      place =
        around.scope.code | UInt64(around.sampleDescriptionVersion) << 40 | UInt64(around.parentVersion) << 48
      self.type = UInt64(type.rawValue) << 32 | UInt64(around.handler?.rawValue ?? 0)
    }
  }

  /// What the boxes of one container have in common.
  private struct Surroundings {
    var scope: BoxScope
    var handler: FourCC?
    var sampleDescriptionVersion: UInt8 = 0
    var parentVersion: UInt8 = 0
    var depth = 0
  }

  mutating func buildFile() -> (boxes: [Box], trailing: Range<Int>) {
    let end: Int
    switch input {
    case .memory(let bytes): end = bytes.fileOffset + bytes.count
    case .source(let reader): end = reader.size ?? Int.max
    }
    var start = 0
    if case .memory(let bytes) = input { start = bytes.fileOffset }
    var whole: ByteView?
    if case .memory(let bytes) = input { whole = bytes }
    let (found, _) = boxes(from: start, to: end, whole: whole, Surroundings(scope: .file))
    let last = found.last?.fileRange.upperBound ?? start
    var known = end
    if case .source(let reader) = input { known = reader.size ?? last }
    return (found, last..<max(last, known))
  }

  /// Gives every diagnostic its path.
  mutating func finish(_ boxes: [Box]) -> DiagnosticList {
    var locator = BoxLocator(boxes)
    diagnostics.locate { locator.path(at: $0) }
    return diagnostics
  }

  // MARK: Bytes

  private mutating func bytes(at offset: Int, count: Int, whole: ByteView?) -> ByteView {
    if let whole {
      let index = offset - whole.fileOffset
      return whole.suffix(from: index).prefix(count)
    }
    guard case .source(let reader) = input else { return ByteView() }
    do { return try reader.bytes(at: offset, count: count) } catch {
      diagnostics.append(.error, "read-failed", offset: offset, "\(error)")
      return ByteView()
    }
  }

  // MARK: Walking

  /// The boxes between two offsets, and how many bytes behind the last one belong to none.
  private mutating func boxes(
    from start: Int, to end: Int, whole: ByteView?, _ around: Surroundings
  ) -> (boxes: [Box], trailing: Int) {
    var around = around
    let survey = survey(from: start, to: end, whole: whole, around)
    if let handler = survey.handler { around.handler = handler }
    var found: [Box] = []
    found.reserveCapacity(survey.count)
    var offset = start
    while offset < end {
      let headerBytes = bytes(at: offset, count: min(BoxHeader.maximumSize, end - offset), whole: whole)
      let available = end == .max ? UInt64(Int64.max) : UInt64(end - offset)
      if headerBytes.isEmpty, around.scope == .file { return (found, 0) }
      if headerBytes.count < 8 || Self.isPadding(headerBytes) {
        noteStrayBytes(headerBytes, at: offset, end: end, whole: whole)
        return (found, end == .max ? 0 : end - offset)
      }
      switch BoxHeader.read(headerBytes, at: 0, available: available) {
      case .failure(let failure):
        report(failure, at: offset, available: available)
        return (found, end == .max ? 0 : end - offset)
      case .success(let header):
        guard boxCount < limits.maximumBoxes else {
          if !isFull {
            isFull = true
            diagnostics.append(
              .error, "limit-exceeded", offset: offset,
              "more than \(limits.maximumBoxes) boxes: the rest is left unread (maximumBoxes)")
          }
          return (found, end == .max ? 0 : end - offset)
        }
        boxCount += 1
        let box = box(header, at: offset, end: end, whole: whole, around)
        found.append(box)
        if around.depth == 0, box.type == "ftyp" { noteBrand(box) }
        offset += max(1, box.size)
      }
    }
    return (found, 0)
  }

  /// Zeros where a header should stand are padding, or a QuickTime terminator: no box has the type 0.
  private static func isPadding(_ header: ByteView) -> Bool { header.bigEndian(at: 0, width: 8) == 0 }

  /// Says that something else than zeros stands behind the last box, where that is in memory.
  private mutating func noteStrayBytes(_ header: ByteView, at offset: Int, end: Int, whole: ByteView?) {
    let rest = whole.map { $0.suffix(from: offset - $0.fileOffset).prefix(end - offset) } ?? header
    guard !rest.isAllZero else { return }
    diagnostics.append(
      .note, "stray-bytes", offset: offset,
      header.count < 8
        ? "\(header.count) bytes behind the last box are too few for another"
        : "\(rest.count) bytes behind the last box begin with zeros where a box would have its type")
  }

  private mutating func report(_ failure: BoxHeaderError, at offset: Int, available: UInt64) {
    let name = failure.type.map { " of '\($0)'" } ?? ""
    switch failure.problem {
    case .truncated:
      diagnostics.append(.error, "truncated-header", offset: offset, "the box header\(name) is cut off")
    case .tooSmall(let size):
      diagnostics.append(
        .error, "invalid-size", offset: offset,
        "the size\(name) is \(size), less than its header: \(available) bytes are left unread")
    case .tooLarge(let size):
      diagnostics.append(
        .error, "invalid-size", offset: offset, "the size\(name), \(size), is no possible file size")
    }
  }

  /// Counts the boxes ahead, so that their array is allocated once, and finds the handler: it decides how sample entries
  /// before and behind it are read.
  private mutating func survey(
    from start: Int, to end: Int, whole: ByteView?, _ around: Surroundings
  ) -> (count: Int, handler: FourCC?) {
    var handler: FourCC?
    guard let whole else {
      // Not in memory: look only where a handler matters, and no further than to it.
      guard around.scope == .box("mdia") || around.scope == .box("meta") else { return (0, nil) }
      var offset = start
      while offset < end, handler == nil {
        let bytes = bytes(at: offset, count: min(BoxHeader.maximumSize, end - offset), whole: nil)
        guard case .success(let header) = BoxHeader.read(bytes, at: 0, available: UInt64(end - offset)) else {
          break
        }
        if header.type == "hdlr" { handler = bytes.fourCC(at: header.headerSize + 8) }
        guard header.size < UInt64(end - offset) else { break }
        offset += Int(clamping: header.size)
      }
      return (0, handler)
    }
    var count = 0
    var index = start - whole.fileOffset
    let last = end - whole.fileOffset
    while index + 8 <= last, count + boxCount < limits.maximumBoxes {
      guard case .success(let header) = BoxHeader.read(whole, at: index, available: UInt64(last - index))
      else { break }
      count += 1
      if header.type == "hdlr", handler == nil {
        handler = whole.fourCC(at: index + header.headerSize + 8)
      }
      guard header.size < UInt64(last - index) else { break }
      index += Int(clamping: header.size)
    }
    // The second `hdlr` in a QuickTime `minf` names the data handler, not the media.
    return (count, around.scope == .box("minf") ? nil : handler)
  }

  private mutating func noteBrand(_ ftyp: Box) {
    let body = ftyp.body
    kinds.removeAll()
    isQuickTime = body.fourCC(at: 0) == "qt  "
    var index = 8
    while let brand = body.fourCC(at: index) {
      if brand == "qt  " { isQuickTime = true }
      index += 4
    }
  }

  // MARK: One box

  private mutating func kind(of type: FourCC, _ around: Surroundings, userType: ByteView?) -> BoxKind {
    let key = KindKey(type, around)
    if userType == nil, let known = kinds[key] { return known }
    let context = BoxContext(
      type: type, scope: around.scope, handler: around.handler, isQuickTime: isQuickTime,
      sampleDescriptionVersion: around.sampleDescriptionVersion, parentVersion: around.parentVersion)
    let registration =
      userType.flatMap { registry.registration(forUserType: $0.suffix(from: $0.count - 16)) }
      ?? registry.registration(for: type, in: around.scope)
    var childScope = registration?.childScope ?? .box(type)
    if type == "stsd" {
      switch around.handler {
      case "vide", "auxv", "pict": childScope = .visualSampleDescription
      case "soun": childScope = .audioSampleDescription
      default: childScope = .otherSampleDescription
      }
    }
    let kind = BoxKind(registration: registration, context: context, childScope: childScope)
    if userType == nil { kinds[key] = kind }
    return kind
  }

  private mutating func box(
    _ header: BoxHeader, at offset: Int, end: Int, whole: ByteView?, _ around: Surroundings
  ) -> Box {
    var problem: ParseError?
    var size = min(Int(clamping: header.size), .max - offset)
    if end != .max, size > end - offset {
      problem = ParseError(
        .invalidSize(
          header.size, reason: "reaches \(size - (end - offset)) bytes beyond the end of what contains it"),
        offset: offset, field: "size")
      diagnostics.append(
        .error, "size-exceeds-container", offset: offset,
        "'\(header.type)' says it has \(header.size) bytes, but only \(end - offset) are there")
      size = end - offset
    }
    let isMedia = around.scope == .file && Self.mediaTypes.contains(header.type)
    var loaded = ByteView()
    var nested: ByteView?
    if whole != nil {
      loaded = bytes(at: offset, count: size, whole: whole)
      nested = whole
    } else if !isMedia, size <= Self.loadThreshold {
      loaded = bytes(at: offset, count: size, whole: nil).compacted()
      size = endOfData(offset, size, loaded.count)
      nested = loaded
    }
    let kind = kind(
      of: header.type, around,
      userType: header.hasUserType ? bytes(at: offset, count: header.headerSize, whole: whole) : nil)
    let isContainer =
      !isMedia && kind.registration?.childrenFollow == true && around.depth < limits.maximumDepth
    if !isMedia, kind.registration?.childrenFollow == true, !isContainer {
      diagnostics.append(
        .error, "limit-exceeded", offset: offset,
        "boxes nest deeper than \(limits.maximumDepth): what is in '\(header.type)' is left unread (maximumDepth)"
      )
    }
    if nested == nil, !isMedia {
      loaded = bytes(at: offset, count: min(size, Self.prefixLength), whole: nil).compacted()
    }
    guard isContainer else {
      return Box(
        offset: offset, size: size, bytes: loaded, sizeForm: header.sizeForm, headerSize: header.headerSize,
        kind: kind, problem: problem)
    }
    var fieldBytes = 0
    let body = loaded.suffix(from: header.headerSize)
    if let decoding = kind.registration?.decode(body, kind.context) {
      if decoding.error != nil {
        return Box(
          offset: offset, size: size, bytes: loaded, sizeForm: header.sizeForm, headerSize: header.headerSize,
          kind: kind, problem: problem)
      }
      fieldBytes = body.count - decoding.unread.count
    }
    var inside = around
    inside.scope = kind.childScope
    inside.depth += 1
    inside.parentVersion = kind.registration?.versions == nil ? 0 : body[0] ?? 0
    if header.type == "stsd" { inside.sampleDescriptionVersion = body[0] ?? 0 }
    let (children, trailing) = boxes(
      from: offset + header.headerSize + fieldBytes, to: offset + size, whole: nested, inside)
    return Box(
      offset: offset, size: size, bytes: loaded, sizeForm: header.sizeForm, headerSize: header.headerSize,
      kind: kind, children: children, isContainer: true, fieldBytes: fieldBytes, trailingBytes: trailing,
      problem: problem)
  }

  /// A source whose size is not known may end inside a box.
  private mutating func endOfData(_ offset: Int, _ size: Int, _ loaded: Int) -> Int {
    guard loaded < size else { return size }
    diagnostics.append(
      .error, "size-exceeds-container", offset: offset,
      "the box says it has \(size) bytes, but only \(loaded) are there")
    return loaded
  }
}
