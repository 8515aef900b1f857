// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// A copy of a fixture in a folder of its own.
func copied(_ name: String, to folder: TemporaryFolder) throws -> String {
  let path = folder.path + "/" + name
  try Data(contents(Fixtures.path(name)) ?? []).write(to: URL(fileURLWithPath: path))
  return path
}

@Suite struct MovieEditorTests {
  /// A source that fails behind the beginning.
  private struct FailingBytes: ByteSource {
    let bytes: MemoryBytes
    var size: UInt64? { bytes.size }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      if range.lowerBound >= 100_000 { throw SourceError(.other("is broken"), offset: range.lowerBound) }
      return try bytes.read(range)
    }
  }

  /// A movie box that cannot be read is not missing.
  @Test func whatCannotBeReadIsNotEdited() throws {
    let bytes = Fixtures.bytes("spatial.mov").array
    let start = Int(bytes[3])
    let free = [0, 3, 0, 0] + Array("free".utf8) + [UInt8](repeating: 0, count: 0x30000 - 8)
    let whole = MemoryBytes(ByteView(bytes[..<start] + free + bytes[start...]))
    _ = try MovieEditor(MovieFile(source: whole))
    let error = #expect(throws: EditError.self) {
      _ = try MovieEditor(MovieFile(source: FailingBytes(bytes: whole)))
    }
    #expect(error?.kind == .unreadable && error?.reason.hasPrefix("is broken") == true)
  }

  /// `vexu` and `hfov` of Apple's writer, AVAssetWriter: computed by hand from the specification of the boxes.
  private static let appleBoxes: [UInt8] = [
    0, 0, 0, 0x5A, 0x76, 0x65, 0x78, 0x75, 0, 0, 0, 0x52, 0x65, 0x79, 0x65, 0x73,
    0, 0, 0, 0x0D, 0x73, 0x74, 0x72, 0x69, 0, 0, 0, 0, 3,
    0, 0, 0, 0x0D, 0x68, 0x65, 0x72, 0x6F, 0, 0, 0, 0, 1,
    0, 0, 0, 0x18, 0x63, 0x61, 0x6D, 0x73, 0, 0, 0, 0x10, 0x62, 0x6C, 0x69, 0x6E, 0, 0, 0, 0, 0, 0, 0x4B,
    0x28,
    0, 0, 0, 0x18, 0x63, 0x6D, 0x66, 0x79, 0, 0, 0, 0x10, 0x64, 0x61, 0x64, 0x6A, 0, 0, 0, 0, 0, 0, 0, 0xC8,
    0, 0, 0, 0x0C, 0x68, 0x66, 0x6F, 0x76, 0, 0, 0xF7, 0xA8,
  ]

  private static func index(of part: [UInt8], in whole: [UInt8]) -> Int? {
    guard let first = part.first else { return nil }
    var start = 0
    while let found = whole[start...].firstIndex(of: first), found + part.count <= whole.count {
      if Array(whole[found..<(found + part.count)]) == part { return found }
      start = found + 1
    }
    return nil
  }

  @Test func tagsAreWrittenAsAppleWritesThem() throws {
    let folder = try TemporaryFolder()
    let path = try copied("spatial.mov", to: folder)
    var bare = try MovieEditor(path: path)
    bare.removeAllTags()
    try bare.writeInPlace()
    let none = try MovieFile(path: path)
    #expect(StereoTags(none.tracks[0].formatDescriptions[0].stereo) == StereoTags())

    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.heroEye = .left
    editor.tracks[0].stereo.baseline = .millimeters(19.24)
    editor.tracks[0].stereo.disparityAdjustment = .fraction(0.02)
    editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
    #expect(
      editor.changes.map(\.name) == [
        "eyes", "reversed", "additional-views", "hero", "baseline", "disparity", "field-of-view",
      ])
    #expect(
      editor.changes.map(\.new) == [
        "left,right", "no", "no", "left", "19.24 mm", "0.02", "63.4°",
      ])
    try editor.writeInPlace()
    let bytes = contents(path) ?? []
    #expect(Self.index(of: Self.appleBoxes, in: Array(bytes.suffix(2_000))) != nil)
    let movie = try MovieFile(path: path)
    #expect(movie.check().classification == .spatial)
    #expect(movie.tracks[0].formatDescriptions[0].stereo.projection == nil)
  }

  @Test func inPlaceChangesFourBytesAndAppends() throws {
    let folder = try TemporaryFolder()
    let path = try copied("spatial.mov", to: folder)
    let before = contents(path) ?? []
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.baseline = .millimeters(65)
    let report = try editor.writeInPlace()
    let after = contents(path) ?? []
    // The `moov` begins after `ftyp`, 20 bytes.
    #expect(Array(before[24..<28]) == Array("moov".utf8) && Array(after[24..<28]) == Array("free".utf8))
    #expect(
      Array(after[..<24]) == Array(before[..<24]) && Array(after[28..<before.count]) == Array(before[28...]))
    #expect(report.size == UInt64(after.count))
    #expect(report.bytesWritten == UInt64(after.count - before.count + 4))
    #expect(try MovieFile(path: path).tracks[0].formatDescriptions[0].stereo.baseline == .millimeters(65))
    try MovieEditor.undo(path: path)
    #expect(contents(path) == before)
    #expect(throws: EditError.self) { try MovieEditor.undo(path: path) }
    #expect(contents(path) == before)
  }

  @Test(.enabled(if: Corpus.isPresent)) func imagesAreNoVideo() throws {
    let corpus = try #require(Corpus.folder)
    do {
      _ = try MovieEditor(path: corpus + "/made/two_images.heic")
      Issue.record("was opened")
    } catch { #expect(error.kind == .notAMovie && error.reason.contains("image file")) }
  }

  /// Boxes of others beside a value stay when it goes; beside what gives them their meaning they go with it.
  @Test func boxesBesideARemovedTag() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/movie"
    let entry = "moov/trak[0]/mdia/minf/stbl/stsd/hvc1/vexu"
    var bare = try MovieEditor(path: Fixtures.path("spatial.mov"))
    bare.tracks[0].stereo.projection = .rectilinear
    bare.tracks[0].stereo.packing = .oneView
    try bare.write(to: folder.path + "/tagged")
    var tree = try BoxTree(FileBytes(path: folder.path + "/tagged"), registry: .standard)
    for place in ["eyes/cams", "eyes/cmfy", "proj", "pack"] {
      try tree.insert(Box("abcd"), in: try #require(BoxPath(entry + "/" + place)))
    }
    try tree.write(toFile: path, overwriting: true)
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.baseline = nil
    editor.tracks[0].stereo.disparityAdjustment = nil
    editor.tracks[0].stereo.projection = nil
    editor.tracks[0].stereo.packing = nil
    try editor.writeInPlace()
    let found = try MovieFile(path: path).tree
    for place in ["eyes/cams", "eyes/cmfy"] {
      let box = found?[try #require(BoxPath(entry + "/" + place))]
      #expect(box?.children.map(\.type) == ["abcd"], "\(place)")
    }
    #expect(found?[try #require(BoxPath(entry))]?.children.map(\.type) == ["eyes"])
  }

  @Test func nothingToChangeWritesNothing() throws {
    let folder = try TemporaryFolder()
    let path = try copied("spatial.mov", to: folder)
    let before = contents(path)
    var editor = try MovieEditor(path: path)
    editor.tracks[0].stereo.baseline = editor.tracks[0].stereo.baseline
    #expect(editor.changes.isEmpty)
    #expect(try editor.writeInPlace().bytesWritten == 0)
    #expect(contents(path) == before)
    var options = MovieWriteOptions()
    options.keepsFreeSpace = true
    try editor.write(to: folder.path + "/same.mov", options: options)
    #expect(contents(folder.path + "/same.mov") == before)
  }

  @Test func whatContradictsIsRefused() throws {
    func refusal(_ name: String, _ change: (inout StereoTags) -> Void) throws -> String? {
      var editor = try MovieEditor(path: Fixtures.path(name))
      for index in editor.stereoTracks() { change(&editor.tracks[index].stereo) }
      do { _ = try editor.plannedMovie() } catch {
        #expect(error.kind == .contradiction)
        editor.allowsContradictions = true
        _ = try editor.plannedMovie()
        return error.reason
      }
      return nil
    }
    // One layer, and nothing says that the picture holds two views.
    #expect(try refusal("hdr10.mp4") { $0.eyes = [.leftEye, .rightEye] }?.contains("MV041") == true)
    #expect(try refusal("hdr10.mp4") { $0.baseline = .millimeters(65) }?.contains("MV041") == true)
    #expect(try refusal("hdr10.mp4") { $0.fieldOfView = .degrees(80) } == nil)
    #expect(try refusal("hdr10.mp4") { ($0.packing, $0.eyes) = (.sideBySide, [.leftEye, .rightEye]) } == nil)
    #expect(try refusal("hdr10.mp4") { $0.packing = .sideBySide }?.contains("MV077") == true)
    #expect(try refusal("spatial.mov") { $0.fieldOfView = .degrees(400) }?.contains("MV028") == true)
    #expect(try refusal("spatial.mov") { $0.disparityAdjustment = .fraction(1.5) }?.contains("MV029") == true)
    #expect(try refusal("spatial.mov") { $0.eyes = [.leftEye] }?.contains("MV031") == true)
    #expect(try refusal("spatial.mov") { $0.isReversed = true }?.contains("MV048") == true)
    #expect(try refusal("spatial.mov") { $0.packing = .overUnder }?.contains("MV075") == true)
    #expect(try refusal("spatial.mov") { $0.hasAdditionalViews = true }?.contains("MV093") == true)
    #expect(try refusal("spatial.mov") { $0.baseline = .millimeters(0) }?.contains("MV027") == true)
    #expect(try refusal("spatial.mov") { $0.disparityAdjustment = .fraction(-1) } == nil)
  }

  @Test func inPlaceIsRefusedWhereItCannotBeDone() throws {
    let folder = try TemporaryFolder()
    let whole = contents(Fixtures.path("spatial.mov")) ?? []
    func refusal(_ bytes: [UInt8]) throws -> String? {
      let path = folder.path + "/movie"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var editor = try MovieEditor(path: path)
      editor.tracks[0].stereo.fieldOfView = .degrees(50)
      do { try editor.writeInPlace() } catch {
        #expect(error.kind == .notInPlace && contents(path) == bytes)
        return error.reason
      }
      return nil
    }
    #expect(try refusal(whole) == nil)
    #expect(try refusal(whole + [1, 2, 3])?.contains("belong to no box") == true)
    #expect(try refusal(Array(whole.dropLast(3)))?.contains("belong to no box") == true)
    // Samsung's phones look for this at the end of the file.
    let trailer = [0, 0, 0, 12] + Array("sefdSEFT".utf8)
    #expect(try refusal(whole + trailer)?.contains("sefd") == true)
    // The last box, `free`, to the end of the file: what is appended would be in it.
    let last = whole.count - 75
    #expect(try refusal(whole[..<last] + [0, 0, 0, 0] + whole[(last + 4)...])?.contains("no size") == true)
    #expect(
      try refusal(contents(Fixtures.path("two-views-fragmented.mp4")) ?? [])?.contains("fragmented") == true)
  }

  @Test func datesAreReadAsTheyAreWritten() {
    #expect(CreationDate("1904-01-01T00:00:00Z")?.secondsSince1904 == 0)
    #expect(CreationDate("1970-01-01")?.secondsSince1904 == 2_082_844_800)
    #expect(CreationDate("2024-02-29T12:30:15Z")?.secondsSince1904 == 3_792_054_615)
    #expect(CreationDate("2024-02-29T14:30:15+0200")?.secondsSince1904 == 3_792_054_615)
    // Movies store whole seconds.
    #expect(CreationDate("2024-02-29T12:30:15.75Z")?.secondsSince1904 == 3_792_054_615)
    #expect(CreationDate("2024-02-29T07:00:15-05:30")?.secondsSince1904 == 3_792_054_615)
    for text in [
      "2023-02-29", "2024-13-01", "1903-12-31", "2024-01-01T24:00", "yesterday", "2024-01-01Tx", "",
    ] {
      #expect(CreationDate(text) == nil, "\(text)")
    }
    let calendar = ISO8601DateFormatter()
    for seconds in stride(from: UInt64(0), to: 9_000_000_000, by: 12_345_677) {
      let date = Date(timeIntervalSince1970: Double(seconds) - 2_082_844_800)
      let text = calendar.string(from: date)
      #expect(CreationDate(secondsSince1904: seconds)?.description == text)
      #expect(CreationDate(text)?.secondsSince1904 == seconds, "\(text)")
    }
  }
}
