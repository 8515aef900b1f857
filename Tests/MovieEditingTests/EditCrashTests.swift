// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Loss of power, full and damaged disks, writes that come through in parts: what is there afterwards is the old movie or the new one.
@Suite struct EditCrashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What must not be lost: the box of the movie, and the bytes of all samples.
  private struct Contents: Equatable {
    var movie: [UInt8]
    var samples: [[UInt8]]

    init(_ bytes: [UInt8]) throws {
      let file = try MovieFile(bytes: bytes)
      let tree = try #require(file.tree)
      let moov = try #require(tree.first("moov"))
      movie = Array(bytes[moov.fileRange])
      samples = try file.tracks.flatMap { track in
        try track.samples().map { try file.source.read($0.range).array }
      }
    }
  }

  private func editor(_ path: String) throws -> MovieEditor {
    var editor = try MovieEditor(path: path)
    for track in editor.stereoTracks() {
      for entry in editor.tracks[track].entries.indices {
        editor.tracks[track].entries[entry].stereo.fieldOfView = .degrees(50)
      }
    }
    editor.allowsContradictions = true
    return editor
  }

  /// Compares each state with the movie before and after; answers how often it was each of the two.
  private func replay(
    _ recorder: OutputRecorder, _ path: String, before: [UInt8], after: [UInt8]
  ) throws -> (olds: Int, news: Int) {
    let (old, new) = (try Contents(before), try Contents(after))
    #expect(old.movie != new.movie && old.samples == new.samples && !old.samples.isEmpty)
    var counts = (olds: 0, news: 0)
    CrashReplay(recorder.events, initial: [path: before]).forEachState { files, state in
      switch try? Contents(files[path] ?? []) {
      case old: counts.olds += 1
      case new: counts.news += 1
      default: Issue.record("\(state): neither the old movie nor the new one")
      }
    }
    return counts
  }

  /// With the boxes first, between and last, one track and several, and so many keys that the new box is written in dozens of sectors.
  @Test(arguments: ["spatial.mov", "metadata-keys.mov", "edit-list-trim.mp4", "moov-between", "many-keys"])
  func inPlaceTheMovieIsTheOldOrTheNew(name: String) throws {
    let path = folder.path + "/movie"
    switch name {
    case "moov-between":
      // Boxes after the media data: what is appended does not follow them at once.
      let bytes = contents(Fixtures.path("spatial.mov")) ?? []
      try Data(bytes + rawBox("mdat", [1, 2, 3]) + rawBox("free", [0])).write(to: URL(fileURLWithPath: path))
    case "many-keys":
      var editor = try MovieEditor(path: Fixtures.path("metadata-keys.mov"))
      for number in 0..<200 {
        let key = MetadataKey(stringLiteral: "com.example.key\(number)")
        editor.metadata[key] = .text(String(repeating: "x", count: 80))
      }
      try editor.write(to: path)
    default: try Data(contents(Fixtures.path(name)) ?? []).write(to: URL(fileURLWithPath: path))
    }
    let before = contents(path) ?? []
    let recorder = OutputRecorder()
    try editor(path).writeInPlace(recorder)
    let after = contents(path) ?? []
    let found = try replay(recorder, path, before: before, after: after)
    // Each sector of the new box, with the rest missing and with zeros in its place.
    let sectors = (after.count - before.count) / 512
    #expect(found.olds > 2 * sectors && found.news > 4, "\(found)")
    if name == "many-keys" { #expect(sectors > 40) }

    let undoing = OutputRecorder()
    try MovieEditor.undo(path: path, undoing)
    #expect(contents(path) == before)
    let back = try replay(undoing, path, before: after, after: before)
    #expect(back.olds > 2 && back.news > 2, "\(back)")
  }

  /// A new file has its name when it is whole, and what had the name before is there until then.
  @Test(arguments: ["spatial.mov", "metadata-keys.mov"], [false, true])
  func aNewFileIsWholeOrMissing(name: String, overwriting: Bool) throws {
    let path = try copied(name, to: folder)
    let output = folder.path + "/out"
    let before = contents(path) ?? []
    var initial = [path: before]
    if overwriting {
      initial[output] = [1, 2, 3]
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: output))
    }
    let recorder = OutputRecorder()
    let editor = try editor(path)
    var options = SafeOutput.Options()
    options.isOverwriting = overwriting
    try editor.write(
      to: SafeOutput(path: output, inputs: [editor.movie.source], options: options, system: recorder))
    let wanted = try #require(contents(output))
    #expect(try Contents(wanted).samples == Contents(before).samples)
    var counts = (olds: 0, news: 0)
    CrashReplay(recorder.events, initial: initial).forEachState { files, state in
      if files[path] != before { Issue.record("\(state): the input is another") }
      if files[output] == wanted {
        counts.news += 1
      } else if files[output] == initial[output] {
        counts.olds += 1
      } else {
        Issue.record("\(state): neither whole nor missing")
      }
    }
    #expect(counts.olds > wanted.count / 512 && counts.news > 1, "\(counts)")
  }

  /// Writes that come through in small parts.
  @Test(arguments: [1, 7, 4_096]) func shortWritesAreNotSeen(most: Int) throws {
    let path = try copied("spatial.mov", to: folder)
    let editor = try editor(path)
    try editor.write(to: folder.path + "/wanted")
    let output = folder.path + "/out"
    try editor.write(
      to: SafeOutput(
        path: output, inputs: [editor.movie.source], system: FaultyOutputSystem(.shortWrites(most))))
    #expect(contents(output) == contents(folder.path + "/wanted"))
    let other = folder.path + "/other"
    try Data(contents(path) ?? []).write(to: URL(fileURLWithPath: other))
    try editor.writeInPlace(FaultyOutputSystem(.shortWrites(most)))
    try self.editor(other).writeInPlace()
    #expect(contents(path) == contents(other))
  }

  /// A disk that is full or damaged at any call: the movie is as it was, and nothing else is left.
  @Test(arguments: [ENOSPC, EIO]) func aFailureAtAnyCallLeavesTheMovie(number: Int32) throws {
    let folder = try TemporaryFolder()
    let path = try copied("spatial.mov", to: folder)
    let before = contents(path)
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.fieldOfView = .degrees(50)
    let output = folder.path + "/out.mov"
    func write(_ system: FaultyOutputSystem) throws {
      try editor.write(to: SafeOutput(path: output, inputs: [editor.movie.source], system: system))
    }
    let counting = FaultyOutputSystem(.error(call: .max, number: 0))
    try write(counting)
    let wanted = contents(output)
    #expect(counting.callCount >= 5)
    for call in 0..<counting.callCount {
      if filesBelow(folder.path).contains("out.mov") { try FileManager.default.removeItem(atPath: output) }
      do {
        try write(FaultyOutputSystem(.error(call: call, number: number)))
        // A file system without links renames instead.
        #expect(contents(output) == wanted, "call \(call)")
      } catch { #expect(contents(output) == nil, "call \(call)") }
      #expect(contents(path) == before && !filesBelow(folder.path).contains { $0.hasSuffix(".part") })
    }
    // In place: opening, writing and flushing the boxes, writing and flushing the four bytes.
    for call in 0..<5 {
      do {
        try editor.writeInPlace(FaultyOutputSystem(.error(call: call, number: number)))
        Issue.record("call \(call) did not fail")
      } catch { #expect(error.kind == .failed) }
      #expect(contents(path) == before, "call \(call)")
    }
  }

  /// A disk that fails for good from some call on: in place, too, the movie is the old one or the new one.
  @Test(arguments: [ENOSPC, EIO]) func aDiskThatFailsForGoodLeavesOldOrNew(number: Int32) throws {
    let path = try copied("spatial.mov", to: folder)
    let before = contents(path) ?? []
    try editor(path).writeInPlace()
    let after = contents(path) ?? []
    let (old, new) = (try Contents(before), try Contents(after))
    for call in 0...5 {
      try Data(before).write(to: URL(fileURLWithPath: path))
      do {
        try editor(path).writeInPlace(FaultyOutputSystem(.errors(from: call, number: number)))
        #expect(call == 5)
      } catch let error as EditError { #expect(error.kind == .failed && call < 5) }
      let found = try Contents(contents(path) ?? [])
      #expect(found == old || found == new, "call \(call)")
      #expect(filesBelow(folder.path) == [String(path.dropFirst(folder.path.count + 1))])
    }
  }
}
