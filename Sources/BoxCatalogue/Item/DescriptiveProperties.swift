// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rref`: the types of references that a reader must support to show an item.
public struct RequiredReferenceTypesProperty: FullBox {
  public static let info = BoxInfo(
    ["rref"], name: "required reference types property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.17",
    "The types of references that a reader must support to show an item.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The kinds of references.
  public var referenceTypes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    var count = UInt8(clamping: referenceTypes.count)
    try c.u8("reference_type_count", &count)
    try c.array("reference_type", &referenceTypes, count: count, minimumBits: 32, new: FourCC(0)) {
      c, type throws(ParseError) in
      try c.fourCC("reference_type", &type)
    }
  }
}

/// `udes`: a user's description of an item: name, text and tags.
public struct UserDescriptionProperty: FullBox {
  public static let info = BoxInfo(
    ["udes"], name: "user description property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.20",
    "A user's description of an item: name, text and tags.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The language tag (RFC 5646).
  public var language = TerminatedString()
  /// The name.
  public var name = TerminatedString()
  /// The description.
  public var description = TerminatedString()
  /// Tags, separated by commas.
  public var tags = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("lang", &language)
    try c.terminatedString("name", &name)
    try c.terminatedString("description", &description)
    try c.terminatedString("tags", &tags)
  }
}

/// `altt`: alternative text that describes an image for people who cannot see it.
public struct AccessibilityTextProperty: FullBox {
  public static let info = BoxInfo(
    ["altt"], name: "accessibility text property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.21",
    "Alternative text that describes an image for people who cannot see it.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The text.
  public var text = TerminatedString()
  /// The language tag (RFC 5646).
  public var language = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("alt_text", &text)
    try c.terminatedString("alt_lang", &language)
  }
}

/// `crtt`: when an item was created.
public struct CreationTimeProperty: FullBox {
  public static let info = BoxInfo(
    ["crtt"], name: "creation time property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.18",
    "When an item was created.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The time in microseconds since 1904-01-01 00:00 UTC.
  public var creationTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u64("creation_time", &creationTime)
  }
}

/// `mdft`: when an item was last modified.
public struct ModificationTimeProperty: FullBox {
  public static let info = BoxInfo(
    ["mdft"], name: "modification time property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.19",
    "When an item was last modified.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The time in microseconds since 1904-01-01 00:00 UTC.
  public var modificationTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u64("modification_time", &modificationTime)
  }
}

/// `mskC`: the number of bits per pixel of a mask.
public struct MaskConfigurationProperty: FullBox {
  public static let info = BoxInfo(
    ["mskC"], name: "mask configuration property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.10.2",
    "The number of bits per pixel of a mask.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of bits of a pixel.
  public var bitsPerPixel: UInt8 = 8

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("bits_per_pixel", &bitsPerPixel)
  }
}

/// `jpgC`: the bytes that precede those of each JPEG image.
public struct JPEGConfigurationProperty: BoxPayload {
  public static let info = BoxInfo(
    ["jpgC"], name: "JPEG configuration property", in: [.box("ipco")], "ISO/IEC 23008-12, H.2.3",
    "The bytes that precede those of each JPEG image.")

  /// The bytes.
  public var prefix = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("JPEGprefix", &prefix)
  }
}

/// `brnd`: the brands that an item conforms to.
public struct BrandProperty: BoxPayload {
  public static let info = BoxInfo(
    ["brnd"], name: "brand property", in: [.box("ipco")], "ISO/IEC 14496-12, 8.11.15",
    "The brands that an item conforms to.")

  /// The brand that fits best.
  public var majorBrand: FourCC = "mif1"
  /// The minor version of that brand.
  public var minorVersion: UInt32 = 0
  /// All brands.
  public var compatibleBrands: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("major_brand", &majorBrand)
    try c.u32("minor_version", &minorVersion)
    try c.fourCCsToEnd("compatible_brands", &compatibleBrands)
  }
}

/// `a1lx`: the sizes in bytes of the layers of an AV1 image.
public struct AV1LayeredImageIndexingProperty: BoxPayload {
  public static let info = BoxInfo(
    ["a1lx"], name: "AV1 layered image indexing property", in: [.box("ipco")], "AV1 Image File Format, 2.3.2",
    "The sizes in bytes of the layers of an AV1 image.")

  /// Seven bits that should be 0.
  public var reserved: UInt8 = 0
  /// Whether the sizes take 32 bits instead of 16.
  public var isLarge = false
  /// The sizes in bytes of the first three layers; 0 if there is no such layer.
  public var layerSizes: [UInt32] = [0, 0, 0]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    try c.flag("large_size", &isLarge)
    try c.array("layer_size", &layerSizes, count: 3, bits: isLarge ? 32 : 16)
  }
}

/// `a1op`: which operating point of an AV1 image to decode.
public struct AV1OperatingPointSelectorProperty: BoxPayload {
  public static let info = BoxInfo(
    ["a1op"], name: "AV1 operating point selector property", in: [.box("ipco")],
    "AV1 Image File Format, 2.3.1", "Which operating point of an AV1 image to decode.")

  /// The operating point.
  public var operatingPointIndex: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("op_index", &operatingPointIndex)
  }
}
