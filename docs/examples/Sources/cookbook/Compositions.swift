// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MovieEditing
import Multiview

// The code of the article "Composing movies".

/// Leaves the middle of a movie out, and puts a part of another one there.
func printComposition(_ path: String, with other: String, to output: String) throws {
  let movie = try MovieFile(path: path)
  let title = try MovieFile(path: other)
  func tenths(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 10) }

  var composition = try Composition(movie)
  composition.removeTimeRange(tenths(5)..<tenths(15))
  try composition.insertTimeRange(tenths(2)..<tenths(6), of: title, at: tenths(5))

  // Half as fast. Only QuickTime movies can express that.
  try composition.scaleTimeRange(tenths(9)..<tenths(11), toDuration: tenths(4))
  composition.insertEmptyTimeRange(tenths(9)..<tenths(10))

  for track in composition.tracks where track.mediaType == .video {
    for segment in track.segments {
      let source = segment.sourceRange.map { "the media from \($0.lowerBound) on" } ?? "nothing"
      print("\(segment.timeRange.lowerBound): \(source), rate \(segment.rate)")
    }
  }

  let report = try composition.write(to: output, options: .replacing)
  for notice in report.notices { print(notice.message) }

  let again = try Composition(MovieFile(path: output))
  print(again.duration == composition.duration)
}
