// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `cmpd`: the components of uncompressed pictures.
public struct ComponentDefinitionBox: BoxPayload {
  public static let info = BoxInfo(
    ["cmpd"], name: "component definition", in: [.box("ipco"), .visualSampleEntry], "ISO/IEC 23001-17, 5.1.2",
    "The components of uncompressed pictures.")

  /// A component.
  public struct Component: FieldLayout {
    /// The type: 0 monochrome, 1 luma, 2 Cb, 3 Cr, 4 red, 5 green, 6 blue, 7 alpha, 8 depth, …
    public var componentType: UInt16 = 0
    /// The URI of the type, if the type is 0x8000 or higher.
    public var typeURI = TerminatedString()
    /// Makes a component with default values.
    public init() {}
    /// Makes a component of a known type.
    public init(_ type: UInt16) { componentType = type }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("component_type", &componentType, .named { Component.name(of: $0) })
      if componentType >= 0x8000 { try c.terminatedString("component_type_uri", &typeURI) }
    }

    static func name(of type: Int64) -> String? {
      let names = [
        "monochrome", "luma", "Cb", "Cr", "red", "green", "blue", "alpha", "depth", "disparity", "palette",
        "filter array", "padded", "cyan", "magenta", "yellow", "key",
      ]
      return Int(exactly: type).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }
  }

  /// The components; others refer to them by a 0-based index.
  public var components: [Component] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("components", &components, countedBy: "component_count", UInt32.self, minimumBits: 16)
  }
}

/// `uncC`: how the samples of uncompressed pictures are stored.
public struct UncompressedFrameConfigBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["uncC"], name: "uncompressed frame config", in: [.box("ipco"), .visualSampleEntry],
    "ISO/IEC 23001-17, 5.2.1", "How the samples of uncompressed pictures are stored.", versions: 0...1)

  /// How the values of a component are stored.
  public struct Component: PackedRecord {
    /// The component, as a 0-based index into `cmpd`.
    public var componentIndex: UInt16 = 0
    /// The number of bits, less 1.
    public var bitDepthMinus1: UInt8 = 7
    /// The format of the values: 0 unsigned, 1 floating-point, 2 complex.
    public var format: UInt8 = 0
    /// The number of bytes to which each value is padded; 0 means no padding.
    public var alignSize: UInt8 = 0
    @inlinable
    public static var stride: Int { 5 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("component_index", &componentIndex)
      try c.u8("component_bit_depth_minus_one", &bitDepthMinus1)
      try c.u8("component_format", &format)
      try c.u8("component_align_size", &alignSize)
    }
  }

  /// The fields that version 0 has in addition to the profile.
  public struct Details: FieldLayout {
    /// The components, in order.
    public var components: [Component] = []
    /// The chroma format: 0 none, 1 4:2:2, 2 4:2:0, 3 4:1:1.
    public var samplingType: UInt8 = 0
    /// How components are interleaved: 0 planes, 1 pixels, 2 mixed, 3 rows, 4 tiles, 5 multi-Y.
    public var interleaveType: UInt8 = 1
    /// The number of bytes of the blocks into which values are packed; 0 means no blocks.
    public var blockSize: UInt8 = 0
    /// Whether values of several bytes are little-endian.
    public var areComponentsLittleEndian = false
    /// Whether padding is in the lowest bits of a block.
    public var isBlockPaddedLow = false
    /// Whether blocks are little-endian.
    public var isBlockLittleEndian = false
    /// Whether the values of a block are in reverse order.
    public var isBlockReversed = false
    /// Whether padding may be other than 0.
    public var isPaddingUnknown = false
    /// Three bits that should be 0.
    public var reserved: UInt8 = 0
    /// The number of bytes of a pixel; 0 means as many as needed.
    public var pixelSize: UInt32 = 0
    /// The number of bytes to which rows are padded.
    public var rowAlignSize: UInt32 = 0
    /// The number of bytes to which tiles are padded.
    public var tileAlignSize: UInt32 = 0
    /// The number of columns of tiles, less 1.
    public var tileColumnsMinus1: UInt32 = 0
    /// The number of rows of tiles, less 1.
    public var tileRowsMinus1: UInt32 = 0
    /// Makes details with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.array("components", &components, countedBy: "component_count", UInt32.self, minimumBits: 40)
      try c.u8("sampling_type", &samplingType)
      try c.u8("interleave_type", &interleaveType)
      try c.u8("block_size", &blockSize)
      try c.flag("components_little_endian", &areComponentsLittleEndian)
      try c.flag("block_pad_lsb", &isBlockPaddedLow)
      try c.flag("block_little_endian", &isBlockLittleEndian)
      try c.flag("block_reversed", &isBlockReversed)
      try c.flag("pad_unknown", &isPaddingUnknown)
      try c.reserved("reserved", &reserved, bits: 3, expecting: 0)
      try c.u32("pixel_size", &pixelSize)
      try c.u32("row_align_size", &rowAlignSize)
      try c.u32("tile_align_size", &tileAlignSize)
      try c.u32("num_tile_cols_minus_one", &tileColumnsMinus1)
      try c.u32("num_tile_rows_minus_one", &tileRowsMinus1)
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// A predefined way to store samples; 0 means none.
  public var profile = FourCC(0)
  /// The details; `nil` in version 1, where the profile specifies everything.
  public var details: Details? = Details()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.fourCC("profile", &profile)
    try c.group("details", &details, if: version == 0)
  }
}

