// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `keys` in a `meta`: the keys of the metadata items, counted from 1.
///
/// The keys are the names of the items; the type of an item in the `ilst` is a 1-based index into them.
public struct MetadataKeysBox: FullBox {
  public static let info = BoxInfo(
    ["keys"], name: "metadata keys", in: [.box("meta")], "QuickTime File Format, Metadata Item Keys Atom",
    "The keys of the metadata items, counted from 1.", versions: 0...0)

  /// One key.
  public struct Key: FieldLayout {
    /// How the key is interpreted: `mdta` means a reverse domain name.
    public var namespace: FourCC = "mdta"
    /// The key.
    public var value = ByteView()
    /// Makes an empty key.
    public init() {}
    /// Makes a key.
    public init(_ text: String, namespace: FourCC = "mdta") {
      self.namespace = namespace
      value = ByteView(text.utf8)
    }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var size = UInt32(clamping: value.count &+ 8)
      try c.u32("key_size", &size, in: 8...UInt32.max)
      try c.fourCC("key_namespace", &namespace)
      try c.bytes("key_value", &value, count: Int(clamping: size) &- 8, .text)
    }
    /// The key as text.
    public var text: String { value.utf8Text }
  }

  public var flags: UInt32 = 0
  /// The keys; the first one has the index 1.
  public var keys: [Key] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("keys", &keys, countedBy: "entry_count", UInt32.self, minimumBits: 64)
  }

  /// The key of an item with this type, which is a 1-based index; `nil` if there is none.
  public func key(for itemType: FourCC) -> Key? {
    let index = Int(clamping: itemType.rawValue) &- 1
    return keys.indices.contains(index) ? keys[index] : nil
  }
}

/// One metadata item: its type is its name or the index of its key.
///
/// It is in an `ilst`; the keys are in `keys`. The value of the item is in its `data`.
public struct MetadataItemBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "metadata item", in: [.box("ilst")], "QuickTime File Format, Metadata Item Atom",
    "One metadata item: its type is its name or the index of its key.", childrenFollow: true,
    childScope: .metadataItem)

  public init() {}
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {}
}

/// `itif`: the identifier of a metadata item.
///
/// It is used to refer to the item.
public struct MetadataItemInformationBox: FullBox {
  public static let info = BoxInfo(
    ["itif"], name: "metadata item information", in: [.metadataItem],
    "QuickTime File Format, Item Information Atom", "The identifier of a metadata item.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The identifier.
  public var itemID: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("item_ID", &itemID)
  }
}

/// `name` and `mean`: the name of a metadata item, or the namespace of that name.
///
/// `name` is the name, and `mean` the namespace, for example `com.apple.iTunes`.
public struct MetadataNameBox: FullBox {
  public static let info = BoxInfo(
    ["name", "mean"], name: "metadata name", in: [.metadataItem],
    "QuickTime File Format, Name Atom; iTunes metadata",
    "The name of a metadata item, or the namespace of that name.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The text in UTF-8.
  public var name = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("name", &name, .text)
  }

  /// The name as text.
  public var text: String { name.utf8Text }
}

/// `ctry` and `lang` in a `meta`: lists of the countries or languages that metadata values are meant for.
public struct MetadataLocaleListBox: FullBox {
  public static let info = BoxInfo(
    ["ctry", "lang"], name: "metadata locale list", in: [.box("meta")],
    "QuickTime File Format, Country List Atom, Language List Atom",
    "Lists of the countries or languages that metadata values are meant for.", versions: 0...0)

  /// One list.
  public struct List: FieldLayout {
    /// ISO 3166 country codes, or packed ISO 639-2 language codes.
    public var codes: [UInt16] = []
    /// Makes an empty list.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.array("codes", &codes, countedBy: "count", UInt16.self, bits: 16, .hexadecimal)
    }
  }

  public var flags: UInt32 = 0
  /// The lists; values refer to them by a 1-based index.
  public var lists: [List] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("lists", &lists, countedBy: "entry_count", UInt32.self, minimumBits: 16)
  }
}
