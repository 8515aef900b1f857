// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// The keys of a track of timed metadata (`mebx`), which give the numbers in its samples a meaning.
public struct TimedMetadataKeyTable: Hashable, Sendable {
  /// One key.
  public struct Key: Hashable, Sendable {
    /// The number that precedes each value in the samples. All ones means a key that is no longer used.
    public var localID: UInt32
    /// How the name is to be read: `mdta` is a reverse domain name.
    public var namespace: FourCC?
    /// The name.
    public var name: MetadataKey?
    /// The type of the values, if it is a well-known one.
    public var dataType: WellKnownType?
    /// The type of the values, if it is a custom one that has a name.
    public var customDataType: String?
    /// The language that the values are meant for, as a tag.
    public var languageTag: String?
    /// Data that a reader needs before it reads values; `nil` if there are none.
    public var setupData: ByteView?
    /// The box of the key.
    public var place: BoxPlace

    /// Makes a key.
    public init(
      localID: UInt32, namespace: FourCC? = nil, name: MetadataKey? = nil, dataType: WellKnownType? = nil,
      customDataType: String? = nil, languageTag: String? = nil, setupData: ByteView? = nil, place: BoxPlace
    ) {
      self.localID = localID
      self.namespace = namespace
      self.name = name
      self.dataType = dataType
      self.customDataType = customDataType
      self.languageTag = languageTag
      self.setupData = setupData
      self.place = place
    }

    /// The name with its space: `mdta/com.apple.quicktime.video-orientation`.
    public var identifier: String {
      (namespace.map { "\($0)" } ?? "") + "/" + (name?.rawValue ?? "")
    }
  }

  /// The keys in the order of the file.
  public var keys: [Key] = []
  /// The problems of the boxes.
  public var diagnostics = DiagnosticList()

  /// How many keys are read: a box of eight bytes makes one.
  private static let maximumKeys = 8192

  /// A table without keys.
  public init() {}

  /// Reads the `keys` of a sample entry.
  public init(sampleEntry: Box, path: String? = nil) {
    self.init(sampleEntry: sampleEntry, path: path, maximumKeys: Self.maximumKeys)
  }

  private init(sampleEntry: Box, path: String?, maximumKeys: Int) {
    let entryPath = path ?? "\(sampleEntry.type)"
    guard let table = sampleEntry.first("keys") else {
      diagnostics.append(
        .warning, "missing-box", path: entryPath, offset: sampleEntry.offset, "'keys' is missing")
      return
    }
    if table.children.count > maximumKeys {
      diagnostics.append(
        .error, "limit-exceeded", path: "\(entryPath)/keys", offset: table.offset,
        "only the first \(maximumKeys) of \(table.children.count) keys are read")
    }
    var numbers: Set<UInt32> = []
    BoxPath.forEachSibling(Array(table.children.prefix(maximumKeys))) { box, name, _ in
      read(box, "\(entryPath)/keys/\(name)", &numbers)
    }
  }

  /// The keys of each sample entry, with none for those of another kind. No more keys are read of all entries
  /// together than of one.
  static func tables(_ descriptions: [FormatDescription]) -> [TimedMetadataKeyTable] {
    var left = maximumKeys
    return descriptions.map { description in
      guard description.codec == "mebx" else { return TimedMetadataKeyTable() }
      let table = TimedMetadataKeyTable(
        sampleEntry: description.box, path: description.path, maximumKeys: left)
      left -= table.keys.count
      return table
    }
  }

  /// Reads one key; `numbers` are those of the keys before it.
  private mutating func read(_ box: Box, _ path: String, _ numbers: inout Set<UInt32>) {
    var key = Key(localID: box.type.rawValue, place: BoxPlace(path: path, offset: box.offset))
    if let declaration = box.first(MetadataKeyDeclarationBox.self) {
      key.namespace = declaration.namespace
      key.name = MetadataKey(rawValue: declaration.text)
    } else {
      diagnostics.append(
        .warning, "missing-box", path: path, offset: box.offset, "the key has no name: 'keyd' is missing")
    }
    if let type = box.first(MetadataDatatypeBox.self) {
      if type.namespace == 0 {
        key.dataType = type.wellKnownType
      } else {
        key.customDataType = type.datatype.utf8Text
      }
    }
    key.languageTag = box.first(MetadataLocaleBox.self)?.locale.text
    key.setupData = box.first(MetadataSetupBox.self)?.data
    if !numbers.insert(key.localID).inserted {
      diagnostics.append(
        .warning, "duplicate-metadata-key", path: path, offset: box.offset,
        "another key has the number \(key.localID): its values are read by the first key that has it")
    }
    keys.append(key)
  }

  /// The first key with that name.
  public subscript(name: MetadataKey) -> Key? { keys.first { $0.name == name } }

  /// The key with that number.
  public func key(localID: UInt32) -> Key? { keys.first { $0.localID == localID } }

  /// A value in a sample.
  public struct Value: Hashable, Sendable {
    /// Which key it has.
    public var localID: UInt32
    /// The value.
    public var data: ByteView

    /// Makes a value.
    public init(localID: UInt32, data: ByteView) {
      self.localID = localID
      self.data = data
    }
  }

  /// The values in a sample, and what keeps the rest from being read.
  public static func values(in sample: ByteView) -> (values: [Value], error: ParseError?) {
    var values: [Value] = []
    var rest = sample
    while !rest.isEmpty {
      guard let size = rest.bigEndian(at: 0, width: 4), let id = rest.bigEndian(at: 4, width: 4) else {
        let problem = ParseError.Code.truncated(neededBits: 64, availableBits: rest.count &* 8)
        return (values, ParseError(problem, offset: rest.fileOffset, field: "value"))
      }
      guard size >= 8, size <= UInt64(rest.count) else {
        let reason = size < 8 ? "is less than the header of a value" : "reaches beyond the sample"
        return (
          values, ParseError(.invalidSize(size, reason: reason), offset: rest.fileOffset, field: "size")
        )
      }
      let end = Int(clamping: size)
      values.append(
        Value(localID: UInt32(truncatingIfNeeded: id), data: rest.prefix(end).suffix(from: 8)))
      rest = rest.suffix(from: end)
    }
    return (values, nil)
  }
}
