// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Builds the tables of a track (`stts`, `ctts`, `cslg`, `stss`, `sdtp`, `stsc`, `stsz`, `stco` or `co64`) from its samples, as compact
/// as they can be. Reading the tables gives the samples again.
///
/// Samples that follow each other in the file, and have the same description, are one chunk.
public struct SampleTableBuilder: Sendable {
  private var times: [TimeToSampleBox.Entry] = []
  private var compositionOffsets: [CompositionOffsetBox.Entry] = []
  private var sizes: [UInt32] = []
  private var hasOneSize = true
  private var syncSamples: [UInt32] = []
  private var dependencies: [UInt8] = []
  private var hasDependencies = false
  private var chunkOffsets: [UInt64] = []
  private var chunkRuns: [SampleToChunkBox.Entry] = []
  /// The chunk that grows.
  private var chunk: (samples: UInt32, description: UInt32, end: UInt64) = (0, 0, 0)
  /// The decoding time after the last sample.
  private var endTime: Int64 = 0
  private var offsetRange: ClosedRange<Int32> = 0...0
  private var compositionRange: (first: Int64, end: Int64)?

  /// No samples yet.
  public init() {}

  /// How many samples there are.
  public var count: Int { sizes.count }

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
    guard let delta = UInt32(exactly: duration), let shift = Int32(exactly: compositionOffset) else {
      throw ParseError(
        .invalid("the sample \(count) has a duration or a composition offset of more than 32 bits"),
        offset: 0,
        path: "stbl")
    }
    guard let number = UInt32(exactly: count + 1) else {
      throw ParseError(
        .limitExceeded(limit: "samples of a track", value: UInt64(count)), offset: 0, path: "stbl")
    }
    if let last = times.indices.last, times[last].sampleDelta == delta {
      times[last].sampleCount += 1
    } else {
      times.append(.init(sampleCount: 1, sampleDelta: delta))
    }
    if let last = compositionOffsets.indices.last, compositionOffsets[last].sampleOffset == shift {
      compositionOffsets[last].sampleCount += 1
    } else {
      compositionOffsets.append(.init(sampleCount: 1, sampleOffset: shift))
    }
    noteTimes(shift, delta)
    if let first = sizes.first, first != size { hasOneSize = false }
    sizes.append(size)
    if flags.isSync { syncSamples.append(number) }
    let dependency = UInt8(truncatingIfNeeded: flags.rawValue &>> 20)
    dependencies.append(dependency)
    if dependency != 0 { hasDependencies = true }
    if chunk.samples == 0 || offset != chunk.end || descriptionIndex != chunk.description {
      finishChunk()
      chunkOffsets.append(offset)
      chunk = (0, descriptionIndex, offset)
    }
    chunk.samples += 1
    chunk.end = offset &+ UInt64(size)
  }

  /// Adds a sample as tables or fragments have it. Its number and its decoding time follow from its place among the others.
  public mutating func append(_ sample: Sample) throws(ParseError) {
    try append(
      size: sample.size, offset: sample.offset, duration: sample.duration,
      compositionOffset: sample.compositionOffset, flags: sample.flags,
      descriptionIndex: sample.descriptionIndex)
  }

  private mutating func noteTimes(_ shift: Int32, _ delta: UInt32) {
    // A sample that is never composed has the lowest offset, and no place among the others.
    if shift != .min {
      offsetRange =
        count == 0 ? shift...shift : min(offsetRange.lowerBound, shift)...max(offsetRange.upperBound, shift)
      let first = endTime &+ Int64(shift)
      let end = first &+ Int64(delta)
      compositionRange = compositionRange.map { (min($0.first, first), max($0.end, end)) } ?? (first, end)
    }
    endTime &+= Int64(delta)
  }

  /// Ends the chunk: the next sample begins another one, also where it follows without a gap.
  public mutating func endChunk() {
    finishChunk()
    chunk = (0, 0, 0)
  }

  /// Lets the last sample last longer in decoding time, so that what is composed after it is later by as much.
  package mutating func lengthenLast(by duration: Int64) throws(ParseError) {
    guard let last = times.indices.last, duration > 0 else { return }
    guard let delta = UInt32(exactly: Int64(times[last].sampleDelta) &+ duration) else {
      throw ParseError(
        .invalid("the sample \(count - 1) lasts longer than 32 bits can say"), offset: 0, path: "stbl/stts")
    }
    times[last].sampleCount -= 1
    if times[last].sampleCount == 0 { times.removeLast() }
    times.append(.init(sampleCount: 1, sampleDelta: delta))
    endTime &+= duration
  }

  /// Adds `shift` to the composition offsets of all samples, so that they can be written without a sign where the presentation
  /// begins as much later.
  public mutating func shiftCompositionOffsets(by shift: Int64) throws(ParseError) {
    guard shift != 0 else { return }
    for index in compositionOffsets.indices where compositionOffsets[index].sampleOffset != .min {
      guard let offset = Int32(exactly: Int64(compositionOffsets[index].sampleOffset) &+ shift) else {
        throw ParseError(
          .invalid("a composition offset has more than 32 bits when it is shifted"), offset: 0,
          path: "stbl/ctts")
      }
      compositionOffsets[index].sampleOffset = offset
    }
    let (least, greatest) = (
      Int64(offsetRange.lowerBound) &+ shift, Int64(offsetRange.upperBound) &+ shift
    )
    offsetRange = Int32(clamping: least)...Int32(clamping: greatest)
    compositionRange = compositionRange.map { ($0.first &+ shift, $0.end &+ shift) }
  }

  /// The least composition offset; 0 without samples.
  public var leastCompositionOffset: Int64 { Int64(offsetRange.lowerBound) }
  /// How many samples are listed as ones at which decoding can begin.
  public var syncSampleCount: Int { syncSamples.count }
  /// The decoding time after the last sample.
  public var decodeEndTime: Int64 { endTime }

  private mutating func finishChunk() {
    guard chunk.samples > 0 else { return }
    Self.add(chunk, number: chunkOffsets.count, to: &chunkRuns)
  }

  private static func add(
    _ chunk: (samples: UInt32, description: UInt32, end: UInt64), number: Int,
    to runs: inout [SampleToChunkBox.Entry]
  ) {
    if let last = runs.last, last.samplesPerChunk == chunk.samples,
      last.sampleDescriptionIndex == chunk.description
    {
      return
    }
    runs.append(
      .init(
        firstChunk: UInt32(clamping: number), samplesPerChunk: chunk.samples,
        sampleDescriptionIndex: chunk.description))
  }

  /// The boxes, in the order in which Apple's writers have them. Tables that would say nothing are left out.
  public func boxes() throws(ParseError) -> [Box] {
    var builder = self
    return try builder.takeBoxes()
  }

  /// The boxes, where the builder is not used any more: what is in a box is not kept here, so that memory has each row once.
  package mutating func takeBoxes() throws(ParseError) -> [Box] {
    var boxes: [Box] = []
    let (count, size) = (count, sizes.first)
    func add(_ type: FourCC, _ payload: any BoxPayload) {
      boxes.append(Box(type, payload, in: .box("stbl")))
    }
    var timeBox = TimeToSampleBox()
    timeBox.entries = try PackedTable(times)
    times = []
    add("stts", timeBox)
    if compositionOffsets.contains(where: { $0.sampleOffset != 0 }) {
      var offsets = CompositionOffsetBox()
      offsets.version = compositionOffsets.contains { $0.sampleOffset < 0 } ? 1 : 0
      offsets.entries = try PackedTable(compositionOffsets)
      compositionOffsets = []
      add("ctts", offsets)
      if offsets.version == 1 { add("cslg", compositionSpan) }
    }
    if syncSamples.count < count {
      var sync = SyncSampleBox()
      sync.entries = try PackedTable(syncSamples.lazy.map { UInt32Record($0) })
      add("stss", sync)
    }
    if hasDependencies {
      var box = SampleDependencyTypeBox()
      box.entries = PackedTable(ByteView(dependencies))
      add("sdtp", box)
    }
    dependencies = []
    var runs = chunkRuns
    if chunk.samples > 0 { Self.add(chunk, number: chunkOffsets.count, to: &runs) }
    var chunks = SampleToChunkBox()
    chunks.entries = try PackedTable(runs)
    add("stsc", chunks)
    var sizeBox = SampleSizeBox(sampleSize: size ?? 0, sampleCount: UInt32(clamping: count))
    if !hasOneSize || sizeBox.sampleSize == 0 {
      sizeBox.sampleSize = 0
      sizeBox.entries = try PackedTable(sizes.lazy.map { UInt32Record($0) })
    }
    sizes = []
    add("stsz", sizeBox)
    if chunkOffsets.allSatisfy({ $0 <= UInt64(UInt32.max) }) {
      var box = ChunkOffsetBox()
      box.entries = try PackedTable(chunkOffsets.lazy.map { UInt32Record(UInt32(clamping: $0)) })
      add("stco", box)
    } else {
      var box = ChunkLargeOffsetBox()
      box.entries = try PackedTable(chunkOffsets.lazy.map { UInt64Record($0) })
      add("co64", box)
    }
    return boxes
  }

  /// ISO/IEC 14496-12, 8.6.1.4
  private var compositionSpan: CompositionToDecodeBox {
    var span = CompositionToDecodeBox()
    let (start, end) = compositionRange.map { ($0.first, $0.end) } ?? (0, 0)
    span.compositionToDTSShift = max(0, -Int64(offsetRange.lowerBound))
    span.leastDecodeToDisplayDelta = Int64(offsetRange.lowerBound)
    span.greatestDecodeToDisplayDelta = Int64(offsetRange.upperBound)
    span.compositionStartTime = start
    span.compositionEndTime = end
    let values = [span.compositionToDTSShift, start, end]
    span.version = values.allSatisfy { Int32(exactly: $0) != nil } ? 0 : 1
    return span
  }
}
