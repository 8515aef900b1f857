// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MVDumpCommand
import Multiview
import TestSupport
import Testing

@Suite struct TreeTests {
  static let movies = Fixtures.media.filter { !$0.hasSuffix(".hevc") }

  @Test(arguments: movies) func jsonFollowsTheSchema(name: String) throws {
    let schema = try #require(JSONSchema(named: "tree"))
    for arguments in [[], ["--rows", "all"], ["--depth", "2"], ["--no-fields"], ["--path", "**/stbl"]] {
      let run = mvdump(["tree", "--json", Fixtures.path(name)] + arguments)
      #expect(jsonProblem(run.output) == nil)
      let value = try #require(run.json)
      #expect(schema.problems(value) == [], "\(name) \(arguments)")
      let lines = mvdump(["tree", "--json-lines", Fixtures.path(name)] + arguments)
      #expect(lines.lines.count == 1 && JSONValue(lines.output) == value)
    }
  }

  @Test(arguments: movies) func namesEveryBoxAndItsPlace(name: String) throws {
    let tree = BoxTree(Fixtures.bytes(name), registry: .standard)
    var expected: [String] = []
    tree.forEachBox { box, path in
      expected.append("\(path) \(box.type) \(box.offset) \(box.size) \(box.headerSize)")
    }
    let json = try #require(mvdump("tree", "--json", Fixtures.path(name)).json)
    var found: [String] = []
    func visit(_ boxes: [JSONValue]) {
      for box in boxes {
        let numbers = ["offset", "size", "headerSize"].map { String(box[$0]?.integer ?? -1) }
        found.append(([box["path"]?.text ?? "", box["type"]?.text ?? ""] + numbers).joined(separator: " "))
        visit(box["children"]?.elements ?? [])
      }
    }
    visit(json["boxes"]?.elements ?? [])
    #expect(found == expected)
  }

