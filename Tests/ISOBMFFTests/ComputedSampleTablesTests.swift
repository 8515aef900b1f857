// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import TestSupport
import Testing

@testable import ISOBMFF

/// Tables whose rows are made when they are read are the tables that a builder makes.
@Suite struct ComputedSampleTablesTests {
  /// A list of the samples of one track.
  private func list(
    _ samples: [Sample], units: Int64 = 1, load: @escaping @Sendable (TrackSamples) -> TrackSamples = { $0 }
  ) throws -> SampleList {
    let all = try NaiveList.track(samples)
    var list = SampleList()
    try list.append(.init(of: .init(units: units, { load(all) }), 0..<samples.count, from: 0))
    return list
  }

  /// The samples as they are written: those without bytes follow the one before.
  private func placed(_ samples: [Sample]) -> [Sample] {
    var end: UInt64 = 0
    return samples.map { sample in
      var sample = sample
      if sample.size == 0 { sample.offset = end }
      end = sample.offset + UInt64(sample.size)
      return sample
    }
  }

  private func built(_ samples: [Sample], _ chunkDuration: Int64) throws -> [Box] {
    var builder = SampleTableBuilder()
    var chunkStart: Int64 = 0
    for sample in samples {
      if sample.decodeTime - chunkStart >= chunkDuration {
        builder.endChunk()
        chunkStart = sample.decodeTime
      }
      try builder.append(sample)
    }
    return try builder.boxes()
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func tablesAreThoseOfABuilder(seed: UInt64) throws {
    let count = [1, 300, 9_000, 30_000][Int(seed % 4)]
    let samples = SampleTableBuilderTests.samples(seed: seed, count: count)
    let wanted = placed(samples)
    let chunkDuration: Int64 = seed % 2 == 1 ? 135 : .max
    let tables = try ComputedSampleTables(list(samples), chunkDuration: chunkDuration).boxes()
    #expect(try SampleTableBuilderTests.read(tables) == wanted)
    let expected = try built(wanted, chunkDuration)
    #expect(tables.map(\.type) == expected.map(\.type))
    var generator = SeededGenerator(seed: seed)
    for (table, other) in zip(tables, expected) {
      let bytes = ByteView(try other.encoded())
      #expect(ByteView(try table.encoded()) == bytes, "\(table.type)")
      guard !table.isNew else { continue }
      let source = try #require(table.origin)
      for _ in 0..<20 {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...70_000, using: &generator))
        let found = try source.read(UInt64(start)..<UInt64(end))
        #expect(found == bytes.suffix(from: start).prefix(end - start), "\(table.type) \(start)..<\(end)")
        #expect(found.fileOffset == start)
      }
      #expect(try source.read(UInt64(bytes.count)..<UInt64(bytes.count + 9)).isEmpty)
    }
  }

  @Test func largeTablesAreNotInMemory() throws {
    let samples = SampleTableBuilderTests.samples(seed: 3, count: 40_000)
    let tables = try ComputedSampleTables(list(samples), chunkDuration: .max).boxes()
    for table in tables {
      #expect(table.isNew || table.size <= 1 << 16 || table.bytes.count <= 32, "\(table.type)")
    }
    let plan = try SampleTableBuilderTests.movie(tables).plan()
    #expect(plan.byteCount > 500_000 && plan.byteCount - plan.copiedByteCount < 1_000)
  }

  @Test func samplesThatAreOthersTheSecondTimeAreNoticed() throws {
    let samples = SampleTableBuilderTests.samples(seed: 3, count: 40_000)
    let fewer = try NaiveList.track(Array(samples[..<30_000]))
    let isChanged = Locked(false)
    let listed = try list(samples) { all in isChanged.withLock { $0 } ? fewer : all }
    let tables = try ComputedSampleTables(listed, chunkDuration: .max).boxes().filter { !$0.isLoaded }
    isChanged.withLock { $0 = true }
    #expect(tables.count > 3)
    for table in tables { #expect(throws: (any Error).self, "\(table.type)") { try table.encoded() } }
  }

  @Test func whatTablesCannotSayIsRefused() throws {
    let long = try list(SampleTableBuilderTests.samples(seed: 3, count: 20), units: 1 << 32)
    #expect(throws: ParseError.self) { try ComputedSampleTables(long, chunkDuration: .max) }
  }
}

extension Box {
  /// The source of its bytes; `nil` for a new box.
  fileprivate var origin: (any ByteSource)? { kind.origin.source }
}

