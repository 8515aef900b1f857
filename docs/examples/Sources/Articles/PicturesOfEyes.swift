// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import MoviePictures
import Multiview

// The code of the article on pictures of both eyes.

func showBothEyes(_ show: (RGBPicture, MediaTime?) -> Void) throws {
  let movie = try MovieFile(path: "spatial.mov")
  let pictures = try movie.tracks[0].pictures(from: MediaTime(value: 3, timescale: 2))
  while let group = try pictures.next() {
    guard let left = group[.left], let right = group[.right] else { continue }
    let both = try RGBPicture.combining(left: left.rgb(), right: right.rgb(), .sideBySide)
    show(both, group.presentationTime)
  }
}

func playBothEyes(_ track: Track, _ show: (RGBPicture, MediaTime?) -> Void) async throws {
  for try await group in track.pictureGroups() {
    if let left = group[.left] { show(try left.rgb(), group.presentationTime) }
  }
}

func thumbnail(_ track: Track) throws -> [UInt8] {
  let small = try track.thumbnail(at: MediaTime(seconds: 10), eye: .left, maximumWidth: 320)
  return small.png()
}

struct Swapped: PictureCompositor {
  func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
    guard let left = group[.left], let right = group[.right] else { throw .unknownEye(.left) }
    return .stereo(left: try right.rgb(), right: try left.rgb())
  }
}

func playSwapped(_ track: Track, _ show: (ComposedPictures, MediaTime?) -> Void) async throws {
  for try await moment in track.composedGroups(by: Swapped()) {
    show(moment.pictures, moment.presentationTime)
  }
}

/// Shows the pictures of a stream whose access units arrive one by one.
func showPushed(_ units: [NALUnit], _ decoder: HEVCDecoder, _ show: (RGBPicture) -> Void) throws {
  for decoded in decoder.decode(units) {
    let picture = Picture(decoded)
    show(try picture.rgb(range: .standard))
  }
}
