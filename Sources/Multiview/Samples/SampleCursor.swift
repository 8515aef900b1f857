// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

/// A position among the samples of a track. AVFoundation: `AVSampleCursor`
///
/// A cursor is a value: a copy moves by itself. It holds one sample's description and no media data.
public struct SampleCursor: Sendable {
  /// The samples it moves among.
  public let samples: TrackSamples
  /// The sample at which it stands.
  public private(set) var sample: Sample
  let timescale: UInt32
  private let groups: RandomAccessGroups

  init?(_ track: Track, at index: Int) throws(SourceError) {
    let samples = try track.samples()
    guard let sample = samples.sample(at: index) else { return nil }
    self.samples = samples
    self.sample = sample
    timescale = track.timescale
    groups = track.randomAccessGroups
  }

  private mutating func move(to index: Int) {
    if let found = samples.sample(at: index) { sample = found }
  }

  // MARK: Where it stands

  /// The place of the sample in the order of decoding, from 0.
  public var index: Int { sample.index }

  /// When the sample is presented in the movie, through the edit list; where the edit list leaves it out, when it would
  /// be if the first edit went on: before 0 for what is cut away at the start.
  public var presentationTimeStamp: MediaTime {
    var time = samples.presentationTime(of: sample)
    if time == nil, let edit = samples.edits.edits.first {
      time = samples.edits.presentationTime(of: sample.compositionTime, in: edit)
    }
    return MediaTime(value: time ?? sample.compositionTime, timescale: timescale)
  }

  /// When the sample is composed, in the time of its media, without the edit list.
  public var compositionTimeStamp: MediaTime {
    MediaTime(value: sample.compositionTime, timescale: timescale)
  }

  /// When the sample is decoded, in the time of its media. It is not shifted where offsets are negative.
  public var decodeTimeStamp: MediaTime { MediaTime(value: sample.decodeTime, timescale: timescale) }

  /// How long the sample lasts in the order of decoding.
  public var currentSampleDuration: MediaTime { MediaTime(value: sample.duration, timescale: timescale) }

  /// Where the bytes of the sample stand in the file.
  public var currentSampleStorageRange: Range<UInt64> { sample.range }

  /// Whether the edit list presents the sample at all.
  public var isPresented: Bool { samples.presentationTime(of: sample) != nil }

  /// What the sample is good for when a decoder starts or falls behind.
  public struct SyncInfo: Sendable, Hashable {
    /// Whether decoding can start here.
    public var sampleIsFullSync: Bool
    /// Whether decoding can start here, apart from samples presented before it: QuickTime's partial sync samples, and
    /// the group `rap ` where the sample is no full sync sample.
    public var sampleIsPartialSync: Bool
    /// Whether no other sample depends on it.
    public var sampleIsDroppable: Bool
  }

  /// What the sample is good for when a decoder starts or falls behind.
  public var currentSampleSyncInfo: SyncInfo {
    let isFull = sample.isSync && !sample.isPartialSync
    return SyncInfo(
      sampleIsFullSync: isFull,
      sampleIsPartialSync: sample.isPartialSync || !isFull && groups.isOpenRandomAccessPoint(sample.index),
      sampleIsDroppable: sample.flags.isDependedOn == 2)
  }

  /// What is said of the sample's dependencies; `nil` where nothing is said.
  public struct DependencyInfo: Sendable, Hashable {
    /// Whether other samples depend on it.
    public var hasDependentSamples: Bool?
    /// Whether it depends on others.
    public var dependsOnOthers: Bool?
    /// Whether it has redundant coding.
    public var hasRedundantCoding: Bool?
  }

  /// What is said of the sample's dependencies.
  public var currentSampleDependencyInfo: DependencyInfo {
    func answer(_ field: UInt8) -> Bool? { field == 1 ? true : field == 2 ? false : nil }
    return DependencyInfo(
      hasDependentSamples: answer(sample.flags.isDependedOn), dependsOnOthers: answer(sample.flags.dependsOn),
      hasRedundantCoding: answer(sample.flags.hasRedundancy))
  }

