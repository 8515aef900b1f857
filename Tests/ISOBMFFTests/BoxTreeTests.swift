// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

/// A box of any size field around `body`.
func rawBox(_ type: FourCC, _ body: [UInt8] = [], size: UInt32? = nil, large: UInt64? = nil) -> [UInt8] {
  var bytes = big(size ?? (large == nil ? UInt32(8 + body.count) : 1)) + big(type.rawValue)
  if let large {
    bytes += big(UInt32(truncatingIfNeeded: large >> 32)) + big(UInt32(truncatingIfNeeded: large))
  }
  return bytes + body
}

func big(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
}

@Suite struct BoxTreeTests {
  /// ISO/IEC 14496-12, 8.4.3: a handler is in `mdia` or `meta`. Elsewhere it does not make sound of video.
  @Test(arguments: ["the file", "moov", "trak", "minf", "stbl"]) func handlerInAWrongPlace(place: String)
    throws
  {
    let handler = rawBox(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("soun".utf8) + [UInt8](repeating: 0, count: 13))
    func box(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
      rawBox(type, content + (type.description == place ? handler : []))
    }
    let entry = rawBox("avc1", [UInt8](repeating: 0, count: 78) + rawBox("free"))
    let description = rawBox("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
    let movie = box("moov", box("trak", box("mdia", box("minf", box("stbl", description)))))
    let bytes = ByteView(movie + (place == "the file" ? handler : []))
    let wanted: BoxPath = "moov/trak/mdia/minf/stbl/stsd/avc1/free"
    #expect(BoxTree(bytes, registry: .iso)[wanted] != nil)
    #expect(try BoxTree(MemoryBytes(bytes), registry: .iso)[wanted] != nil)
  }

  static let ftyp = rawBox("ftyp", Array("isom".utf8) + big(0))

  @Test func writesBackWhatItRead() throws {
    var compared = 0
    for name in Fixtures.media where !name.hasSuffix(".hevc") {
      let bytes = Fixtures.bytes(name)
      let tree = BoxTree(bytes)
      #expect(try tree.encoded() == bytes.array, "\(name)")
      #expect(tree.diagnostics.isEmpty, "\(name): \(tree.diagnostics.items)")
      #expect(tree.first("ftyp") != nil, "\(name)")
      compared += 1
    }
    #expect(compared >= 12)
  }

  @Test(.enabled(if: Corpus.isPresent)) func writesBackTheWholeCorpus() throws {
    var compared = 0, bytesCompared = 0
    for name in ["apple", "mvhevc", "lhevc", "made", "third-party", "broken"].flatMap({ Corpus.files($0) }) {
      let bytes = Corpus.bytes(name)
      let tree = BoxTree(bytes)
      #expect(try tree.encoded() == bytes.array, "\(name)")
      // Every box written anew from its fields, its children and what follows them gives the same bytes.
      compared += 1
      bytesCompared += bytes.count
    }
    print("\(compared) corpus files written back, \(bytesCompared) bytes equal")
    #expect(compared > 500)
  }

  /// What a tree found, without the bytes.
  private static func findings(_ tree: BoxTree) -> [String] {
    var lines = tree.diagnostics.map { "\($0.code.rawValue) \($0.offset ?? -1)" }
    tree.forEachBox { box, path in lines.append("\(path) \(box.fileRange) \(box.bytes.count)") }
    return lines + ["\(tree.trailingRange)"]
  }

  /// Reading through windows finds what is found in memory, also where a file ends in no box, in zeros, or in half a box.
  @Test(arguments: [
    [], [1, 2, 3, 4, 5], big(0) + Array("text".utf8), big(0) + big(0) + [7], [UInt8](repeating: 0, count: 9),
    [UInt8](repeating: 0, count: 60),
    big(20) + Array("free".utf8) + [9], big(1) + Array("mdat".utf8) + [0, 0], big(4) + Array("free".utf8),
  ])
  func aFileHasWhatItsBytesHave(tail: [UInt8]) throws {
    // Headers at all places of windows, some of which are skipped and some across their ends.
    let many = (0..<4_000).map { number in
      let length = number % 100 == 99 ? 20_000 : number % 37
      return rawBox("moof", rawBox("mfhd", big(0) + big(UInt32(number))))
        + rawBox("mdat", [UInt8](repeating: 0x77, count: length))
    }
    for start in [Fixtures.bytes("spatial.mov").array, Self.ftyp + many.joined(), []] {
      let bytes = ByteView(start + tail)
      guard !bytes.isEmpty else { continue }
      let tree = BoxTree(bytes)
      let read = try BoxTree(MemoryBytes(bytes))
      // Media is not loaded from files.
      let loaded = Self.findings(tree).filter { !$0.contains("mdat") && !$0.contains("free") }
      #expect(Self.findings(read).filter { !$0.contains("mdat") && !$0.contains("free") } == loaded)
      #expect(try read.encoded() == bytes.array)
    }
  }

  /// What kinds of boxes were found answers for all boxes, until one is changed.
  @Test func kindsOfBoxesInOthers() {
    let traf = rawBox("traf", rawBox("tfhd", big(0) + big(1)))
    var tree = BoxTree(ByteView(Self.ftyp + rawBox("moof", traf) + rawBox("moof", traf + rawBox("udta"))))
    #expect(tree.has(only: { $0 == "traf" || $0 == "udta" }, in: "moof"))
    #expect(!tree.has(only: { $0 == "traf" }, in: "moof"))
    #expect(tree.has(only: { $0 == "tfhd" }, in: "traf"))
    #expect(tree.has(only: { _ in false }, in: "mdia"))
    tree.boxes[1].children.removeAll()
    #expect(!tree.has(only: { _ in true }, in: "moof"))
    let unknown = BoxTree(ByteView(rawBox("moof", rawBox("uuid", [UInt8](repeating: 1, count: 16)))))
    #expect(!unknown.has(only: { _ in true }, in: "moof"))
  }

  @Test(arguments: 0...17) func sizesBelowAndAtTheHeader(size: Int) throws {
    let bytes = Self.ftyp + rawBox("free", [UInt8](repeating: 1, count: 40), size: UInt32(size))
    let tree = BoxTree(ByteView(bytes))
    #expect(try tree.encoded() == bytes)
    switch size {
    case 0: #expect(tree.boxes.count == 2 && tree.boxes[1].sizeForm == .toEnd && tree.boxes[1].size == 48)
    case 1:  // the large size is 0x0101010101010101
      #expect(tree.boxes.count == 2 && tree.boxes[1].structuralProblem != nil)
    case 2..<8:
      #expect(tree.boxes.count == 1)
      #expect(tree.diagnostics.first?.code == "invalid-size" && tree.diagnostics.first?.offset == 16)
    default: #expect(tree.boxes.count >= 2 && tree.boxes[1].size == size)
    }
  }

  @Test(arguments: [1 << 31, (1 << 32) - 1, 1 << 63, UInt64.max] as [UInt64])
  func hugeSizes(size: UInt64) throws {
    let bytes = Self.ftyp + rawBox("moov", rawBox("free"), large: size)
    let tree = BoxTree(ByteView(bytes))
    #expect(try tree.encoded() == bytes)
    #expect(tree.diagnostics.worst == .error)
    if size <= UInt64(Int64.max) {
      #expect(tree.boxes.count == 2)
      #expect(tree.boxes[1].children.map(\.type) == ["free"], "the children are still read")
      #expect(tree.boxes[1].structuralProblem?.code.diagnosticCode == "invalid-size")
    } else {
      #expect(tree.boxes.count == 1)
    }
  }

  @Test func aChildLargerThanItsParentEndsWithIt() throws {
    let child = rawBox("trak", rawBox("free"), size: 500)
    let bytes = Self.ftyp + rawBox("moov", child) + rawBox("mdat", [1, 2, 3])
    let tree = BoxTree(ByteView(bytes))
    #expect(tree.boxes.map(\.type) == ["ftyp", "moov", "mdat"])
    #expect(tree["moov/trak/free"] != nil)
    let item = try #require(tree.diagnostics.first)
    #expect(item.path == "moov/trak" && item.offset == 24 && item.code == "size-exceeds-container")
    #expect(try tree.encoded() == bytes)
  }

  @Test func nestingTenThousandDeepStopsAtTheLimit() throws {
    var bytes: [UInt8] = []
    for depth in 0..<10_000 { bytes += big(UInt32(8 * (10_000 - depth))) + big(FourCC("moov").rawValue) }
    let tree = BoxTree(ByteView(bytes), registry: .recursive)
    var depth = 0
    var level = tree.boxes
    while let box = level.first { depth += 1; level = box.children }
    #expect(depth == Limits.maximumDepth + 1)
    #expect(tree.diagnostics.contains { $0.code == "limit-exceeded" })
    #expect(try tree.encoded() == bytes)
  }

  @Test func aMillionTinyBoxesStopAtTheLimit() throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8_000_000)
    let box = rawBox("abcd")
    for _ in 0..<1_000_000 { bytes += box }
    let tree = BoxTree(ByteView(bytes))
    #expect(tree.boxes.count == 200_000 + bytes.count / 80)
    #expect(tree.diagnostics.map(\.code) == ["limit-exceeded"])
  }

  @Test func pathsFindBoxes() throws {
    let trak1 = rawBox("trak", rawBox("mdia", rawBox("free", [1])))
    let trak2 = rawBox("trak", rawBox("mdia", rawBox("free", [1, 2])))
    let tree = BoxTree(ByteView(rawBox("moov", trak1 + rawBox("udta") + trak2)))
    #expect(tree["moov/trak[1]/mdia/free"]?.size == 10)
    #expect(tree["moov/trak[2]"] == nil)
    #expect(tree.matches("**/free").map(\.path) == ["moov/trak[0]/mdia/free", "moov/trak[1]/mdia/free"])
    #expect(tree.matches("moov/*").map(\.path) == ["moov/trak[0]", "moov/udta", "moov/trak[1]"])
    #expect(tree.path(at: tree["moov/trak[1]/mdia/free"]?.offset ?? 0) == "moov/trak[1]/mdia/free")
    let malformed = "too long a step"
    #expect(BoxPath(malformed) == nil)
  }

  @Test(arguments: [
    ("/moov//trak/", "moov/trak"), ("moov/trak[0]", "moov/trak[0]/"), ("url", "url "),
    ("****/©nam", "/****/©nam"), ("**/**/free", "**/free"),
  ]) func pathsThatMeanTheSame(paths: (String, String)) throws {
    #expect(try #require(BoxPath(paths.0)) == #require(BoxPath(paths.1)))
  }

  /// However many kinds a file has, and in whatever order they come again.
  @Test func everyBoxHasItsKind() {
    let types = (0..<3_000).map { FourCC(0x6161_0000 &+ UInt32($0) &* 2_654_435_761) }
    let order = types + types.reversed() + types
    let tree = BoxTree(ByteView(order.flatMap { rawBox($0) } + rawBox("moov", order.flatMap { rawBox($0) })))
    #expect(tree.boxes.dropLast().map(\.type) == order)
    #expect(tree.boxes.last?.children.map(\.type) == order)
    #expect(tree.boxes.dropLast().allSatisfy { $0.context.scope == .file })
    #expect(tree.boxes.last?.children.allSatisfy { $0.context.scope == .box("moov") } == true)
  }

  @Test func editingChangesSizesAndNothingElse() throws {
    let bytes = Fixtures.bytes("spatial.mov")
    var tree = BoxTree(bytes)
    let moov = try #require(tree.boxes.firstIndex { $0.type == "moov" })
    let before = tree.boxes[moov].size
    tree.boxes[moov].children.append(Box("free", children: []))
    let written = try tree.encoded()
    #expect(written.count == bytes.count + 8)
    let again = BoxTree(ByteView(written))
    #expect(again.first("moov")?.size == before + 8)
    #expect(again.first("moov")?.children.last?.type == "free")
    #expect(again.diagnostics.isEmpty)
  }

  @Test func everyBoxWrittenAnewIsTheSame() throws {
    for name in Fixtures.media where !name.hasSuffix(".hevc") {
      let bytes = Fixtures.bytes(name)
      var tree = BoxTree(bytes)
      func touch(_ boxes: inout [Box]) {
        for index in boxes.indices {
          if boxes[index].children.isEmpty, let decoding = boxes[index].decodePayload(),
            decoding.error == nil,
            decoding.unread.isEmpty
          {
            boxes[index].replacePayload(decoding.payload)
          }
          touch(&boxes[index].children)
        }
      }
      touch(&tree.boxes)
      #expect(try tree.encoded() == bytes.array, "\(name)")
    }
  }

  @Test func quickTimeTerminatorsAreNoBoxes() throws {
    let bytes = rawBox("moov", rawBox("udta", rawBox("name", [65]) + [0, 0, 0, 0]))
    let tree = BoxTree(ByteView(bytes))
    #expect(tree["moov/udta"]?.children.map(\.type) == ["name"])
    #expect(tree["moov/udta"]?.trailing.count == 4)
    #expect(tree.diagnostics.isEmpty)
    #expect(try tree.encoded() == bytes)
  }
}

extension BoxRegistry {
  /// A `moov` may hold another: real registries never nest without end, so depth needs a registry of its own.
  static let recursive = BoxRegistry([
    BoxRegistration(container: "moov", name: "Nested", in: [.anywhere], "test", "Holds itself.")
  ])
}
