// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// Finds boxes: one pass over the headers, with limits on depth and on the number of boxes.
struct BoxTreeBuilder {
  /// Boxes up to this size are loaded completely.
  static let loadThreshold = 64 * 1024
  /// How many bytes are loaded of larger boxes without children.
  static let prefixLength = 4 * 1024
  let origin: BoxOrigin
  /// All bytes, of a file in memory.
  private let memory: ByteView?
  /// What reads the bytes of any other.
  private let reader: WindowReader?
  private var registry: BoxRegistry { origin.registry }
  /// How many boxes are listed at most, whatever the length of the file.
  private let mostBoxes: Int
  /// The length of the file; `nil` if it is unknown, as for a pipe.
  private let size: Int?
  private(set) var isQuickTime = true
  private var kinds = BoxKindTable()
  /// Whether there are `uuid` boxes, whose kinds are not in the table.
  private var hasUserTypes = false
  /// The kinds of boxes that were found; `nil` if not all are known.
  var foundKinds: [BoxKind]? { hasUserTypes ? nil : kinds.all }
  private var boxCount = 0
  private var isFull = false
  /// The first error of the source.
  private(set) var readFailure: SourceError?
  private var diagnostics: DiagnosticList

  /// Finds the boxes in bytes in memory.
  init(_ memory: ByteView, origin: BoxOrigin) {
    self.init(memory: memory, reader: nil, size: memory.count, origin)
  }

  /// Finds the boxes in what a reader reads.
  init(_ reader: WindowReader, origin: BoxOrigin) {
    self.init(memory: nil, reader: reader, size: reader.size, origin)
  }

  private init(memory: ByteView?, reader: WindowReader?, size: Int?, _ origin: BoxOrigin) {
    self.memory = memory
    self.reader = reader
    self.size = size
    self.origin = origin
    mostBoxes = origin.limits.maximumBoxes
    diagnostics = DiagnosticList()
  }

  /// A part of the file in memory.
  private struct Stretch {
    let bytes: ByteView
    /// Its offset in the file.
    let start: Int

    init(_ bytes: ByteView) {
      self.bytes = bytes
      start = bytes.fileOffset
    }

    func view(at offset: Int, count: Int) -> ByteView { bytes.suffix(from: offset - start).prefix(count) }

    /// The first eight bytes of a header.
    func word(at offset: Int) -> UInt64? { bytes.bigEndian(at: offset - start, width: 8) }

    func header(at offset: Int, available: UInt64) -> Result<BoxHeader, BoxHeaderError> {
      BoxHeader.read(bytes, at: offset - start, available: available)
    }

    /// Whether it includes all of the longest header that may be at `offset`.
    func hasHeader(at offset: Int) -> Bool {
      offset >= start && offset - start <= bytes.count - BoxHeader.maximumSize
    }
  }

  /// How many boxes are listed; for a pipe, what was read up to an offset counts as its length.
  ///
  /// A box may take only eight bytes of a file, but takes about thirty times as much memory. A movie fragment with one
  /// picture has seven boxes, and hours of such fragments are one box for each 80 bytes or more.
  private func maximumBoxes(at offset: Int) -> Int {
    min(mostBoxes, 200_000 + (size ?? offset) / 80)
  }

  mutating func buildFile() -> (boxes: [Box], trailing: Range<Int>) {
    let start = memory?.fileOffset ?? 0
    let end = memory.map { start + $0.count } ?? reader?.size ?? .max
    let (found, _) = boxes(
      from: start, to: end, whole: memory.map { Stretch($0) }, BoxSurroundings(scope: .file))
    let last = found.last?.fileRange.upperBound ?? start
    // The end of a pipe is known now, or never.
    let known = memory == nil ? reader?.size ?? last : end
    return (found, last..<max(last, known))
  }

  /// Gives every diagnostic its path.
  mutating func finish(_ boxes: [Box]) -> DiagnosticList {
    var locator = BoxLocator(boxes)
    diagnostics.locate { locator.path(at: $0) }
    return diagnostics
  }

  // MARK: Bytes

