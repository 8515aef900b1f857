// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What the library knows about one kind of box: one line in a family's list.
@dynamicMemberLookup
public final class BoxRegistration: Sendable {
  /// What is known about the kind. Its members are also members of the registration: `registration.name`.
  public let info: BoxInfo
  /// The Swift type of its payload; `nil` for a plain container.
  public var payloadType: (any BoxPayload.Type)? { payload?() }
  /// The same type without its conformance, to compare with.
  @usableFromInline let payloadID: ObjectIdentifier?
  /// Not the type itself: its conformance is prepared when it is first asked for, which for all kinds would be a tenth of the start
  /// of a program.
  private let payload: (@Sendable () -> any BoxPayload.Type)?
  /// Whether its form is that of one writer, known from files: other files may have another.
  package var isPrivate: Bool { info.specification.contains("as found in files") }

  /// A payload that has been read as far as possible.
  public struct Decoding: Sendable {
    /// The payload; if `error` is set, the fields before the damage.
    public var payload: any BoxPayload
    /// The bytes after the fields.
    public var unread: ByteView
    /// The error that stopped reading; `nil` if there was none.
    public var error: ParseError?

    /// Makes a result of decoding.
    public init(payload: any BoxPayload, unread: ByteView, error: ParseError?) {
      self.payload = payload
      self.unread = unread
      self.error = error
    }
  }

  // Captured by the generic initialiser, where the payload's type is concrete and the layouts are specialised.
  // Called through an existential metatype, the same code takes 4 to 12 times as long, and
  // describing the rows of a table 16 times.
  let decodePayload: (@Sendable (ByteView, BoxContext, _ isPartial: Bool) -> Decoding)?
  let tracePayload:
    (@Sendable (ByteView, BoxContext, _ isPartial: Bool, any FieldSink) -> (ByteView, ParseError?))?
  // Without the payload, which as an existential takes longer to make and to release than its fields to read.
  let findError: (@Sendable (ByteView, BoxContext, _ isPartial: Bool) -> ParseError?)?

  /// Registers a payload type; `types` and `scopes` replace its own; an empty list of types makes it the catch-all
  /// of its scopes.
  @inlinable
  public convenience init<Payload: BoxPayload>(
    _: Payload.Type, types: [FourCC]? = nil, in scopes: [BoxScope]? = nil
  ) {
    self.init(
      Payload.info.replacing(types, scopes), ObjectIdentifier(Payload.self), payload: { Payload.self },
      decode: { Self.decode(Payload.self, $0, $1, isPartial: $2) },
      trace: { Self.trace(Payload.self, $0, $1, isPartial: $2, into: $3) },
      findError: { Self.read(Payload.self, $0, $1, isPartial: $2).error })
  }

  /// Registers a payload type whose layout is not specialised for each coder: it takes less time to compile and 4 to 12 times as long
  /// to read, which does not matter for boxes of which movies have few or none.
  @inlinable @inline(__always)
  public convenience init<Payload: BoxPayload>(
    rare _: Payload.Type, types: [FourCC]? = nil, in scopes: [BoxScope]? = nil
  ) {
    self.init(Payload.info.replacing(types, scopes), ObjectIdentifier(Payload.self), rare: { Payload.self })
  }

  @usableFromInline
  convenience init(
    _ info: BoxInfo, _ payloadID: ObjectIdentifier,
    rare payload: @escaping @Sendable () -> any BoxPayload.Type
  ) {
    self.init(
      info, payloadID, payload: payload, decode: { Self.decode(payload(), $0, $1, isPartial: $2) },
      trace: { Self.trace(payload(), $0, $1, isPartial: $2, into: $3) },
      findError: { Self.decode(payload(), $0, $1, isPartial: $2).error })
  }

