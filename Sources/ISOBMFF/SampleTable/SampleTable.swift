// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The samples of a track as the tables of its `moov` list them.
///
/// The tables are kept as bytes. An index that makes look-ups fast is built when the table is first used: that
/// takes a quarter of a byte and about a nanosecond per row. A look-up by number or decoding time is a binary
/// search; iterating has a constant cost per sample.
///
/// If tables disagree about the number of samples, they are read as far as all of them extend.
public struct SampleTable: Sendable {
  /// The boxes from which it is made.
  public let contents: SampleTableContents
  /// The maximum number of samples listed.
  public let limit: Int
  let storage = Lazy<SampleTableStorage>()

  /// Makes a table. Nothing is read yet.
  public init(_ contents: SampleTableContents, limits: Limits = .standard) {
    self.contents = contents
    let maximum =
      contents.hasSmallRows
      ? Swift.min(limits.maximumSamples, limits.maximumUniformSamples) : limits.maximumSamples
    limit = Swift.max(0, maximum)
  }

  /// Makes a table without samples.
  public init() { self.init(SampleTableContents()) }

  var stored: SampleTableStorage { storage.value { SampleTableStorage(contents, limit: limit) } }

  /// The number of samples: as many as every table has.
  public var count: Int { stored.count }

  /// The decoding time after the last sample.
  public var endTime: Int64 {
    let stored = stored
    return stored.times.position(of: stored.count).sum
  }

  /// The sample at `index`; `nil` outside.
  public func sample(at index: Int) -> Sample? {
    guard index >= 0 else { return nil }
    var iterator = makeIterator(at: index)
    return iterator.next()
  }

  /// The samples from `index` on, in decoding order.
  public func makeIterator(at index: Int) -> Iterator { Iterator(stored, at: Swift.max(0, index)) }

  /// The last sample that is decoded at or before `time`; `nil` if there is none. If times run backwards, which
  /// ``diagnostics(fileSize:)`` reports, the result is some sample.
  public func index(atDecodeTime time: Int64) -> Int? {
    let stored = stored
    let found = Swift.min(stored.times.lastSample(atOrBelow: time), stored.count - 1)
    return found >= 0 ? found : nil
  }

  /// The composition time of the sample at `index`, without its other values.
  func compositionTime(at index: Int) -> Int64 {
    let stored = stored
    return Sample.compositionTime(
      stored.times.position(of: index).sum, stored.offsets?.position(of: index).value ?? 0)
  }

  /// Calls `body` with the composition times of the samples in `range`, in decoding order, and with `nil` for one
  /// that is never composed.
  func forEachCompositionTime(_ range: Range<Int>, _ body: (Int64?) -> Void) {
    let stored = stored
    let range = range.clamped(to: 0..<stored.count)
    var time = stored.times.position(of: range.lowerBound)
    guard let offsets = stored.offsets else {
      for index in range {
        body(time.sum)
        stored.times.advance(&time, to: index &+ 1)
      }
      return
    }
    var offset = offsets.position(of: range.lowerBound)
    for index in range {
      body(offset.value == Sample.neverComposed ? nil : time.sum &+ offset.value)
      stored.times.advance(&time, to: index &+ 1)
      offsets.advance(&offset, to: index &+ 1)
    }
  }

  /// Whether composition order is decoding order because no sample has an offset.
  var isInCompositionOrder: Bool { stored.offsets == nil && !stored.times.isSigned }
}

extension SampleTable: Sequence {
  public func makeIterator() -> Iterator { makeIterator(at: 0) }
  public var underestimatedCount: Int { count }
}

/// The tables with their indexes, created once and shared by all copies of a ``SampleTable``.
final class SampleTableStorage: Sendable {
  let times: RunLengths
  let offsets: RunLengths?
  let sizes: SampleSizes
  let chunks: ChunkRuns
  let sync: SampleNumbers?
  let partialSync: SampleNumbers?
  let dependencies: ByteView
  let count: Int
  private let sizeSums = Lazy<SizeSums>()

  init(_ contents: SampleTableContents, limit: Int) {
    let deltas = contents.timeToSample?.entries.bytes ?? ByteView()
    times = Self.times(deltas, mediaDuration: contents.mediaDuration)
    offsets = contents.compositionOffset.map { RunLengths($0.entries.bytes, isSigned: true, needsSum: false) }
    sizes =
      contents.sampleSize.map { SampleSizes($0) } ?? contents.compactSampleSize.map { SampleSizes($0) }
      ?? .none
    let largeOffsets = contents.chunkOffset == nil ? contents.chunkLargeOffset?.entries.bytes : nil
    chunks = ChunkRuns(
      rows: contents.sampleToChunk?.entries.bytes ?? ByteView(),
      offsets: largeOffsets ?? contents.chunkOffset?.entries.bytes ?? ByteView(),
      hasLargeOffsets: largeOffsets != nil)
    sync = contents.syncSample.map { SampleNumbers($0.entries) }
    partialSync = contents.partialSyncSample.map { SampleNumbers($0.entries) }
    dependencies = contents.sampleDependencyType?.entries.bytes ?? ByteView()
    count = min(limit, sizes.count, times.count, chunks.count, offsets?.count ?? .max)
  }

  /// Broken writers use deltas of 2^31 and more as negative numbers; they are read as such unless the media is as
  /// long as the unsigned values imply.
  private static func times(_ deltas: ByteView, mediaDuration: UInt64) -> RunLengths {
    let unsigned = RunLengths(deltas, isSigned: false)
    if !unsigned.hasLargeValues || (unsigned.sum > 0 && UInt64(unsigned.sum) <= mediaDuration) {
      return unsigned
    }
    return RunLengths(deltas, isSigned: true)
  }

  /// The file offset of `sample`, given its position in its chunk.
  func fileOffset(of sample: Int, in position: ChunkRuns.Position) -> UInt64 {
    let before = position.samplesPerChunk &- position.left
    let chunk = chunks.offset(of: position.chunk)
    let samples = max(0, sample &- before)..<sample
    if before <= 2 * SizeSums.step || sizes.width == 0 { return chunk &+ sizes.sum(samples) }
    return chunk &+ sizeSums.value { SizeSums(sizes) }.sum(samples, sizes)
  }
}
