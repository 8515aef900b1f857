// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `sbgp`: which samples belong to which groups of one grouping type.
///
/// The groups are run-length coded.
public struct SampleToGroupBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["sbgp"], name: "sample to group", in: [.box("stbl"), .box("traf")], "ISO/IEC 14496-12, 8.9.2",
    "Which samples belong to which groups of one grouping type.", versions: 0...1)

  /// A run of samples of one group.
  public struct Entry: PackedRecord {
    /// How many samples the run has.
    public var sampleCount: UInt32 = 0
    /// The group, as a 1-based index into `sgpd`; 0 means none. In a fragment, numbers above 0x10000 count in its
    /// own `sgpd`.
    public var groupDescriptionIndex: UInt32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    /// Makes a run.
    public init(sampleCount: UInt32, groupDescriptionIndex: UInt32) {
      self.sampleCount = sampleCount
      self.groupDescriptionIndex = groupDescriptionIndex
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("sample_count", &sampleCount)
      try c.u32("group_description_index", &groupDescriptionIndex)
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// What the groups describe.
  public var groupingType: FourCC = "roll"
  /// A number that distinguishes groupings of the same type, in version 1; otherwise `nil`.
  public var groupingTypeParameter: UInt32?
  /// The runs, in decoding order.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.fourCC("grouping_type", &groupingType)
    try c.u("grouping_type_parameter", &groupingTypeParameter, 32, if: version == 1)
    try c.table("entries", &entries, countedBy: "entry_count")
  }
}

/// `csgp`: which samples belong to which groups, as repeating patterns.
///
/// The patterns are packed into bits.
public struct CompactSampleToGroupBox: FullBox {
  public static let info = BoxInfo(
    ["csgp"], name: "compact sample to group", in: [.box("stbl"), .box("traf")], "ISO/IEC 14496-12, 8.9.5",
    "Which samples belong to which groups, as repeating patterns.", versions: 0...0)

  /// A pattern of groups that repeats over some samples.
  public struct Pattern: Hashable, Sendable {
    /// The number of samples after which it repeats.
    public var length: UInt32 = 0
    /// The number of samples that it covers.
    public var sampleCount: UInt32 = 0
    /// Makes a pattern.
    public init(length: UInt32 = 0, sampleCount: UInt32 = 0) {
      self.length = length
      self.sampleCount = sampleCount
    }
  }

  /// Bits 0 and 1, 2 and 3, 4 and 5: the widths of indices, counts and lengths as 4, 8, 16 or 32 bits. Bit 6: a
  /// parameter is given. Bit 7: the highest bit of an index means that it counts in the fragment.
  public var flags: UInt32 = 0
  /// What the groups describe.
  public var groupingType: FourCC = "roll"
  /// A number that distinguishes groupings of the same type; `nil` if not given.
  public var groupingTypeParameter: UInt32?
  /// The patterns.
  public var patterns: [Pattern] = []
  /// The groups, counted from 1, of all patterns in order.
  public var indices: [UInt32] = []
  /// Bits that pad the last byte.
  public var padding: UInt8 = 0

  public init() {}

  /// The width, in bits, coded at `shift` of the flags.
  private func width(at shift: UInt32) -> Int { 4 << Int(flags >> shift & 3) }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    let indexBits = width(at: 0), countBits = width(at: 2), lengthBits = width(at: 4)
    try c.fourCC("grouping_type", &groupingType)
    try c.u("grouping_type_parameter", &groupingTypeParameter, 32, if: flags & 0x40 != 0)
    var count = UInt32(clamping: patterns.count)
    try c.u32("pattern_count", &count)
    try c.array(
      "patterns", &patterns, count: count, minimumBits: lengthBits + countBits, new: Pattern()
    ) { c, pattern throws(ParseError) in
      c.beginStructure("pattern")
      try c.u("pattern_length", &pattern.length, lengthBits)
      try c.u("sample_count", &pattern.sampleCount, countBits)
      c.endScope()
    }
    let total = patterns.reduce(UInt64(0)) { $0 &+ UInt64($1.length) }
    try c.array("sample_group_description_index", &indices, count: total, bits: indexBits)
    let used = patterns.count &* (lengthBits + countBits) &+ indices.count &* indexBits
    try c.reserved("padding", &padding, bits: (8 - used & 7) & 7, expecting: 0)
  }
}
