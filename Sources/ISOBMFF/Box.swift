// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// One box of a tree: a range of bytes, the boxes inside it, and on request its fields.
///
/// Fields are read on access, not before: opening a movie only costs reading the headers. As long as nothing is
/// changed, a box is written as the bytes it was read from, so that anything this library does not understand
/// survives.
public struct Box: Sendable {
  /// The file offset of the header; 0 for a new box.
  public let offset: Int
  /// How many bytes the box has in the file, including its header: as many as are present, even if the header
  /// specifies more.
  public let size: Int
  /// The bytes of the box as far as they are loaded: all of most boxes, the beginning of large tables, none of
  /// media data.
  public let bytes: ByteView
  /// How the size is coded.
  public let sizeForm: BoxHeader.SizeForm
  /// How many children the box has in the file; −1 for a new box.
  let childCountInFile: Int32
  private(set) var kind: BoxKind
  /// The children, before the adjustments that changing them requires.
  private var contents: [Box]
  /// Whether the box, or one inside it, has been changed.
  public private(set) var isEdited: Bool
  let headerSizeByte: UInt8
  /// Whether the box was searched for children.
  public let isContainer: Bool
  /// How many bytes are between the header and the first child.
  let fieldBytes: Int32
  /// How many bytes are after the last child.
  let trailingBytes: Int
  // Not `Changes?`: that would be `nil` before the initialiser sets it, and setting it twice makes the compiler
  // build the box in memory and copy it from there, which took a fifth of the time of building a tree.
  private var changes: Optional<Changes>

  private final class Changes: Sendable {
    let payload: (any BoxPayload)?
    /// The bytes after the fields of `payload`.
    let unread: ByteView
    let userType: ByteView?
    let problem: ParseError?

    init(
      payload: (any BoxPayload)?, unread: ByteView = ByteView(), userType: ByteView? = nil,
      problem: ParseError? = nil
    ) {
      self.payload = payload
      self.unread = unread
      self.userType = userType
      self.problem = problem
    }
  }

  init(
    offset: Int, size: Int, bytes: ByteView, sizeForm: BoxHeader.SizeForm, headerSize: Int, kind: BoxKind,
    children: [Box] = [], isContainer: Bool = false, fieldBytes: Int = 0, trailingBytes: Int = 0,
    problem: ParseError? = nil
  ) {
    self.offset = offset
    self.size = size
    self.bytes = bytes
    self.sizeForm = sizeForm
    childCountInFile = Int32(clamping: children.count)
    headerSizeByte = UInt8(clamping: headerSize)
    self.kind = kind
    contents = children
    self.isContainer = isContainer
    self.fieldBytes = Int32(clamping: fieldBytes)
    self.trailingBytes = trailingBytes
    isEdited = false
    changes = problem.map { Changes(payload: nil, problem: $0) }
  }

  /// Records what is wrong with the size or the nesting of the box.
  mutating func note(_ problem: ParseError) { changes = Changes(payload: changes?.payload, problem: problem) }

  /// The same box and those inside it, with more of their bytes.
  func with(bytes: ByteView) -> Box {
    var filled = contents
    if !contents.allSatisfy(\.isLoaded) {
      filled = contents.map { child in
        child.isLoaded ? child : child.with(bytes: bytes.slice(fileRange: child.fileRange) ?? child.bytes)
      }
    }
    return Box(
      offset: offset, size: size, bytes: bytes, sizeForm: sizeForm, headerSize: headerSize, kind: kind,
      children: filled, isContainer: isContainer, fieldBytes: Int(fieldBytes), trailingBytes: trailingBytes,
      problem: structuralProblem)
  }

  /// Makes a new box. Its kind is the one that `registry` has for `type` in `scope`; a box that is put into
  /// another one takes scope and registry from there.
  ///
  /// `userType` are the 16 bytes that distinguish `uuid` boxes; a `uuid` box without them cannot be written.
  public init(
    _ type: FourCC, _ payload: (any BoxPayload)? = nil, children: [Box] = [],
    in scope: BoxScope = .anywhere, registry: BoxRegistry = .iso, userType: ByteView? = nil
  ) {
    offset = 0
    size = 0
    bytes = ByteView()
    sizeForm = .compact
    childCountInFile = -1
    headerSizeByte = 8
    contents = children
    isContainer = payload == nil || !children.isEmpty
    fieldBytes = 0
    trailingBytes = 0
    isEdited = true
    changes = Changes(payload: payload, userType: userType)
    let around = BoxSurroundings(scope: scope)
    kind = BoxKind(
      type, around, isQuickTime: false, registry.registration(for: type, in: scope, userType: userType),
      BoxOrigin(source: nil, registry: registry))
    placeChildren()
  }