  @inlinable
  static func decode<Payload: BoxPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: BoxContext, isPartial: Bool
  ) -> Decoding {
    let (payload, unread, error) = read(Payload.self, bytes, context, isPartial: isPartial)
    return Decoding(payload: payload, unread: unread, error: error)
  }

  @inlinable
  static func read<Payload: BoxPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: BoxContext, isPartial: Bool
  ) -> (value: Payload, unread: ByteView, error: ParseError?) {
    var initial = Payload()
    initial.prepare(for: context, payload: bytes)
    return bytes.decode(initial, isPartial: isPartial)
  }

  @inlinable
  static func trace<Payload: BoxPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: BoxContext, isPartial: Bool, into sink: any FieldSink
  ) -> (ByteView, ParseError?) {
    var payload = Payload()
    payload.prepare(for: context, payload: bytes)
    return bytes.trace(&payload, into: sink, isPartial: isPartial)
  }

  /// Reads a payload whose fields are all in memory, without returning the bytes after them.
  static func read<Payload: BoxPayload>(
    _: Payload.Type, _ bytes: ByteView, _ context: BoxContext
  ) -> (Payload, ParseError?) {
    var payload = Payload()
    payload.prepare(for: context, payload: bytes)
    let error = bytes.decode(into: &payload)
    return (payload, error)
  }

  /// Registers a box that contains only other boxes.
  public convenience init(
    container type: FourCC, name: String, in scopes: [BoxScope], _ specification: String,
    _ summary: String, childScope: BoxScope? = nil
  ) {
    self.init(
      BoxInfo(
        [type], name: name, in: scopes, specification, summary, childrenFollow: true, childScope: childScope),
      nil, payload: nil, decode: nil, trace: nil, findError: nil)
  }

  @usableFromInline
  init(
    _ info: BoxInfo, _ payloadID: ObjectIdentifier?, payload: (@Sendable () -> any BoxPayload.Type)?,
    decode: (@Sendable (ByteView, BoxContext, _ isPartial: Bool) -> Decoding)?,
    trace: (
      @Sendable (ByteView, BoxContext, _ isPartial: Bool, any FieldSink) -> (ByteView, ParseError?)
    )?, findError: (@Sendable (ByteView, BoxContext, _ isPartial: Bool) -> ParseError?)?
  ) {
    self.info = info
    self.payloadID = payloadID
    self.payload = payload
    decodePayload = decode
    tracePayload = trace
    self.findError = findError
  }

  /// A member of ``info``.
  @inlinable
  public subscript<Value>(dynamicMember member: KeyPath<BoxInfo, Value>) -> Value { info[keyPath: member] }

  /// Whether its payload is of this type.
  @inlinable
  package func isOf<Payload: BoxPayload>(_: Payload.Type) -> Bool {
    payloadID == ObjectIdentifier(Payload.self)
  }

  /// Reads a payload; `nil` for a plain container.
  public func decode(_ bytes: ByteView, _ context: BoxContext, isPartial: Bool = false) -> Decoding? {
    decodePayload?(bytes, context, isPartial)
  }

  /// Reads a payload and describes every field as it is read.
  ///
  /// - Returns: the bytes after the fields, and the error that stopped reading.
  public func describe(
    _ bytes: ByteView, _ context: BoxContext, isPartial: Bool = false, into sink: any FieldSink
  ) -> (unread: ByteView, error: ParseError?) {
    tracePayload?(bytes, context, isPartial, sink) ?? (bytes, nil)
  }
}

/// Kinds of boxes that cannot be distinguished, because a registry would have two for the same place and type.
public struct BoxRegistryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place and type of each conflict, with the names of both kinds.
  public let conflicts: [String]

  /// The conflicts in words.
  public var description: String { "registered more than once: " + conflicts.joined(separator: "; ") }
}

/// All kinds of boxes that a reader knows, by place and type.
public struct BoxRegistry: Sendable {
  /// A registration at one of its places, in a chain: of those of one type, or of those of all types.
  private struct Placed {
    let scope: BoxScope
    let registration: BoxRegistration
    /// The index of the next one in the chain; -1 for the last.
    let next: Int
  }

  private var placed: [Placed] = []
  /// The index of the first registration of each type.
  private var heads: [UInt32: Int] = [:]
  /// The kinds of all types that nobody registered at a place: few.
  private var catchAll: [Placed] = []
  /// The kinds of `uuid` boxes, by their user type in hexadecimal: few.
  private var userTypes: [(key: String, registration: BoxRegistration)] = []
  /// Every registration, in the order in which they were added: that of the family lists.
  public private(set) var all: [BoxRegistration] = []
  /// Kinds that were registered twice for one place: a programming error, which a test excludes. The first one is
  /// used.
  public private(set) var conflicts: [String] = []

