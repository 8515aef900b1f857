// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
public import ISOBMFF

/// The values in a sample of timed metadata, by key, and the time range in which they apply. AVFoundation:
/// `AVTimedMetadataGroup`
public struct TimedMetadataGroup: Hashable, Sendable {
  /// One value.
  public struct Item: Hashable, Sendable {
    /// The key: its name, its type, and the box that declares it.
    public var key: TimedMetadataKeyTable.Key
    /// The value, read by its type; bytes if the type is not a well-known one.
    public var value: MetadataItem.Value
    /// The bytes of the value.
    public var data: ByteView

    /// Makes an item.
    public init(key: TimedMetadataKeyTable.Key, value: MetadataItem.Value, data: ByteView) {
      self.key = key
      self.value = value
      self.data = data
    }
  }

  /// The time from which the values apply, in the presentation of the movie; `nil` for a sample that is not
  /// presented.
  public var presentationTime: MediaTime?
  /// How long the values apply.
  public var duration: MediaTime
  /// The values, in the order of the sample. Those under keys that the track does not declare are not among them.
  public var items: [Item]
  /// What keeps the rest of the sample from being read; `nil` if nothing does.
  public var error: ParseError?

  /// Makes a group.
  public init(presentationTime: MediaTime?, duration: MediaTime, items: [Item], error: ParseError? = nil) {
    self.presentationTime = presentationTime
    self.duration = duration
    self.items = items
    self.error = error
  }

  /// The first value under a name.
  public subscript(name: MetadataKey) -> MetadataItem.Value? { items.first { $0.key.name == name }?.value }
}

extension Track {
  /// How many bytes a sample of timed metadata may have to be read.
  private static var maximumTimedMetadataBytes: Int { 1 << 24 }

  /// Reads a track of timed metadata, one sample after the other in decoding order, until `body` returns `false`.
  /// Nothing is read of tracks of another kind. If the samples overlap so much that `Limits.maximumSampleOverlap` is
  /// exceeded, the last group has the error.
  public func forEachTimedMetadataGroup(
    _ body: (TimedMetadataGroup) throws -> Bool
  ) throws {
    guard let tables = timedMetadataTables else { return }
    let samples = try samples(), budget = WorkBudget(self)
    for sample in samples {
      let group = try timedMetadataGroup(of: sample, in: samples, tables, budget)
      guard try body(group), !budget.isExhausted else { return }
    }
  }

  /// All groups of a track of timed metadata, in decoding order, with the bounds of ``forEachTimedMetadataGroup(_:)``; empty
  /// for tracks of another kind.
  public func timedMetadata() throws(SourceError) -> [TimedMetadataGroup] {
    guard let tables = timedMetadataTables else { return [] }
    var groups: [TimedMetadataGroup] = []
    let samples = try samples(), budget = WorkBudget(self)
    for sample in samples where !budget.isExhausted {
      groups.append(try timedMetadataGroup(of: sample, in: samples, tables, budget))
    }
    return groups
  }

  private func timedMetadataGroup(
    of sample: Sample, in samples: TrackSamples, _ tables: [TimedMetadataKeyTable], _ budget: WorkBudget
  ) throws(SourceError) -> TimedMetadataGroup {
    let time = samples.presentationTime(of: sample).map { MediaTime(value: $0, timescale: timescale) }
    let duration = MediaTime(value: sample.duration, timescale: timescale)
    func refused(_ error: ParseError?) -> TimedMetadataGroup {
      TimedMetadataGroup(presentationTime: time, duration: duration, items: [], error: error?.inPath(path))
    }
    guard sample.size <= Self.maximumTimedMetadataBytes else {
      return refused(
        ParseError(
          .limitExceeded(limit: "maximumTimedMetadataBytes", value: UInt64(sample.size)),
          offset: Int(clamping: sample.offset)))
    }
    guard budget.admits(.bytes(Int(sample.size)), at: sample.offset) else {
      return refused(budget.exhaustion)
    }
    let bytes = try context.source.read(sample.range)
    var (values, error) = TimedMetadataKeyTable.values(in: bytes)
    if error == nil, bytes.count < Int(sample.size) {
      error = ParseError(
        .truncated(neededBits: Int(sample.size) * 8, availableBits: bytes.count * 8),
        offset: Int(clamping: sample.offset), field: "sample", path: path)
    }
    let number = Int(sample.descriptionIndex) - 1
    let table = tables.indices.contains(number) ? tables[number] : tables[0]
    let items = values.compactMap { value in
      table.key(localID: value.localID).map { key in
        TimedMetadataGroup.Item(
          key: key, value: MetadataValueBox(key.dataType ?? .binary, value.data).content, data: value.data)
      }
    }
    return TimedMetadataGroup(
      presentationTime: time, duration: duration, items: items, error: error?.inPath(path))
  }
}
