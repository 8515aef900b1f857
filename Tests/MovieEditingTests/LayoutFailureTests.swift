// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Layouts of files that other taggers do not expect.
@Suite struct LayoutFailureTests {
  private let job: TagJob

  init() throws { job = try TagJob() }

  private func fixture(_ name: String) -> [UInt8] { contents(Fixtures.path(name)) ?? [] }

  /// A `moov` that grows and pushes media data over 4 GiB: offsets of 32 bits would wrap.
  @Test func offsetsBecomeWideWhereTheMovieGrowsBeyondFourGiB() throws {
    let parts = topLevelParts(fixture("spatial.mov"))
    let media = try #require(parts.first { $0.type == "mdat" }).bytes[8...]
    // 16 bytes below the last offset that 32 bits can have.
    let start = Int(UInt32.max) - 16
    var head = parts[0].bytes + parts[1].bytes
    changeChunkOffsets(&head) { _ in start }
    let size = start + media.count - head.count
    head += big(1) + Array("mdat".utf8) + big(size >> 32) + big(size & 0xFFFF_FFFF)
    let path = try job.write(head)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: UInt64(start))
    try handle.write(contentsOf: Data(media))
    try handle.close()
    let wanted = try job.samples(Fixtures.path("spatial.mov"))
    #expect(try job.samples(path) == wanted)

