// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import FileAccess
public import ISOBMFF

extension Track {
  /// A cursor at the sample with that place in the order of decoding, counted from 0; `nil` outside the track.
  public func makeSampleCursor(atIndex index: Int) throws(SourceError) -> SampleCursor? {
    try SampleCursor(self, at: index)
  }

  /// A cursor at which decoding can start so that the picture at a time comes out: at the sync sample at or before the
  /// one that is presented then, in the order of decoding. Where the track has no sync sample before it, at the first
  /// sample. `nil` for a track without samples.
  public func makeSampleCursor(
    atSyncSampleBefore time: MediaTime
  ) throws(SourceError) -> SampleCursor? {
    guard let cursor = try makeSampleCursor(presentationTimeStamp: time) else { return nil }
    return try SampleCursor(self, at: cursor.samples.syncSample(atOrBefore: cursor.index) ?? 0)
  }

  /// The NAL units of a sample of this track, a group for each layer: for loops over ``samples()``.
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

  /// How pictures are turned and mirrored to be shown, by the track header; `nil` where its matrix does more than quarter
  /// turns, or there is none.
  public var orientation: PictureOrientation? { header?.matrix.orientation }
}
