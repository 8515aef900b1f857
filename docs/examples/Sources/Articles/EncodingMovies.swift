// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCEncoding
import MovieEncoding
import Multiview

// The code of the article on encoding.

func makeSpatial() throws {
  let movie = try MovieFile(path: "side-by-side.mov")
  var writer = SpatialMovieWriter(try StereoSource(movie: movie, layout: .sideBySide))
  writer.soundSource = movie
  writer.edit = { editor in
    editor.tracks[0].stereo.baseline = .millimeters(63)
    editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
    editor.tracks[0].stereo.disparityAdjustment = .fraction(0)
  }
  try writer.write(to: "spatial.mov")
}

/// Both eyes at a time.
struct RenderedFrame {
  var left: ByteView
  var right: ByteView
  var time: MediaTime
}

protocol Renderer {
  func next() throws -> RenderedFrame?
}

func writeRendered(_ renderer: some Renderer, size: PictureSize) throws {
  let format = SourceFormat(size: size)
  let source = try StereoSource(format) {
    guard let frame = try renderer.next() else { return nil }
    return StereoPictures(
      left: try SourcePicture(format, bytes: frame.left),
      right: try SourcePicture(format, bytes: frame.right),
      time: frame.time)
  }
  try SpatialMovieWriter(source).write(to: "rendered.mov")
}
