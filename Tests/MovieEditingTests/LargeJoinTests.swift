// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies whose tables are too large to be held many times over.
@Suite struct LargeJoinTests {
  /// What a sample of such a movie is, worked out from its number alone.
  private struct Plan {
    let count: Int
    func size(_ index: Int) -> Int { 3 + (index * 7_919) % 31 }
    func delta(_ index: Int) -> Int { 20 + index / 2 % 2 }
    /// Composition offsets of pictures that are not decoded in their order.
    func shift(_ index: Int) -> Int { index + 4 < count ? [40, 0, -20, 20][index % 4] : 0 }
    func isSync(_ index: Int) -> Bool { index % 30 == 0 }

    /// The bytes of the movie: tables after 8 bytes of media header, four samples a chunk.
    func movie(isMovieFirst: Bool) -> [UInt8] {
      let media = (0..<count).flatMap { index in
        (0..<size(index)).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }
      }
      func file(_ start: Int) -> [UInt8] {
        let data = rawBox("mdat", media)
        let movie = rawBox("moov", header + rawBox("trak", trackHeader + mediaBox(start)))
        let type = rawBox("ftyp", Array("isom".utf8) + big(512) + Array("isom".utf8))
        return isMovieFirst ? type + movie + data : type + data + movie
      }
      return file(isMovieFirst ? file(0).count - media.count : 28)
    }

    private var duration: Int { (0..<count).reduce(0) { $0 + delta($1) } }
    private var matrix: [UInt8] {
      [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { big($0) }
    }
    private var header: [UInt8] {
      rawBox(
        "mvhd",
        [0, 0, 0, 600, duration, 0x1_0000, 0x100_0000, 0, 0].flatMap { big($0) } + matrix
          + [UInt8](repeating: 0, count: 24) + big(2))
    }
    private var trackHeader: [UInt8] {
      rawBox(
        "tkhd",
        [7, 0, 0, 1, 0, duration, 0, 0, 0, 0].flatMap { big($0) } + matrix + big(320 << 16) + big(180 << 16))
    }
    private func mediaBox(_ start: Int) -> [UInt8] {
      var offsets: [Int] = []
      var offset = start
      for index in 0..<count {
        if index % 4 == 0 { offsets.append(offset) }
        offset += size(index)
      }
      func table(_ type: String, _ head: [Int], _ rows: [Int]) -> [UInt8] {
        rawBox(type, (head + rows).flatMap { big($0) })
      }
      let entry = rawBox(
        "mp4v",
        [0, 1, 0, 0, 0, 0].flatMap { big($0) } + [1, 64, 0, 180]
          + [0x48_0000, 0x48_0000, 0].flatMap { big($0) }
          + [0, 1] + [UInt8](repeating: 0, count: 32) + [0, 24, 255, 255])
      let all = 0..<count
      let tables =
        rawBox("stsd", big(0) + big(1) + entry)
        + table("stts", [0, count], all.flatMap { [1, delta($0)] })
        + table("ctts", [1 << 24, count], all.flatMap { [1, shift($0)] })
        + table("stss", [0, all.filter(isSync).count], all.filter(isSync).map { $0 + 1 })
        + table("stsc", [0, 1], [1, 4, 1]) + table("stsz", [0, 0, count], all.map(size))
        + table("stco", [0, offsets.count], offsets)
      let place = rawBox("dinf", rawBox("dref", big(0) + big(1) + rawBox("url ", big(1))))
      return rawBox(
        "mdia",
        rawBox("mdhd", [0, 0, 0, 600, duration, 0x55C4_0000].flatMap { big($0) })
          + rawBox("hdlr", big(0) + big(0) + Array("vide".utf8) + [UInt8](repeating: 0, count: 12) + [0])
          + rawBox(
            "minf", rawBox("vmhd", big(1) + [UInt8](repeating: 0, count: 8)) + place + rawBox("stbl", tables))
      )
    }
  }

  @Test(arguments: [true, false]) func joiningHoldsNoTables(isMovieFirst: Bool) throws {
    let plan = Plan(count: 20_000)
    let movie = try MovieFile(bytes: plan.movie(isMovieFirst: isMovieFirst))
    #expect(try movie.tracks[0].samples().count == plan.count)
    let joiner = try MovieJoiner([movie, movie, movie])
    let report = try joiner.plannedReport()
    #expect(report.tracks.map(\.samples) == [3 * plan.count] && report.tracks.map(\.hiddenSamples) == [0])
    let written = try #require(try joiner.plannedMovie().source as? WritePlan)
    // Three movies of 20 bytes a sample of tables.
    #expect(written.byteCount - written.copiedByteCount < 4_000)

    let folder = try TemporaryFolder()
    try joiner.write(to: folder.path + "/all.mp4")
    let made = try MovieFile(path: folder.path + "/all.mp4")
    var time = 0
    var number = 0
    for sample in try made.tracks[0].samples() {
      let index = number % plan.count
      // Where the next movie begins no picture of the last one is shown any more: the last sample may last longer for it.
      if index == 0 { time = Int(sample.decodeTime) }
      let isRight =
        sample.decodeTime == Int64(time) && sample.compositionOffset == Int64(plan.shift(index))
        && Int(sample.size) == plan.size(index) && sample.isSync == plan.isSync(index)
        && (index == plan.count - 1 || sample.duration == Int64(plan.delta(index)))
      guard isRight else {
        Issue.record("sample \(number) is \(sample)")
        break
      }
      if index % 997 == 0 {
        let bytes = (0..<plan.size(index)).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }
        #expect(try made.source.read(sample.range).array == bytes)
      }
      time += plan.delta(index)
      number += 1
    }
    #expect(number == 3 * plan.count)
    #expect(made.hasMovieFirst == isMovieFirst)
  }

  /// The tables of a movie are given back when others were asked for, and read again.
  @Test func tablesAreGivenBack() throws {
    let bytes = Plan(count: 40).movie(isMovieFirst: false)
    let movies = try (0..<6).map { _ in try MovieFile(bytes: bytes) }
    let open = OpenMovies()
    let first = try open.samples(of: movies[0].tracks[0], in: movies[0])
    for movie in movies.dropFirst() { _ = try open.samples(of: movie.tracks[0], in: movie) }
    #expect(Array(first) == Array(try movies[0].tracks[0].samples()))
    #expect(movies[0].isSame(as: movies[0]) && !movies[0].isSame(as: movies[1]))
  }
}
