// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What the samples of one group have in common: the content of an entry of an `sgpd` box.
///
/// To add a kind, write a type that conforms, and one line in ``SampleGroupEntryRegistry``.
public protocol SampleGroupEntry: FieldLayout {
  /// The grouping types, the name, and what such groups describe.
  static var info: SampleGroupInfo { get }
}

/// What is known about a kind of sample group.
public struct SampleGroupInfo: Sendable, Hashable {
  /// The grouping types with this content.
  public var types: [FourCC]
  /// The name of the kind, in words: `roll recovery`.
  public var name: String
  /// The document and clause that define it.
  public var specification: String
  /// What the group describes, in one sentence.
  public var summary: String

  /// Describes a kind of sample group: its grouping types, its name, the clause that defines it, and a sentence.
  public init(_ types: [FourCC], name: String, _ specification: String, _ summary: String) {
    self.types = types
    self.name = name
    self.specification = specification
    self.summary = summary
  }
}

/// An entry of an unknown grouping type, as bytes.
public struct UnknownSampleGroupEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    [], name: "unknown sample group", "", "An entry of an unknown grouping type, as bytes.")

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
  @dynamicMemberLookup
  public struct Kind: Sendable {
    /// What is known about the kind. Its members are also members of the kind: `kind.name`.
    public let info: SampleGroupInfo
    /// The Swift type of its entries.
    package let type: any SampleGroupEntry.Type
    /// Makes an entry with default values.
    public let make: @Sendable () -> any SampleGroupEntry

    /// Registers a kind.
    public init<Entry: SampleGroupEntry>(_: Entry.Type) {
      type = Entry.self
      info = Entry.info
      make = { Entry() }
    }

    /// A member of ``info``.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<SampleGroupInfo, Value>) -> Value {
      info[keyPath: member]
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