  private mutating func bytes(at offset: Int, count: Int) -> ByteView {
    bytes(at: offset, atLeast: count).prefix(count)
  }

  /// The same and what was read after them.
  private mutating func bytes(at offset: Int, atLeast count: Int) -> ByteView {
    guard let reader else { return ByteView() }
    do { return try reader.bytes(at: offset, atLeast: count) } catch {
      readFailure = readFailure ?? error
      diagnostics.append(.error, "read-failed", offset: offset, "\(error)")
      return ByteView()
    }
  }

  // MARK: Walking

  /// The boxes between two offsets, and how many bytes after the last one do not belong to any.
  private mutating func boxes(
    from start: Int, to end: Int, whole: Stretch?, _ around: BoxSurroundings
  ) -> (boxes: [Box], trailing: Int) {
    var around = around
    let survey = survey(from: start, to: end, whole: whole, around)
    if let handler = survey.handler { around.handler = handler }
    var found: [Box] = []
    found.reserveCapacity(survey.count)
    // Headers are read in place, in the bytes of the container or in those that were read last: a view of each would be one more
    // reference to count.
    var near: Stretch?
    var offset = start
    while offset < end {
      if whole == nil {
        if near?.hasHeader(at: offset) != true {
          let bytes = bytes(at: offset, atLeast: min(BoxHeader.maximumSize, end - offset))
          if bytes.isEmpty, around.scope == .file { return (found, 0) }
          near = Stretch(bytes)
        }
        if around.scope == .file { reserve(&found, from: start, at: offset, to: end) }
      }
      let left = end - offset
      let word = whole == nil ? near?.word(at: offset) : whole?.word(at: offset)
      guard left >= 8, let word, word != 0 else {
        let known = whole == nil ? min(BoxHeader.maximumSize, left) : left
        if let rest = (whole ?? near)?.view(at: offset, count: known) { noteStrayBytes(at: offset, rest) }
        return (found, end == .max ? 0 : left)
      }
      let available = end == .max ? UInt64(Int64.max) : UInt64(left)
      let header: BoxHeader
      switch whole == nil
        ? near?.header(at: offset, available: available) : whole?.header(at: offset, available: available)
      {
      case nil: return (found, 0)
      case .success(let next): header = next
      case .failure(let failure):
        report(failure, at: offset, available: available)
        return (found, end == .max ? 0 : left)
      }
      let isSound = header.size <= UInt64(left) && end != .max
      let (size, problem) =
        isSound ? (Int(truncatingIfNeeded: header.size), nil) : size(of: header, at: offset, end: end)
      guard boxCount < maximumBoxes(at: offset) else {
        noteLimit(at: offset)
        return (found, end == .max ? 0 : left)
      }
      boxCount += 1
      // The box is not modified on its way into the array, so that it is not copied.
      found.append(box(header, at: offset, size: size, whole: whole, around))
      let last = found.count - 1
      if let problem { found[last].note(problem) }
      if around.depth == 0, header.type == "ftyp" { noteBrand(found[last].body) }
      offset += max(1, found[last].size)
    }
    return (found, 0)
  }

  /// Makes room for as many boxes of the file as will be found if they go on as they began, but for no more than 64 times as many as
  /// there are, so that those of a movie of many fragments are not moved again and again.
  private func reserve(_ found: inout [Box], from start: Int, at offset: Int, to end: Int) {
    guard found.count >= 1024, found.count == found.capacity, end != .max, offset > start else { return }
    let expected = 1.02 * Double(found.count) * Double(end - start) / Double(offset - start)
    let most = min(64 * found.count, maximumBoxes(at: offset))
    found.reserveCapacity(expected < Double(most) ? max(Int(expected), 2 * found.count) : most)
  }

  private mutating func noteLimit(at offset: Int) {
    guard !isFull else { return }
    isFull = true
    diagnostics.append(
      .error, "limit-exceeded", offset: offset,
      "more than \(boxCount) boxes: the rest are not read (maximumBoxes)")
  }

