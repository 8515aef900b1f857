// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `stsz`: the size of each sample: one size for all, or one for each.
public struct SampleSizeBox: FullBox {
  public static let info = BoxInfo(
    ["stsz"], name: "sample size", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.3.2",
    "The size of each sample: one size for all, or one for each.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The size of every sample in bytes; 0 if each has its own in `entries`.
  public var sampleSize: UInt32 = 0
  /// The number of samples; if `sampleSize` is 0, as many as `entries`.
  public var sampleCount: UInt32 = 0
  /// The size of each sample in bytes, if they differ.
  public var entries = PackedTable<UInt32Record>()

  public init() {}

  /// Makes a table of samples of equal size.
  public init(sampleSize: UInt32, sampleCount: UInt32) {
    self.sampleSize = sampleSize
    self.sampleCount = sampleCount
  }

  /// Makes a table of samples of different sizes.
  public init(_ sizes: [UInt32]) {
    entries = .of(sizes.map { UInt32Record($0) })
    sampleCount = UInt32(clamping: sizes.count)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("sample_size", &sampleSize)
    try c.u32("sample_count", &sampleCount)
    if sampleSize == 0 { try c.table("entry_size", &entries, count: UInt64(sampleCount)) }
  }
}

/// `stz2`: the size of each sample, in 4, 8 or 16 bits.
public struct CompactSampleSizeBox: FullBox {
  public static let info = BoxInfo(
    ["stz2"], name: "compact sample size", in: [.box("stbl")], "ISO/IEC 14496-12, 8.7.3.3",
    "The size of each sample, in 4, 8 or 16 bits.", versions: 0...0)

  /// The size of one sample. Its format is the number of bits it takes.
  @frozen
  public struct Entry: FormattedRecord, ScalarRecord {
    /// The size in bytes.
    public var size: UInt16 = 0
    @inlinable
    public init() {}
    /// Makes a row.
    @inlinable
    public init(_ size: UInt16) { self.size = size }
    @inlinable
    public static func bits(_ format: UInt8) -> Int { Int(format) }
    @inlinable
    public mutating func layout(_ c: inout some Coder, as format: UInt8) throws(ParseError) {
      try c.u("", &size, Int(format))
    }
  }

  public var flags: UInt32 = 0
  /// The sizes; the table's format is the number of bits each takes.
  public var entries = FormattedTable<Entry>(as: 8)
  var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 24, expecting: 0)
    var fieldSize = entries.format
    try c.u8("field_size", &fieldSize, in: 4...16)
    guard fieldSize == 4 || fieldSize == 8 || fieldSize == 16 else {
      throw c.failure(.invalid("is \(fieldSize), must be 4, 8 or 16"), "field_size")
    }
    var count = UInt32(clamping: entries.count)
    try c.u32("sample_count", &count)
    try c.table("entry_size", &entries, count: UInt64(count), as: fieldSize)
  }
}
