// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `stsc`: how many samples each chunk has, and which sample entry describes them.
public struct SampleToChunkBox: FullBox {
  public static let info = BoxInfo(
    ["stsc"], name: "sample to chunk", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.4",
    "How many samples each chunk has, and which sample entry describes them.", versions: 0...0)

  /// A run of chunks with the same values; it ends where the next one begins.
  public struct Entry: PackedRecord {
    /// The first chunk of the run, counted from 1.
    public var firstChunk: UInt32 = 0
    /// The number of samples in each of its chunks.
    public var samplesPerChunk: UInt32 = 0
    /// The sample entry that describes them, counted from 1.
    public var sampleDescriptionIndex: UInt32 = 0
    @inlinable
    public static var stride: Int { 12 }
    @inlinable
    public init() {}
    /// Makes a run.
    public init(firstChunk: UInt32, samplesPerChunk: UInt32, sampleDescriptionIndex: UInt32 = 1) {
      self.firstChunk = firstChunk
      self.samplesPerChunk = samplesPerChunk
      self.sampleDescriptionIndex = sampleDescriptionIndex
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("first_chunk", &firstChunk)
      try c.u32("samples_per_chunk", &samplesPerChunk)
      try c.u32("sample_description_index", &sampleDescriptionIndex)
    }
  }

  public var flags: UInt32 = 0
  /// The runs, in the order of their first chunks.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("entries", &entries, countedBy: "entry_count")
  }
}

/// `stco`: the file offset of each chunk.
public struct ChunkOffsetBox: FullBox {
  public static let info = BoxInfo(
    ["stco"], name: "chunk offset", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.5",
    "The file offset of each chunk.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Offsets in the file.
  public var entries = PackedTable<UInt32Record>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("chunk_offset", &entries, countedBy: "entry_count")
  }
}

/// `co64`: the file offset of each chunk, in 64 bits.
public struct ChunkLargeOffsetBox: FullBox {
  public static let info = BoxInfo(
    ["co64"], name: "chunk large offset", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.5",
    "The file offset of each chunk, in 64 bits.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Offsets in the file.
  public var entries = PackedTable<UInt64Record>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("chunk_offset", &entries, countedBy: "entry_count")
  }
}
