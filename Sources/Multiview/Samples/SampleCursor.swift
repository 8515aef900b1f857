// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import ISOBMFF

/// A position among the samples of a track. AVFoundation: `AVSampleCursor`
///
/// A cursor is a value: a copy moves by itself. It holds one sample's description and no media data.
///
/// An edit list may present a sample several times, or never. A cursor that moves in the order of presentation is at one of
/// these presentations; one that was moved in the order of decoding is at the first.
public struct SampleCursor: Sendable {
  /// The samples it moves among.
  public let samples: TrackSamples
  /// The sample at which it is.
  public private(set) var sample: Sample
  let timescale: UInt32
  private let groups: RandomAccessGroups
  private let context: MovieContext
  private let trackIndex: Int
  /// The place in the order of presentation, where it was moved there; `nil` is the first presentation of the sample.
  private var position: Int?

  init?(_ track: Track, at index: Int) throws(SourceError) {
    let samples = try track.samples()
    guard let sample = samples.sample(at: index) else { return nil }
    self.samples = samples
    self.sample = sample
    timescale = track.timescale
    groups = track.randomAccessGroups
    context = track.context
    trackIndex = track.index
  }

  init?(_ track: Track, atPresentation position: Int) throws(SourceError) {
    guard let index = try track.samples().presentedSample(at: position)?.index else { return nil }
    try self.init(track, at: index)
    self.position = position
  }

  /// Whether a track made it, or one that stands for the same samples.
  func isOf(_ track: Track) -> Bool { context === track.context && trackIndex == track.index }

  private mutating func move(to index: Int) {
    guard let found = samples.sample(at: index) else { return }
    sample = found
    position = nil
  }

  private mutating func move(toPresentation position: Int) {
    guard let index = samples.presentedSample(at: position)?.index else { return }
    if index != sample.index { move(to: index) }
    self.position = position
  }

  /// The place in the order of presentation; `nil` where the sample has none.
  private var currentPosition: Int? { position ?? samples.firstPosition(of: sample.index) }

  // MARK: Where it is

  /// The place of the sample in the order of decoding, from 0.
  public var index: Int { sample.index }

  /// When the sample is presented in the movie, through the edit list; `nil` where that leaves the sample out. Where its
  /// beginning is cut away the time is before that of ``presentedTimes``, and may be before 0.
  public var presentationTimeStamp: MediaTime? {
    let time = position.map { samples.presentedSample(at: $0)?.time } ?? samples.presentationTime(of: sample)
    return time.map { MediaTime(value: $0, timescale: timescale) }
  }

  /// When the sample can be seen: cut where the edit list cuts, and until the next sample is presented. `nil` where the edit
  /// list leaves it out.
  public var presentedTimes: Range<MediaTime>? {
    currentPosition.flatMap { samples.presentation(at: $0) }.map {
      MediaTime(
        value: $0.range.lowerBound, timescale: timescale)..<MediaTime(
          value: $0.range.upperBound, timescale: timescale)
    }
  }

  /// When the sample is composed, in the time of its media, without the edit list.
  public var compositionTimeStamp: MediaTime {
    MediaTime(value: sample.compositionTime, timescale: timescale)
  }

  /// When the sample is decoded, in the time of its media. It is not shifted where offsets are negative.
  public var decodeTimeStamp: MediaTime { MediaTime(value: sample.decodeTime, timescale: timescale) }

  /// How long the sample lasts in the order of decoding.
  public var currentSampleDuration: MediaTime { MediaTime(value: sample.duration, timescale: timescale) }

  /// Where the bytes of the sample are in the file.
  public var currentSampleStorageRange: Range<UInt64> { sample.range }

  /// Whether the edit list presents the sample at all.
  public var isPresented: Bool { samples.presentationTime(of: sample) != nil }

  /// What the sample is good for when a decoder starts or cannot keep up.
  public struct SyncInfo: Sendable, Hashable {
    /// Whether decoding can start here.
    public var sampleIsFullSync: Bool
    /// Whether decoding can start here, apart from samples presented before it: QuickTime's partial sync samples, and
    /// the group `rap ` where the sample is not a full sync sample.
    public var sampleIsPartialSync: Bool
    /// Whether no other sample depends on it.
    public var sampleIsDroppable: Bool

