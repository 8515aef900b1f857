// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `sidx`: where the subsegments of a stream are, how long they last, and where playback can begin.
public struct SegmentIndexBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["sidx"], name: "segment index", in: [.file], "ISO/IEC 14496-12, 8.16.3",
    "Where the subsegments of a stream are, how long they last, and where playback can begin.",
    versions: 0...1)

  /// One subsegment, or another index.
  public struct Reference: PackedRecord {
    /// Whether it is another index.
    public var isIndex = false
    /// The size of the referenced part in bytes.
    public var referencedSize: UInt32 = 0
    /// Its duration in the timescale of the index.
    public var subsegmentDuration: UInt32 = 0
    /// Whether it begins with a stream access point.
    public var startsWithSAP = false
    /// The kind of access point, 1 to 6; 0 is unknown or none.
    public var sapType: UInt8 = 0
    /// The time from the start of the subsegment to the access point.
    public var sapDeltaTime: UInt32 = 0
    @inlinable
    public static var stride: Int { 12 }
    @inlinable
    public init() {}
    /// Makes a reference to media.
    public init(size: UInt32, duration: UInt32, startsWithSAP: Bool = false, sapType: UInt8 = 0) {
      referencedSize = size
      subsegmentDuration = duration
      self.startsWithSAP = startsWithSAP
      self.sapType = sapType
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("reference_type", &isIndex)
      try c.u("referenced_size", &referencedSize, 31)
      try c.u32("subsegment_duration", &subsegmentDuration)
      try c.flag("starts_with_SAP", &startsWithSAP)
      try c.u("SAP_type", &sapType, 3)
      try c.u("SAP_delta_time", &sapDeltaTime, 28)
    }
  }

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The stream, usually a track ID.
  public var referenceID: UInt32 = 1
  /// The timescale: how many units of the times below make a second.
  public var timescale: UInt32 = 1
  /// The earliest presentation time of the first subsegment.
  public var earliestPresentationTime: UInt64 = 0
  /// How many bytes are between this box and the first subsegment.
  public var firstOffset: UInt64 = 0
  /// The subsegments, in order.
  public var references = PackedTable<Reference>()
  var reserved: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    try c.u32("reference_ID", &referenceID)
    try c.u32("timescale", &timescale)
    try c.u32or64("earliest_presentation_time", &earliestPresentationTime, wide: wide)
    try c.u32or64("first_offset", &firstOffset, wide: wide)
    try c.reserved("reserved", &reserved, bits: 16, expecting: 0)
    var count = UInt16(clamping: references.count)
    try c.u16("reference_count", &count)
    try c.table("references", &references, count: UInt64(count))
  }
}
