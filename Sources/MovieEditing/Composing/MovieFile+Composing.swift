// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

extension MovieFile {
  /// The timescale of the movie; 0 if it cannot be read.
  var movieTimescale: UInt32 { tree?.movieHeader?.timescale ?? 0 }

  /// The timescale in which the edits of the whole movie can be written as those of an ordinary movie, in which
  /// an empty edit expresses that fragments begin late. If no timescale expresses all of these exactly, that of
  /// the movie.
  var wholeTimescale: UInt32 {
    guard container.isFragmented else { return movieTimescale }
    var scales = [movieTimescale]
    for track in tracks {
      guard let samples = try? track.samples(), let first = samples.index(atCompositionRank: 0) else {
        continue
      }
      guard samples.startTime != 0 else { continue }
      let from = track.editListBox?.entries.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      let (wait, overflow) = samples.compositionTime(at: first).subtractingReportingOverflow(from)
      guard !overflow, wait > 0, wait < 1 << 60 else { continue }
      let time = MediaTime(value: wait, timescale: track.timescale)
      if time.converted(to: movieTimescale) != time { scales.append(time.reduced.timescale) }
    }
    return commonTimescale(scales) ?? movieTimescale
  }

  /// Refuses files without times, and movies that cannot be edited.
  func checkComposable() throws(EditError) {
    guard tree != nil else {
      throw .refused(
        "is a raw HEVC stream, which has no times", advice: "Make a movie of it first\(.makeMovie).")
    }
    // The editor refuses files that are not movies that can be edited.
    _ = try MovieEditor(self)
    guard movieTimescale > 0 else {
      throw EditError(.unreadable, "the header of the movie cannot be read (mvhd)")
    }
    for track in tracks where track.sampleCount > 0 {
      guard track.box?["mdia/mdhd"]?.payload(MediaHeaderBox.self)?.timescale != 0 else {
        throw .refused(
          "the media of track \(track.id) have no timescale (0 in mdhd): their times are undefined")
      }
    }
  }
}
