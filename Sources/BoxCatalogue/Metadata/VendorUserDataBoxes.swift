// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `Xtra`: attributes as stored by Windows.
public struct WindowsMediaAttributesBox: BoxPayload {
  public static let info = BoxInfo(
    ["Xtra"], name: "Windows Media attributes", in: [.box("udta")],
    "Windows Media attributes, as written by Windows", "Attributes as stored by Windows.")

  /// A value.
  public struct Value: FieldLayout {
    /// The type of the value: 8 text in UTF-16, 19 a number, 21 a date, 72 a GUID.
    public var valueType: UInt16 = 8
    /// The value, in little-endian order.
    public var data = ByteView()
    /// Makes an empty value.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var size = UInt32(clamping: data.count &+ 6)
      try c.u32("value_size", &size, in: 6...UInt32.max)
      try c.u16("value_type", &valueType)
      try c.bytes("value", &data, count: Int(clamping: size) &- 6)
    }
  }

  /// An attribute.
  public struct Attribute: FieldLayout {
    /// Its name.
    public var name = ByteView()
    /// Its values.
    public var values: [Value] = []
    /// Bytes between the values and the end of the attribute.
    public var rest = ByteView()
    /// Makes an attribute without values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      let valueBytes = values.reduce(0) { $0 &+ $1.data.count &+ 6 }
      var size = UInt32(clamping: 12 &+ name.count &+ valueBytes &+ rest.count)
      try c.u32("attribute_size", &size, in: 12...UInt32.max)
      let outer = try c.beginLimit(bytes: Int(clamping: size) &- 4, "attribute")
      var length = UInt32(clamping: name.count)
      try c.u32("name_length", &length)
      try c.bytes("name", &name, count: Int(clamping: length), .text)
      try c.array("values", &values, countedBy: "value_count", UInt32.self, minimumBits: 48)
      try c.leftovers(&rest)
      c.endLimit(outer)
    }
  }

  /// The attributes.
  public var attributes: [Attribute] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.arrayWhileBitsLeft("attributes", &attributes, minimumBits: 96)
  }
}

/// `smta`: data that Samsung's cameras store about a recording. Boxes follow.
public struct SamsungMetadataBox: FullBox {
  public static let info = BoxInfo(
    ["smta"], name: "Samsung metadata", in: [.box("udta")], "Samsung, as found in files",
    "Data that Samsung's cameras store about a recording.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `smrd` and `SDLN`: the mode in which a Samsung camera recorded.
public struct SamsungModeBox: BoxPayload {
  public static let info = BoxInfo(
    ["smrd", "SDLN"], name: "Samsung mode", in: [.box("udta")], "Samsung, as found in files",
    "The mode in which a Samsung camera recorded.")

  /// The mode.
  public var text = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("text", &text, .text)
  }
}
