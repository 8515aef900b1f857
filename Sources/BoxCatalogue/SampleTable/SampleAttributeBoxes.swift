// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `padb`: the number of padding bits at the end of each sample.
public struct PaddingBitsBox: FullBox {
  public static let info = BoxInfo(
    ["padb"], name: "padding bits", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.6",
    "The number of padding bits at the end of each sample.", versions: 0...0)

  /// The padding of one sample, in half a byte.
  public struct Entry: FormattedRecord, ScalarRecord {
    /// The number of padding bits.
    public var pad: UInt8 = 0
    var reserved: UInt8 = 0
    public init() {}
    /// Makes a row.
    public init(_ pad: UInt8) { self.pad = pad }
    public static func bits(_ format: FixedFormat) -> Int { 4 }
    public mutating func layout(_ c: inout some Coder, as format: FixedFormat) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 1, expecting: 0)
      try c.u("pad", &pad, 3)
    }
  }

  public var flags: UInt32 = 0
  /// One row per sample.
  public var entries = FormattedTable<Entry>(as: FixedFormat())

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    var count = UInt32(clamping: entries.count)
    try c.u32("sample_count", &count)
    try c.table("pad", &entries, count: UInt64(count), as: FixedFormat())
  }
}

/// `stdp`: the degradation priority of each sample.
public struct DegradationPriorityBox: FullBox {
  public static let info = BoxInfo(
    ["stdp"], name: "degradation priority", in: [.box("stbl")], "ISO/IEC 14496-12, 8.5.3",
    "The degradation priority of each sample.", versions: 0...0)

  public var flags: UInt32 = 0
  /// One number per sample, as many as fit into the box.
  public var priorities = PackedTable<UInt16Record>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.tableToEnd("priority", &priorities)
  }
}

/// `subs`: the parts of samples: their sizes and priorities.
public struct SubSampleInformationBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["subs"], name: "sub sample information", in: [.box("stbl"), .box("traf"), .box("ipco")],
    "ISO/IEC 14496-12, 8.7.7", "The parts of samples: their sizes and priorities.", versions: 0...1)

  /// A part of a sample.
  public struct SubSample: Hashable, Sendable {
    /// Its size in bytes.
    public var size: UInt32 = 0
    /// Its priority; higher values are more important.
    public var priority: UInt8 = 0
    /// 1 if the sample can be decoded without the part.
    public var discardable: UInt8 = 0
    /// Parameters defined by the codec.
    public var codecSpecificParameters: UInt32 = 0

    /// Makes a part.
    public init(
      size: UInt32 = 0, priority: UInt8 = 0, discardable: UInt8 = 0, codecSpecificParameters: UInt32 = 0
    ) {
      self.size = size
      self.priority = priority
      self.discardable = discardable
      self.codecSpecificParameters = codecSpecificParameters
    }
  }

  /// A sample that has parts.
  public struct Entry: Hashable, Sendable {
    /// The number of samples since the previous one; for the first, its number, counted from 1.
    public var sampleDelta: UInt32 = 0
    /// The parts, in order.
    public var subsamples: [SubSample] = []

    /// Makes a sample with parts.
    public init(sampleDelta: UInt32 = 0, subsamples: [SubSample] = []) {
      self.sampleDelta = sampleDelta
      self.subsamples = subsamples
    }
  }

  /// 1 for sizes of 32 bits.
  public var version: UInt8 = 0
  /// The kind of parts, as defined by the codec.
  public var flags: UInt32 = 0
  /// The samples that have parts.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let sizeBits = version == 1 ? 32 : 16
    var count = UInt32(clamping: entries.count)
    try c.u32("entry_count", &count)
    try c.array("entries", &entries, count: count, minimumBits: 48, new: Entry()) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      try c.u32("sample_delta", &entry.sampleDelta)
      var parts = UInt16(clamping: entry.subsamples.count)
      try c.u16("subsample_count", &parts)
      try c.array("subsamples", &entry.subsamples, count: parts, minimumBits: sizeBits + 48, new: SubSample())
      {
        c, part throws(ParseError) in
        c.beginStructure("subsample")
        try c.u("subsample_size", &part.size, sizeBits)
        try c.u8("subsample_priority", &part.priority)
        try c.u8("discardable", &part.discardable)
        try c.u32("codec_specific_parameters", &part.codecSpecificParameters)
        c.endScope()
      }
      c.endScope()
    }
  }
}
