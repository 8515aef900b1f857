// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import HEVCEncoding
import MovieEncoding
import MoviePictures
import Multiview

// Decodes both eyes of a movie, changes their samples, and writes them at times of its own: in grey, at half the speed.
// Usage: process-spatial spatial.mov new.mov

guard CommandLine.arguments.count == 3 else {
  print("usage: process-spatial MOVIE NEW")
  exit(64)
}

/// The picture without colour: all samples of both chroma planes have the middle value.
func grey(_ picture: Picture?) throws -> SourcePicture? {
  guard let picture else { return nil }
  let frame = try PlanarFrame(picture)
  let colourless = [UInt8](repeating: 128, count: frame.planes[1].count)
  let format = SourceFormat(size: PictureSize(width: frame.width, height: frame.height))
  return try SourcePicture(format, bytes: ByteView(frame.planes[0] + colourless + colourless))
}

do {
  let movie = try MovieFile(path: CommandLine.arguments[1])
  guard let track = movie.mainVideoTrack else { throw CocoaError(.fileReadCorruptFile) }
  let pictures = try track.pictures()
  guard let size = try track.pictures().next()?.layers.first?.size else { exit(1) }
  let source = try StereoSource(SourceFormat(size: size)) {
    guard let group = try pictures.next(), let left = try grey(group[.left]) else { return nil }
    let time = group.presentationTime ?? .zero
    return StereoPictures(
      left: left, right: try grey(group[.right]), time: time + time,
      duration: group.duration.map { $0 + $0 })
  }
  var writer = SpatialMovieWriter(source)
  writer.settings.movie.isOverwriting = true
  writer.edit = { editor in try editor.copyTags(from: movie) }
  let report = try writer.write(to: CommandLine.arguments[2])
  print("\(report.encoding.pictures) pictures of each eye, \(report.duration?.seconds ?? 0) seconds")
} catch {
  print(error)
  exit(1)
}
