// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import ISOBMFF
import Multiview

// The code of the article "Timelines and metadata".

/// What the edit list presents of a track, and when each sample is shown.
func printTimeline(_ path: String) throws {
  guard let track = try MovieFile(path: path).mainVideoTrack else { return }
  for edit in track.edits.edits { print(edit) }
  let samples = try track.samples()
  for sample in samples.prefix(4) {
    guard let time = samples.presentationTime(of: sample) else {
      print("sample \(sample.index) is decoded and never shown")
      continue
    }
    print("sample \(sample.index) at", MediaTime(value: time, timescale: track.timescale))
  }
}

/// The sample that is shown at a time, and the time of the next one.
func printPicture(_ path: String, at seconds: Double) throws {
  guard let track = try MovieFile(path: path).mainVideoTrack else { return }
  guard var cursor = try track.makeSampleCursor(shownAt: MediaTime(seconds: seconds)) else {
    return print("nothing is shown then")
  }
  print("shown:", cursor)
  if cursor.stepInPresentationOrder(byCount: 1) == 1 { print("next:", cursor) }
}

/// What a movie says of itself, and of itself over time.
func printMetadata(_ path: String) throws {
  let movie = try MovieFile(path: path)
  for item in movie.metadata.items { print(item) }
  if let location = movie.location { print("taken at", location) }
  for track in movie.tracks(withMediaType: .metadata) {
    for group in try track.timedMetadata() { print(group) }
  }
}
