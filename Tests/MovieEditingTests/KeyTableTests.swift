// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Keys in places where readers find them, and editors seldom look: several boxes, several lists, keys named twice.
@Suite struct KeyTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The content of a `meta` with keys, and lists whose items have the number of a key and a value.
  private func content(_ keys: [String], _ lists: [[(Int, String)]]) -> [UInt8] {
    let names = keys.flatMap { PlacedMovie.box("mdta", Array($0.utf8)) }
    let boxes = lists.flatMap { list in
      PlacedMovie.box(
        "ilst",
        list.flatMap { number, value in
          let data = PlacedMovie.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.utf8))
          return PlacedMovie.number(data.count + 8, 4) + PlacedMovie.number(number, 4) + data
        })
    }
    return PlacedMovie.box(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + PlacedMovie.number(0, 13))
      + PlacedMovie.box("keys", PlacedMovie.number(0, 4) + PlacedMovie.number(keys.count, 4) + names) + boxes
  }

  private func movie(_ change: (inout PlainBox) -> Void) throws -> String {
    let boxes = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children.removeAll { $0.type == "meta" || $0.type == "udta" }
      change(&moov)
    }
    return try folder.write("movie.mov", boxes.flatMap(\.bytes))
  }

  private static let place = MetadataKey(rawValue: "com.apple.quicktime.location.ISO6709")
  private static let title = MetadataKey(rawValue: "com.apple.quicktime.title")

  private func expectOnly(_ wanted: [MetadataKey: String], in path: String) throws {
    let metadata = try MovieFile(path: path).metadata
    let found = metadata.items.map { "\($0.key): \($0.stringValue ?? "")" }
    #expect(
      Set(found) == Set(wanted.map { "\($0.key): \($0.value)" }) && found.count == wanted.count, "\(found)")
    #expect(metadata.diagnostics.isEmpty)
  }

  /// Removes the place, sets it, and sets a new key: in new files and in place.
  private func expectEdits(of path: String, _ rest: [MetadataKey: String]) throws {
    let output = folder.path + "/out.mov"
    var editor = try MovieEditor(path: path)
    editor.metadata[Self.place] = nil
    try editor.write(to: output, options: .replacing)
    try expectOnly(rest, in: output)
    #expect(!PlacedMovie.contains(try #require(contents(output)), Array("+11.2233".utf8)))

    editor.metadata[Self.place] = .text("+01.5+002.5/")
    editor.metadata["a.b"] = .text("new")
    try editor.write(to: output, options: .replacing)
    try expectOnly(rest.merging([Self.place: "+01.5+002.5/", "a.b": "new"]) { $1 }, in: output)
    try editor.writeInPlace()
    try expectOnly(rest.merging([Self.place: "+01.5+002.5/", "a.b": "new"]) { $1 }, in: path)
  }

  @Test func twoBoxesOfKeys() throws {
    let path = try movie { moov in
      moov.children.append(PlainBox("meta", content([Self.title.rawValue], [[(1, "one")]])))
      moov.children.append(PlainBox("meta", content([Self.place.rawValue], [[(1, "+11.2233+044.5566/")]])))
    }
    try expectEdits(of: path, [Self.title: "one"])
  }

  @Test func twoListsOfItems() throws {
    let path = try movie { moov in
      let lists = [[(1, "one"), (2, "+11.2233+044.5566/")], [(2, "+11.2233+044.5566/")]]
      moov.children.append(PlainBox("meta", content([Self.title.rawValue, Self.place.rawValue], lists)))
    }
    try expectEdits(of: path, [Self.title: "one"])
  }

  @Test func aKeyThatIsNamedTwice() throws {
    let path = try movie { moov in
      let keys = [Self.place.rawValue, Self.title.rawValue, Self.place.rawValue, "c.d"]
      let items = [(1, "+11.2233+044.5566/"), (2, "one"), (3, "+11.2233+044.5566/"), (4, "last")]
      moov.children.append(PlainBox("meta", content(keys, [items])))
    }
    try expectEdits(of: path, [Self.title: "one", "c.d": "last"])
  }

  /// A `udta` before the `meta`, whose number changes when the `udta` goes.
  @Test func keysInUserDataAndInTheMovie() throws {
    let path = try movie { moov in
      let full = PlacedMovie.box(
        "meta", PlacedMovie.number(0, 4) + content([Self.place.rawValue], [[(1, "+11.2233+044.5566/")]]))
      moov.children.append(PlainBox("udta", full))
      moov.children.append(
        PlainBox(
          "meta",
          content([Self.place.rawValue, Self.title.rawValue], [[(1, "+11.2233+044.5566/"), (2, "one")]])))
    }
    try expectEdits(of: path, [Self.title: "one"])
    var editor = try MovieEditor(path: path)
    editor.metadata[Self.place] = nil
    try editor.write(to: folder.path + "/removed.mov")
    let moov = try #require(try MovieFile(path: folder.path + "/removed.mov").tree?.first("moov"))
    #expect(moov.first("udta") == nil && moov.all("meta").count == 1)
  }

  /// FFmpeg writes keys to `moov/udta/meta` (`-movflags use_metadata_tags`), with version and flags.
  @Test func keysOfFFmpegStayThere() throws {
    let path = try copied("metadata-keys.mov", to: folder)
    var editor = try MovieEditor(path: path)
    #expect(editor.metadata["title"] == .text("Tést 🎬"))
    editor.metadata["title"] = .text("A title")
    editor.metadata["artist"] = nil
    editor.metadata["a.b"] = .text("new")
    #expect(editor.changes.map(\.old) == ["Tést 🎬", "Lab", nil])
    try editor.writeInPlace()
    let movie = try MovieFile(path: path), moov = try #require(movie.tree?.first("moov"))
    #expect(moov.first("meta") == nil)
    let places = movie.metadata.items.map(\.place.path)
    #expect(!places.isEmpty && places.allSatisfy { $0.hasPrefix("moov/udta/meta/ilst/") }, "\(places)")
    #expect(moov.first("udta")?.first("meta")?.payload(MetaBox.self)?.isFullBox == true)
    #expect(movie.metadata.all("title").map(\.stringValue) == ["A title"])
    #expect(movie.metadata["artist"] == nil && movie.metadata["a.b"]?.stringValue == "new")
    #expect(movie.metadata["com.example.key"]?.stringValue == "v")
  }
}
