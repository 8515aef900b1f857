// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What the samples of one group have in common: the content of an entry of an `sgpd` box.
///
/// To add a kind, write a type that conforms, and one line in ``SampleGroupEntryRegistry``.
public protocol SampleGroupEntry: FieldLayout {
  /// The name of the kind, in words: `roll recovery`.
  static var name: StaticString { get }
  /// The grouping types with this content.
  static var types: [FourCC] { get }
  /// The document and clause that define it.
  static var specification: StaticString { get }
  /// What the group describes, in one sentence.
  static var summary: StaticString { get }
}

/// An entry of an unknown grouping type, as bytes.
public struct UnknownSampleGroupEntry: SampleGroupEntry {
  public static let name: StaticString = "unknown sample group"
  public static let types: [FourCC] = []
  public static let specification: StaticString = ""
  public static let summary: StaticString = "An entry of a kind that is not known."

  /// The bytes.
  public var data = ByteView()

  public init() {}

  /// Makes an entry.
  public init(_ data: ByteView) { self.data = data }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// All known kinds of sample groups, by grouping type.
public struct SampleGroupEntryRegistry: Sendable {
  /// One kind.
  public struct Kind: Sendable {
    /// The name of the kind, in words.
    public let name: String
    /// The grouping types.
    public let types: [FourCC]
    /// The document and clause that define it.
    public let specification: String
    /// What the group describes.
    public let summary: String
    /// The Swift type of its entries.
    package let type: any SampleGroupEntry.Type
    /// Makes an entry with default values.
    public let make: @Sendable () -> any SampleGroupEntry

    /// Registers a kind.
    public init<Entry: SampleGroupEntry>(_: Entry.Type) {
      type = Entry.self
      name = Entry.name.description
      types = Entry.types
      specification = Entry.specification.description
      summary = Entry.summary.description
      make = { Entry() }
    }
  }

  /// All kinds, in the order of their list.
  public let all: [Kind]
  private let kinds: [FourCC: Kind]

  /// Makes a registry; if two kinds have the same grouping type, the later one is used.
  public init(_ all: [Kind]) {
    self.all = all
    var kinds: [FourCC: Kind] = [:]
    for kind in all {
      for type in kind.types { kinds[type] = kind }
    }
    self.kinds = kinds
  }

  /// The kind with this grouping type; `nil` if it is unknown.
  public subscript(_ groupingType: FourCC) -> Kind? { kinds[groupingType] }

  /// An entry with default values; for an unknown grouping type, one of bytes.
  public func makeEntry(_ groupingType: FourCC) -> any SampleGroupEntry {
    kinds[groupingType]?.make() ?? UnknownSampleGroupEntry()
  }
}