  /// The type of the box.
  public var type: FourCC { kind.context.type }
  /// How many bytes the header takes.
  public var headerSize: Int { Int(headerSizeByte) }
  /// Where the box is in the file.
  public var fileRange: Range<Int> { offset..<(offset + max(0, size)) }
  /// Where the box is in the tree.
  public var scope: BoxScope { kind.context.scope }
  /// What is known about the surroundings of the box.
  public var context: BoxContext { kind.context }
  /// What the library knows about this kind of box; `nil` for an unknown kind.
  public var registration: BoxRegistration? { kind.registration }
  /// What is wrong with the size or the nesting of the box; `nil` if nothing is.
  public var structuralProblem: ParseError? { changes?.problem }
  /// Whether all bytes are in memory; those of media data and of large tables are not.
  public var isLoaded: Bool { bytes.count >= size }
  /// Whether the box was made in memory, and is not in any file.
  var isNew: Bool { childCountInFile < 0 }

  /// The boxes inside it, in order. Added boxes are interpreted according to their new place, and counts of
  /// children are updated.
  public var children: [Box] {
    get { contents }
    _modify {
      defer {
        isEdited = true
        placeChildren()
      }
      yield &contents
    }
  }

  /// The 16 bytes that distinguish `uuid` boxes; `nil` for other boxes.
  public var userType: ByteView? {
    guard type == "uuid" else { return nil }
    if let userType = changes?.userType { return userType }
    return headerSize >= 24 ? bytes.slice((headerSize - 16)..<headerSize) : nil
  }

  /// Everything after the header: fields, children and the bytes after them.
  public var body: ByteView { bytes.suffix(from: headerSize) }

  /// The fields: the body without children and the bytes after them.
  public var fields: ByteView { isContainer ? body.prefix(Int(fieldBytes)) : body }

  /// The bytes after the last child: padding, a terminator, or something damaged.
  public var trailing: ByteView {
    isContainer && isLoaded ? bytes.suffix(from: bytes.count - trailingBytes) : ByteView()
  }

  /// Whether some of the fields are not loaded.
  var isFieldsPartial: Bool { !isLoaded && !isContainer }

  /// The payload that replaced the one in the file, and the bytes after its fields.
  var replacement: (payload: any BoxPayload, unread: ByteView)? {
    guard let changes, let payload = changes.payload else { return nil }
    return (counting(payload), changes.unread)
  }

  /// The same box with all its bytes, which are read now if they are not in memory.
  func whole() throws(ParseError) -> Box {
    guard !isLoaded else { return self }
    return with(bytes: try kind.origin.bytes(fileRange))
  }

  /// The payload (read now, or the one that replaced it), the bytes after its fields, and what is wrong with it.
  /// `nil` for containers without fields, for unknown boxes, and for media data. A table that is not in memory is
  /// read for this.
  public func decodePayload() -> BoxRegistration.Decoding? {
    guard isFieldsPartial, !bytes.isEmpty, changes?.payload == nil else { return decodeLoadedPayload() }
    do { return try whole().decodeLoadedPayload() } catch {
      var decoding = decodeLoadedPayload()
      decoding?.error = error
      return decoding
    }
  }

  /// The same without reading more: a table that is not loaded has only its first rows, and cannot be written.
  package func decodeLoadedPayload() -> BoxRegistration.Decoding? {
    if let (payload, unread) = replacement { return .init(payload: payload, unread: unread, error: nil) }
    guard bytes.count >= headerSize, !isNew else { return nil }
    var decoding = kind.registration?.decode(fields, kind.context, isPartial: isFieldsPartial)
    if isEdited, let payload = decoding?.payload { decoding?.payload = counting(payload) }
    return decoding
  }

  /// What is wrong with the fields that are in memory; `nil` if nothing is.
  var loadedFieldsError: ParseError? {
    guard replacement == nil, bytes.count >= headerSize, !isNew else { return nil }
    return kind.registration?.findError?(fields, kind.context, isFieldsPartial)
  }

  /// The payload of one of `boxes`, if it is unchanged, of this kind and in memory; `nil` for any other box.
  ///
  /// In this module, the compiler knows the layout, so the payload need not be an existential: to make and cast one takes
  /// longer than to read the fields of a small box. A movie has three such boxes for each fragment. They are asked for by
  /// position, and only for stored properties, because the whole box would be copied otherwise.
  static func decodeUnchanged<Payload: BoxPayload>(
    _ boxes: [Box], at index: Int, as _: Payload.Type
  ) -> (payload: Payload, error: ParseError?)? {
    let headerSize = Int(boxes[index].headerSizeByte)
    let count = boxes[index].bytes.count
    guard count >= max(headerSize, boxes[index].size), !boxes[index].isEdited,
      boxes[index].childCountInFile >= 0,
      boxes[index].kind.payloadID == ObjectIdentifier(Payload.self)
    else { return nil }
    let end = boxes[index].isContainer ? headerSize + Int(boxes[index].fieldBytes) : count
    let fields = boxes[index].bytes.prefix(end).suffix(from: headerSize)
    return BoxRegistration.read(Payload.self, fields, boxes[index].kind.context)
  }

