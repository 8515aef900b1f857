// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `elst`: which parts of the media are presented at which times, and how fast.
public struct EditListBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["elst"], name: "edit list", in: [.box("edts")], "ISO/IEC 14496-12, 8.6.6",
    "Which parts of the media are presented at which times, and how fast.", versions: 0...1)

  /// One edit.
  public struct Entry: Hashable, Sendable {
    /// The duration of the edit, in movie time.
    public var editDuration: UInt64 = 0
    /// Where it begins in the media, in media time; -1 means that nothing is presented.
    public var mediaTime: Int64 = 0
    /// The integer part of the rate; 0 holds the picture at `mediaTime`.
    public var mediaRateInteger: Int16 = 1
    /// The fraction of the rate, in units of 1/65536.
    public var mediaRateFraction: Int16 = 0

    /// Makes an edit.
    public init(
      editDuration: UInt64 = 0, mediaTime: Int64 = 0, mediaRateInteger: Int16 = 1,
      mediaRateFraction: Int16 = 0
    ) {
      self.editDuration = editDuration
      self.mediaTime = mediaTime
      self.mediaRateInteger = mediaRateInteger
      self.mediaRateFraction = mediaRateFraction
    }
  }

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  /// 1 means that the edits are repeated.
  public var flags: UInt32 = 0
  /// The edits, in presentation order.
  public var entries: [Entry] = []

  public init() {}

  /// Makes a list of edits.
  package init(_ entries: [Entry]) {
    self.entries = entries
    widen()
  }

  /// Gives the list 64-bit times if some do not fit in 32 bits.
  package mutating func widen() {
    let isWide = entries.contains {
      $0.editDuration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max)
    }
    if isWide { version = 1 }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    var count = UInt32(clamping: entries.count)
    try c.u32("entry_count", &count)
    try c.rows("entries", &entries, count: UInt64(count), bits: wide ? 160 : 96, new: Entry()) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      try c.u32or64("edit_duration", &entry.editDuration, wide: wide)
      try c.i32or64("media_time", &entry.mediaTime, wide: wide)
      try c.i16("media_rate_integer", &entry.mediaRateInteger)
      try c.i16("media_rate_fraction", &entry.mediaRateFraction)
      c.endScope()
    }
  }
}
