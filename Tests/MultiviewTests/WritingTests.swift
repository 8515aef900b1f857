// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What a movie refers to by absolute offsets, as the bytes that are there.
private struct References: Equatable {
  /// Of each track, each sample: time and bytes.
  var samples: [[String]] = []
  /// The bytes at the other offsets, each with what refers to it.
  var places: [String] = []

  init(_ source: some ByteSource, registry: BoxRegistry = .standard) throws {
    let movie = try MovieFile(source: source, registry: registry)
    func bytes(_ offset: UInt64, _ count: Int) throws -> String {
      var hash = Hasher()
      let bytes = try source.read(at: offset, count: count)
      hash.combine(bytes)
      return "\(bytes.count) \(hash.finalize())"
    }
    for track in movie.tracks {
      let list = try track.samples()
      samples.append(
        try (0..<min(list.count, 2_000)).map { index in
          guard let sample = list.sample(at: index) else { return "none" }
          return
            "\(sample.decodeTime) \(sample.compositionOffset) \(try bytes(sample.offset, Int(sample.size)))"
        })
    }
    let tree = try #require(movie.tree)
    var found: [(String, UInt64, Int)] = []
    tree.forEachBox { box, path in
      let name = "\(box.type)"
      if let saio = box.payload(SampleAuxiliaryInformationOffsetsBox.self), !path.hasPrefix("moof") {
        found += saio.offsets.map { (name, $0, 32) }
      } else if let saio = box.payload(SampleAuxiliaryInformationOffsetsBox.self),
        let moof = tree.boxes.last(where: { $0.type == "moof" && $0.offset < box.offset }),
        moof.all("traf").allSatisfy({ $0.first(TrackFragmentHeaderBox.self)?.baseDataOffset == nil })
      {
        found += saio.offsets.map { (name, $0 + UInt64(moof.offset), 16) }
      } else if let tfra = box.payload(TrackFragmentRandomAccessBox.self) {
        found += tfra.entries.map { (name, $0.moofOffset + 4, 4) }
      } else if let mfro = box.payload(MovieFragmentRandomAccessOffsetBox.self) {
        found.append((name, UInt64(tree.source.size ?? 0) - UInt64(mfro.parentSize) + 4, 4))
      } else if let sidx = box.payload(SegmentIndexBox.self) {
        var position = UInt64(box.fileRange.upperBound) + sidx.firstOffset
        for reference in sidx.references {
          found.append((name, position + 4, 4))
          position += UInt64(reference.referencedSize)
        }
        found.append(("end of " + name, position + 4, 4))
      } else if let iloc = box.payload(ItemLocationBox.self) {
        for item in iloc.items where item.constructionMethod == .file {
          found += item.extents.map { ("item \(item.itemID)", item.baseOffset + $0.offset, Int($0.length)) }
        }
      }
    }
    places = try found.map { "\($0.0): \(try bytes($0.1, $0.2))" }
  }
}

/// A box of free space that long.
private func free(_ count: Int) throws -> Box {
  let bytes = box("free", [UInt8](repeating: 0, count: count - 8))
  return try #require(BoxTree(ByteView(bytes), registry: .standard).boxes.first)
}

