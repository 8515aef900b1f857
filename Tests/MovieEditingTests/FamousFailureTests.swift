// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What other taggers have done to movies, each as a test that they would fail.
@Suite struct FamousFailureTests {
  private let job: TagJob
  private var folder: TemporaryFolder { job.folder }

  init() throws { job = try TagJob() }

  /// Offsets that were not shifted in a movie with its boxes first: the tags read back fine, and no picture does.
  @Test func mediaDataMoveWithTheBoxesBeforeThem() throws {
    let path = Fixtures.path("spatial.mov")
    let out = try job.tag(path)
    #expect(contents(out)?.count != contents(path)?.count)
    #expect(try job.samples(out) == job.samples(path) && job.samples(path).count == 4)
    let first = try MovieFile(path: out).tracks[0].samples().sample(at: 0)
    let mdat = try #require(BoxTree(ByteView(contents(out) ?? [])).first("mdat"))
    #expect(first.map { mdat.fileRange.contains(Int($0.offset)) } == true)
  }

  /// Stale bytes after a `moov` that shrank, which read as boxes.
  @Test func nothingIsLeftWhereTheMovieBoxShrank() throws {
    let path = Fixtures.path("spatial.mov")
    let types = topLevelParts(contents(path) ?? []).map(\.type)
    var editor = try MovieEditor(path: path)
    editor.removeAllTags()
    let out = folder.path + "/out"
    try editor.write(to: out)
    let bytes = contents(out) ?? []
    #expect(bytes.count < (contents(path)?.count ?? 0))
    #expect(
      topLevelParts(bytes).map(\.type) == types
        && topLevelParts(bytes).map(\.bytes.count).reduce(0, +) == bytes.count)
  }

  /// A movie box that was destroyed because a box in it had an odd size, or was unknown, or was zeros.
  @Test func oddBoxesInTheMovieBoxSurvive() throws {
    let whole = contents(Fixtures.path("metadata-keys.mov")) ?? []
    var all = topLevelParts(whole)
    let place = try #require(all.firstIndex { $0.type == "moov" })
    let strange =
      rawBox("xyzw", [1, 2, 3]) + rawBox("free", []) + rawBox("abcd", Array(repeating: 0, count: 33))
    // The QuickTime terminator: four zero bytes at the end of a box.
    all[place].bytes = rawBox("moov", Array(all[place].bytes[8...]) + strange + rawBox("udta", [0, 0, 0, 0]))
    let path = try job.write(all.flatMap(\.bytes))
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.fieldOfView = .degrees(70)
    let out = folder.path + "/out"
    try editor.write(to: out)
    let moov = try #require(topLevelParts(contents(out) ?? []).first { $0.type == "moov" })
    #expect(Array(moov.bytes.suffix(strange.count + 12)) == strange + rawBox("udta", [0, 0, 0, 0]))
    #expect(try job.samples(out) == job.samples(path))
  }

  /// Several `mdat`, before and after the movie box, and `free` between them.
  @Test func severalMediaBoxesKeepTheirPlacesAndOffsets() throws {
    let whole = topLevelParts(contents(Fixtures.path("spatial.mov")) ?? [])
    // Before the others, a box that no sample is in; `free` between; another at the end.
    let head =
      whole[0].bytes + rawBox("mdat", Array(repeating: 7, count: 100))
      + rawBox("free", Array(repeating: 0, count: 9))
    let moved = try MovieEditor(path: Fixtures.path("spatial.mov"))
    let tree = try #require(moved.movie.tree)
    #expect(tree.boxes.map { "\($0.type)" } == whole.map(\.type))
    var bytes = head
    for part in whole.dropFirst() { bytes += part.bytes }
    bytes += rawBox("mdat", Array(repeating: 9, count: 50))
    // The offsets are those of the file without what was put before: 125 bytes too low.
    let stco = try #require(BoxTree(ByteView(bytes))["moov/trak/mdia/minf/stbl/stco"])
    for entry in 0..<((stco.size - 16) / 4) {
      let at = stco.offset + 16 + entry * 4
      let old = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) } + 125
      for (byte, shift) in [24, 16, 8, 0].enumerated() {
        bytes[at + byte] = UInt8(truncatingIfNeeded: old >> UInt32(shift))
      }
    }
    let path = try job.write(bytes)
    #expect(try job.samples(path) == job.samples(Fixtures.path("spatial.mov")))
    let out = try job.tag(path)
    #expect(try job.samples(out) == job.samples(path))
    #expect(topLevelParts(contents(out) ?? []).map(\.type) == topLevelParts(bytes).map(\.type))
  }

  /// Free space that was thrown away, and samples of further `mdat` that were lost, when the boxes were moved to the front.
  @Test func movingTheBoxesToTheFrontKeepsAllOthers() throws {
    let whole = topLevelParts(contents(Fixtures.path("metadata-keys.mov")) ?? [])
    let moov = try #require(whole.first { $0.type == "moov" })
    let others = whole.filter { $0.type != "moov" }
    let free = rawBox("free", [1, 2, 3, 4]), skip = rawBox("skip", [5]), mdat = rawBox("mdat", [6, 7])
    var bytes = others[0].bytes + free + mdat
    for part in others.dropFirst() { bytes += part.bytes }
    let mediaStart = whole.prefix { $0.type != "mdat" }.map(\.bytes.count).reduce(0, +)
    let newStart = try #require(BoxTree(ByteView(bytes)).boxes.last { $0.type == "mdat" }).offset
    var movie = moov.bytes
    changeChunkOffsets(&movie) { $0 + newStart - mediaStart }
    let path = try job.write(bytes + skip + movie + free)
    #expect(try job.samples(path) == job.samples(Fixtures.path("metadata-keys.mov")))
    let out = folder.path + "/out"
    var options = MovieWriteOptions()
    options.putsMovieFirst = true
    try job.grown(path).write(to: out, options: options)
    #expect(try job.samples(out) == job.samples(path))
    let types = topLevelParts(contents(out) ?? []).map(\.type)
    #expect(
      types.filter { $0 != "moov" } == topLevelParts(contents(path) ?? []).map(\.type).filter { $0 != "moov" }
    )
    #expect(types.firstIndex(of: "moov").map { $0 < (types.firstIndex(of: "mdat") ?? 0) } == true)
  }

  /// Positions and other timed metadata of cameras, which were lost with their track or read at old offsets.
  @Test func timedMetadataStay() throws {
    for name in ["timed-metadata.mov", "timecode.mov"] {
      let path = Fixtures.path(name)
      var editor = try MovieEditor(path: path)
      editor.metadata["com.apple.quicktime.comment"] = .text("grows the movie box")
      let out = folder.path + "/" + name
      try editor.write(to: out)
      let (old, new) = (try MovieFile(path: path), try MovieFile(path: out))
      #expect(new.tracks.map(\.path) == old.tracks.map(\.path))
      #expect(try job.samples(out) == job.samples(path) && !job.samples(path).isEmpty)
      #expect(contents(out) != contents(path))
    }
  }

  /// Media data to the end of the file, in a box without a size.
  @Test func mediaDataToTheEndOfTheFileStayThere() throws {
    var all = topLevelParts(contents(Fixtures.path("spatial.mov")) ?? [])
    all.removeLast()
    all[all.count - 1].bytes.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    let path = try job.write(all.flatMap(\.bytes))
    let out = try job.tag(path)
    #expect(try job.samples(out) == job.samples(path))
    #expect(Array((contents(out) ?? []).suffix(all[all.count - 1].bytes.count)) == all[all.count - 1].bytes)
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.baseline = .millimeters(65)
    #expect(throws: EditError.self) { try editor.writeInPlace() }
  }

  /// Bytes after the last box.
  @Test func bytesAfterTheLastBoxStay() throws {
    let path = try job.write((contents(Fixtures.path("spatial.mov")) ?? []) + [0, 0, 0, 0, 1, 2, 3])
    let out = try job.tag(path)
    #expect(Array((contents(out) ?? []).suffix(7)) == [0, 0, 0, 0, 1, 2, 3])
    #expect(try job.samples(out) == job.samples(path))
  }

  /// A compressed movie box.
  @Test func aCompressedMovieIsRefused() throws {
    var all = topLevelParts(contents(Fixtures.path("spatial.mov")) ?? [])
    let place = try #require(all.firstIndex { $0.type == "moov" })
    all[place].bytes = rawBox(
      "moov", rawBox("cmov", rawBox("dcom", Array("zlib".utf8)) + rawBox("cmvd", [0, 0, 0, 9, 1, 2, 3])))
    let path = try job.write(all.flatMap(\.bytes))
    do {
      _ = try MovieEditor(path: path)
      Issue.record("was opened")
    } catch { #expect(error.kind == .refused && error.reason.contains("cmov")) }
  }

  /// Movie metadata, dates and everything else that an export would lose.
  @Test func otherMetadataAndDatesStay() throws {
    let path = Fixtures.path("metadata-keys.mov")
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.fieldOfView = .degrees(70)
    let out = folder.path + "/out"
    try editor.write(to: out)
    let (old, new) = (try MovieFile(path: path), try MovieFile(path: out))
    #expect(new.metadata.items.map(\.description) == old.metadata.items.map(\.description))
    #expect(new.tree?["moov/mvhd"]?.bytes == old.tree?["moov/mvhd"]?.bytes)
    #expect(!old.metadata.items.isEmpty)
  }

  /// Media in another file.
  @Test func offsetsIntoOtherFilesStay() throws {
    var bytes = contents(Fixtures.path("spatial.mov")) ?? []
    let url = try #require(BoxTree(ByteView(bytes))["moov/trak/mdia/minf/dinf/dref/*"])
    // Not in this file, and no name of another one.
    bytes[url.offset + 11] = 0
    let path = try job.write(bytes)
    let before = try MovieFile(path: path).tracks[0].samples().map(\.offset)
    let out = try job.tag(path)
    #expect(try MovieFile(path: out).tracks[0].samples().map(\.offset) == before)
  }

  /// A fragmented movie, and an init segment alone.
  @Test func fragmentsAndInitSegmentsAreTagged() throws {
    #expect(
      try job.samples(job.tag(Fixtures.path("two-views-fragmented.mp4"), "views"))
        == job.samples(Fixtures.path("two-views-fragmented.mp4")))
    // Segments of this one do not say where in a file they are.
    let path = Fixtures.path("cmaf-hevc-sidx.mp4")
    let out = try job.tag(path)
    #expect(try job.samples(out) == job.samples(path) && !job.samples(path).isEmpty)
    let whole = topLevelParts(contents(path) ?? [])
    let end = try #require(whole.firstIndex { $0.type == "sidx" })
    let initSegment = try job.write(whole[..<end].flatMap(\.bytes), "init.mp4")
    let tagged = try job.tag(initSegment, "tagged.mp4")
    #expect(try MovieFile(path: tagged).tracks[0].formatDescriptions[0].stereo.baseline == .millimeters(65))
    // With the tagged init segment before them, the media segments are what they were.
    let rest = whole[end...].flatMap(\.bytes)
    let joined = try job.write((contents(tagged) ?? []) + rest, "joined.mp4")
    #expect(try job.samples(joined) == job.samples(path))
  }
}
