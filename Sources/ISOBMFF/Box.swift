// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What all boxes of one kind in one kind of place share.
final class BoxKind: Sendable {
  let registration: BoxRegistration?
  let context: BoxContext
  /// Where the children stand.
  let childScope: BoxScope

  init(registration: BoxRegistration?, context: BoxContext, childScope: BoxScope) {
    self.registration = registration
    self.context = context
    self.childScope = childScope
  }
}

/// One box of a tree: a range of bytes, the boxes in it, and on request its fields.
///
/// Fields are read when asked for, not before: opening a movie costs headers only. As long as nothing is changed a box
/// writes itself as the bytes it came from, so that whatever this library does not understand survives.
public struct Box: Sendable {
  /// The file offset of the header; of a new box, 0.
  public let offset: Int
  /// How many bytes the box has in the file, header included: what is there, even where the header says more.
  public let size: Int
  /// The bytes of the box as far as they are loaded: all of most boxes, the beginning of large tables, nothing of media
  /// data.
  public let bytes: ByteView
  /// How the size is written.
  public let sizeForm: BoxHeader.SizeForm
  let kind: BoxKind
  /// The boxes in it, in order.
  public var children: [Box] {
    didSet { isEdited = true }
  }
  /// Set by changes; a box that contains a changed one is changed.
  public private(set) var isEdited: Bool
  let headerSizeByte: UInt8
  /// Whether the tree looked for children.
  public let isContainer: Bool
  /// Bytes between the header and the first child.
  let fieldBytes: Int32
  /// Bytes behind the last child.
  let trailingBytes: Int
  // Not `Changes?`: that would be `nil` before the initialiser sets it, and setting something twice has it make the box in memory
  // and copy it from there, which took a fifth of the time of building a tree.
  private var changes: Optional<Changes>

  private final class Changes: Sendable {
    let payload: (any BoxPayload)?
    let problem: ParseError?
    init(payload: (any BoxPayload)?, problem: ParseError?) {
      self.payload = payload
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
    headerSizeByte = UInt8(clamping: headerSize)
    self.kind = kind
    self.children = children
    self.isContainer = isContainer
    self.fieldBytes = Int32(clamping: fieldBytes)
    self.trailingBytes = trailingBytes
    isEdited = false
    changes = problem.map { Changes(payload: nil, problem: $0) }
  }

  /// Says what is wrong with the size or the nesting of the box.
  mutating func note(_ problem: ParseError) { changes = Changes(payload: changes?.payload, problem: problem) }

  /// The same box, and those in it, with more of their bytes.
  func with(bytes: ByteView) -> Box {
    var filled = children
    if !children.allSatisfy(\.isLoaded) {
      filled = children.map { child in
        child.isLoaded ? child : child.with(bytes: bytes.slice(fileRange: child.fileRange) ?? child.bytes)
      }
    }
    return Box(
      offset: offset, size: size, bytes: bytes, sizeForm: sizeForm, headerSize: headerSize, kind: kind,
      children: filled, isContainer: isContainer, fieldBytes: Int(fieldBytes), trailingBytes: trailingBytes,
      problem: structuralProblem)
  }

  /// A new box. Its kind is what `registry` knows of `type` in `scope`.
  public init(
    _ type: FourCC, _ payload: (any BoxPayload)? = nil, children: [Box] = [],
    in scope: BoxScope = .anywhere, registry: BoxRegistry = .iso
  ) {
    let registration = registry.registration(for: type, in: scope)
    self.init(
      offset: 0, size: 0, bytes: ByteView(), sizeForm: .compact, headerSize: 8,
      kind: BoxKind(
        registration: registration, context: BoxContext(type: type, scope: scope),
        childScope: registration?.childScope ?? .box(type)),
      children: children, isContainer: payload == nil || !children.isEmpty)
    isEdited = true
    changes = Changes(payload: payload, problem: nil)
  }

  /// What the box is.
  public var type: FourCC { kind.context.type }
  /// How many bytes the header takes.
  public var headerSize: Int { Int(headerSizeByte) }
  /// Where the box stands in the file.
  public var fileRange: Range<Int> { offset..<(offset + max(0, size)) }
  /// Where the box stands in the tree.
  public var scope: BoxScope { kind.context.scope }
  /// What is known of its surroundings.
  public var context: BoxContext { kind.context }
  /// What the library knows of this kind of box; `nil` is an unknown one.
  public var registration: BoxRegistration? { kind.registration }
  /// What is wrong with the size or the nesting of the box.
  public var structuralProblem: ParseError? { changes?.problem }
  /// Whether all bytes are in memory; those of media data and of large tables are not.
  public var isLoaded: Bool { bytes.count >= size }

  /// The 16 bytes that tell `uuid` boxes apart.
  public var userType: ByteView? {
    guard type == "uuid", headerSize >= 24 else { return nil }
    return bytes.slice((headerSize - 16)..<headerSize)
  }

  /// Everything behind the header: fields, children and what follows them.
  public var body: ByteView { bytes.suffix(from: headerSize) }

  /// The fields: the body without children and what follows them.
  public var fields: ByteView { isContainer ? body.prefix(Int(fieldBytes)) : body }