/// `cmpC`: how the bytes of an uncompressed picture are compressed with a general-purpose method.
public struct GenericCompressionConfigBox: FullBox {
  public static let info = BoxInfo(
    ["cmpC"], name: "generic compression config", in: [.box("ipco"), .visualSampleEntry],
    "ISO/IEC 23001-17, 8.3",
    "How the bytes of an uncompressed picture are compressed with a general-purpose method.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The method: `zlib`, `defl`, `brot`.
  public var compressionType: FourCC = "zlib"
  /// The unit that is compressed separately: 0 the whole, 1 the picture, 2 a tile, 3 a row, 4 a pixel.
  public var compressedUnitType: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("compression_type", &compressionType)
    try c.u8("compressed_unit_type", &compressedUnitType)
  }
}

/// `icef`: the locations of the separately compressed parts of an item.
public struct CompressedUnitsItemBox: FullBox {
  public static let info = BoxInfo(
    ["icef"], name: "compressed units item", in: [.box("ipco")], "ISO/IEC 23001-17, 8.4",
    "The locations of the separately compressed parts of an item.", versions: 0...0)

  /// A part.
  public struct Unit: Hashable, Sendable {
    /// The offset of the part; `nil` if it directly follows the previous one.
    public var offset: UInt64?
    /// The size of the part in bytes.
    public var size: UInt64 = 0
    /// Makes a part.
    public init(offset: UInt64? = nil, size: UInt64 = 0) {
      self.offset = offset
      self.size = size
    }
  }

  public var flags: UInt32 = 0
  /// The width of offsets, as a code: none, 16, 24, 32 or 64 bits.
  public var offsetCode: UInt8 = 0
  /// The width of sizes, as a code: 8, 16, 24, 32 or 64 bits.
  public var sizeCode: UInt8 = 3
  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// The parts.
  public var units: [Unit] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u("unit_offset_code", &offsetCode, 3, in: 0...4)
    try c.u("unit_size_code", &sizeCode, 3, in: 0...4)
    try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    var count = UInt32(clamping: units.count)
    try c.u32("num_compressed_units", &count)
    let offsetBits = Self.width(of: offsetCode, least: 0), sizeBits = Self.width(of: sizeCode, least: 8)
    try c.array("units", &units, count: count, minimumBits: offsetBits + sizeBits, new: Unit()) {
      c, unit throws(ParseError) in
      c.beginStructure("unit")
      try c.u("unit_offset", &unit.offset, offsetBits, if: offsetBits > 0)
      try c.u("unit_size", &unit.size, sizeBits)
      c.endScope()
    }
  }

  private static func width(of code: UInt8, least: Int) -> Int {
    switch code {
    case 0: least
    case 1: 16
    case 2: 24
    case 3: 32
    default: 64
    }
  }
}

/// `icbr`: the separately compressed ranges of an item, in a draft that led to `icef`.
public struct CompressedRangesBox: FullBox {
  public static let info = BoxInfo(
    ["icbr"], name: "compressed ranges", in: [.box("ipco")], "ISO/IEC 23001-17, drafts",
    "The separately compressed ranges of an item, in a draft that led to icef.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of ranges.
  public var rangeCount: UInt32 = 0
  /// The ranges, as bytes: no published text describes them.
  public var ranges = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("num_ranges", &rangeCount)
    try c.remainder("ranges", &ranges)
  }
}
