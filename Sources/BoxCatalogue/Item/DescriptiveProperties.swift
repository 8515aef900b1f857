// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rref`: the kinds of references that must be supported to show an item.
public struct RequiredReferenceTypesProperty: BoxPayload {
  public static let name: StaticString = "required reference types property"
  public static let types: [FourCC] = ["rref"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.17"
  public static let summary: StaticString = "The references without which an item must not be shown."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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

/// `udes`: a description of an item by a user.
public struct UserDescriptionProperty: BoxPayload {
  public static let name: StaticString = "user description property"
  public static let types: [FourCC] = ["udes"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.20"
  public static let summary: StaticString = "What a user says of an item: its name, a description, tags."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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

/// `altt`: a text that describes an image for those who cannot see it.
public struct AccessibilityTextProperty: BoxPayload {
  public static let name: StaticString = "accessibility text property"
  public static let types: [FourCC] = ["altt"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.21"
  public static let summary: StaticString = "Text to read in place of an image."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
public struct CreationTimeProperty: BoxPayload {
  public static let name: StaticString = "creation time property"
  public static let types: [FourCC] = ["crtt"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.18"
  public static let summary: StaticString = "When an item was made."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
public struct ModificationTimeProperty: BoxPayload {
  public static let name: StaticString = "modification time property"
  public static let types: [FourCC] = ["mdft"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.19"
  public static let summary: StaticString = "When an item was last changed."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The time in microseconds since 1904-01-01 00:00 UTC.
  public var modificationTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u64("modification_time", &modificationTime)
  }
}

/// `mskC`: the number of bits of a mask's pixel.
public struct MaskConfigurationProperty: BoxPayload {
  public static let name: StaticString = "mask configuration property"
  public static let types: [FourCC] = ["mskC"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.10.2"
  public static let summary: StaticString = "How many bits a pixel of a mask has."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The number of bits of a pixel.
  public var bitsPerPixel: UInt8 = 8

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("bits_per_pixel", &bitsPerPixel)
  }
}

/// `jpgC`: bytes that precede those of each JPEG image.
public struct JPEGConfigurationProperty: BoxPayload {
  public static let name: StaticString = "JPEG configuration property"
  public static let types: [FourCC] = ["jpgC"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, H.2.3"
  public static let summary: StaticString = "What precedes the bytes of each JPEG image."

  /// The bytes.
  public var prefix = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("JPEGprefix", &prefix)
  }
}

/// `brnd`: the brands that an item conforms to.
public struct BrandProperty: BoxPayload {
  public static let name: StaticString = "brand property"
  public static let types: [FourCC] = ["brnd"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.11.15"
  public static let summary: StaticString = "The brands to which an item conforms."

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

/// `a1lx`: the sizes of the layers of an AV1 image.
public struct AV1LayeredImageIndexingProperty: BoxPayload {
  public static let name: StaticString = "AV1 layered image indexing property"
  public static let types: [FourCC] = ["a1lx"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "AV1 Image File Format, 2.3.2"
  public static let summary: StaticString = "How many bytes the layers of an AV1 image take."

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
  public static let name: StaticString = "AV1 operating point selector property"
  public static let types: [FourCC] = ["a1op"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "AV1 Image File Format, 2.3.1"
  public static let summary: StaticString = "Which operating point of an AV1 image to decode."

  /// The operating point.
  public var operatingPointIndex: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("op_index", &operatingPointIndex)
  }
}
