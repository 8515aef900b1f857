// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

/// A file in memory of which a tree loads what it would load of a file on disk.
func opened(_ bytes: [UInt8], registry: BoxRegistry = .complete) throws -> BoxTree {
  try BoxTree(MemoryBytes(bytes), registry: registry)
}

/// The bytes of a plan.
func bytes(_ plan: WritePlan) throws -> [UInt8] { try plan.read(0..<plan.byteCount).array }

/// A movie with tables of any size, made without the library.
struct BigMovie {
  static let path = "moov/trak/mdia/minf/stbl"

  /// A full box of `total` bytes: a table of `rows`, and after it bytes that no field takes.
  static func table(_ type: FourCC, version: UInt8 = 0, head: [UInt8], stride: Int, total: Int) -> [UInt8] {
    let rows = (total - 16 - head.count) / stride
    var body: [UInt8] = [version, 0, 0, 0] + head + big(UInt32(rows))
    for row in 0..<(rows * stride / 4) { body += big(UInt32(row % 1_000 + 1)) }
    while body.count < total - 8 { body.append(0xEE) }
    return rawBox(type, body)
  }

  static func movie(_ tables: [[UInt8]], after: [UInt8] = [], trailing: [UInt8] = []) -> [UInt8] {
    let stbl = rawBox("stbl", tables.flatMap { $0 })
    let moov = rawBox(
      "moov",
      rawBox("trak", rawBox("mdia", rawBox("minf", stbl) + after)) + trailing)
    return rawBox("ftyp", Array("isom".utf8) + big(0)) + moov
      + rawBox("mdat", (0..<4_096).map { UInt8($0 & 255) })
  }

  /// Every kind of table, with how it is edited: the first row gets another value.
  static let tables:
    [(type: FourCC, bytes: @Sendable (Int) -> [UInt8], edit: @Sendable (inout BoxTree) throws -> Void)] = [
      (
        "stts", { table("stts", head: [], stride: 8, total: $0) },
        { tree in
          try tree.edit("\(path)/stts", TimeToSampleBox.self) { (box) throws(ParseError) in
            var rows = Array(box.entries)
            rows[0].sampleDelta += 1
            box.entries = try PackedTable(rows)
          }
        }
      ),
      (
        "ctts", { table("ctts", head: [], stride: 8, total: $0) },
        { tree in
          try tree.edit("\(path)/ctts", CompositionOffsetBox.self) { $0.flags = 1 }
        }
      ),
      (
        "stss", { table("stss", head: [], stride: 4, total: $0) },
        { tree in
          try tree.edit("\(path)/stss", SyncSampleBox.self) { (box) throws(ParseError) in
            var rows = Array(box.entries)
            rows[0].value += 1
            box.entries = try PackedTable(rows)
          }
        }
      ),
      (
        "stsc", { table("stsc", head: [], stride: 12, total: $0) },
        { tree in
          try tree.edit("\(path)/stsc", SampleToChunkBox.self) { $0.flags = 1 }
        }
      ),
      (
        "stsz", { table("stsz", head: [0, 0, 0, 0], stride: 4, total: $0) },
        { tree in
          try tree.edit("\(path)/stsz", SampleSizeBox.self) { (box) throws(ParseError) in
            var rows = Array(box.entries)
            rows[0].value += 1
            box.entries = try PackedTable(rows)
          }
        }
      ),
      (
        "stco", { table("stco", head: [], stride: 4, total: $0) },
        { tree in
          try tree.edit("\(path)/stco", ChunkOffsetBox.self) { $0.flags = 1 }
        }
      ),
      (
        "co64", { table("co64", head: [], stride: 8, total: $0) },
        { tree in
          try tree.edit("\(path)/co64", ChunkLargeOffsetBox.self) { $0.flags = 1 }
        }
      ),
      (
        "sbgp", { table("sbgp", head: big(0x726F_6C6C), stride: 8, total: $0) },
        { tree in
          try tree.edit("\(path)/sbgp", SampleToGroupBox.self) { $0.flags = 1 }
        }
      ),
      (
        "stps", { table("stps", head: [], stride: 4, total: $0) },
        { tree in
          try tree.edit("\(path)/stps", PartialSyncSampleBox.self) { $0.flags = 1 }
        }
      ),
      (
        "cslg", { _ in rawBox("cslg", [0, 0, 0, 0] + (1...5).flatMap { big($0) }) },
        { tree in
          try tree.edit("\(path)/cslg", CompositionToDecodeBox.self) { $0.flags = 1 }
        }
      ),
    ]
}