  /// How many samples before this one, in the order of decoding, a decoder needs for this one to come out right; 0 where
  /// none are needed, or nothing is said. The groups `roll` and `prol` say it; how far the last sync sample is away does
  /// not count.
  public var samplesRequiredForDecoderRefresh: Int { groups.samplesRequired(before: sample.index) }

  // MARK: Moving

  /// Moves by that many samples in the order of decoding, back where the number is negative.
  ///
  /// - Returns: by how many it moved: fewer where an end is in the way.
  @discardableResult
  public mutating func stepInDecodeOrder(byCount count: Int64) -> Int64 {
    let step = samples.index(inDecodeOrder: Int(clamping: count), from: sample.index)
    move(to: step.index)
    return Int64(step.stepped)
  }

  /// Moves by that many samples in the order of presentation, back where the number is negative.
  ///
  /// - Returns: by how many it moved: fewer where an end is in the way.
  @discardableResult
  public mutating func stepInPresentationOrder(byCount count: Int64) -> Int64 {
    let step = samples.index(inPresentationOrder: Int(clamping: count), from: sample.index)
    move(to: step.index)
    return Int64(step.stepped)
  }

  /// Moves along the timeline of decoding to the last sample at or before the time that is reached.
  ///
  /// - Returns: how far it moved, and whether an end was in the way.
  @discardableResult
  public mutating func step(byDecodeTime delta: MediaTime) -> (moved: MediaTime, wasPinned: Bool) {
    let step = samples.step(byDecodeTime: delta.converted(to: timescale).value, from: sample.index)
    move(to: step.index)
    return (MediaTime(value: step.moved, timescale: timescale), step.wasPinned)
  }

  /// Moves along the timeline of presentation to the last sample at or before the time that is reached.
  ///
  /// - Returns: how far it moved, and whether an end was in the way.
  @discardableResult
  public mutating func step(byPresentationTime delta: MediaTime) -> (moved: MediaTime, wasPinned: Bool) {
    let step = samples.step(byPresentationTime: delta.converted(to: timescale).value, from: sample.index)
    move(to: step.index)
    return (MediaTime(value: step.moved, timescale: timescale), step.wasPinned)
  }

  // MARK: Comparing

  /// Whether a sample before this one in the order of decoding is presented later than the one at `other`.
  public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than other: SampleCursor)
    -> Bool
  {
    samples.hasEarlierDecodedSample(before: sample.index, composedAfter: other.sample.index)
  }

  /// Whether a sample behind this one in the order of decoding is presented earlier than the one at `other`.
  public func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than other: SampleCursor)
    -> Bool
  {
    samples.hasLaterDecodedSample(after: sample.index, composedBefore: other.sample.index)
  }
}

extension Track {
  /// A cursor at the first sample in the order of decoding; `nil` for a track without samples.
  public func makeSampleCursorAtFirstSampleInDecodeOrder() throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: 0)
  }

  /// A cursor at the last sample in the order of decoding; `nil` for a track without samples.
  public func makeSampleCursorAtLastSampleInDecodeOrder() throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: try samples().count - 1)
  }

  /// A cursor at the sample that is presented at that time; before the first one at the first, behind the last one at the
  /// last. `nil` for a track without samples.
  public func makeSampleCursor(presentationTimeStamp time: MediaTime) throws(SourceError) -> SampleCursor? {
    let samples = try samples()
    let wanted = time.converted(to: timescale).value
    if let index = samples.index(atPresentationTime: wanted) {
      return try SampleCursor(self, at: index)
    }
    let ends = [samples.index(atPresentationRank: 0), samples.index(atPresentationRank: samples.count - 1)]
    var cursors: [SampleCursor] = []
    for case let index? in ends {
      if let cursor = try SampleCursor(self, at: index) { cursors.append(cursor) }
    }
    return cursors.last { $0.presentationTimeStamp.value <= wanted } ?? cursors.first
  }

  /// When samples are presented, in the order of presentation. Samples that the edit list leaves out are not among them.
  public func presentationTimes() throws(SourceError) -> [MediaTime] {
    let samples = try samples()
    var times: [Int64] = []
    times.reserveCapacity(samples.count)
    for sample in samples {
      if let time = samples.presentationTime(of: sample) { times.append(time) }
    }
    times.sort()
    return times.map { MediaTime(value: $0, timescale: timescale) }
  }
}
