// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies that are put together for a test, and what tagging makes of them.
struct TagJob {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func write(_ bytes: [UInt8], _ name: String = "movie") throws -> String {
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Tags a movie such that its `moov` grows; answers where the output is.
  func tag(_ path: String, _ output: String = "out") throws -> String {
    let editor = try grown(path)
    let written = folder.path + "/" + output
    try editor.write(to: written)
    #expect(MovieRules.newBreaches(contents(written) ?? [], since: contents(path) ?? []) == [])
    return written
  }

  /// A movie with tags and a key that it did not have.
  func grown(_ path: String) throws -> MovieEditor {
    var editor = try MovieEditor(path: path)
    let baseline = Micrometers.millimeters(editor.tracks[0].stereo.baseline == .millimeters(65) ? 64 : 65)
    for index in editor.tracks[0].entries.indices {
      editor.tracks[0].entries[index].stereo.baseline = baseline
    }
    editor.tracks[0].stereo.projection = .rectilinear
    editor.allowsContradictions = true
    editor.metadata["com.apple.quicktime.comment"] = .text("grows the movie box")
    return editor
  }

  /// The bytes of all samples of all tracks.
  func samples(_ path: String) throws -> [[UInt8]] { try samples(MovieFile(path: path)) }

  func samples(_ movie: MovieFile) throws -> [[UInt8]] {
    try movie.tracks.flatMap { track in
      try track.samples().map { try movie.source.read($0.range).array }
    }
  }
}

func rawBox(_ type: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8) + Array(type.utf8) + body }

/// A number in four bytes.
func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

/// The boxes at the top level of a file, each whole.
func topLevelParts(_ bytes: [UInt8]) -> [(type: String, bytes: [UInt8])] {
  BoxTree(ByteView(bytes)).boxes.map { ("\($0.type)", Array(bytes[$0.fileRange])) }
}

/// Changes the chunk offsets (`stco`) of all tracks, row by row in the bytes.
func changeChunkOffsets(_ bytes: inout [UInt8], _ change: (Int) -> Int) {
  for match in BoxTree(ByteView(bytes)).matches("moov/trak/mdia/minf/stbl/stco") {
    for row in 0..<((match.box.size - 16) / 4) {
      let at = match.box.offset + 16 + row * 4
      let old = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(at..<(at + 4), with: big(change(old)))
    }
  }
}