  /// Makes a registry.
  public init(
    _ registrations: [BoxRegistration], userTypes: [(uuid: String, registration: BoxRegistration)] = []
  ) {
    add(registrations, userTypes)
  }

  /// The same registry with more kinds of boxes and of `uuid` boxes (by their user type, 32 hexadecimal digits
  /// with or without hyphens). Kinds that are already known are kept: a conflict with them is an error.
  public func adding(
    _ registrations: [BoxRegistration], userTypes more: [(uuid: String, registration: BoxRegistration)] = []
  ) throws(BoxRegistryError) -> BoxRegistry {
    let sum = joined(registrations, more)
    guard sum.conflicts.isEmpty else { throw BoxRegistryError(conflicts: sum.conflicts) }
    return sum
  }

  /// The same without checking, for the lists of this package, which tests keep free of conflicts.
  package func joined(
    _ registrations: [BoxRegistration], _ more: [(uuid: String, registration: BoxRegistration)] = []
  ) -> BoxRegistry {
    var sum = self
    sum.add(registrations, more)
    return sum
  }

  private mutating func add(
    _ registrations: [BoxRegistration], _ more: [(uuid: String, registration: BoxRegistration)]
  ) {
    heads.reserveCapacity(heads.count + registrations.count)
    for registration in registrations {
      for scope in registration.info.scopes { place(registration, in: scope) }
    }
    for (uuid, registration) in more {
      let digits = uuid.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
      let key = String(decoding: digits, as: UTF8.self)
      if let other = userTypes.first(where: { $0.key == key })?.registration {
        conflicts.append("uuid \(key): \(other.name), \(registration.name)")
      } else if digits.count != 32 || !digits.allSatisfy(Self.isHexadecimal) {
        conflicts.append("uuid \(uuid): does not have 32 hexadecimal digits")
      } else {
        userTypes.append((key, registration))
      }
    }
    all += registrations + more.map(\.registration)
  }

  private static func isHexadecimal(_ digit: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= digit
  }

  private mutating func place(_ registration: BoxRegistration, in scope: BoxScope) {
    if registration.info.types.isEmpty {
      if let other = Self.registration(in: scope, catchAll, from: catchAll.count - 1) {
        conflicts.append("\(scope): \(other.name), \(registration.name)")
      } else {
        catchAll.append(Placed(scope: scope, registration: registration, next: catchAll.count - 1))
      }
    }
    for type in registration.info.types {
      let head = heads[type.rawValue] ?? -1
      if let other = Self.registration(in: scope, placed, from: head) {
        conflicts.append("\(scope)/\(type): \(other.name), \(registration.name)")
      } else {
        heads[type.rawValue] = placed.count
        placed.append(Placed(scope: scope, registration: registration, next: head))
      }
    }
  }

  /// The kind of a box: of a `uuid` box by its user type, of any other by place and type.
  func registration(for type: FourCC, in scope: BoxScope, userType: ByteView?) -> BoxRegistration? {
    if type == "uuid", let userType, let known = registration(forUserType: userType) { return known }
    return registration(for: type, in: scope)
  }

  /// The kind of a `uuid` box with this user type.
  public func registration(forUserType userType: ByteView) -> BoxRegistration? {
    let key = userType.hexadecimalText()
    return userTypes.first { $0.key == key }?.registration
  }

  /// The kind of a box of `type` in `scope`: by both, or by its type alone, or by its place alone.
  public func registration(for type: FourCC, in scope: BoxScope) -> BoxRegistration? {
    if let head = heads[type.rawValue] {
      if let known = Self.registration(in: scope, placed, from: head) { return known }
      if let known = Self.registration(in: .anywhere, placed, from: head) { return known }
    }
    return Self.registration(in: scope, catchAll, from: catchAll.count - 1)
  }

  /// The registration for a place in a chain.
  private static func registration(
    in scope: BoxScope, _ placed: [Placed], from head: Int
  ) -> BoxRegistration? {
    var index = head
    while index >= 0 {
      if placed[index].scope == scope { return placed[index].registration }
      index = placed[index].next
    }
    return nil
  }
}
