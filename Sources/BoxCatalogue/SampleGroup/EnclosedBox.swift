// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// A box inside a sample group entry, which is not part of the tree of boxes.
public struct EnclosedBox: FieldLayout {
  private static let registry = BoxRegistry(scalableVideoBoxes)

  /// The type of the box.
  public var type: FourCC = "free"
  /// The fields, if the type is known; otherwise `nil`.
  public var content: (any BoxPayload)?
  /// The bytes after the fields; for an unknown type, all bytes.
  public var rest = ByteView()
  /// The scope of the box.
  var scope = BoxScope.anywhere

  /// Makes an empty box.
  public init() {}

  /// Makes a box in an entry of this grouping type.
  public init(_ type: FourCC, _ content: (any BoxPayload)? = nil, inEntryOf groupingType: FourCC) {
    self.type = type
    self.content = content
    scope = .box(groupingType)
  }

  /// How many bytes the box takes.
  public var byteCount: Int { 8 + (content.flatMap { try? $0.encoded().count } ?? 0) + rest.count }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var size = UInt32(clamping: byteCount)
    try c.u32("size", &size, in: 8...UInt32.max)
    try c.fourCC("type", &type)
    let outer = try c.beginLimit(bytes: Int(clamping: size) - 8, "box")
    if var fields = content ?? Self.registry.registration(for: type, in: scope)?.payloadType?.init() {
      try fields.layout(&c)
      content = fields
    }
    try c.leftovers(&rest)
    c.endLimit(outer)
  }

  /// Equal if types, fields and the bytes after them are equal.
  public static func == (left: EnclosedBox, right: EnclosedBox) -> Bool {
    left.type == right.type && left.content.map { AnyHashable($0) } == right.content.map { AnyHashable($0) }
      && left.rest == right.rest
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(content.map { AnyHashable($0) })
    hasher.combine(rest)
  }
}
