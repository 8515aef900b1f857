// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What was planned is compared once as a movie, and what was written is compared with the plan as bytes.
@Suite struct WrittenBytesTests {
  private let job: TagJob

  init() throws { job = try TagJob() }

  /// A movie whose media data are longer than what is compared completely or passes through memory.
  private func longMovie() throws -> String {
    let bytes = contents(Fixtures.path("metadata-keys.mov")) ?? []
    // Before the box of the movie, which is last, so that all chunks are found where they were.
    let parts = topLevelParts(bytes)
    #expect(parts.last?.type == "moov")
    let before = parts.dropLast().flatMap(\.bytes)
    return try job.write(
      before + rawBox("mdat", patternedBytes(9_000_000)) + (parts.last?.bytes ?? []), "long")
  }

  private func written(_ checked: CheckedPlan) throws -> [UInt8] {
    try checked.plan.read(0..<checked.plan.byteCount).array
  }

  /// Every byte of a short movie, as many as there are.
  @Test(arguments: ["spatial.mov", "metadata-keys.mov", "edit-list-trim.mp4"], [false, true])
  func everyByteOfAShortFileCounts(name: String, putsMovieFirst: Bool) throws {
    var options = MovieWriteOptions()
    options.putsMovieFirst = putsMovieFirst
    let checked = try job.grown(Fixtures.path(name)).checkedPlan(options)
    let bytes = try written(checked)
    try checked.compare(with: MemoryBytes(bytes))
    for place in [0, bytes.count - 1] + stride(from: 3, to: bytes.count, by: 211) {
      var other = bytes
      other[place] ^= 1
      #expect(throws: SourceError.self, "\(place)") { try checked.compare(with: MemoryBytes(other)) }
    }
    for count in [0, bytes.count / 2, bytes.count - 1] {
      #expect(throws: SourceError.self) { try checked.compare(with: MemoryBytes(bytes.prefix(count))) }
    }
    #expect(throws: SourceError.self) { try checked.compare(with: MemoryBytes(bytes + [0])) }
  }

  /// Of a long movie, every byte of its boxes, and the ends of what was copied.
  @Test func theBoxesOfALongFileCount() throws {
    let checked = try job.grown(longMovie()).checkedPlan()
    let bytes = try written(checked)
    try checked.compare(with: MemoryBytes(bytes))
    let moov = try #require(BoxTree(ByteView(bytes)).boxes.last)
    #expect(moov.type == "moov")
    for place in [0, 4, moov.offset - 1] + stride(from: moov.offset, to: bytes.count, by: 97) {
      var other = bytes
      other[place] ^= 0x40
      #expect(throws: SourceError.self, "\(place)") { try checked.compare(with: MemoryBytes(other)) }
    }
    // As a wrong place in the original would make it.
    let shifted = Array(bytes[1..<moov.offset]) + [0] + bytes[moov.offset...]
    #expect(throws: SourceError.self) { try checked.compare(with: MemoryBytes(shifted)) }
  }

  /// A disk that keeps other bytes than were written: no file, and the movie is as it was.
  @Test(arguments: ["moov", "first", "last", "lost", "shift"]) func aDiskThatLiesIsNotTrusted(what: String)
    throws
  {
    let path = try longMovie()
    let before = contents(path)
    let editor = try job.grown(path)
    let size = try editor.checkedPlan().plan.byteCount
    let moov = UInt64(topLevelParts(before ?? []).dropLast().reduce(0) { $0 + $1.bytes.count })
    let fault: FaultyOutputSystem.Fault =
      switch what {
      case "moov": .otherByte(at: moov + 1_000)
      case "first": .otherByte(at: 0)
      case "last": .otherByte(at: size - 1)
      case "lost": .lost(from: size - 100)
      default: .copies(shiftedBy: 1)
      }
    let output = job.folder.path + "/out"
    let error = #expect(throws: EditError.self) {
      try editor.write(
        to: SafeOutput(path: output, inputs: [editor.movie.source], system: FaultyOutputSystem(fault)))
    }
    #expect(error?.kind == .failed)
    #expect(filesBelow(job.folder.path) == ["long"] && contents(path) == before)
  }

  /// In place: a byte of the new box, or of the four that put it into effect.
  @Test(arguments: ["first", "middle", "last", "flip", "lost"]) func inPlaceADiskThatLiesIsNotTrusted(
    what: String
  ) throws {
    let path = try longMovie()
    let before = try #require(contents(path))
    let size = UInt64(before.count)
    let old = UInt64(topLevelParts(before).dropLast().reduce(0) { $0 + $1.bytes.count })
    let fault: FaultyOutputSystem.Fault =
      switch what {
      case "first": .otherByte(at: size)
      case "middle": .otherByte(at: size + 1_500)
      case "last": .otherByte(at: size + 2_500)
      case "flip": .otherByte(at: old + 5)
      default: .lost(from: size + 700)
      }
    let error = #expect(throws: EditError.self) {
      try job.grown(path).writeInPlace(FaultyOutputSystem(fault))
    }
    #expect(error?.kind == .failed)
    #expect(contents(path) == before && filesBelow(job.folder.path) == ["long"])
  }

  /// For an edit, two movies are opened: the original and the plan. Opening one reads its beginning, which for the plan is in memory
  /// if the box of the movie is first.
  @Test(arguments: [("spatial.mov", 1), ("two-views-fragmented.mp4", 1), ("metadata-keys.mov", 2)])
  func twoMoviesAreOpened(name: String, count: Int) throws {
    // The beginning is read as a whole to see what a file is.
    let file = CountedReads(contents(Fixtures.path(name)) ?? []) { $0 == 0..<512 ? 1 : 0 }
    var editor = try MovieEditor(MovieFile(source: file))
    #expect(file.count == 1)
    for track in editor.tracks.indices {
      for index in editor.tracks[track].entries.indices {
        editor.tracks[track].entries[index].stereo.fieldOfView = .degrees(50)
      }
    }
    #expect(!editor.changes.isEmpty)
    // What is refused was asked of the plan.
    do { try editor.write(to: job.folder.path + "/out") } catch { #expect(error.isRefusal) }
    #expect(file.count == count)
  }
}
