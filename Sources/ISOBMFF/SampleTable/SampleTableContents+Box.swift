// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

extension SampleTableContents {
  /// Collects the tables of a `stbl`. Large tables are loaded now.
  ///
  /// A table that cannot be read is omitted, or ends where the damage is; `diagnostics` reports it.
  public init(
    _ stbl: Box, in tree: BoxTree, path: String = "stbl", diagnostics: inout DiagnosticList
  ) throws(SourceError) {
    self.init()
    self.path = path
    let children = stbl.children
    // By position: a box that is skipped is not copied.
    for index in children.indices where counts(children[index]) {
      guard let decoding = try tree.loaded(children[index]).decodePayload() else { continue }
      if let error = decoding.error { diagnostics.append(error.inPath(path + "/\(children[index].type)")) }
      take(decoding.payload)
    }
    describe(stbl)
  }

  private static let tables: Set<FourCC> = [
    "stts", "ctts", "stsz", "stz2", "stsc", "stco", "co64", "stss", "stps", "sdtp",
  ]

  /// Returns whether a box of a `stbl` is a table that counts: the first of its kind. Notes where it is.
  private mutating func counts(_ box: Box) -> Bool {
    guard Self.tables.contains(box.type), boxOffsets[box.type] == nil else { return false }
    boxOffsets[box.type] = box.offset
    // These have two forms. The first box counts whatever its form: a writer may have to give it the other one.
    return switch box.type {
    case "stsz": compactSampleSize == nil
    case "stz2": sampleSize == nil
    case "stco": chunkLargeOffset == nil
    case "co64": chunkOffset == nil
    default: true
    }
  }

  /// Takes the tables of a `stbl` as far as they are already loaded: the beginning of large ones.
  package init(loadedPartsOf stbl: Box) {
    self.init()
    let children = stbl.children
    for index in children.indices where counts(children[index]) {
      if let payload = children[index].decodeLoadedPayload()?.payload { take(payload) }
    }
    describe(stbl)
  }

  /// Takes what the sample entries say of the tables.
  private mutating func describe(_ stbl: Box) {
    descriptionCount = stbl.first("stsd")?.children.count
    if let packets = SoundPackets(stbl) { count(packets) }
  }

  /// Stores a payload in the property for its kind; ignores payloads of other kinds.
  public mutating func take(_ payload: any BoxPayload) {
    /// Types are compared first: a cast that fails takes as long as reading a small table.
    func put<Payload: BoxPayload>(_ place: inout Payload?) -> Bool {
      guard type(of: payload) == Payload.self else { return false }
      place = payload as? Payload
      return true
    }
    _ =
      put(&timeToSample) || put(&compositionOffset) || put(&sampleSize) || put(&compactSampleSize)
      || put(&sampleToChunk) || put(&chunkOffset) || put(&chunkLargeOffset) || put(&syncSample)
      || put(&partialSyncSample) || put(&sampleDependencyType)
  }
}
