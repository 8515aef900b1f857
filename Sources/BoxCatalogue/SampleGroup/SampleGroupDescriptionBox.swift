// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `sgpd`: the properties that the samples of each group share, for one grouping type.
public struct SampleGroupDescriptionBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["sgpd"], name: "sample group description", in: [.box("stbl"), .box("traf")], "ISO/IEC 14496-12, 8.9.3",
    "The properties that the samples of each group share, for one grouping type.", versions: 0...3)

  /// Which of the fields introduced in versions 1 and 2 are in the box.
  ///
  /// According to the standard, version 2 has both; some writers omit the first one. The bytes determine which:
  /// the form is used that consumes the box exactly.
  public enum Fields: Sendable, Hashable {
    /// As in the standard: the default length from version 1 on, the default index from version 2 on.
    case standard
    /// Without a default length in version 2 and later: the length of every entry is determined by its kind.
    case withoutDefaultLength
  }

  /// One group.
  public struct Entry: FieldLayout {
    /// What the group describes.
    public var content: any SampleGroupEntry = UnknownSampleGroupEntry()
    /// Bytes between the known content and the end of the entry.
    public var rest = ByteView()

    /// Makes an empty entry.
    public init() {}
    /// Makes an entry.
    public init(_ content: any SampleGroupEntry) { self.content = content }

    fileprivate init(ofGrouping type: FourCC) {
      content = SampleGroupEntryRegistry.standard.makeEntry(type)
    }

    /// Whether only a length can show where the entry ends. Without one, it ends where its content does: that must
    /// be known, and must not be empty.
    fileprivate var hasNoEnd: Bool {
      content is UnknownSampleGroupEntry || content is EmptySampleGroupEntry
    }

    /// How many bytes the entry takes.
    public var byteCount: Int { ((try? content.encoded().count) ?? 0) + rest.count }

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      // What movies of several layers have: here the compiler knows the type, and can specialise the layout.
      if try layout(as: OperatingPointsInformationEntry.self, &c) { return }
      if try layout(as: LayerInformationEntry.self, &c) { return }
      try content.layout(&c)
    }

    private mutating func layout<Content: SampleGroupEntry>(
      as type: Content.Type, _ c: inout some Coder
    ) throws(ParseError) -> Bool {
      guard Swift.type(of: content) == type, var known = content as? Content else { return false }
      defer { content = known }
      try known.layout(&c)
      return true
    }

    /// Equal if the contents and the bytes after them are equal.
    public static func == (left: Entry, right: Entry) -> Bool {
      AnyHashable(left.content) == AnyHashable(right.content) && left.rest == right.rest
    }
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(AnyHashable(content))
      hasher.combine(rest)
    }
  }

  public var version: UInt8 = 1
  /// 1 means that the entries apply to the whole movie, 2 that the groups of a fragment are those of the movie.
  public var flags: UInt32 = 0
  /// Which fields are in the box. Not in the file, but determined by looking ahead.
  public var fields = Fields.standard
  /// What the groups describe.
  public var groupingType: FourCC = "roll"
  /// The length of every entry in bytes, or 0 if each has its own; from version 1 on.
  public var defaultLength: UInt32 = 0
  /// The group of samples that are not in any, counted from 1; from version 2 on.
  public var defaultGroupDescriptionIndex: UInt32 = 0
  /// The groups; samples refer to them by a 1-based index.
  public var entries: [Entry] = []
  /// The number of entries in ``undivided``.
  public var undividedEntryCount: UInt32 = 0
  /// All entries together, if their boundaries are unknown (an unknown grouping type in version 0), or if there
  /// are more than could be useful; otherwise `nil`.
  public var undivided: ByteView?

  /// How many entries are read individually: a fragment cannot refer to more of its own.
  static let maximumEntries = 65_535

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    guard let version = payload[0], version >= 2 else { return }
    if !Self.fitsWithLengths(payload), Self.fitsWithoutLengths(payload) { fields = .withoutDefaultLength }
  }

  /// Whether count and lengths add up to the payload if a default length precedes them. No entry is read.
  private static func fitsWithLengths(_ payload: ByteView) -> Bool {
    guard let length = payload.bigEndian(at: 8, width: 4), let count = payload.bigEndian(at: 16, width: 4)
    else { return false }
    var end = 20
    if length > 0 {
      let (size, overflow) = count.multipliedReportingOverflow(by: length)
      return !overflow && size == UInt64(payload.count - end)
    }
    for _ in 0..<count {
      guard let own = payload.bigEndian(at: end, width: 4) else { return false }
      end += 4 + Int(clamping: own)
      if end > payload.count { return false }
    }
    return end == payload.count
  }

  /// Whether entries that include their own length fill the payload if there is no default length. If there are
  /// many short ones, the length of the first is used for all.
  private static func fitsWithoutLengths(_ payload: ByteView) -> Bool {
    guard let type = payload.bigEndian(at: 4, width: 4), let count = payload.bigEndian(at: 12, width: 4)
    else { return false }
    // If the boundaries of entries are unknown, they take all bytes.
    if Entry(ofGrouping: FourCC(UInt32(clamping: type))).hasNoEnd { return true }
    let entries = payload.suffix(from: 16)
    guard count > 256, UInt64(entries.count) < 8 &* count else {
      let (error, unread) = trial(payload)
      return error == nil && unread == 0
    }
    let first = entries.prefix(1_024)
    let (error, unread) = trial(ByteView(payload.prefix(12).array + [0, 0, 0, 1] + first.array))
    guard error == nil else { return false }
    return count &* UInt64(first.count - unread) == UInt64(entries.count)
  }

  private static func trial(_ payload: ByteView) -> (error: ParseError?, unread: Int) {
    var box = Self()
    box.fields = .withoutDefaultLength
    let (_, unread, error) = payload.decode(box)
    return (error, unread.count)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...3)
    try c.fourCC("grouping_type", &groupingType)
    let hasLengths = version == 1 || version >= 2 && fields == .standard
    if hasLengths { try c.u32("default_length", &defaultLength) }
    if version >= 2 {
      try c.u32("default_group_description_index", &defaultGroupDescriptionIndex)
    }
    let new = Entry(ofGrouping: groupingType)
    let isUndivided = !hasLengths && new.hasNoEnd
    let keepsBytes = isUndivided || !c.isDecoding && undivided != nil
    var count = keepsBytes ? undividedEntryCount : UInt32(clamping: entries.count)
    try c.u32("entry_count", &count)
    let fixedLength = hasLengths && defaultLength != 0 ? Int(clamping: defaultLength) : nil
    let minimumBits = fixedLength.map { $0 &* 8 } ?? (hasLengths ? 32 : 8)
    if keepsBytes || c.isDecoding && count > Self.maximumEntries {
      if !isUndivided { try c.require(count: UInt64(count), minimumBits: minimumBits, for: "entries") }
      var bytes = undivided ?? ByteView()
      try c.remainder("entries", &bytes)
      (undividedEntryCount, undivided) = (count, bytes)
      return
    }
    try c.array("entries", &entries, count: count, minimumBits: minimumBits, new: new) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      if hasLengths {
        var length = UInt32(clamping: fixedLength ?? entry.byteCount)
        if fixedLength == nil { try c.u32("description_length", &length) }
        let outer = try c.beginLimit(bytes: Int(clamping: length), "entry")
        try entry.layout(&c)
        try c.leftovers(&entry.rest)
        c.endLimit(outer)
      } else {
        try entry.layout(&c)
      }
      c.endScope()
    }
  }
}
