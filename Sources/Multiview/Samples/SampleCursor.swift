// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
public import ISOBMFF

/// A position among the samples of a track. AVFoundation: `AVSampleCursor`
///
/// A cursor is a value: a copy moves independently. It stores the description of one sample, and no media data.
///
/// An edit list may present a sample several times, or never. A cursor that moves in presentation order is at one of
/// these presentations; one that was moved in decoding order is at the first.
public struct SampleCursor: Sendable {
  /// The samples that the cursor moves along.
  public let samples: TrackSamples
  /// The current sample.
  public private(set) var sample: Sample
  let timescale: UInt32
  private let groups: RandomAccessGroups
  private let context: MovieContext
  private let trackIndex: Int
  /// The position in presentation order if the cursor was moved in that order; `nil` for the first presentation
  /// of the sample.
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

  /// The position in presentation order; `nil` if the sample is not presented.
  private var currentPosition: Int? { position ?? samples.firstPosition(of: sample.index) }

  // MARK: Where it is

  /// The index of the sample in decoding order, from 0.
  public var index: Int { sample.index }

  /// The presentation time of the sample in the movie, by the edit list; `nil` if the sample is not presented. If its
  /// beginning is cut, this time is before that of ``presentedTimes``, and may be negative.
  public var presentationTimeStamp: MediaTime? {
    let time = position.map { samples.presentedSample(at: $0)?.time } ?? samples.presentationTime(of: sample)
    return time.map { MediaTime(value: $0, timescale: timescale) }
  }

  /// The time range in which the sample can be seen, within its edit and until the next sample is presented;
  /// `nil` if the sample is not presented.
  public var presentedTimes: Range<MediaTime>? {
    currentPosition.flatMap { samples.presentation(at: $0) }.map {
      MediaTime(
        value: $0.range.lowerBound, timescale: timescale)..<MediaTime(
          value: $0.range.upperBound, timescale: timescale)
    }
  }

  /// The composition time of the sample, in media time, without the edit list.
  public var compositionTimeStamp: MediaTime {
    MediaTime(value: sample.compositionTime, timescale: timescale)
  }

  /// The decoding time of the sample, in media time. It is not shifted if composition offsets are negative.
  public var decodeTimeStamp: MediaTime { MediaTime(value: sample.decodeTime, timescale: timescale) }

  /// The duration of the sample in decoding time.
  public var currentSampleDuration: MediaTime { MediaTime(value: sample.duration, timescale: timescale) }

  /// The range of the bytes of the sample in the file.
  public var currentSampleStorageRange: Range<UInt64> { sample.range }

  /// Whether the edit list presents the sample.
  public var isPresented: Bool { samples.presentationTime(of: sample) != nil }

  /// How a decoder can use the sample when it starts or cannot keep up.
  public struct SyncInfo: Sendable, Hashable {
    /// Whether decoding can start at the sample.
    public var sampleIsFullSync: Bool
    /// Whether decoding can start at the sample, except for samples that are presented before it: QuickTime's
    /// partial sync samples, and those in the group `rap ` that are not full sync samples.
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

  /// How a decoder can use the sample when it starts or cannot keep up.
  public var currentSampleSyncInfo: SyncInfo {
    let isFull = sample.isSync && !sample.isPartialSync
    return SyncInfo(
      sampleIsFullSync: isFull,
      sampleIsPartialSync: sample.isPartialSync || !isFull && groups.isOpenRandomAccessPoint(sample.index),
      sampleIsDroppable: sample.flags.isDependedOn == 2)
  }

  /// The dependencies of the sample; each is `nil` if not specified.
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

  /// The dependencies of the sample, as far as the file specifies them.
  public var currentSampleDependencyInfo: DependencyInfo {
    func answer(_ field: UInt8) -> Bool? { field == 1 ? true : field == 2 ? false : nil }
    return DependencyInfo(
      hasDependentSamples: answer(sample.flags.isDependedOn), dependsOnOthers: answer(sample.flags.dependsOn),
      hasRedundantCoding: answer(sample.flags.hasRedundancy))
  }

  /// The number of preceding samples, in decoding order, that a decoder needs for the correct output of this
  /// one; 0 if none are needed, or it is not specified. It comes from the groups `roll` and `prol`; the
  /// distance to the last sync sample does not count.
  public var samplesRequiredForDecoderRefresh: Int { groups.samplesRequired(before: sample.index) }

  // MARK: Moving

  /// Moves by a number of samples in decoding order, backwards if the number is negative.
  ///
  /// - Returns: by how many it moved: fewer at the beginning or end of the track.
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
  /// - Returns: by how many it moved: fewer at the beginning or end of the presentation.
  @discardableResult
  public mutating func stepInPresentationOrder(byCount count: Int64) -> Int64 {
    let step = samples.step(
      inPresentationOrder: Int(clamping: count), from: currentPosition, sample: sample.index)
    if let reached = step.position { move(toPresentation: reached) }
    return Int64(step.stepped)
  }

  /// Moves by a decoding time, to the last sample at or before the time that is reached.
  ///
  /// - Returns: how far it moved, and whether it reached the beginning or end of the track.
  @discardableResult
  public mutating func step(byDecodeTime delta: MediaTime) -> (moved: MediaTime, wasPinned: Bool) {
    let step = samples.step(byDecodeTime: delta.converted(to: timescale).value, from: sample.index)
    move(to: step.index)
    return (MediaTime(value: step.moved, timescale: timescale), step.wasPinned)
  }