  /// Describes the fields; returns the bytes after them, and what is wrong with them.
  public func describeFields(into sink: any FieldSink) -> (unread: ByteView, error: ParseError?) {
    if let (payload, unread) = replacement {
      payload.describe(into: sink)
      return (unread, nil)
    }
    let result = kind.registration?.describe(fields, kind.context, isPartial: isFieldsPartial, into: sink)
    return result ?? (fields, nil)
  }

  /// The payload as `Payload`, as far as it can be read; `nil` if the box has another kind.
  @inlinable
  public func payload<Payload: BoxPayload>(_: Payload.Type) -> Payload? {
    decodePayload()?.payload as? Payload
  }

  /// Replaces the fields of the box. Any bytes after the old fields are removed with them; ``edit(_:_:)`` keeps
  /// them.
  ///
  /// If the payload does not belong in a box of this type, the box can no longer be written.
  public mutating func replacePayload(_ payload: any BoxPayload) {
    replacePayload(payload, unread: ByteView())
  }

  mutating func replacePayload(_ payload: any BoxPayload, unread: ByteView) {
    changes = Changes(payload: payload, unread: unread, userType: changes?.userType)
    isEdited = true
    placeChildren()
  }
}

// MARK: - Placing

extension Box {
  /// What the children of this box have in common.
  var surroundingsOfChildren: BoxSurroundings {
    var inside = BoxSurroundings(
      scope: kind.childScope, handler: context.handler,
      sampleDescriptionVersion: context.sampleDescriptionVersion)
    // ISO/IEC 14496-12, 8.4.3: elsewhere, `hdlr` does not describe the boxes around it.
    if kind.childScope == .box("mdia") || kind.childScope == .box("meta"),
      let handler = contents.first(where: { $0.type == "hdlr" })
    {
      inside.handler =
        (handler.replacement?.payload as? HandlerBox)?.handlerType ?? handler.body.fourCC(at: 8)
        ?? inside.handler
    }
    if kind.registration?.info.versions != nil { inside.parentVersion = version }
    if type == "stsd" { inside.sampleDescriptionVersion = version }
    return inside
  }

  /// The version and flags with which a full box begins; `nil` for other boxes, and if they cannot be read.
  package var versionAndFlags: (version: UInt8, flags: UInt32)? {
    guard kind.registration?.info.versions != nil, let word = fields.bigEndian(at: 0, width: 4) else {
      return nil
    }
    return (UInt8(truncatingIfNeeded: word &>> 24), UInt32(truncatingIfNeeded: word & 0xFF_FFFF))
  }

  /// The first byte of the fields.
  private var version: UInt8 {
    guard let (payload, _) = replacement else { return fields[0] ?? 0 }
    do { return try payload.encoded().first ?? 0 } catch { return 0 }
  }

  /// Gives children that were added from elsewhere the kind that they have here.
  private mutating func placeChildren() {
    guard !contents.isEmpty else { return }
    Box.place(&contents, in: surroundingsOfChildren, isQuickTime: context.isQuickTime, kind.origin)
  }

  /// Gives boxes the kind that they have in a place. Boxes that already have it stay as they are.
  static func place(
    _ boxes: inout [Box], in around: BoxSurroundings, isQuickTime: Bool, _ origin: BoxOrigin
  ) {
    for index in boxes.indices where !boxes[index].kind.isPlaced(in: around, isQuickTime: isQuickTime) {
      boxes[index].place(in: around, isQuickTime: isQuickTime, origin)
    }
  }

  private mutating func place(in around: BoxSurroundings, isQuickTime: Bool, _ origin: BoxOrigin) {
    // A box that is in a file is still read from there.
    let own = isNew && kind.origin.source == nil ? origin : kind.origin
    kind = BoxKind(
      type, around, isQuickTime: isQuickTime,
      origin.registry.registration(for: type, in: around.scope, userType: userType), own)
    placeChildren()
  }

  /// The payload with the actual number of children, if they have changed: callers need not keep count.
  func counting(_ payload: any BoxPayload) -> any BoxPayload {
    contents.count != Int(childCountInFile) ? payload.counting(contents) ?? payload : payload
  }
}

// MARK: - Finding

extension Box {
  /// The first child of this type; `nil` if there is none.
  public func first(_ type: FourCC) -> Box? {
    // By index: a box that is skipped need not be copied.
    for index in children.indices where children[index].kind.context.type == type { return children[index] }
    return nil
  }

  /// The children of this type.
  public func all(_ type: FourCC) -> [Box] { children.filter { $0.type == type } }

  /// The payload of the first child that has one of this kind; `nil` if there is none.
  @inlinable
  public func first<Payload: BoxPayload>(_: Payload.Type) -> Payload? {
    for index in children.indices where children[index].registration?.isOf(Payload.self) == true {
      if let payload = children[index].payload(Payload.self) { return payload }
    }
    return nil
  }

  /// The first box that `path` leads to from this one; `nil` if there is none.
  public subscript(path: BoxPath) -> Box? { path.first(in: children) }
}
