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
    descriptionCount = stbl.first("stsd")?.children.count
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
    descriptionCount = stbl.first("stsd")?.children.count
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

extension TrackFragment {
  /// Collects the boxes of a `traf`; `nil` if it does not have a header. Large runs are loaded now.
  public init?(
    _ traf: Box, in tree: BoxTree, diagnostics: inout DiagnosticList
  ) throws(SourceError) {
    let children = traf.children
    guard let header: TrackFragmentHeaderBox = Self.first(in: children) else {
      diagnostics.append(
        .error, "missing-structure", path: "moof/traf", offset: traf.offset,
        "has no tfhd: its samples are lost")
      return nil
    }
    var runs: [TrackRunBox] = []
    // By position: a box that is skipped is not copied.
    for index in children.indices where children[index].type == "trun" {
      if let (run, error) = children[index].decodeUnchanged(TrackRunBox.self) {
        if let error { diagnostics.append(error.inPath("moof/traf/trun")) }
        runs.append(run)
        continue
      }
      guard let decoding = try tree.loaded(children[index]).decodePayload() else { continue }
      if let error = decoding.error { diagnostics.append(error.inPath("moof/traf/trun")) }
      if let run = decoding.payload as? TrackRunBox { runs.append(run) }
    }
    self.init(header: header, decodeTime: Self.first(in: children), runs: runs, offset: traf.offset)
  }

  /// The payload of the first box that has one of this kind; `nil` if there is none.
  private static func first<Payload: BoxPayload>(in boxes: [Box]) -> Payload? {
    for index in boxes.indices where boxes[index].registration?.payloadType == Payload.self {
      if let (payload, _) = boxes[index].decodeUnchanged(Payload.self) { return payload }
      if let payload = boxes[index].payload(Payload.self) { return payload }
    }
    return nil
  }
}
