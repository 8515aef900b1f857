// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import FileAccess
public import ISOBMFF

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

  /// How pictures are rotated and mirrored for display, by the track header; `nil` if its matrix does more than
  /// rotate by multiples of 90 degrees and mirror, or there is none.
  public var orientation: PictureOrientation? { header?.matrix.orientation }
}
