// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import HEVC
import MovieEditing
import Multiview
import TestSupport
import Testing

/// Swapping the eyes of a movie either swaps them for every player, or is refused with what helps.
@Suite struct SwappedEyesTests {
  /// A movie with the message on eyes in its configuration record only.
  private func movieWithoutMessageInSamples(_ folder: TemporaryFolder) throws -> MovieFile {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    try StreamMuxer(source: FileBytes(path: Fixtures.path("two-views.hevc")), options: options)
      .write(to: folder.path + "/movie.mov")
    return try MovieFile(path: folder.path + "/movie.mov")
  }

  @Test func theMessageOfTheRecordHasToBeRewritten() throws {
    let folder = try TemporaryFolder()
    let movie = try movieWithoutMessageInSamples(folder)
    #expect(movie.tracks[0].eyeAssignment.eyes == [0: .left, 1: .right])
    var editor = try MovieEditor(movie)
    editor.tracks[0].entries[0].swapEyes(inMessage: false)
    let error = #expect(throws: EditError.self) { _ = try editor.plannedMovie() }
    #expect(error?.kind == .contradiction && error?.reason.contains("configuration record") == true)
    #expect(error?.advice.steps == [.rewriteMessage])
    // The step that is named helps.
    editor = try MovieEditor(movie)
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    #expect(try editor.plannedMovie().tracks[0].eyeAssignment.eyes == [0: .right, 1: .left])
    // Swapping twice asks for nothing.
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    #expect(try editor.plannedMovie().tracks[0].eyeAssignment.eyes == [0: .left, 1: .right])
  }

  @Test(arguments: [false, true]) func aMessageInSamplesStays(inMessage: Bool) throws {
    for name in ["spatial.mov", "two-tracks-lhv1.mp4"] {
      var editor = try MovieEditor(path: Fixtures.path(name))
      editor.tracks[0].entries[0].swapEyes(inMessage: inMessage)
      let error = #expect(throws: EditError.self) { _ = try editor.plannedMovie() }
      #expect(error?.kind == .contradiction && error?.reason.contains("in the samples") == true, "\(name)")
      #expect(error?.advice.steps == [.encodeSwapped], "\(name)")
    }
  }

  /// Records and samples that assign other views to the eyes are a contradiction, too.
  @Test func recordsMustNotContradictSamples() throws {
    var editor = try MovieEditor(path: Fixtures.path("spatial.mov"))
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    editor.allowsContradictions = true
    let planned = try editor.plannedMovie()
    #expect(planned.check().findings.contains { $0.rule == .displaysDiffer })
  }
}
