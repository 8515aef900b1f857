// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `mdat`: the media data that sample tables point to.
///
/// It is never loaded with the tree.
public struct MediaDataBox: BoxPayload {
  public static let info = BoxInfo(
    ["mdat"], name: "media data", "ISO/IEC 14496-12, 8.1.1",
    "The media data that sample tables point to.")

  /// The data.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `imda`: media data identified by a number, which data references use.
public struct IdentifiedMediaDataBox: BoxPayload {
  public static let info = BoxInfo(
    ["imda"], name: "identified media data", in: [.file], "ISO/IEC 14496-12, 8.1.4",
    "Media data identified by a number, which data references use.")

  /// The number that identifies the data.
  public var imdaIdentifier: UInt32 = 0
  /// The data.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("imda_identifier", &imdaIdentifier)
    try c.remainder("data", &data)
  }
}

/// `free`, `skip` and `wide`: unused space, often reserved for later changes.
public struct FreeSpaceBox: BoxPayload {
  public static let info = BoxInfo(
    ["free", "skip", "wide"], name: "free space", "ISO/IEC 14496-12, 8.1.2",
    "Unused space, often reserved for later changes.")

  /// The unused bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `!mov`, `!mof`, `!six`, `!ssx`: a compressed movie, movie fragment or index.
///
/// Decompressed, they are `moov`, `moof`, `sidx` and `ssix`, in this order.
public struct CompressedBox: BoxPayload {
  public static let info = BoxInfo(
    ["!mov", "!mof", "!six", "!ssx"], name: "compressed", in: [.file], "ISO/IEC 14496-12, 8.19",
    "A compressed movie, movie fragment or index.")

  /// The compressed box.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `pdin`: how long to wait before playback starts while the file is being downloaded.
public struct ProgressiveDownloadInfoBox: FullBox {
  public static let info = BoxInfo(
    ["pdin"], name: "progressive download info", in: [.file], "ISO/IEC 14496-12, 8.1.3",
    "How long to wait before playback starts while the file is being downloaded.", versions: 0...0)

  /// The delay for one download rate.
  public struct Entry: PackedRecord {
    /// The download rate in bytes per second.
    public var rate: UInt32 = 0
    /// How long to wait, in milliseconds.
    public var initialDelay: UInt32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    /// Makes an entry.
    public init(rate: UInt32, initialDelay: UInt32) {
      self.rate = rate
      self.initialDelay = initialDelay
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("rate", &rate)
      try c.u32("initial_delay", &initialDelay)
    }
  }

  public var flags: UInt32 = 0
  /// The delays, by download rate.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.tableToEnd("entries", &entries)
  }
}