    /// Makes an answer.
    public init(sampleIsFullSync: Bool, sampleIsPartialSync: Bool, sampleIsDroppable: Bool) {
      self.sampleIsFullSync = sampleIsFullSync
      self.sampleIsPartialSync = sampleIsPartialSync
      self.sampleIsDroppable = sampleIsDroppable
    }
  }

  /// What the sample is good for when a decoder starts or cannot keep up.
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

    /// Makes an answer.
    public init(
      hasDependentSamples: Bool? = nil, dependsOnOthers: Bool? = nil, hasRedundantCoding: Bool? = nil
    ) {
      self.hasDependentSamples = hasDependentSamples
      self.dependsOnOthers = dependsOnOthers
      self.hasRedundantCoding = hasRedundantCoding
    }
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

  /// Moves by a number of samples in presentation order, backwards if the number is negative. Samples that the
  /// edit list does not present are skipped, and those that it presents twice are visited twice. From a sample
  /// that is not presented, the next one is the first that is composed later.
  ///
  /// - Returns: by how many it moved: fewer where an end is in the way.
  @discardableResult
  public mutating func stepInPresentationOrder(byCount count: Int64) -> Int64 {
    let step = samples.step(
      inPresentationOrder: Int(clamping: count), from: currentPosition, sample: sample.index)
    if let reached = step.position { move(toPresentation: reached) }
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

  /// Moves along the timeline of presentation to the last sample that can be seen at or before the time that is reached.
  /// The way begins where this one can first be seen (``presentedTimes``); from a sample that the edit list leaves out, where
  /// the next one can.
  ///
  /// - Returns: how far it moved, and whether an end was in the way.
  @discardableResult
  public mutating func step(byPresentationTime delta: MediaTime) -> (moved: MediaTime, wasPinned: Bool) {
    let step = samples.step(
      byPresentationTime: delta.converted(to: timescale).value, from: currentPosition, sample: sample.index)
    guard let step else { return (MediaTime(value: 0, timescale: timescale), true) }
    move(toPresentation: step.position)
    return (MediaTime(value: step.moved, timescale: timescale), step.wasPinned)
  }

  // MARK: Comparing

  /// Whether a sample before this one in the order of decoding is composed later than the one at `other`: presented later,
  /// unless the edit list changes the order.
  public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than other: SampleCursor)
    -> Bool
  {
    samples.hasEarlierDecodedSample(before: sample.index, composedAfter: other.sample.index)
  }

  /// Whether a sample after this one in the order of decoding is composed earlier than the one at `other`: presented
  /// earlier, unless the edit list changes the order.
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

  /// A cursor at the last sample that can be seen at or before that time; before the first one that is presented, at that
  /// one. `nil` for a track of which nothing is presented.
  ///
  /// ``makeSampleCursor(shownAt:)`` returns `nil` when nothing is shown.
  public func makeSampleCursor(presentationTimeStamp time: MediaTime) throws(SourceError) -> SampleCursor? {
    let found = try samples().position(atOrBefore: time.roundedDown(to: timescale).value)
    return try SampleCursor(self, atPresentation: found ?? 0)
  }

  /// A cursor at the sample that can be seen at that time; `nil` where nothing is shown: before the first sample, in empty
  /// edits, and after the end of the edits or of the media.
  public func makeSampleCursor(shownAt time: MediaTime) throws(SourceError) -> SampleCursor? {
    guard let found = try samples().presentation(atTime: time.roundedDown(to: timescale).value) else {
      return nil
    }
    return try SampleCursor(self, atPresentation: found.position)
  }

  /// When samples are presented, in the order of presentation. What the edit list leaves out is not among them, what it
  /// presents twice is there twice.
  ///
  /// - Throws: `SourceError` where the samples cannot be read, or where a few of them are presented more than
  ///   `Limits.maximumUniformSamples` times again.
  public func presentationTimes() throws(SourceError) -> [MediaTime] {
    let samples = try samples()
    let count = samples.presentationCount
    guard count <= samples.count + context.limits.maximumUniformSamples else {
      throw SourceError(
        .other("\(path)/edts/elst: \(samples.count) samples are presented \(count) times"),
        advice: "Step through them with a cursor, which needs no list.")
    }
    return (0..<count).compactMap { position in
      samples.presentedSample(at: position).map { MediaTime(value: $0.time, timescale: timescale) }
    }
  }
}