    // Read from the plan: 4 GiB need not be written to see where everything goes.
    let planned = try job.grown(path).plannedMovie()
    let stbl = try #require(planned.tree?["moov/trak/mdia/minf/stbl"])
    #expect(stbl.first("co64") != nil && stbl.first("stco") == nil)
    #expect(try job.samples(planned) == wanted)
    #if os(Linux)
    // What is between is a hole, and is one in a new file too.
    let out = job.folder.path + "/wide"
    #expect(try job.grown(path).write(to: out).size > UInt64(UInt32.max))
    let written = try MovieFile(path: out)
    #expect(written.tree?["moov/trak/mdia/minf/stbl/co64"] != nil)
    #expect(try job.samples(written) == wanted)
    var status = stat()
    #expect(unsafe stat(out, &status) == 0 && status.st_blocks < 2_048)
    try FileManager.default.removeItem(atPath: out)
    #endif
    // In place nothing moves, and the offsets stay as narrow as they are.
    let report = try job.grown(path).writeInPlace()
    #expect(report.bytesWritten < 4_096)
    let tagged = try MovieFile(path: path)
    #expect(tagged.tree?["moov/trak/mdia/minf/stbl/stco"] != nil)
    #expect(try job.samples(tagged) == wanted)
    try MovieEditor.undo(path: path)
    let again = try FileBytes(path: path)
    #expect(again.size == UInt64(start + media.count))
    #expect(try again.read(at: 0, count: head.count).array == head)
  }

  /// Two tracks that have the same samples: both follow, and the samples are written once.
  @Test func tracksThatShareSamplesShareThemStill() throws {
    let parts = topLevelParts(fixture("spatial.mov"))
    let movie = parts[1].bytes
    let trak = try #require(BoxTree(ByteView(movie))["moov/trak"])
    var second = Array(movie[trak.fileRange])
    // The ID of the track: a header of 8, `tkhd` of 8, version and flags, two dates.
    second[8 + 8 + 4 + 8 + 3] = 2
    var bytes = parts[0].bytes + rawBox("moov", Array(movie[8...]) + second)
    bytes += parts[2].bytes + parts[3].bytes
    changeChunkOffsets(&bytes) { $0 + second.count }
    let path = try job.write(bytes)
    let wanted = try job.samples(Fixtures.path("spatial.mov"))
    #expect(try job.samples(path) == wanted + wanted)
    let out = try job.tag(path)
    #expect(try job.samples(out) == wanted + wanted)
    #expect(topLevelParts(contents(out) ?? []).filter { $0.type == "mdat" }.map(\.bytes) == [parts[2].bytes])
  }

  /// A `moov` between two `mdat`, samples of both tracks in each: one half of the offsets moves, the other does not.
  @Test func aMovieBoxInTheMiddleMovesHalfOfTheSamples() throws {
    let name = "edit-list-trim.mp4"
    let parts = topLevelParts(fixture(name))
    #expect(parts.map(\.type) == ["ftyp", "free", "mdat", "moov"])
    let chunks = BoxTree(ByteView(fixture(name))).matches("moov/trak/mdia/minf/stbl/stco").flatMap { match in
      match.box.payload(ChunkOffsetBox.self)?.entries.map { Int($0.value) } ?? []
    }.sorted()
    let split = chunks[chunks.count / 2]
    let start = parts[0].bytes.count + parts[1].bytes.count + 8
    let first = rawBox("mdat", Array(parts[2].bytes[8..<(8 + split - start)]))
    let second = rawBox("mdat", Array(parts[2].bytes[(8 + split - start)...]))
    var bytes = parts[0].bytes + parts[1].bytes + first + parts[3].bytes + second
    // What a chunk has beyond the split goes with it only where the chunk begins there.
    let moved = parts[3].bytes.count + 8
    changeChunkOffsets(&bytes) { $0 < split ? $0 : $0 + moved }
    let wanted = try job.samples(Fixtures.path(name))
    let path = try job.write(bytes)
    try #require(try job.samples(path) == wanted)
    let out = try job.tag(path)
    #expect(try job.samples(out) == wanted)
    #expect(topLevelParts(contents(out) ?? []).map(\.type) == ["ftyp", "free", "mdat", "moov", "mdat"])
    // With the boxes first, all of them move.
    var options = MovieWriteOptions()
    options.putsMovieFirst = true
    let front = job.folder.path + "/front"
    try job.grown(path).write(to: front, options: options)
    #expect(try job.samples(front) == wanted)
    #expect(topLevelParts(contents(front) ?? []).map(\.type) == ["ftyp", "moov", "free", "mdat", "mdat"])
  }

  /// Pictures begin at a time after zero, and an edit takes that away: without it the first picture is black.
  @Test(arguments: ["edit-list-trim.mp4", "hdr10.mp4", "two-views-fragmented.mp4"])
  func theFirstPictureIsShownWhenItWas(name: String) throws {
    let path = Fixtures.path(name)
    func times(_ path: String) throws -> [[String]] {
      try MovieFile(path: path).tracks.map { try $0.presentationTimes().map { "\($0)" } }
    }
    let old = try MovieFile(path: path)
    let out = try job.tag(path)
    #expect(try times(out) == times(path))
    let new = try MovieFile(path: out)
    for (before, after) in zip(
      old.tree?.matches("moov/trak/edts") ?? [], new.tree?.matches("moov/trak/edts") ?? [])
    {
      #expect(before.box.bytes == after.box.bytes)
    }
    let first = try new.tracks[0].samples().sample(at: 0)
    #expect(first.map { $0.compositionTime > 0 } == true, "the first picture is composed after zero")
    #expect(try new.tracks[0].presentationTimes().first.map { "\($0)" } == times(path)[0].first)
  }

  /// Samples whose boxes lie in no media data at all.
  @Test(arguments: ["skip", "wide", "abcd", "uuid"]) func samplesOutsideOfMediaDataAreKept(type: String)
    throws
  {
    var bytes = fixture("spatial.mov")
    let mdat = try #require(BoxTree(ByteView(bytes)).first("mdat"))
    bytes.replaceSubrange((mdat.offset + 4)..<(mdat.offset + 8), with: Array(type.utf8))
    let path = try job.write(bytes)
    let wanted = try job.samples(Fixtures.path("spatial.mov"))
    #expect(try job.samples(path) == wanted)
    #expect(try job.samples(job.tag(path)) == wanted)
  }

  /// Free space among the sample entries, which is not counted.
  @Test func freeSpaceAmongSampleEntriesStays() throws {
    var tree = BoxTree(ByteView(fixture("spatial.mov")))
    let free = try #require(BoxTree(ByteView(rawBox("free", [1, 2, 3]))).boxes.first)
    let stsd: BoxPath = "moov/trak/mdia/minf/stbl/stsd"
    try tree.insert(free, in: stsd)
    var bytes = try tree.encoded()
    let place = try #require(BoxTree(ByteView(bytes))[stsd]).offset
    bytes[place + 15] = 1
    let path = try job.write(bytes)
    let wanted = try job.samples(Fixtures.path("spatial.mov"))
    #expect(try job.samples(path) == wanted)
    let out = try job.tag(path)
    #expect(try job.samples(out) == wanted)
    let after = contents(out) ?? []
    let box = try #require(BoxTree(ByteView(after))[stsd])
    #expect(Array(after[(box.offset + 12)..<(box.offset + 16)]) == [0, 0, 0, 1])
    #expect(Array(after[..<box.fileRange.upperBound].suffix(11)) == rawBox("free", [1, 2, 3]))
  }

  /// An encrypted track: where its initialisation vectors are follows what moves, and its stereo tags are not guessed.
  @Test func placesOfEncryptionMove() throws {
    var tree = BoxTree(ByteView(fixture("spatial.mov")))
    let stbl: BoxPath = "moov/trak/mdia/minf/stbl"
    func insert(_ bytes: [UInt8], in path: BoxPath) throws {
      try tree.insert(try #require(BoxTree(ByteView(bytes)).boxes.first), in: path)
    }
    try insert(rawBox("saiz", big(0) + [8] + big(4)), in: stbl)
    try insert(rawBox("saio", big(0) + big(1) + big(0)), in: stbl)
    let scheme = rawBox("schm", big(0) + Array("cenc".utf8) + big(0x1_0000))
    let key = rawBox("tenc", big(0) + [0, 0, 1, 8] + [UInt8](repeating: 7, count: 16))
    try insert(
      rawBox("sinf", rawBox("frma", Array("hvc1".utf8)) + scheme + rawBox("schi", key)),
      in: "moov/trak/mdia/minf/stbl/stsd/hvc1")
    // The offset of a box that is put in is not looked at while the tree is written: it is set afterwards.
    var options = WriteOptions()
    options.relocatesOffsets = false
    let moved = try tree.encoded(options).count - fixture("spatial.mov").count
    var bytes = try tree.encoded(options)
    changeChunkOffsets(&bytes) { $0 + moved }
    let read = BoxTree(ByteView(bytes))
    let entry = try #require(read["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    bytes.replaceSubrange((entry.offset + 4)..<(entry.offset + 8), with: Array("encv".utf8))
    let saio = try #require(read["moov/trak/mdia/minf/stbl/saio"])
    let mdat = try #require(read.first("mdat"))
    bytes.replaceSubrange((saio.offset + 16)..<(saio.offset + 20), with: big(mdat.offset + 8 + 1_000))
    let path = try job.write(bytes)
    let wanted = try job.samples(Fixtures.path("spatial.mov"))
    #expect(try job.samples(path) == wanted)

    var editor = try MovieEditor(path: path)
    editor.metadata["com.apple.quicktime.comment"] = .text("grows the movie box")
    let out = job.folder.path + "/out"
    try editor.write(to: out)
    let after = contents(out) ?? []
    let written = BoxTree(ByteView(after))
    let place = try #require(written["moov/trak/mdia/minf/stbl/saio"]).offset + 16
    let start = try #require(written.first("mdat")).offset
    #expect(start > mdat.offset)
    #expect(Array(after[place..<(place + 4)]) == big(start + 8 + 1_000))
    #expect(try job.samples(out) == wanted)

    editor.tracks[0].stereo.baseline = .millimeters(65)
    do {
      try editor.write(to: job.folder.path + "/tagged")
      Issue.record("was written")
    } catch { #expect(error.kind == .encrypted && error.reason.contains("encrypted")) }
    #expect(filesBelow(job.folder.path) == ["movie", "out"])
  }

  /// A table of places that no one but its maker can change: nothing may move, and in place nothing does.
  @Test func aMovieWithUnknownPlacesIsTaggedInPlaceOnly() throws {
    let parts = topLevelParts(fixture("spatial.mov"))
    let gps = rawBox("gps ", big(0) + big(1) + big(20) + big(8))
    var bytes = parts[0].bytes + rawBox("moov", Array(parts[1].bytes[8...]) + gps) + parts[2].bytes
    changeChunkOffsets(&bytes) { $0 + gps.count }
    let path = try job.write(bytes)
    let wanted = try job.samples(path)
    do {
      _ = try job.tag(path)
      Issue.record("was written")
    } catch let error as EditError {
      #expect(
        error.kind == .refused && error.reason.contains("gps ") && error.advice.steps.contains(.changeInPlace)
      )
    }
    #expect(filesBelow(job.folder.path) == ["movie"] && contents(path) == bytes)
    try job.grown(path).writeInPlace()
    #expect(try job.samples(path) == wanted)
  }
}

extension BoxTree {
  /// The file as bytes, written so.
  fileprivate func encoded(_ options: WriteOptions) throws -> [UInt8] {
    let plan = try writePlan(options)
    return try plan.read(0..<plan.byteCount).array
  }
}
