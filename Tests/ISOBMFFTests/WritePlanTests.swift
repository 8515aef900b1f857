// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

/// Some bytes, and then zeros to a size that no memory has.
private struct SparseBytes: ByteSource {
  let start: [UInt8]
  let size: UInt64?

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = min(range.upperBound, size ?? 0)
    guard range.lowerBound < end else { return ByteView([], fileOffset: Int(clamping: range.lowerBound)) }
    let bytes = (range.lowerBound..<end).map { $0 < UInt64(start.count) ? start[Int($0)] : 0 }
    return ByteView(bytes, fileOffset: Int(range.lowerBound))
  }
}

private func track(_ offsets: [UInt32]) -> [UInt8] {
  let stco = rawBox("stco", big(0) + big(UInt32(offsets.count)) + offsets.flatMap(big))
  return rawBox("trak", rawBox("mdia", rawBox("minf", rawBox("stbl", stco))))
}

private let fileType = rawBox("ftyp", Array("isom".utf8) + big(0))

@Suite struct WritePlanTests {
  /// The second track needs wide offsets only because those of the first have become wide.
  @Test func offsetsBecomeWideWhereTheyHaveToAndNowhereElse() throws {
    let limit = UInt32.max
    let moov = rawBox("moov", track([300, limit - 20]) + track([300, limit - 36]) + track([400, 500]))
    let head = fileType + moov + big(1) + Array("mdat".utf8) + big(1) + big(1 << 30)
    // The size of `mdat` is 1 << 32 | 1 << 30.
    let size = UInt64(fileType.count + moov.count) + (1 << 32) + (1 << 30)
    var tree = try BoxTree(SparseBytes(start: head, size: size))
    try tree.insert(Box("free", children: [Box("skip"), Box("skip"), Box("skip")]), in: "moov", at: 0)
    let plan = try tree.writePlan()
    let again = try BoxTree(plan)
    let wide = try #require(again["moov/trak[0]/mdia/minf/stbl/co64"]?.payload(ChunkLargeOffsetBox.self))
    // 32 bytes of free space, and 8 for each of two tables.
    #expect(wide.entries.map(\.value) == [348, UInt64(limit) + 28])
    let second = try #require(again["moov/trak[1]/mdia/minf/stbl/co64"]?.payload(ChunkLargeOffsetBox.self))
    #expect(second.entries.map(\.value) == [348, UInt64(limit) + 12])
    #expect(
      again["moov/trak[2]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self)?.entries.map(\.value) == [
        448, 548,
      ])
    #expect(again["moov/trak[2]/mdia/minf/stbl/co64"] == nil)
    #expect(plan.byteCount == plan.copiedByteCount + UInt64(fileType.count + moov.count + 48))
    #expect(plan.pieces.count == 2)
  }

  @Test func aLastBoxWithoutSizeGetsOneWhenSomethingFollows() throws {
    let moov = rawBox("moov", track([200]))
    let movie = fileType + moov + rawBox("mdat", [UInt8](repeating: 3, count: 300), size: 0)
    let tree = BoxTree(ByteView(movie))
    #expect(try tree.encoded() == movie)
    let written = try bytes(tree.writePlan(WriteOptions(moviePlace: .last)))
    let moved = rawBox("moov", track([200 - UInt32(moov.count)]))
    #expect(written == fileType + rawBox("mdat", [UInt8](repeating: 3, count: 300)) + moved)
    #expect(
      try bytes(BoxTree(ByteView(written)).writePlan(WriteOptions(moviePlace: .first))).count == written.count
    )
  }

  @Test func freeSpaceAfterTheMovieTakesWhatItGrows() throws {
    let media = rawBox("mdat", [UInt8](repeating: 3, count: 300))
    let moov = rawBox("moov", track([300]))
    var options = WriteOptions()
    options.usesFreeSpace = true
    for (space, added, left) in [(50, 8, 42), (50, 42, 8), (50, 50, 0), (50, 45, nil), (50, 90, nil)]
      as [(Int, Int, Int?)]
    {
      let movie = fileType + moov + rawBox("free", [UInt8](repeating: 1, count: space - 8)) + media
      var tree = BoxTree(ByteView(movie))
      let grown = rawBox("skip", [UInt8](repeating: 2, count: added - 8))
      try tree.insert(try #require(BoxTree(ByteView(grown)).boxes.first), in: "moov")
      let again = BoxTree(ByteView(try bytes(tree.writePlan(options))))
      let offset = again["moov/trak/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self)?.entries.first?.value
      #expect(offset == UInt32(300 + (left == nil ? added : 0)), "\(added) of \(space)")
      #expect(again.first("free")?.size ?? 0 == left ?? space)
      #expect(again.diagnostics.isEmpty)
      // Removed again, the free space has its size again.
      if left ?? 0 > 0 {
        var back = again
        try back.remove("moov/skip")
        let first = BoxTree(ByteView(try bytes(back.writePlan(options))))
        #expect(first.boxes.map(\.size) == BoxTree(ByteView(movie)).boxes.map(\.size))
      }
    }
  }

  @Test func whatCannotBeMovedIsRefused() throws {
    let media = rawBox("mdat", [UInt8](repeating: 3, count: 300))
    func refusal(_ movie: [UInt8], _ edit: (inout BoxTree) throws -> Void) throws -> String? {
      var tree = BoxTree(ByteView(movie))
      try edit(&tree)
      do {
        _ = try tree.writePlan()
        return nil
      } catch { return error.description }
    }
    let grow: (inout BoxTree) throws -> Void = { try $0.insert(Box("free"), at: 1) }
    // GPS data of a dashboard camera, and a compressed movie.
    let gps = fileType + rawBox("moov", track([300]) + rawBox("gps ", big(0) + big(0))) + media
    #expect(try refusal(gps, grow)?.contains("moov/gps ") == true)
    #expect(try refusal(gps) { try $0.insert(Box("free")) } == nil)
    let compressed = fileType + rawBox("moov", rawBox("cmov", rawBox("dcom", Array("zlib".utf8)))) + media
    #expect(try refusal(compressed, grow)?.contains("compressed") == true)
    // Media data that something refers to.
    let movie = fileType + rawBox("moov", track([300])) + media
    let text = try #require(try refusal(movie) { try $0.remove("mdat") })
    #expect(text.contains("moov/trak/mdia/minf/stbl/stco") && text.contains("byte 300"))
    // A movie that was cut off: nothing can follow its media data.
    let cut = fileType + rawBox("moov", track([300])) + rawBox("mdat", [1, 2, 3], size: 9_000)
    #expect(
      try refusal(cut) { try $0.insert(Box("free")) }?.contains("nothing can be written after it") == true)
    // In front of them there is room; what lies beyond the end does so by as much as before.
    var tree = BoxTree(ByteView(cut))
    try grow(&tree)
    let again = BoxTree(ByteView(try tree.encoded()))
    #expect(again["moov/trak/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self)?.entries.first?.value == 308)
  }

  @Test func tracksWhoseDataAreElsewhereKeepTheirOffsets() throws {
    func movie(_ type: FourCC, _ flags: UInt32) -> [UInt8] {
      let dref = rawBox("dref", big(0) + big(1) + rawBox(type, big(flags) + [UInt8(ascii: "x"), 0]))
      let stco = rawBox("stco", big(0) + big(1) + big(300))
      let minf = rawBox("minf", rawBox("dinf", dref) + rawBox("stbl", stco))
      return fileType + rawBox("moov", rawBox("trak", rawBox("mdia", minf)))
        + rawBox("mdat", [UInt8](repeating: 1, count: 400))
    }
    // Offsets into an identified box count from its content; what a kind that is not known names is read from this file.
    let cases: [(type: FourCC, flags: UInt32, offset: UInt32)] = [
      ("url ", 0, 300), ("url ", 1, 308), ("alis", 0, 300), ("imdt", 1, 300), ("abcd", 0, 308),
    ]
    for (type, flags, offset) in cases {
      var tree = BoxTree(ByteView(movie(type, flags)))
      try tree.insert(Box("free"), at: 1)
      let again = BoxTree(ByteView(try tree.encoded()))
      #expect(
        again["moov/trak/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self)?.entries.first?.value == offset,
        "\(type) \(flags)")
    }
  }

  /// A sample goes with its sample entry; one whose entry is not there, with the first.
  @Test func whereSamplesAreIsDecidedByTheirSampleEntry() {
    func external(_ entries: [UInt16], _ types: [FourCC]? = nil) -> ExternalMedia {
      let dref = rawBox("dref", big(0) + big(2) + rawBox("url ", big(0)) + rawBox("url ", big(1)))
      let stsd = entries.enumerated().flatMap { index, reference in
        rawBox(types?[index] ?? "abcd", big(0) + [0, 0, UInt8(reference >> 8), UInt8(reference & 0xFF)])
      }
      let table = entries.isEmpty ? [] : rawBox("stsd", big(0) + big(UInt32(entries.count)) + stsd)
      let minf = rawBox("minf", rawBox("dinf", dref) + rawBox("stbl", table))
      let movie = rawBox("moov", rawBox("trak", rawBox("mdia", minf)))
      return ExternalMedia(BoxTree(ByteView(movie))["moov/trak/mdia/minf"])
    }
    // The first reference names another file, the second this one; others are not there.
    let cases: [(entries: [UInt16], external: Set<UInt32>, all: Bool)] = [
      ([], [0, 1, 2, 3], true), ([1], [0, 1, 2, 3], true), ([2], [], false), ([0], [], false),
      ([3], [], false), ([1, 1], [0, 1, 2, 3], true), ([1, 2], [0, 1, 3], false), ([2, 1], [2], false),
    ]
    for (entries, numbers, all) in cases {
      let media = external(entries)
      #expect(Set((0...3).filter(media.contains)) == numbers, "\(entries)")
      #expect(media.includesAll == all, "\(entries)")
      #expect(media.isEmpty == numbers.isEmpty, "\(entries)")
    }
    // Free space is no sample entry, and is counted.
    #expect(external([2, 1], ["free", "abcd"]).includesAll)
    #expect(ExternalMedia(nil).isEmpty)
  }

  @Test func fragmentsOfOtherFilesKeepTheirOffsets() throws {
    for (flags, base) in [(0, 300), (1, 308)] as [(UInt32, UInt32)] {
      let dref = rawBox("dref", big(0) + big(1) + rawBox("url ", big(flags)))
      let stsd = rawBox("stsd", big(0) + big(1) + rawBox("abcd", big(0) + [0, 0, 0, 1]))
      let minf = rawBox("minf", rawBox("dinf", dref) + rawBox("stbl", stsd))
      let header = rawBox("tkhd", big(0) + big(0) + big(0) + big(7) + [UInt8](repeating: 0, count: 68))
      let trex = rawBox("trex", big(0) + big(7) + big(1) + big(0) + big(0) + big(0))
      let moov = rawBox(
        "moov", rawBox("trak", header + rawBox("mdia", minf)) + rawBox("mvex", trex))
      // With a base that counts from the start of the file.
      let traf =
        rawBox("tfhd", big(1) + big(7) + big(0) + big(300)) + rawBox("trun", big(1) + big(0) + big(8))
      let moof = rawBox("moof", rawBox("mfhd", big(0) + big(1)) + rawBox("traf", traf))
      let movie = fileType + moov + moof + rawBox("mdat", [UInt8](repeating: 1, count: 400))
      var tree = BoxTree(ByteView(movie))
      try tree.insert(Box("free"), at: 1)
      let again = BoxTree(ByteView(try tree.encoded()))
      let fields = try #require(again["moof/traf/tfhd"]?.payload(TrackFragmentHeaderBox.self))
      #expect(fields.baseDataOffset == UInt64(base), "\(flags)")
    }
  }

  @Test func filesAreWrittenCompletelyOrNotAtAll() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/written.mp4"
    let movie =
      fileType + rawBox("moov", track([300])) + rawBox("mdat", [UInt8](repeating: 3, count: 3_000_000))
    var tree = try opened(movie)
    try tree.insert(Box("free"), at: 1)
    try tree.write(toFile: path)
    #expect(contents(path) == (try tree.encoded()))
    #expect(throws: (any Error).self) { try tree.write(toFile: path) }
    // The file that a tree comes from may be replaced: it is read to its end before.
    var again = try BoxTree(FileBytes(path: path))
    try again.insert(Box("skip"), at: 1)
    let expected = try again.encoded()
    try again.write(toFile: path, overwriting: true)
    #expect(contents(path) == expected)
  }
}
