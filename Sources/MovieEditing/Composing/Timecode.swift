// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// Advances a timecode, because frames at its beginning are cut.
enum Timecode {
  /// Returns the first sample of a span that is cut at its beginning.
  ///
  /// Readers that ignore edits take the first sample for the timecode of the first picture, so it is advanced
  /// by the whole frames that are cut. QuickTime File Format, Timecode Sample Data
  ///
  /// - Returns: the bytes of the sample, `nil` if they do not change; and the media time at which it begins,
  ///   which may be within the frame that is cut.
  static func moved(
    _ span: TrackCut.Span, _ cut: TrackCut, _ samples: TrackSamples
  ) throws(EditError) -> (bytes: [UInt8]?, start: Int64) {
    guard let sample = samples.sample(at: span.samples.lowerBound), sample.decodeTime < span.start else {
      return (nil, span.start)
    }
    let index = Int(sample.descriptionIndex) - 1
    let descriptions = cut.track.formatDescriptions
    guard descriptions.indices.contains(index),
      let format = descriptions[index].box.payload(TimecodeSampleEntry.self), sample.size == 4,
      format.frameDuration > 0, format.timescale > 0
    else {
      throw .refused(
        "the timecode of track \(cut.track.id) has a format whose start cannot be moved",
        advice: "Cut at its beginning, or remove the track first.")
    }
    let bytes = try reading(cut.movie.source.read(sample.range).array)
    guard bytes.count == 4 else {
      throw EditError(.unreadable, "the timecode of track \(cut.track.id) is beyond the end of the file")
    }
    // The duration of a frame in the timescale of the media, which is that of the sample entry in most tracks.
    let (scale, rest) = cut.track.timescale.quotientAndRemainder(dividingBy: format.timescale)
    let ahead = span.start &- sample.decodeTime
    let frames: Int64
    var start = span.start
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
    // It restarts after 24 hours. Drop-frame timecode with 30 frames per second skips two numbers in each
    // minute, except every tenth one. SMPTE ST 12-1
    if format.timecodeFlags & 2 != 0, format.numberOfFrames > 0 {
      let rate = Int64(format.numberOfFrames)
      let left = format.timecodeFlags & 1 != 0 ? rate / 15 * (24 * 60 - 24 * 6) : 0
      value %= rate * 86_400 - left
    }
    let new = UInt32(truncatingIfNeeded: value)
    return (new.bigEndianBytes, start)
  }
}