  /// The bytes behind the last child: padding, a terminator, or something damaged.
  public var trailing: ByteView {
    isContainer && isLoaded ? bytes.suffix(from: bytes.count - trailingBytes) : ByteView()
  }

  /// Whether some of the fields are not loaded.
  var isFieldsPartial: Bool { !isLoaded && !isContainer }

  /// The payload, read now (or the one that replaced it), what stands behind its fields, and what is wrong with it.
  /// `nil` for containers without fields and for unknown boxes. A table that is not loaded has its first rows.
  public func decodePayload() -> BoxRegistration.Decoding? {
    if let payload = changes?.payload { return .init(payload: payload, unread: ByteView(), error: nil) }
    guard bytes.count >= headerSize else { return nil }
    return kind.registration?.decode(fields, kind.context, isPartial: isFieldsPartial)
  }

  /// Describes the fields; what stands behind them, and what is wrong, is answered.
  public func describeFields(into sink: inout TextSink) -> (unread: ByteView, error: ParseError?) {
    if let payload = changes?.payload {
      payload.describe(into: &sink)
      return (ByteView(), nil)
    }
    let result = kind.registration?.describe(fields, kind.context, isPartial: isFieldsPartial, into: &sink)
    return result ?? (fields, nil)
  }

  /// Describes the fields as members of the JSON object that is open; what stands behind them, and what is wrong, is
  /// answered.
  public func describeFields(into sink: inout JSONSink) -> (unread: ByteView, error: ParseError?) {
    if let payload = changes?.payload {
      payload.describe(into: &sink)
      return (ByteView(), nil)
    }
    let result = kind.registration?.describe(fields, kind.context, isPartial: isFieldsPartial, into: &sink)
    return result ?? (fields, nil)
  }

  /// The payload as `Payload`, as far as it can be read; `nil` where the box is of another kind.
  @inlinable
  public func payload<Payload: BoxPayload>(_: Payload.Type) -> Payload? {
    decodePayload()?.payload as? Payload
  }

  /// Puts other fields into the box. The bytes that stood behind the old fields go with them.
  public mutating func replacePayload(_ payload: any BoxPayload) {
    changes = Changes(payload: payload, problem: nil)
    isEdited = true
  }

  /// Changes the fields as `Payload`, or does nothing where the box is of another kind or damaged.
  ///
  /// - Returns: whether `change` was called.
  @discardableResult
  public mutating func edit<Payload: BoxPayload>(
    _: Payload.Type, _ change: (inout Payload) -> Void
  ) -> Bool {
    guard let decoding = decodePayload(), decoding.error == nil, var payload = decoding.payload as? Payload
    else { return false }
    change(&payload)
    replacePayload(payload)
    return true
  }
}

// MARK: - Finding

extension Box {
  /// The first child of that type.
  public func first(_ type: FourCC) -> Box? {
    // By index: a box that is passed over need not be copied.
    for index in children.indices where children[index].kind.context.type == type { return children[index] }
    return nil
  }

  /// The children of that type.
  public func all(_ type: FourCC) -> [Box] { children.filter { $0.type == type } }

  /// The payload of the first child that has one of this kind.
  @inlinable
  public func first<Payload: BoxPayload>(_: Payload.Type) -> Payload? {
    for index in children.indices where children[index].registration?.payloadType == Payload.self {
      if let payload = children[index].payload(Payload.self) { return payload }
    }
    return nil
  }

  /// The box at `path` below this one.
  public subscript(path: BoxPath) -> Box? { path.matches(in: children, limit: 1).first?.box }
}

// MARK: - Writing

extension Box {
  /// The box as bytes: those it came from where nothing was changed, otherwise newly written with sizes that follow.
  ///
  /// Throws where a payload cannot be written, and for media data that is not loaded.
  public func encoded() throws(ParseError) -> [UInt8] {
    var encoder = Encoder()
    try encode(into: &encoder)
    return encoder.bytes
  }

  func encode(into encoder: inout Encoder) throws(ParseError) {
    guard isEdited else {
      guard isLoaded else {
        throw ParseError(.missing("the media data, which is not loaded,"), offset: offset, path: "\(type)")
      }
      return encoder.append(bytes)
    }
    var body = Encoder()
    if let payload = changes?.payload {
      body.append(try payload.encoded())
    } else {
      body.append(fields)
    }
    for child in children {
      do { try child.encode(into: &body) } catch { throw error.inPath("\(type)") }
    }
    body.append(trailing)
    let user = userType
    let bodyBytes = body.bytes
    let length = bodyBytes.count + (user?.count ?? 0)
    let isLarge = sizeForm == .large || length + 8 > Int(UInt32.max)
    let total = length + (isLarge ? 16 : 8)
    encoder.append(big32(sizeForm == .toEnd ? 0 : isLarge ? 1 : UInt32(clamping: total)))
    encoder.append(big32(type.rawValue))
    if isLarge { encoder.append(big32(UInt32(total >> 32)) + big32(UInt32(truncatingIfNeeded: total))) }
    if let user { encoder.append(user) }
    encoder.append(bodyBytes)
  }

  private func big32(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }
}
