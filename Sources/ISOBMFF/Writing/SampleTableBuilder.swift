// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Builds the tables of a track (`stts`, `ctts`, `cslg`, `stss`, `sdtp`, `stsc`, `stsz`, `stco` or `co64`, `stps`) from its samples, as
/// compact as they can be. Reading the tables gives the samples again.
///
/// Samples that follow each other in the file, and have the same description, are one chunk.
public struct SampleTableBuilder: Sendable {
  /// The rows that are complete.
  private struct Tables: SampleRowSink {
    var times: [TimeToSampleBox.Entry] = []
    var compositionOffsets: [CompositionOffsetBox.Entry] = []
    var sizes: [UInt32] = []
    var syncSamples: [UInt32] = []
    var dependencies: [UInt8] = []
    var chunkOffsets: [UInt64] = []
    var chunkRuns: [SampleToChunkBox.Entry] = []
    var partialSync: [UInt32] = []

    @inline(__always)
    mutating func add(_ kind: SampleTableKind, _ first: UInt64, _ second: UInt32, _ third: UInt32) {
      let number = UInt32(truncatingIfNeeded: first)
      switch kind {
      case .timeToSample: times.append(.init(sampleCount: number, sampleDelta: second))
      case .compositionOffset:
        compositionOffsets.append(.init(sampleCount: number, sampleOffset: Int32(bitPattern: second)))
      case .sampleSize: sizes.append(number)
      case .syncSample: syncSamples.append(number)
      case .dependency: dependencies.append(UInt8(truncatingIfNeeded: first))
      case .chunkOffset: chunkOffsets.append(first)
      case .sampleToChunk:
        chunkRuns.append(
          .init(firstChunk: number, samplesPerChunk: second, sampleDescriptionIndex: third))
      case .partialSync: partialSync.append(number)
      }
    }
  }

  private var tables = Tables()
  private var rows = SampleTableRows()
  private var summary = SampleTableSummary()
  private var beginsChunk = false

  /// No samples yet.
  public init() {}

  /// How many samples there are.
  public var count: Int { rows.count }

  /// Adds a sample after the others, in the order of decoding.
  ///
  /// Of the flags the tables keep whether decoding can begin at the sample, and how it depends on others.
  ///
  /// - Parameters:
  ///   - size: how many bytes it has.
  ///   - offset: where it is in the file.
  ///   - duration: how long it lasts in decoding time.
  ///   - compositionOffset: its composition time less its decoding time.
  ///   - flags: whether decoding can begin at it, and how it depends on others.
  ///   - descriptionIndex: the sample entry that describes it, counted from 1.
  public mutating func append(
    size: UInt32, offset: UInt64, duration: Int64, compositionOffset: Int64 = 0,
    flags: SampleFlags = SampleFlags(rawValue: 0),
    descriptionIndex: UInt32 = 1
  ) throws(ParseError) {
    try append(
      Sample(
        index: count, decodeTime: summary.endTime, compositionOffset: compositionOffset, duration: duration,
        offset: offset, size: size, flags: flags, descriptionIndex: descriptionIndex))
  }

  /// Adds a sample as tables or fragments have it. Its number and its decoding time follow from its place among the others.
  public mutating func append(_ sample: Sample) throws(ParseError) {
    let times = try SampleTimes(sample, number: count)
    summary.add(sample, times)
    rows.append(sample, times, beginsChunk: beginsChunk, to: &tables)
    beginsChunk = false
  }

  /// Ends the chunk: the next sample begins another one, also where it follows without a gap.
  public mutating func endChunk() { beginsChunk = true }

  /// Adds `shift` to the composition offsets of all samples, so that they can be written without a sign where the presentation
  /// begins as much later.
  public mutating func shiftCompositionOffsets(by shift: Int64) throws(ParseError) {
    guard shift != 0 else { return }
    try summary.shiftCompositionOffsets(by: shift)
    for index in tables.compositionOffsets.indices {
      let offset = tables.compositionOffsets[index].sampleOffset
      if offset != .min {
        tables.compositionOffsets[index].sampleOffset = Int32(clamping: Int64(offset) &+ shift)
      }
    }
    rows.shiftCompositionOffset(by: shift)
  }

  /// The least composition offset; 0 without samples.
  public var leastCompositionOffset: Int64 { Int64(summary.offsetRange.lowerBound) }
  /// How many samples are listed as ones at which decoding can begin.
  public var syncSampleCount: Int { summary.syncCount }
  /// The decoding time after the last sample.
  public var decodeEndTime: Int64 { summary.endTime }

  /// The boxes, in the order in which Apple's writers have them. Tables that would say nothing are left out.
  public func boxes() throws(ParseError) -> [Box] {
    var rows = rows
    var last = Tables()
    // What has begun is completed beside the others, which need not be copied for it.
    rows.finish(to: &last)
    var boxes: [Box] = []
    for kind in summary.kinds {
      boxes.append(Box(kind.boxType(summary), try payload(kind, last), in: .box("stbl")))
      if kind == .compositionOffset, summary.hasNegativeOffsets {
        boxes.append(Box("cslg", summary.compositionSpan, in: .box("stbl")))
      }
    }
    return boxes
  }

  private func payload(_ kind: SampleTableKind, _ last: Tables) throws(ParseError) -> any BoxPayload {
    switch kind {
    case .timeToSample:
      var box = TimeToSampleBox()
      box.entries = try PackedTable(tables.times + last.times)
      return box
    case .compositionOffset:
      var box = CompositionOffsetBox()
      box.version = summary.hasNegativeOffsets ? 1 : 0
      box.entries = try PackedTable(tables.compositionOffsets + last.compositionOffsets)
      return box
    case .syncSample:
      var box = SyncSampleBox()
      box.entries = try PackedTable(tables.syncSamples.lazy.map { UInt32Record($0) })
      return box
    case .dependency:
      var box = SampleDependencyTypeBox()
      box.entries = PackedTable(ByteView(tables.dependencies))
      return box
    case .sampleToChunk:
      var box = SampleToChunkBox()
      box.entries = try PackedTable(tables.chunkRuns + last.chunkRuns)
      return box
    case .sampleSize:
      var box = SampleSizeBox(
        sampleSize: summary.writtenSize, sampleCount: UInt32(clamping: count))
      if box.sampleSize == 0 {
        box.entries = try PackedTable(tables.sizes.lazy.map { UInt32Record($0) })
      }
      return box
    case .chunkOffset where summary.needsWidePlaces:
      var box = ChunkLargeOffsetBox()
      box.entries = try PackedTable(tables.chunkOffsets.lazy.map { UInt64Record($0) })
      return box
    case .chunkOffset:
      var box = ChunkOffsetBox()
      box.entries = try PackedTable(
        tables.chunkOffsets.lazy.map { UInt32Record(UInt32(clamping: $0)) })
      return box
    case .partialSync:
      var box = PartialSyncSampleBox()
      box.entries = try PackedTable(tables.partialSync.lazy.map { UInt32Record($0) })
      return box
    }
  }
}