/// Edits lose nothing that they were not asked to change.
@Suite struct EditingTests {
  static let sizes = [65_535, 65_536, 65_537]

  /// Beyond 64 KiB the tree has only the beginning of a table; a box of exactly 64 KiB is loaded whole.
  @Test(arguments: sizes) func anEditOfATableChangesItsRowAndNothingElse(size: Int) throws {
    for table in BigMovie.tables {
      let movie = BigMovie.movie(BigMovie.tables.map { $0.bytes(size) }, trailing: [0, 0, 0, 0])
      var tree = try opened(movie)
      try table.edit(&tree)
      var options = WriteOptions()
      // The offsets in the tables of this test point anywhere.
      options.relocatesOffsets = false
      let written = try bytes(tree.writePlan(options))
      #expect(written.count == movie.count, "\(table.type) of \(size) bytes")
      let changed = zip(written, movie).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
      let box = try #require(try opened(movie)["\(BigMovie.path)/\(table.type)"])
      #expect(changed.count == 1, "\(table.type) of \(size) bytes")
      #expect(changed.allSatisfy { box.fileRange.contains($0) && $0 < box.offset + 36 }, "\(table.type)")
    }
  }

  @Test(arguments: sizes) func anEditThatChangesNothingWritesTheSameBytes(size: Int) throws {
    let movie = BigMovie.movie(
      BigMovie.tables.map { $0.bytes(size) }, after: rawBox("free", [UInt8](repeating: 7, count: size - 8)),
      trailing: [9, 9, 9])
    var tree = try opened(movie)
    let stbl = try #require(tree["\(BigMovie.path)"])
    for child in stbl.children where child.registration?.payloadType != nil {
      try tree.edit("\(BigMovie.path)/\(child.type)") { (box) throws(ParseError) in
        try box.editAsItIs()
      }
    }
    #expect(try tree.encoded() == movie)
  }

  /// A box between the first and the last of a large container, and bytes after them that are no box.
  @Test(arguments: sizes) func containersKeepTheirTrailingBytes(size: Int) throws {
    let inner = rawBox("skip", [UInt8](repeating: 5, count: size - 8 - 8 - 4))
    let movie =
      rawBox("ftyp", Array("isom".utf8) + big(0)) + rawBox("moov", rawBox("udta", inner + [0, 0, 0, 0]))
    var tree = try opened(movie)
    #expect(tree["moov/udta"]?.size == size)
    try tree.insert(Box("free"), in: "moov/udta", at: 0)
    let expected =
      Array(movie[..<16]) + rawBox("moov", rawBox("udta", rawBox("free") + inner + [0, 0, 0, 0]))
    #expect(try tree.encoded() == expected)
    #expect(try opened(expected).diagnostics.isEmpty)
  }

  @Test(.enabled(if: Corpus.isPresent)) func largeTablesOfARealMovieStayWhole() throws {
    let movie = Corpus.bytes("found/ctts.mp4")
    for type in ["ctts", "stts", "stsz", "stss"] as [FourCC] {
      var tree = try BoxTree(MemoryBytes(movie))
      try tree.edit("moov/trak/mdia/minf/stbl/\(type)") { (box) throws(ParseError) in
        try box.editAsItIs()
      }
      #expect(try tree.encoded() == movie.array, "\(type)")
    }
  }