/// Large tables of chunk offsets follow what moves without being held.
@Suite struct RelocatedOffsetsTests {
  /// A file with a table of chunk offsets that is larger than what is loaded, and the bytes that they point to.
  private func file(_ type: FourCC, _ offsets: [UInt64], isMovieFirst: Bool, media: Int) -> [UInt8] {
    var table: [UInt8] = [0, 0, 0, 7]
    table.appendBigEndian(UInt64(offsets.count), width: 4)
    for offset in offsets { table.appendBigEndian(offset, width: type == "co64" ? 8 : 4) }
    // Bytes that no row takes stay after the rows.
    table += [1, 2, 3]
    let path: [FourCC] = ["stbl", "minf", "mdia", "trak", "moov"]
    let movie = path.reduce(rawBox(type, table)) { rawBox($1, $0) }
    let data = rawBox("mdat", (0..<media).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let start = rawBox("ftyp", Array("isom".utf8) + [0, 0, 0, 0])
    return isMovieFirst ? start + movie + data : start + data + movie
  }

  private func offsets(_ tree: BoxTree) throws -> [UInt64] {
    let table = try #require(tree["moov/trak/mdia/minf/stbl"])
    if let box = table.first("stco").map(tree.whole)?.payload(ChunkOffsetBox.self) {
      return box.entries.map { UInt64($0.value) }
    }
    let box = table.first("co64").map(tree.whole)?.payload(ChunkLargeOffsetBox.self)
    return try #require(box).entries.map(\.value)
  }

  @Test(arguments: ["stco", "co64"] as [FourCC]) func offsetsFollow(type: FourCC) throws {
    let count = 50_000, media = 4_096
    let places = (0..<count).map { UInt64(16 + 8 + ($0 * 37) % media) }
    let bytes = file(type, places, isMovieFirst: false, media: media)
    let tree = try BoxTree(MemoryBytes(bytes))
    #expect(tree["moov/trak/mdia/minf/stbl/\(type)"]?.isLoaded == false)
    let plan = try tree.writePlan(WriteOptions(moviePlace: .first))
    #expect(plan.byteCount - plan.copiedByteCount < 1_000)
    var output = MemoryOutput(reserving: bytes.count)
    try plan.write(to: &output)
    let moved = UInt64(bytes.count - 16 - media - 8)
    let expected = file(type, places.map { $0 + moved }, isMovieFirst: true, media: media)
    #expect(output.bytes == expected)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let start = Int.random(in: 0...bytes.count, using: &generator)
      let end = min(bytes.count, start + (Bool.random(using: &generator) ? 11 : 90_000))
      #expect(
        try plan.read(UInt64(start)..<UInt64(end)).array == Array(expected[start..<end]), "\(start)..<\(end)")
    }
    #expect(try offsets(BoxTree(ByteView(output.bytes))) == places.map { $0 + moved })
  }

  /// ISO/IEC 14496-12, 8.7.5: what 32 bits do not hold takes 64.
  @Test func offsetsBecomeWide() throws {
    let count = 30_000
    var places = (0..<count).map { UInt64(24 + $0 % 64) }
    // After the end of the file: it stays as far behind it.
    places[count - 7] = UInt64(UInt32.max) - 5
    let bytes = file("stco", places, isMovieFirst: false, media: 64)
    var tree = try BoxTree(MemoryBytes(bytes))
    tree.boxes.insert(Box("free", in: .file), at: 1)
    let plan = try tree.writePlan()
    var output = MemoryOutput(reserving: bytes.count)
    try plan.write(to: &output)
    let read = BoxTree(ByteView(output.bytes))
    let table = try #require(read["moov/trak/mdia/minf/stbl/co64"])
    #expect(read.whole(table).bytes.array.suffix(3).elementsEqual([1, 2, 3]))
    #expect(output.bytes.count == bytes.count + 8 + 4 * count)
    var expected = places.map { $0 + 8 }
    expected[count - 7] = places[count - 7] + UInt64(8 + 4 * count)
    #expect(try offsets(read) == expected)
  }

  @Test func offsetsOfWhatIsNotWrittenAreRefused() throws {
    let places = (0..<30_000).map { UInt64(24 + $0 % 64) }
    var tree = try BoxTree(MemoryBytes(file("stco", places, isMovieFirst: false, media: 64)))
    tree.boxes.removeAll { $0.type == "mdat" }
    #expect(throws: ParseError.self) { try tree.writePlan() }
  }
}