@Suite struct WritingTests {
  /// Movies whose boxes are moved about: what they refer to stays what it was.
  private func moved(_ name: String, _ bytes: ByteView) throws -> Int {
    let tree = try BoxTree(MemoryBytes(bytes), registry: .standard)
    let before = try References(MemoryBytes(bytes))
    let isFragmented = tree.first("moof") != nil
    var variants: [(String, BoxTree, WriteOptions)] = [("as it is", tree, WriteOptions())]
    func add(_ what: String, _ options: WriteOptions = WriteOptions(), _ edit: (inout BoxTree) throws -> Void)
      throws
    {
      var copy = tree
      try edit(&copy)
      variants.append((what, copy, options))
    }
    try add("free space after ftyp") { try $0.insert(free(1_001), at: 1) }
    if tree.first("moov") != nil {
      try add("a longer moov") { try $0.insert(free(77), in: "moov") }
      try add("moov first", WriteOptions(moviePlace: .first)) { _ in }
      if !isFragmented { try add("moov last", WriteOptions(moviePlace: .last)) { _ in } }
    }
    if tree.first("meta") != nil { try add("a longer meta") { try $0.insert(free(40), in: "meta") } }
    if isFragmented {
      try add("longer fragments") { copy in
        for index in copy.boxes.indices where copy.boxes[index].type == "moof" {
          copy.boxes[index].children.insert(try free(24), at: 1)
        }
      }
    }
    for (what, edited, options) in variants {
      let plan = try edited.writePlan(options)
      let after = try References(plan)
      #expect(after == before, "\(name): \(what)")
      if what == "as it is" { #expect(try plan.read(0..<plan.byteCount) == bytes, "\(name)") }
    }
    return before.samples.reduce(0) { $0 + $1.count } + before.places.count
  }

  @Test(arguments: Fixtures.media.filter { !$0.hasSuffix(".hevc") })
  func whatFixturesReferToStaysWhatItWas(name: String) throws {
    #expect(try moved(name, Fixtures.bytes(name)) > 0)
  }

  /// Fragments, indices, encrypted samples and photos by many writers.
  @Test(.enabled(if: Corpus.isPresent)) func whatCorpusMoviesReferToStaysWhatItWas() throws {
    var references = 0
    var refused: [String] = []
    for name in Corpus.files("made") + Corpus.files("lhevc") + Corpus.files("mvhevc") + Corpus.files("apple")
    where ["mp4", "mov", "m4a", "heic", "m4s"].contains(where: name.hasSuffix) {
      let bytes = Corpus.bytes(name)
      guard bytes.count < 4_000_000 else { continue }
      do { references += try moved(name, bytes) } catch let error as ParseError {
        refused.append("\(name): \(error)")
      }
    }
    print("\(references) references of corpus movies kept")
    #expect(refused == [])
    #expect(references > 5_000)
  }

  @Test func fragmentsWithAnAbsoluteBaseMove() throws {
    var tree = BoxTree(Fixtures.bytes("cmaf-hevc-sidx.mp4"), registry: .standard)
    let before = try References(tree.source)
    for index in tree.boxes.indices where tree.boxes[index].type == "moof" {
      let base = UInt64(tree.boxes[index].offset)
      for place in tree.boxes[index].children.indices where tree.boxes[index].children[place].type == "traf" {
        try tree.boxes[index].children[place].children[0].edit(TrackFragmentHeaderBox.self) {
          $0.baseDataOffset = base
        }
      }
    }
    let based = ByteView(try tree.encoded())
    #expect(based.count > Fixtures.bytes("cmaf-hevc-sidx.mp4").count)
    #expect(try References(MemoryBytes(based)).samples == before.samples)
    #expect(try moved("with a base", based) > 0)
  }

  /// A data reference may lead to this file or to another one (ISO/IEC 14496-12, 8.11.3): where it matters, nothing is guessed.
  @Test(arguments: [UInt8(0), 1]) func itemsOfADataReferenceAreNotMoved(index: UInt8) throws {
    func file(_ place: UInt8) -> [UInt8] {
      // Version 1: offsets and lengths of four bytes; item 1 has one extent of four bytes.
      let iloc = box(
        "iloc", [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, index, 0, 1, 0, 0, 0, place, 0, 0, 0, 4])
      let hdlr = box(
        "hdlr", [UInt8](repeating: 0, count: 8) + Array("mp7t".utf8) + [UInt8](repeating: 0, count: 13))
      return box("ftyp", Array("iso6".utf8) + [0, 0, 0, 0]) + box("meta", [0, 0, 0, 0] + hdlr + iloc)
        + box("mdat", [9, 8, 7, 6])
    }
    let bytes = file(UInt8(file(0).count - 4))
    var longer = try BoxTree(MemoryBytes(ByteView(bytes)), registry: .standard)
    try longer.insert(free(16), at: 3)
    #expect(try longer.encoded() == bytes + free(16).encoded())
    var moved = try BoxTree(MemoryBytes(ByteView(bytes)), registry: .standard)
    try moved.insert(free(16), at: 1)
    if index == 0 {
      var expected = file(UInt8(bytes.count - 4 + 16))
      expected.insert(contentsOf: try free(16).encoded(), at: 16)
      #expect(try moved.encoded() == expected)
    } else {
      let error = #expect(throws: ParseError.self) { try moved.encoded() }
      #expect(error?.reason.contains("data reference 1") == true, "\(String(describing: error))")
    }
  }

  @Test func aMovieOfAnEditedTreeIsWhatWouldBeWritten() throws {
    let path: BoxPath = "moov/trak[0]/mdia/minf/stbl/stsd/hvc1/hfov"
    let kind = BoxRegistration(container: "priv", name: "Private", in: [.box("moov")], "", "")
    let file = try MovieFile(
      source: MemoryBytes(Fixtures.bytes("spatial.mov")), registry: .standard.adding([kind]))
    var tree = try #require(file.tree)
    try tree.edit(path, HorizontalFieldOfViewBox.self) { $0.fieldOfView.rawValue = 71_000 }
    try tree.insert(Box("priv", children: [Box("free")]), in: "moov")
    let movie = try MovieFile(edited: tree)
    #expect(movie.tree?["moov/priv"]?.registration?.name == "Private")
    #expect(movie.tree?[path]?.payload(HorizontalFieldOfViewBox.self)?.fieldOfView.rawValue == 71_000)
    #expect(movie.tracks.count == file.tracks.count)
    let written = try MovieFile(bytes: tree.encoded())
    #expect(written.tracks.map(\.id) == movie.tracks.map(\.id))
    #expect(try References(movie.source).samples == References(file.source).samples)
  }

  @Test(.enabled(if: Corpus.isPresent)) func everyBoxOfTheCorpusWithItsOwnPayloadChangesNoByte() throws {
    var boxes = 0, files = 0, damaged = 0
    func touch(_ list: inout [Box]) {
      for index in list.indices {
        if !list[index].children.isEmpty { touch(&list[index].children) }
        do {
          try list[index].editAsItIs()
          boxes += 1
        } catch { damaged += 1 }
      }
    }
    for name in ["apple", "mvhevc", "lhevc", "made", "third-party", "broken", "found"].flatMap({
      Corpus.files($0)
    }) {
      let bytes = Corpus.bytes(name)
      // A raw stream has no boxes.
      guard bytes.count < 8_000_000, var tree = try? BoxTree(MemoryBytes(bytes), registry: .standard) else {
        continue
      }
      touch(&tree.boxes)
      files += 1
      do {
        let plan = try tree.writePlan()
        #expect(try plan.read(0..<plan.byteCount) == bytes, "\(name)")
      } catch { Issue.record("\(name): \(error)") }
    }
    print("\(boxes) boxes of \(files) files edited, \(damaged) refused")
    #expect(boxes > 20_000)
  }
}

extension Box {
  /// Edits the fields and changes nothing.
  fileprivate mutating func editAsItIs() throws(ParseError) {
    guard let type = registration?.payloadType else { return }
    try edit(opening: type)
  }

  private mutating func edit<Payload: BoxPayload>(opening type: Payload.Type) throws(ParseError) {
    try edit(type) { _ in }
  }
}