  /// What a tree has of a large table cannot be put back for the whole of it.
  @Test func theBeginningOfATableCannotBeWritten() throws {
    let movie = BigMovie.movie([BigMovie.tables[0].bytes(80_000)])
    var tree = try opened(movie)
    let path: BoxPath = "moov/trak/mdia/minf/stbl/stts"
    let box = try #require(tree[path])
    #expect(!box.isLoaded)
    let beginning = try #require(box.decodeLoadedPayload()?.payload as? TimeToSampleBox)
    #expect(beginning.entries.count < 600)
    #expect(throws: ParseError.self) { try beginning.encoded() }
    try tree.edit(path) { $0.replacePayload(beginning) }
    #expect(throws: ParseError.self) { try tree.writePlan() }
    // Asked for its payload the box reads all of it.
    #expect(box.payload(TimeToSampleBox.self)?.entries.count == 9_998)
  }

  @Test func rowsThatCannotBeWrittenAreAnError() throws {
    var row = SubsegmentIndexBox.Range(level: 1, rangeSize: 1 << 25)
    var box = SubsegmentIndexBox()
    var part = SubsegmentIndexBox.Subsegment()
    part.ranges = .of([SubsegmentIndexBox.Range(level: 0, rangeSize: 1), row])
    box.subsegments = [part]
    #expect(throws: ParseError.self) { try box.encoded() }
    row.rangeSize = 1
    box.subsegments[0].ranges = .of([row])
    #expect(try box.encoded().count == 16)
  }

  @Test func userTypesBelongToUUIDBoxes() throws {
    #expect(throws: ParseError.self) { try Box("uuid").encoded() }
    let id = ByteView(Array(0..<16))
    let free = try Box("uuid", children: [Box("free")], userType: id).encoded()
    #expect(free == rawBox("uuid", Array(0..<16) + rawBox("free")))
  }

  /// Refused where it is put in, not only when the movie is written.
  @Test func aUserTypeIsAskedForAtOnce() throws {
    var tree = try opened(rawBox("free") + rawBox("moov", rawBox("udta")))
    let before = try tree.encoded()
    #expect(throws: ParseError.self) { try tree.insert(Box("uuid"), in: "moov") }
    #expect(throws: ParseError.self) { try tree.insert(Box("uuid"), before: "free") }
    #expect(throws: ParseError.self) { try tree.insert(Box("uuid"), after: "free") }
    #expect(throws: ParseError.self) { try tree.replace("moov/udta", with: Box("uuid")) }
    #expect(try tree.encoded() == before)
  }

  /// The error is about the deepest box of the path that exists.
  @Test func whatIsMissingOnAPathIsNamed() throws {
    let movie = rawBox("moov", rawBox("mvhd", []) + rawBox("trak", rawBox("udta")))
    var tree = try opened(rawBox("free") + movie)
    func message(_ path: BoxPath) -> String {
      do { try tree.remove(path) } catch { return "\(error)" }
      return ""
    }
    #expect(message("moov/trak/mdia/minf") == "moov/trak at 24: the box 'mdia' is missing")
    #expect(message("moov/trak[4]/udta") == "moov at 8: the box 'trak[4]' is missing")
    #expect(message("moof/traf") == "at 0: the box 'moof' is missing")
  }

  @Test func insertedBoxesAreKnownByTheirPlace() throws {
    var tree = BoxTree(Fixtures.bytes("spatial.mov"))
    let entry: BoxPath = "moov/trak[0]/mdia/minf/stbl/stsd/hvc1"
    // Made anywhere, `pasp` is in a sample entry now.
    try tree.insert(Box("pasp", PixelAspectRatioBox()), in: entry)
    #expect(tree[entry]?.first("pasp")?.scope == .visualSampleEntry)
    #expect(tree[entry]?.first("pasp")?.payload(PixelAspectRatioBox.self) != nil)
    // A sample entry of a video track is another one in a sound track.
    let video = try #require(tree[entry])
    try tree.edit("moov/trak[0]/mdia/hdlr", HandlerBox.self) { $0.handlerType = "soun" }
    #expect(tree[entry]?.scope == .audioSampleDescription)
    #expect(video.scope == .visualSampleDescription)
  }

