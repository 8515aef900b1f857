// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MovieEditing
import Multiview

/// The code of the article on MovieEditing.
func editTags() throws {
  var editor = try MovieEditor(path: "movie.mov")
  editor.tracks[0].stereo.baseline = .millimeters(63)
  editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
  editor.tracks[0].stereo.disparityAdjustment = .fraction(0.02)
  for change in editor.changes { print(change.name, change.new ?? "removed") }
  try editor.write(to: "spatial.mov")
}
