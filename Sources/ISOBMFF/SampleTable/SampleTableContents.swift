// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The boxes of a `stbl` that tell where, when and how large the samples are, each absent or present.
public struct SampleTableContents: Sendable, Hashable {
  /// `stts`
  public var timeToSample: TimeToSampleBox?
  /// `ctts`
  public var compositionOffset: CompositionOffsetBox?
  /// `stsz`
  public var sampleSize: SampleSizeBox?
  /// `stz2`
  public var compactSampleSize: CompactSampleSizeBox?
  /// `stsc`
  public var sampleToChunk: SampleToChunkBox?
  /// `stco`
  public var chunkOffset: ChunkOffsetBox?
  /// `co64`
  public var chunkLargeOffset: ChunkLargeOffsetBox?
  /// `stss`
  public var syncSample: SyncSampleBox?
  /// `stps`
  public var partialSyncSample: PartialSyncSampleBox?
  /// `sdtp`
  public var sampleDependencyType: SampleDependencyTypeBox?

  /// How many sample entries there are, where that is known.
  public var descriptionCount: Int?
  /// The sample entries, counted from 1, whose samples are in another file.
  public var externalDescriptions: Set<UInt32> = []
  /// What `mdhd` says the media lasts; 0 where it says nothing.
  public var mediaDuration: UInt64 = 0
  /// Whether movie fragments may follow: then empty tables are as they should be.
  public var isFragmented = false
  /// The way to the `stbl`, for diagnostics.
  public var path = ""
  /// Where in the file the boxes are, for diagnostics.
  public var boxOffsets: [FourCC: Int] = [:]

  /// No boxes.
  public init() {}

  /// Whether all samples are of one size, so that no table has a row for each.
  public var hasUniformSizes: Bool { sampleSize.map { $0.sampleSize != 0 } ?? false }

  /// Whether tables have less than a byte for each sample, so that they may list more than the file has bytes.
  var hasSmallRows: Bool {
    hasUniformSizes || sampleSize == nil && compactSampleSize?.entries.format == 4
  }
}