  /// Moves by a presentation time, to the last sample that can be seen at or before the time that is reached.
  /// The time counts from when this sample can first be seen (``presentedTimes``); if it is not presented, from
  /// when the next one can.
  ///
  /// - Returns: how far it moved, and whether it reached the beginning or end of the presentation.
  @discardableResult
  public mutating func step(byPresentationTime delta: MediaTime) -> (moved: MediaTime, wasPinned: Bool) {
    let step = samples.step(
      byPresentationTime: delta.converted(to: timescale).value, from: currentPosition, sample: sample.index)
    guard let step else { return (MediaTime(value: 0, timescale: timescale), true) }
    move(toPresentation: step.position)
    return (MediaTime(value: step.moved, timescale: timescale), step.wasPinned)
  }

  // MARK: Comparing

  /// Returns whether a sample before this one in decoding order is composed later than the one at `other`:
  /// presented later, unless the edit list changes the order.
  public func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than other: SampleCursor)
    -> Bool
  {
    samples.hasEarlierDecodedSample(before: sample.index, composedAfter: other.sample.index)
  }

  /// Returns whether a sample after this one in decoding order is composed earlier than the one at `other`: presented
  /// earlier, unless the edit list changes the order.
  public func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than other: SampleCursor)
    -> Bool
  {
    samples.hasLaterDecodedSample(after: sample.index, composedBefore: other.sample.index)
  }
}

extension Track {
  /// Returns a cursor at the first sample in decoding order; `nil` for a track without samples.
  public func makeSampleCursorAtFirstSampleInDecodeOrder() throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: 0)
  }

  /// Returns a cursor at the last sample in decoding order; `nil` for a track without samples.
  public func makeSampleCursorAtLastSampleInDecodeOrder() throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: try samples().count - 1)
  }

  /// Returns a cursor at the last sample that can be seen at or before a time; for earlier times, at the first
  /// one that is presented. `nil` for a track of which nothing is presented.
  ///
  /// ``makeSampleCursor(shownAt:)`` returns `nil` when nothing is shown.
  public func makeSampleCursor(presentationTimeStamp time: MediaTime) throws(SourceError) -> SampleCursor? {
    let found = try samples().position(atOrBefore: time.roundedDown(to: timescale).value)
    return try SampleCursor(self, atPresentation: found ?? 0)
  }

  /// Returns a cursor at the sample that can be seen at a time; `nil` if nothing is shown: before the first
  /// sample, in empty edits, and after the end of the edits or of the media.
  public func makeSampleCursor(shownAt time: MediaTime) throws(SourceError) -> SampleCursor? {
    guard let found = try samples().presentation(atTime: time.roundedDown(to: timescale).value) else {
      return nil
    }
    return try SampleCursor(self, atPresentation: found.position)
  }

  /// Returns the presentation times of samples, in presentation order. Samples that the edit list does not
  /// present are left out, and those that it presents twice are listed twice.
  ///
  /// - Throws: `SourceError` if the samples cannot be read, or if the presentations exceed the samples by more than
  ///   `Limits.maximumUniformSamples`.
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

extension Track {
  /// Returns a cursor at the sample with an index in decoding order, counted from 0; `nil` outside the track.
  public func makeSampleCursor(atIndex index: Int) throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: index)
  }

  /// Returns a cursor at which decoding can start to get the picture at a time: at the sync sample at or before the
  /// one that is presented then, in decoding order. If the track has no sync sample before it, at the first
  /// sample. `nil` for a track without samples.
  public func makeSampleCursor(
    atSyncSampleBefore time: MediaTime
  ) throws(SourceError) -> SampleCursor? {
    guard let cursor = try makeSampleCursor(presentationTimeStamp: time) else { return nil }
    return try SampleCursor(self, at: cursor.samples.syncSample(atOrBefore: cursor.index) ?? 0)
  }

  /// Returns the NAL units of a sample of this track, a group for each layer: for loops over ``samples()``.
  ///
  /// ```swift
  /// for sample in try track.samples() where sample.isSync {
  ///   for group in try track.taggedNALUnits(of: sample) { print(group.layerID, group.byteCount) }
  /// }
  /// ```
  public func taggedNALUnits(of sample: Sample) throws(SampleError) -> [TaggedNALUnits] {
    let found: SampleCursor?
    do { found = try SampleCursor(self, at: sample.index) } catch { throw .unreadable(error) }
    guard let found, found.sample == sample else { throw .ofAnotherTrack }
    return try taggedNALUnits(at: found)
  }

  /// How pictures are rotated and mirrored for display, by the headers of the track and of the movie; `nil` if their matrices do
  /// more than rotate by multiples of 90 degrees and mirror, or there is no track header.
  public var orientation: PictureOrientation? { shownMatrix?.orientation }

  /// The matrix by which pictures are shown: that of the track, and after it that of the movie. ISO/IEC 14496-12, 8.2.2
  package var shownMatrix: TransformationMatrix? {
    guard let own = header?.matrix else { return nil }
    guard let whole = context.tree?.movieHeader?.matrix, !whole.isUnity else { return own }
    return own.followed(by: whole)
  }
}
