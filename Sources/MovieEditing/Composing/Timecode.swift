// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview

/// A timecode that begins later, because frames before it are cut off.
enum Timecode {
  /// The first sample of a run that is cut at its beginning.
  ///
  /// Readers that know nothing of edits take the first sample for the timecode of the first picture: it counts on by the whole
  /// frames that are gone. (QuickTime File Format, Timecode Sample Data)
  ///
  /// - Returns: the bytes of the sample, and the media time at which it begins: within the frame that is cut.
  static func moved(
    _ run: TrackCut.Run, _ cut: TrackCut, _ samples: TrackSamples, _ movie: MovieFile
  ) throws(EditError) -> (bytes: [UInt8]?, start: Int64) {
    guard let sample = samples.sample(at: run.samples.lowerBound), sample.decodeTime < run.start else {
      return (nil, run.start)
    }
    let index = Int(sample.descriptionIndex) - 1
    let descriptions = cut.track.formatDescriptions
    guard descriptions.indices.contains(index),
      let format = descriptions[index].box.payload(TimecodeSampleEntry.self), sample.size == 4,
      format.frameDuration > 0, format.timescale > 0
    else {
      throw .refused(
        "the timecode of track \(cut.track.id) is of a kind that cannot be counted on",
        advice: "Cut at its beginning, or remove the track first.")
    }
    let bytes: [UInt8]
    do throws(SourceError) { bytes = try movie.source.read(sample.range).array } catch {
      throw EditError(.unreadable, error)
    }
    guard bytes.count == 4 else {
      throw EditError(.unreadable, "the timecode of track \(cut.track.id) is beyond the end of the file")
    }
    // How long a frame is in units of the media: most tracks have the same timescale in both places.
    let (scale, rest) = cut.track.timescale.quotientAndRemainder(dividingBy: format.timescale)
    let ahead = run.start &- sample.decodeTime
    let frames: Int64
    var start = run.start
    if rest == 0 {
      let (frame, overflow) = Int64(format.frameDuration).multipliedReportingOverflow(by: Int64(scale))
      frames = overflow ? 0 : ahead / frame
      start = sample.decodeTime &+ frames &* frame
    } else {
      let time = MediaTime(value: ahead, timescale: cut.track.timescale).converted(to: format.timescale)
      frames = time.value / Int64(format.frameDuration)
    }
    let old = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var value = Int64(Int32(bitPattern: old)) &+ frames
    // It begins again after 24 hours. Of drop frame timecode two numbers in a minute of 30 frames a second are left out, but for
    // every tenth minute. (SMPTE ST 12-1)
    if format.timecodeFlags & 2 != 0, format.numberOfFrames > 0 {
      let rate = Int64(format.numberOfFrames)
      let left = format.timecodeFlags & 1 != 0 ? rate / 15 * (24 * 60 - 24 * 6) : 0
      value %= rate * 86_400 - left
    }
    let new = UInt32(truncatingIfNeeded: value)
    return ([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: new >> UInt32($0)) }, start)
  }
}
