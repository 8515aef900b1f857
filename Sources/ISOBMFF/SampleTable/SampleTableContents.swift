// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The boxes of a `stbl` that specify positions, times and sizes of samples; `nil` for those that are absent.
public struct SampleTableContents: Sendable, Hashable {
  /// The durations of the samples (`stts`).
  public var timeToSample: TimeToSampleBox?
  /// The composition offsets of the samples (`ctts`).
  public var compositionOffset: CompositionOffsetBox?
  /// The sizes of the samples (`stsz`).
  public var sampleSize: SampleSizeBox?
  /// The sizes of the samples in compact form (`stz2`).
  public var compactSampleSize: CompactSampleSizeBox?
  /// The chunks that the samples are in (`stsc`).
  public var sampleToChunk: SampleToChunkBox?
  /// The offsets of the chunks (`stco`).
  public var chunkOffset: ChunkOffsetBox?
  /// The offsets of the chunks in 64 bits (`co64`).
  public var chunkLargeOffset: ChunkLargeOffsetBox?
  /// The sync samples (`stss`).
  public var syncSample: SyncSampleBox?
  /// The partial sync samples (`stps`).
  public var partialSyncSample: PartialSyncSampleBox?
  /// The dependencies of the samples (`sdtp`).
  public var sampleDependencyType: SampleDependencyTypeBox?

  /// The number of sample entries; `nil` if unknown.
  public var descriptionCount: Int?
  /// The sample entries, counted from 1, whose samples are in another file.
  public var externalDescriptions: Set<UInt32> = []
  /// Whether samples whose description is not among the sample entries are in another file.
  public var isOtherMediaExternal = false
  /// The duration of the media according to `mdhd`; 0 if it is unknown.
  public var mediaDuration: UInt64 = 0
  /// Whether movie fragments may follow, so that empty tables are not a problem.
  public var isFragmented = false
  /// The path of the `stbl`, for diagnostics.
  public var path = ""
  /// The file offsets of the boxes, for diagnostics.
  public var boxOffsets: [FourCC: Int] = [:]

  /// Makes contents without boxes.
  public init() {}

  /// Whether all samples have the same size, so that the table has no row for each.
  public var hasUniformSizes: Bool { sampleSize.map { $0.sampleSize != 0 } ?? false }

  /// Whether tables take less than a byte per sample, so that they may list more samples than the file has bytes.
  var hasSmallRows: Bool {
    hasUniformSizes || sampleSize == nil && compactSampleSize?.entries.format == 4
  }
}
