// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `keys` of a timed-metadata sample description: the keys of the values in the samples, each with a local
/// identifier.
///
/// Files have a plain box without a count; early drafts of the standard had a full box with one.
public struct TimedMetadataKeysBox: BoxPayload {
  public static let info = BoxInfo(
    ["keys"], name: "timed metadata keys", in: [.otherSampleEntry],
    "ISO/IEC 14496-12, 12.9.3; QuickTime File Format, Timed Metadata",
    "The keys of the values in the samples, each with a local identifier.", childrenFollow: true,
    childScope: .metadataKeyTable)

  /// Whether version, flags and a count come first. Not in the file, but determined by looking ahead.
  public var isFullBox = false
  /// The flags, if it is a full box.
  public var flags: UInt32 = 0
  /// The number of keys according to the box, if it is a full box.
  public var entryCount: UInt32 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    // The first child of the first key follows the header of that key; it must contain a `keyd`.
    // If there are only eight bytes, as before children that are elsewhere, they are not a key: its size would be the first.
    isFullBox =
      payload.fourCC(at: 12) != "keyd" && payload.fourCC(at: 20) == "keyd"
      || payload.count == 8 && payload.bigEndian(at: 0, width: 4) == 0
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    guard isFullBox else { return }
    try c.fullBox(&flags)
    try c.u32("entry_count", &entryCount)
  }
}

/// One key of timed metadata; the type of the box is its local identifier.
///
/// The identifier precedes each value in the samples.
public struct TimedMetadataKeyBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "timed metadata key", in: [.metadataKeyTable], "ISO/IEC 14496-12, 12.9.3",
    "One key of timed metadata; the type of the box is its local identifier.", childrenFollow: true,
    childScope: .metadataKey)

  public init() {}
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {}
}

/// `keyd`: the name of a key of timed metadata.
public struct MetadataKeyDeclarationBox: BoxPayload {
  public static let info = BoxInfo(
    ["keyd"], name: "metadata key declaration", in: [.metadataKey], "ISO/IEC 14496-12, 12.9.3",
    "The name of a key of timed metadata.")

  /// How the name is interpreted: `mdta` means a reverse domain name, `me4c` a four-character code.
  public var namespace: FourCC = "mdta"
  /// The name.
  public var value = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("key_namespace", &namespace)
    try c.remainder("key_value", &value, .text)
  }

  /// The name as text.
  public var text: String { value.utf8Text }
}

/// `dtyp`: the type of a key's values.
public struct MetadataDatatypeBox: BoxPayload {
  public static let info = BoxInfo(
    ["dtyp"], name: "metadata datatype", in: [.metadataKey, .box("ctps")], "ISO/IEC 14496-12, 12.9.3",
    "The type of a key's values.")

  /// How the type is specified: 0 as a well-known type, 1 as a name in reverse domain notation.
  public var namespace: UInt32 = 0
  /// The type, if the namespace is 0.
  public var wellKnownType = WellKnownType.binary
  /// The type, if the namespace is not 0.
  public var datatype = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32(
      "datatype_namespace", &namespace, .named { $0 == 0 ? "well-known type" : $0 == 1 ? "custom" : nil })
    if namespace == 0 {
      try c.code("datatype", &wellKnownType, bits: 32, WellKnownType.format)
    } else {
      try c.remainder("datatype_array", &datatype, .text)
    }
  }
}

/// `loca`: the language that a key's values are meant for.
public struct MetadataLocaleBox: BoxPayload {
  public static let info = BoxInfo(
    ["loca"], name: "metadata locale", in: [.metadataKey], "ISO/IEC 14496-12, 12.9.3",
    "The language that a key's values are meant for.")

  /// The language tag (RFC 5646).
  public var locale = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.terminatedString("locale_string", &locale)
  }
}

/// `setu`: the configuration that a reader of a key's values needs.
public struct MetadataSetupBox: BoxPayload {
  public static let info = BoxInfo(
    ["setu"], name: "metadata setup", in: [.metadataKey], "ISO/IEC 14496-12, 12.9.3",
    "The configuration that a reader of a key's values needs.")

  /// Bytes whose meaning is defined by the key.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `stru`: how a key's values depend on the values of other keys.
public struct MetadataStructuralDependencyBox: BoxPayload {
  public static let info = BoxInfo(
    ["stru"], name: "metadata structural dependency", in: [.metadataKey],
    "QuickTime File Format, Timed Metadata", "How a key's values depend on the values of other keys.")

  /// The description of the dependency, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `sdpi`: whether the values of a key may have become invalid because the movie was changed.
public struct MetadataDependencyValidityBox: BoxPayload {
  public static let info = BoxInfo(
    ["sdpi"], name: "metadata dependency validity", in: [.box("sdpd")], "Apple, as found in files",
    "Whether the values of a key may have become invalid because the movie was changed.")

  /// 0 means that the values are valid.
  public var value: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("value", &value) }
}

extension TimedMetadataKeysBox {
  public func counting(_ children: [Box]) -> Self? {
    guard isFullBox else { return nil }
    var counting = self
    counting.entryCount = children.counted()
    return counting
  }
}