  /// A box that is not loaded with the tree is shown as what it is: nothing is missing, and nothing damaged.
  @Test func largeBoxesAreReadWhole() throws {
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (8 + body.count) >> $0) } + Array(type.utf8) + body
    }
    let key = box("mdta", Array("com.example.key".utf8))
    let keys = box(
      "keys", [0, 0, 0, 0, 0, 0, 0x13, 0x88] + [[UInt8]](repeating: key, count: 5_000).flatMap { $0 })
    let references = box("cdsc", (0..<20_000).flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13))
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "large.mov",
      box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0])
        + box("moov", box("trak", box("tref", references)) + box("meta", handler + keys)))
    let run = mvdump("tree", path)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output.contains("keys [5000]") && run.output.contains("track_IDs [20000]"), "\(run.output)")
    #expect(try #require(mvdump("tree", "--json", path).json)["diagnostics"]?.elements.isEmpty == true)
  }

  @Test func pathsSelect() throws {
    let json = try #require(mvdump("tree", "--json", "--path", "**/stri", "-p", "moov/mvhd", spatial).json)
    let boxes = json["boxes"]?.elements ?? []
    #expect(boxes.map { $0["type"]?.text } == ["stri", "mvhd"])
    #expect(boxes[0]["path"]?.text == "moov/trak/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri")
    let text = mvdump("tree", "--path", "moov/trak/mdia/mdhd", spatial)
    #expect(text.lines[1] == "moov/trak/mdia/mdhd")
    #expect(text.lines[2].hasPrefix("   244      32  mdhd  media header, version 0"))
  }

  @Test func whatIsNotThereIsSaid() {
    let run = mvdump("tree", "--path", "moov/vexu", spatial)
    #expect(run.code == .no)
    #expect(
      run.errors == "mvdump: \(spatial): no box at 'moov/vexu', but at "
        + "moov/trak/mdia/minf/stbl/stsd/hvc1/vexu: use '**/vexu'\n")
    let nowhere = mvdump("tree", "--json", "--path", "moov/abcd", spatial)
    #expect(nowhere.code == .no && nowhere.json?["boxes"]?.elements.isEmpty == true)
    #expect(nowhere.errors == "mvdump: \(spatial): no box at 'moov/abcd'\n")
  }

  @Test func depthAndRowsBound() {
    let shallow = mvdump("tree", "--no-fields", "--depth", "1", spatial)
    #expect(shallow.lines.contains { $0.hasSuffix("boxes inside") })
    #expect(!shallow.output.contains("trak"))
    let name = Fixtures.path("edit-list-trim.mp4")
    #expect(mvdump("tree", "--path", "**/stsz", "--rows", "3", name).output.contains("… "))
    let all = mvdump("tree", "--path", "**/stsz", "--rows", "all", name)
    #expect(!all.output.contains("… "))
    let none = mvdump("tree", "--json", "--path", "**/stsz", "--rows", "0", name).json
    #expect(none?["boxes"]?[0]?["fields"]?["entry_size"]?.elements.isEmpty == true)
  }

  @Test func largeTablesAreLoadedOnRequest() throws {
    var bytes = Array("....stsz".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
    let count = 50_000
    bytes += [
      UInt8(count >> 24 & 255), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255),
    ]
    for index in 0..<count { bytes += [0, 1, UInt8(index >> 8 & 255), UInt8(index & 255)] }
    var file = Array("\0\0\0\u{10}ftypisom\0\0\0\0".utf8)
    for type in ["stbl", "minf", "mdia", "trak", "moov"] {
      for shift in [24, 16, 8, 0] { bytes[3 - shift / 8] = UInt8(bytes.count >> shift & 255) }
      bytes = Array("....\(type)".utf8) + bytes
    }
    for shift in [24, 16, 8, 0] { bytes[3 - shift / 8] = UInt8(bytes.count >> shift & 255) }
    file += bytes
    let folder = try TemporaryFolder()
    let path = try folder.write("large.mp4", file)
    let few = try #require(mvdump("tree", "--json", "--path", "**/stsz", path).json?["boxes"]?[0])
    #expect(few["fields"]?["entry_size"]?.elements.count == 8)
    #expect(few["fields"]?["entry_size_truncated"]?.integer == count - 8)
    let all = try #require(
      mvdump("tree", "--json", "--path", "**/stsz", "--rows", "all", path).json?["boxes"]?[0])
    #expect(all["fields"]?["entry_size"]?.elements.count == count)
    #expect(all["fields"]?["entry_size"]?[count - 1]?.integer == 65536 + (count - 1))
  }

  @Test func damageIsShownAndTheRestToo() throws {
    let folder = try TemporaryFolder()
    let half = try folder.write("half.mov", Fixtures.bytes("spatial.mov").prefix(3000).array)
    let run = mvdump("tree", half)
    #expect(run.code == .success)
    let message = "mdat at 1278: 'mdat' specifies 8768 bytes, but only 1722 are present"
    #expect(run.errors == "mvdump: \(half): \(message)\n")
    #expect(run.output.contains("! size 8768 extends 7046 bytes beyond the end of its container"))
    #expect(run.lines.last?.hasPrefix("error: mdat at 1278:") == true)
    let json = try #require(mvdump("tree", "--json", half).json)
    #expect(json["diagnostics"]?[0]?["code"]?.text == "size-exceeds-container")
    #expect(json["boxes"]?[2]?["error"]?["code"]?.text == "invalid-size")
    #expect(JSONSchema(named: "tree")?.problems(json) == [])

    var bytes = Fixtures.bytes("spatial.mov").array
    bytes[28 + 8] = 9  // the version of mvhd
    let odd = try folder.write("odd.mov", bytes)
    let oddRun = mvdump("tree", odd)
    #expect(oddRun.code == .success && oddRun.output.contains("! at 37: version 9 is not known"))
    #expect(oddRun.output.contains("tkhd"))
    let oddJSON = try #require(mvdump("tree", "--json", odd).json)
    #expect(oddJSON["diagnostics"]?[0]?["path"]?.text == "moov/mvhd")
  }

  @Test(.enabled(if: Corpus.isPresent)) func survivesTheCorpus() throws {
    let schema = try #require(JSONSchema(named: "tree"))
    let folder = try #require(Corpus.folder)
    var checked = 0
    for name in Corpus.files("broken") + Corpus.files("made") + Corpus.files("apple") {
      let run = mvdump("tree", "--json", folder + "/" + name)
      #expect(run.code == .success || run.code == .unreadable, "\(name)")
      #expect(run.errorLines.count <= 1, "\(name)")
      guard run.code == .success else {
        #expect(run.output.isEmpty && run.errorLines.count == 1, "\(name)")
        continue
      }
      #expect(jsonProblem(run.output) == nil, "\(name)")
      let value = try #require(run.json, "\(name)")
      #expect(schema.problems(value) == [], "\(name)")
      #expect(!mvdump("tree", folder + "/" + name).output.isEmpty)
      checked += 1
    }
    print("\(checked) corpus trees follow their schema")
    #expect(checked > 200)
  }

  @Test func listsWhatIsUnknown() throws {
    let folder = try TemporaryFolder()
    let ftyp = Array("\0\0\0\u{10}ftypisom\0\0\0\0".utf8)
    let odd = Array("\0\0\0\u{0C}zzzz\u{1}\u{2}\u{3}\u{4}".utf8)
    try folder.write("a.mp4", ftyp + odd + odd)
    try folder.write("b.mp4", ftyp + odd)
    let run = mvdump("tree", "--unknown", "-r", folder.path)
    #expect(run.code == .success)
    #expect(run.lines[1] == "       3        2  zzzz  \(folder.path)/a.mp4")
    #expect(run.lines[2] == "5 boxes in 2 files, 3 unknown: 40 % are known")
    let json = try #require(mvdump("tree", "--unknown", "--json", "-r", folder.path).json)
    #expect(JSONSchema(named: "tree.unknown")?.problems(json) == [])
    #expect(json["typed"]?.integer == 2 && json["unknown"]?[0]?["bytes"]?.integer == 36)
    // Of kinds without number ten thousand are listed.
    var types: [UInt8] = []
    for number in 0..<10_050 {
      let letters = [number / 625, number / 25 % 25, number % 25].map { 0x61 + UInt8($0) }
      types += [0, 0, 0, 8, 0x7A] + letters
    }
    try folder.write("c.mp4", ftyp + types)
    let many = mvdump("tree", "--unknown", folder.path + "/c.mp4")
    #expect(many.lines.count == 10_003)
    #expect(many.lines[10_001] == "… 50 more boxes are not listed: there are more than 10000 kinds")
    #expect(mvdump("tree", "--unknown", "--json", folder.path + "/c.mp4").json?["unlisted"]?.integer == 50)
    let shown = mvdump("tree", "--path", "zzzz", folder.path + "/b.mp4")
    #expect(shown.output.contains("zzzz  unknown\n"))
    #expect(shown.output.contains("data: 01020304  ....  (4 bytes)"))
  }
}
