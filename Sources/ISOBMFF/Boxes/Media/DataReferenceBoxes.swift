// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `dref`: a numbered list of the locations of media data.
public struct DataReferenceBox: FullBox {
  public static let info = BoxInfo(
    ["dref"], name: "data reference", in: [.box("dinf")], "ISO/IEC 14496-12, 8.7.2",
    "A numbered list of the locations of media data.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// The number of references according to the box.
  public var entryCount: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("entry_count", &entryCount)
  }
}

/// `url `: media data in this file (flag 1), or at a URL.
public struct DataEntryURLBox: FullBox {
  public static let info = BoxInfo(
    ["url "], name: "data entry URL", in: [.box("dref")], "ISO/IEC 14496-12, 8.7.2",
    "Media data in this file (flag 1), or at a URL.", versions: 0...0)

  /// 1 means that the data is in this file.
  public var flags: UInt32 = 1
  /// The URL; `nil` if the data is in this file.
  public var location: TerminatedString?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.trailingString("location", &location)
  }
}

/// `urn `: media data identified by a uniform resource name.
///
/// A location may follow the name.
public struct DataEntryURNBox: FullBox {
  public static let info = BoxInfo(
    ["urn "], name: "data entry URN", in: [.box("dref")], "ISO/IEC 14496-12, 8.7.2",
    "Media data identified by a uniform resource name.", versions: 0...0)

  /// 1 means that the data is in this file.
  public var flags: UInt32 = 0
  /// The URN; `nil` if absent.
  public var name: TerminatedString?
  /// Where to find the data; `nil` if absent.
  public var location: TerminatedString?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.trailingString("name", &name)
    try c.trailingString("location", &location)
  }
}

/// `imdt`: media data in the `imda` box with this identifier.
public struct DataEntryIMDABox: FullBox {
  public static let info = BoxInfo(
    ["imdt"], name: "data entry IMDA", in: [.box("dref")], "ISO/IEC 14496-12, 8.7.2",
    "Media data in the imda box with this identifier.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The identifier of the `imda`.
  public var imdaRefIdentifier: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("imda_ref_identifier", &imdaRefIdentifier)
  }
}

/// `snim`: media data in the `imda` box whose number is the sequence number of the movie fragment.
public struct DataEntrySeqNumIMDABox: FullBox {
  public static let info = BoxInfo(
    ["snim"], name: "data entry sequence number IMDA", in: [.box("dref")], "ISO/IEC 14496-12, 8.7.2",
    "Media data in the imda box whose number is the sequence number of the movie fragment.", versions: 0...0)

  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `alis`, `rsrc` and `cios`: media data in this file (flag 1), or identified by a Macintosh alias.
///
/// The media data of an `rsrc` is in a resource fork.
public struct DataEntryAliasBox: FullBox {
  public static let info = BoxInfo(
    ["alis", "rsrc", "cios"], name: "data entry alias", in: [.box("dref")],
    "QuickTime File Format, Data Reference Atoms",
    "Media data in this file (flag 1), or identified by a Macintosh alias.", versions: 0...0)

  /// 1 means that the data is in this file.
  public var flags: UInt32 = 1
  /// The Macintosh alias record; empty if the data is in this file.
  public var alias = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("alias", &alias)
  }
}

extension DataReferenceBox {
  public func counting(_ children: [Box]) -> Self? {
    var counting = self
    counting.entryCount = children.counted()
    return counting
  }
}