  /// A movie with two tracks, of which the first has two boxes of media, and the second has none with a header.
  private var movieOfThreeMedia: Box {
    let headers = [Box("mdhd", MediaHeaderBox()), Box("mdhd", MediaHeaderBox())]
    let media = [Box("mdia", children: headers), Box("mdia", children: headers)]
    let tracks = [
      Box("trak", children: media), Box("trak", children: [Box("mdia", children: [Box("minf")])]),
    ]
    return Box("moov", children: [Box("mvhd", MovieHeaderBox())] + tracks, in: .file)
  }

  @Test func boxesToWhichTypesLeadAreEdited() throws {
    func times(_ movie: Box) -> [UInt64] {
      movie.all("trak").flatMap { $0.all("mdia") }.flatMap { $0.all("mdhd") }
        .compactMap { $0.payload(MediaHeaderBox.self)?.creationTime }
    }
    var movie = movieOfThreeMedia
    try movie.editAll(MediaHeaderBox.self, in: "trak", "mdia") { $0.creationTime = 1 }
    #expect(times(movie) == [1, 1, 1, 1])
    func date(_ box: inout Box) throws(ParseError) { try box.editTimedHeader { $0.creationTime = 2 } }
    try movie.editFirst("trak", "mdia", "mdhd", change: date)
    #expect(times(movie) == [2, 1, 1, 1])
    try movie.editFirst("mvhd", change: date)
    #expect(movie.first(MovieHeaderBox.self)?.creationTime == 2)
    #expect(throws: ParseError.self) { try movie.editAll("trak", change: date) }
    try movie.editAll("trak", "mdia", "hdlr", change: date)
  }

  @Test func boxesWithoutAnEditInsideStayUnchanged() throws {
    var movie = try #require(BoxTree(ByteView(try movieOfThreeMedia.encoded())).first("moov"))
    movie.editAll("trak", "mdia", "minf", "stbl") { $0.children = [] }
    movie.editFirst("trak", "mdia", "minf") { $0.children = [] }
    #expect(!movie.isEdited)
    try movie.editAll(MediaHeaderBox.self, in: "trak", "mdia") { $0.creationTime = 1 }
    #expect(movie.all("trak").map(\.isEdited) == [true, false])
  }

  @Test(arguments: [(0xFFFF_FFFE, 0), (0xFFFF_FFFF, 1), (0x1_0000_0000, 1)])
  func longDurationsHave64Bits(duration: UInt64, version: UInt8) throws {
    var box = Box("tkhd", TrackHeaderBox(), in: .box("trak"))
    try box.editTimedHeader { $0.setDuration(duration) }
    let header = try #require(box.payload(TrackHeaderBox.self))
    #expect(header.version == version && header.knownDuration == duration)
    var unknown = TrackHeaderBox()
    unknown.duration = 0xFFFF_FFFF
    #expect(unknown.knownDuration == nil)
  }

