// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import MovieEncoding
import Multiview

// Makes a spatial movie of one whose pictures have both eyes side by side, with its sound and its times.
// Usage: make-spatial side-by-side.mov spatial.mov

guard CommandLine.arguments.count == 3 else {
  print("usage: make-spatial MOVIE NEW")
  exit(64)
}

do {
  let movie = try MovieFile(path: CommandLine.arguments[1])
  var writer = SpatialMovieWriter(try StereoSource(movie: movie, layout: .sideBySide))
  if movie.tracks.contains(where: { $0.mediaType == .audio }) { writer.soundSource = movie }
  writer.settings.movie.isOverwriting = true
  writer.edit = { editor in
    editor.tracks[0].stereo.baseline = .millimeters(63)
    editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
    editor.tracks[0].stereo.disparityAdjustment = DisparityRatio(rawValue: 0)
    editor.tracks[0].stereo.projection = .rectilinear
  }
  let report = try writer.write(to: CommandLine.arguments[2])
  let size = report.format.size
  print(
    "\(report.encoding.pictures) pictures of \(size) for each eye, \(report.duration?.seconds ?? 0) seconds")
} catch {
  print(error)
  exit(1)
}