  /// Reports that bytes other than zeros follow the last box: `rest` are those that are in memory. Zeros in place of a
  /// header are padding, or a QuickTime terminator: no box has the type 0.
  private mutating func noteStrayBytes(at offset: Int, _ rest: ByteView) {
    guard !rest.isAllZero else { return }
    let count = min(rest.count, BoxHeader.maximumSize)
    diagnostics.append(
      .note, "stray-bytes", offset: offset,
      count < 8
        ? "\(count) bytes after the last box are too few for another box"
        : "\(rest.count) bytes after the last box have zeros where a box would have its type")
  }

  private mutating func report(_ failure: BoxHeaderError, at offset: Int, available: UInt64) {
    let name = failure.type.map { " of '\($0)'" } ?? ""
    switch failure.problem {
    case .truncated:
      diagnostics.append(.error, "truncated-header", offset: offset, "the box header\(name) is cut off")
    case .tooSmall(let size):
      diagnostics.append(
        .error, "invalid-size", offset: offset,
        "the size\(name) is \(size), less than its header: \(available) bytes are not read")
    case .tooLarge(let size):
      diagnostics.append(
        .error, "invalid-size", offset: offset, "the size\(name), \(size), is not a possible file size")
    }
  }

  /// Counts the boxes ahead, so that their array is allocated once, and finds the handler, which determines how
  /// sample entries before and after it are read.
  private mutating func survey(
    from start: Int, to end: Int, whole: Stretch?, _ around: BoxSurroundings
  ) -> (count: Int, handler: FourCC?) {
    var handler: FourCC?
    // Anywhere else, `hdlr` does not describe the boxes around it; the one in a QuickTime `minf` names the data
    // handler. ISO/IEC 14496-12, 8.4.3
    let hasHandler = around.scope == .box("mdia") || around.scope == .box("meta")
    guard let whole else {
      // Not in memory: look only where a handler matters, and no further than that.
      guard hasHandler else { return (0, nil) }
      var offset = start
      while offset < end, handler == nil {
        let bytes = bytes(at: offset, count: min(BoxHeader.maximumSize, end - offset))
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
    var index = start - whole.start
    let last = end - whole.start
    let maximum = maximumBoxes(at: start)
    while index + 8 <= last, count + boxCount < maximum {
      guard
        case .success(let header) = BoxHeader.read(whole.bytes, at: index, available: UInt64(last - index))
      else { break }
      count += 1
      if header.type == "hdlr", hasHandler, handler == nil {
        handler = whole.bytes.fourCC(at: index + header.headerSize + 8)
      }
      guard header.size < UInt64(last - index) else { break }
      index += Int(clamping: header.size)
    }
    return (count, handler)
  }

  private mutating func noteBrand(_ body: ByteView) {
    isQuickTime = body.fourCC(at: 0) == "qt  "
    var index = 8
    while let brand = body.fourCC(at: index) {
      if brand == "qt  " { isQuickTime = true }
      index += 4
    }
  }

  // MARK: One box

  private mutating func kind(of type: FourCC, _ around: BoxSurroundings) -> BoxKind {
    let key = BoxKindTable.Key(type, around, isQuickTime: isQuickTime)
    if let kind = kinds[key] { return kind }
    let kind = kind(of: type, around, registry.registration(for: type, in: around.scope))
    kinds.insert(kind, for: key)
    return kind
  }

  private func kind(
    of type: FourCC, _ around: BoxSurroundings, _ registration: BoxRegistration?
  ) -> BoxKind {
    BoxKind(type, around, isQuickTime: isQuickTime, registration, origin)
  }

  /// The kind of a `uuid` box, which is determined by the 16 bytes in its header.
  private mutating func kind(of header: BoxHeader, _ bytes: ByteView, _ around: BoxSurroundings) -> BoxKind {
    hasUserTypes = true
    let userType = bytes.prefix(header.headerSize).suffix(from: header.headerSize - 16)
    let registration =
      registry.registration(forUserType: userType)
      ?? registry.registration(for: header.type, in: around.scope)
    return kind(of: header.type, around, registration)
  }

  /// How many bytes of a box are present; reports an error if the header specifies more.
  private mutating func size(
    of header: BoxHeader, at offset: Int, end: Int
  ) -> (size: Int, problem: ParseError?) {
    let size = min(Int(clamping: header.size), .max - offset)
    let left = end - offset
    guard end != .max, size > left else { return (size, nil) }
    diagnostics.append(
      .error, "size-exceeds-container", offset: offset,
      "'\(header.type)' specifies \(header.size) bytes, but only \(left) are present")
    let reason = "extends \(size - left) bytes beyond the end of its container"
    return (left, ParseError(.invalidSize(header.size, reason: reason), offset: offset, field: "size"))
  }

  /// Whether boxes of this type are never loaded at the top level, because they hold media or nothing.
  private static func isMedia(_ type: FourCC) -> Bool {
    switch type {
    case "mdat", "imda", "free", "skip", "wide": true
    default: false
    }
  }

  private mutating func box(
    _ header: BoxHeader, at offset: Int, size: Int, whole: Stretch?, _ around: BoxSurroundings
  ) -> Box {
    var size = size
    let isMedia = around.scope == .file && Self.isMedia(header.type)
    let loaded: ByteView
    if let whole {
      loaded = whole.view(at: offset, count: size)
    } else if isMedia {
      loaded = ByteView()
    } else if size <= Self.loadThreshold {
      loaded = bytes(at: offset, count: size).compacted()
      size = endOfData(offset, size, loaded.count)
    } else {
      loaded = bytes(at: offset, count: min(size, Self.prefixLength)).compacted()
    }
    let kind = header.hasUserType ? self.kind(of: header, loaded, around) : self.kind(of: header.type, around)
    var content = Content()
    if !isMedia, kind.registration?.info.childrenFollow == true {
      let isWhole = loaded.count >= size
      content = self.content(
        of: header, at: offset, size: size, loaded, kind, whole ?? (isWhole ? Stretch(loaded) : nil), around)
    }
    return Box(
      offset: offset, size: size, bytes: loaded, sizeForm: header.sizeForm, headerSize: header.headerSize,
      kind: kind, children: content.children, isContainer: content.isContainer,
      fieldBytes: content.fieldBytes, trailingBytes: content.trailingBytes)
  }

  /// The contents of a box that contains other boxes.
  private struct Content {
    var children: [Box] = []
    var isContainer = false
    var fieldBytes = 0
    var trailingBytes = 0
  }

  private mutating func content(
    of header: BoxHeader, at offset: Int, size: Int, _ loaded: ByteView, _ kind: BoxKind, _ nested: Stretch?,
    _ around: BoxSurroundings
  ) -> Content {
    var content = Content()
    guard around.depth < Limits.maximumDepth else {
      diagnostics.append(
        .error, "limit-exceeded", offset: offset,
        "boxes are nested more than \(Limits.maximumDepth) deep: the contents of '\(header.type)' are not read"
      )
      return content
    }
    if let decode = kind.registration?.decodePayload {
      let body = loaded.suffix(from: header.headerSize)
      let decoding = decode(body, kind.context, false)
      if decoding.error != nil { return content }
      content.fieldBytes = body.count - decoding.unread.count
    }
    let version = loaded[header.headerSize] ?? 0
    var inside = around
    inside.scope = kind.childScope
    inside.depth += 1
    inside.parentVersion = kind.registration?.info.versions == nil ? 0 : version
    if header.type == "stsd" { inside.sampleDescriptionVersion = version }
    content.isContainer = true
    (content.children, content.trailingBytes) = boxes(
      from: offset + header.headerSize + content.fieldBytes, to: offset + size, whole: nested, inside)
    return content
  }

  /// If the size of the source is unknown, it may end inside a box.
  private mutating func endOfData(_ offset: Int, _ size: Int, _ loaded: Int) -> Int {
    guard loaded < size else { return size }
    diagnostics.append(
      .error, "size-exceeds-container", offset: offset,
      "the box specifies \(size) bytes, but only \(loaded) are present")
    return loaded
  }
}