  @Test func payloadsOfAnotherBoxAreRefused() throws {
    #expect(throws: ParseError.self) { try Box("mvhd", MediaHeaderBox(), in: .box("moov")).encoded() }
    #expect(throws: ParseError.self) { try Box("mvhd", MediaHeaderBox()).encoded() }
    var tree = BoxTree(Fixtures.bytes("spatial.mov"))
    try tree.replace("moov/mvhd", with: Box("mvhd", MediaHeaderBox()))
    #expect(throws: ParseError.self) { try tree.writePlan() }
    #expect(throws: ParseError.self) {
      try tree.edit("moov/trak[0]/tkhd", MediaHeaderBox.self) { $0.timescale = 1 }
    }
  }

  @Test func countsOfChildrenFollow() throws {
    var tree = BoxTree(Fixtures.bytes("spatial.mov"))
    let path: BoxPath = "moov/trak[0]/mdia/minf/stbl/stsd"
    let entry = try #require(tree[path]?.children.first)
    try tree.insert(entry, in: path)
    #expect(tree[path]?.payload(SampleDescriptionBox.self)?.entryCount == 2)
    let written = BoxTree(ByteView(try tree.encoded()))
    #expect(written[path]?.payload(SampleDescriptionBox.self)?.entryCount == 2)
    #expect(written[path]?.children.count == 2)
    try tree.remove("moov/trak[0]/mdia/minf/stbl/stsd/*")
    #expect(try tree.encoded() == Fixtures.bytes("spatial.mov").array)
    let made = try Box("dref", DataReferenceBox(), children: [Box("url ", DataEntryURLBox())]).encoded()
    #expect(Array(made[8..<16]) == [0, 0, 0, 0, 0, 0, 0, 1])
  }

  /// A box of a program's own, with a count that only its type knows.
  struct ShelfBox: BoxPayload {
    static let info = BoxInfo(
      ["shlf"], name: "shelf", in: [.file], "", "", childrenFollow: true, childScope: .box("shlf"))
    var bookCount: UInt8 = 0

    mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u8("book_count", &bookCount) }

    func counting(_ children: [Box]) -> Self? {
      var shelf = self
      shelf.bookCount = UInt8(clamping: children.count { $0.type == "book" })
      return shelf
    }
  }

  @Test func countsInBoxesOfOnesOwnFollow() throws {
    let registry = try BoxRegistry.complete.adding([BoxRegistration(ShelfBox.self)])
    let book: [UInt8] = [0, 0, 0, 8] + "book".utf8, lamp: [UInt8] = [0, 0, 0, 8] + "lamp".utf8
    let bytes: [UInt8] = [0, 0, 0, 33] + "shlf".utf8 + [2] + book + lamp + book
    var tree = BoxTree(ByteView(bytes), registry: registry)
    try tree.insert(Box("book"), in: "shlf")
    #expect(try tree.encoded() == [0, 0, 0, 41] + "shlf".utf8 + [3] + book + lamp + book + book)
    try tree.insert(Box("book"), in: "shlf")
    try tree.remove("shlf/lamp")
    #expect(try tree.encoded() == [0, 0, 0, 41] + "shlf".utf8 + [4] + book + book + book + book)
  }

  @Test func countOfKeysFollowsWhereThereIsOne() throws {
    let key = { (number: FourCC) in
      rawBox(number, rawBox("keyd", Array("mdtaabcd".utf8)) + rawBox("dtyp", [0, 0, 0, 0, 0, 0, 0, 0x42]))
    }
    let entry = { (head: [UInt8], keys: [UInt8]) in
      rawBox("mebx", [0, 0, 0, 0, 0, 0, 0, 1] + rawBox("keys", head + keys))
    }
    let movie = { (entry: [UInt8]) in
      let table = rawBox("stbl", rawBox("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry))
      return rawBox("moov", rawBox("trak", rawBox("mdia", rawBox("minf", table))))
    }
    let place: BoxPath = "moov/trak/mdia/minf/stbl/stsd/mebx/keys"
    for head: [UInt8] in [[], [0, 0, 0, 0, 0, 0, 0, 2]] {
      var tree = BoxTree(ByteView(movie(entry(head, key("1111") + key("2222")))))
      let keys = try #require(tree[place])
      #expect(keys.children.count == 2)
      try tree.remove("moov/trak/mdia/minf/stbl/stsd/mebx/keys/2222")
      var left = head
      if !left.isEmpty { left[7] = 1 }
      #expect(try tree.encoded() == movie(entry(left, key("1111"))))
    }
  }

  @Test func damagedFieldsAreNotEdited() throws {
    // A table that announces more rows than there are.
    let movie = BigMovie.movie([rawBox("stss", [0, 0, 0, 0] + big(9) + big(1))])
    var tree = try opened(movie)
    #expect(throws: ParseError.self) {
      try tree.edit("\(BigMovie.path)/stss", SyncSampleBox.self) { $0.flags = 1 }
    }
    #expect(try tree.encoded() == movie)
  }

  // MARK: Paths

  @Test func pathsLeadToTheSameBoxesForEditing() throws {
    for name in ["spatial.mov", "timed-metadata.mov", "two-views-fragmented.mp4"] {
      let tree = BoxTree(Fixtures.bytes(name), registry: .complete)
      var paths = [
        "**/stsd", "moov/**/hdlr", "moov/*", "*", "**/*", "moov/trak/**/*/stbl", "**/mdia/**/dref/*",
      ]
      tree.forEachBox { _, path in paths.append(path) }
      for path in paths {
        // Types of unprintable characters cannot be named.
        guard let path = BoxPath(path) else { continue }
        let match = try #require(path.matches(in: tree.boxes, limit: 1).first?.box, "\(path)")
        var copy = tree
        var found: Box?
        try copy.edit(path) { found = $0 }
        #expect(found?.fileRange == match.fileRange, "\(path) in \(name)")
      }
    }
  }

  @Test func boxesAreSetInsertedMovedAndRemovedByPath() throws {
    let original = Fixtures.bytes("spatial.mov").array
    var tree = BoxTree(ByteView(original))
    let hfov: BoxPath = "moov/trak[0]/mdia/minf/stbl/stsd/hvc1/hfov"
    let box = try #require(tree[hfov])
    tree[hfov] = nil
    #expect(tree[hfov] == nil)
    let without = try tree.encoded()
    #expect(without.count == original.count - box.size)
    tree[hfov] = box
    #expect(tree[hfov]?.size == box.size)
    #expect(try tree.encoded().count == original.count)
    try tree.move("moov/mvhd", into: "moov")
    #expect(tree.first("moov")?.children.last?.type == "mvhd")
    try tree.move("moov/mvhd", into: "moov", at: 0)
    try tree.insert(Box("free"), before: "moov/mvhd")
    try tree.insert(Box("skip"), after: "moov/mvhd")
    #expect(tree.first("moov")?.children.prefix(3).map(\.type) == ["free", "mvhd", "skip"])
    #expect(throws: ParseError.self) { try tree.remove("moov/trak[7]") }
    #expect(throws: ParseError.self) { try tree.insert(Box("free"), in: "moov", at: 99) }
    #expect(throws: ParseError.self) { try tree.insert(Box("free"), in: "moov/mvhd") }
    _ = try tree.writePlan()
    tree["moov/trak[7]/tkhd"] = Box("free")
    #expect(throws: ParseError.self) { try tree.writePlan() }
  }

  @Test func registriesCompose() throws {
    let kind = BoxRegistration(container: "priv", name: "Private", in: [.box("moov")], "", "")
    let user = "00010203-0405-0607-0809-0A0B0C0D0E0F"
    let registry = try BoxRegistry.complete.adding([kind], userTypes: [(user, kind)])
    #expect(registry.registration(for: "priv", in: .box("moov")) === kind)
    #expect(registry.registration(for: "mvhd", in: .box("moov"))?.name == "movie header")
    #expect(registry.all.count == BoxRegistry.complete.all.count + 2)
    #expect(throws: BoxRegistryError.self) { try registry.adding([kind]) }
    #expect(throws: BoxRegistryError.self) { try registry.adding([], userTypes: [(user, kind)]) }
    #expect(throws: BoxRegistryError.self) { try registry.adding([], userTypes: [("12", kind)]) }
    #expect(throws: BoxRegistryError.self) {
      try BoxRegistry.complete.adding([
        BoxRegistration(MediaHeaderBox.self, types: ["mvhd"], in: [.box("moov")])
      ])
    }
  }
}

extension Box {
  /// Edits the fields and changes nothing.
  mutating func editAsItIs() throws(ParseError) {
    guard let type = registration?.payloadType else { return }
    try edit(opening: type)
  }

  private mutating func edit<Payload: BoxPayload>(opening type: Payload.Type) throws(ParseError) {
    try edit(type) { _ in }
  }
}
