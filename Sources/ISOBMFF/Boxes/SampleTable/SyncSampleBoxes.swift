// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `stss`: the samples at which decoding can begin. If the box is absent, these are all samples.
public struct SyncSampleBox: FullBox {
  public static let info = BoxInfo(
    ["stss"], name: "sync sample", in: [.box("stbl")], "ISO/IEC 14496-12, 8.6.2",
    "The samples at which decoding can begin. If the box is absent, these are all samples.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Sample numbers, counted from 1, ascending.
  public var entries = PackedTable<UInt32Record>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("sample_number", &entries, countedBy: "entry_count")
  }
}

/// `stps`: the samples that begin an open group of pictures.
///
/// Samples after such a one may refer to samples before it.
public struct PartialSyncSampleBox: FullBox {
  public static let info = BoxInfo(
    ["stps"], name: "partial sync sample", in: [.box("stbl")],
    "QuickTime File Format, Partial Sync Sample Atoms", "The samples that begin an open group of pictures.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// Sample numbers, counted from 1, ascending.
  public var entries = PackedTable<UInt32Record>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("sample_number", &entries, countedBy: "entry_count")
  }
}

/// `stsh`: samples that can replace others as a starting point for decoding.
public struct ShadowSyncSampleBox: FullBox {
  public static let info = BoxInfo(
    ["stsh"], name: "shadow sync sample", in: [.box("stbl")], "ISO/IEC 14496-12, 8.6.3",
    "Samples that can replace others as a starting point for decoding.", versions: 0...0)

  /// A sample and the one that can replace it.
  public struct Entry: PackedRecord {
    /// The sample, counted from 1.
    public var shadowedSampleNumber: UInt32 = 0
    /// The sync sample to use instead, counted from 1.
    public var syncSampleNumber: UInt32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    /// Makes a pair.
    public init(shadowedSampleNumber: UInt32, syncSampleNumber: UInt32) {
      self.shadowedSampleNumber = shadowedSampleNumber
      self.syncSampleNumber = syncSampleNumber
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("shadowed_sample_number", &shadowedSampleNumber)
      try c.u32("sync_sample_number", &syncSampleNumber)
    }
  }

  public var flags: UInt32 = 0
  /// The pairs, in the order of the shadowed samples.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("entries", &entries, countedBy: "entry_count")
  }
}

/// `sdtp`: how each sample depends on others, and whether others depend on it.
public struct SampleDependencyTypeBox: FullBox {
  public static let info = BoxInfo(
    ["sdtp"], name: "sample dependency type", in: [.box("stbl"), .box("traf")], "ISO/IEC 14496-12, 8.6.4",
    "How each sample depends on others, and whether others depend on it.", versions: 0...0)

  /// The dependencies of one sample; 0 is unknown in every field.
  @frozen
  public struct Entry: PackedRecord {
    /// Whether it is a leading sample: 1 leading and not decodable after random access, 2 not leading, 3 leading
    /// and decodable.
    public var isLeading: UInt8 = 0
    /// Whether it depends on others: 1 yes, 2 no.
    public var sampleDependsOn: UInt8 = 0
    /// Whether others depend on it: 1 yes, 2 no.
    public var sampleIsDependedOn: UInt8 = 0
    /// Whether it has redundant coding: 1 yes, 2 no.
    public var sampleHasRedundancy: UInt8 = 0
    @inlinable
    public static var stride: Int { 1 }
    @inlinable
    public init() {}
    /// Makes a row.
    public init(isLeading: UInt8 = 0, dependsOn: UInt8 = 0, isDependedOn: UInt8 = 0, hasRedundancy: UInt8 = 0)
    {
      self.isLeading = isLeading
      sampleDependsOn = dependsOn
      sampleIsDependedOn = isDependedOn
      sampleHasRedundancy = hasRedundancy
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("is_leading", &isLeading, 2)
      try c.u("sample_depends_on", &sampleDependsOn, 2)
      try c.u("sample_is_depended_on", &sampleIsDependedOn, 2)
      try c.u("sample_has_redundancy", &sampleHasRedundancy, 2)
    }
  }

  public var flags: UInt32 = 0
  /// One row per sample, as many as fit into the box.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.tableToEnd("samples", &entries)
  }
}
