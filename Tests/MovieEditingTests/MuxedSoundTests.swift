// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// The samples of sound that is copied beside a stream are the old ones, and tables that say the impossible are refused.
@Suite struct MuxedSoundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie whose sound has other tables.
  private func sound(
    _ name: String, sizes: SampleSizeBox, duration: UInt32, timescale: UInt32? = nil, chunks: [UInt64],
    perChunk: UInt32
  ) throws -> MovieFile {
    var tree = try #require(try MovieFile(path: Fixtures.path("edit-list-trim.mp4")).tree)
    var times = TimeToSampleBox()
    let count = sizes.sampleSize > 0 ? sizes.sampleCount : UInt32(sizes.entries.count)
    times.entries = try PackedTable([.init(sampleCount: count, sampleDelta: duration)])
    var runs = SampleToChunkBox()
    runs.entries = try PackedTable([
      .init(firstChunk: 1, samplesPerChunk: perChunk, sampleDescriptionIndex: 1)
    ])
    var places = ChunkLargeOffsetBox()
    places.entries = try PackedTable(chunks.map { .init($0) })
    try tree.edit("moov/trak[1]/mdia/minf/stbl") { (stbl: inout Box) throws(ParseError) in
      stbl.children.removeAll {
        ["stts", "stsc", "stsz", "stco", "co64", "sgpd", "sbgp", "stss", "ctts"].contains($0.type)
      }
      stbl.children += [
        Box("stts", times, in: .box("stbl")), Box("stsc", runs, in: .box("stbl")),
        Box("stsz", sizes, in: .box("stbl")), Box("co64", places, in: .box("stbl")),
      ]
    }
    if let timescale {
      try tree.edit("moov/trak[1]/mdia/mdhd") { (box: inout Box) throws(ParseError) in
        try box.edit(MediaHeaderBox.self) { $0.timescale = timescale }
      }
    }
    return try MovieFile(path: folder.write(name, try tree.encoded()))
  }

  /// The same movie with another offset in its table of chunks. Editing does not write an impossible one.
  private func changed(_ movie: MovieFile, _ name: String, from old: UInt64, to new: UInt64) throws
    -> MovieFile
  {
    var bytes = try movie.source.read(0..<#require(movie.source.size)).array
    let wanted = try PackedTable([UInt64Record(old)]).bytes.array
    let other = try PackedTable([UInt64Record(new)]).bytes.array
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: wanted) })
    bytes.replaceSubrange(place..<place + 8, with: other)
    return try MovieFile(path: folder.write(name, bytes))
  }

  private func muxed(_ sound: MovieFile, _ name: String = "muxed.mov") throws -> MovieFile {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    var muxer = StreamMuxer(source: MemoryBytes(Fixtures.bytes("two-views.hevc")), options: options)
    muxer.soundSource = sound
    let path = folder.path + "/" + name
    try muxer.write(to: path)
    return try MovieFile(path: path)
  }

  /// The bytes of the samples of the sound, as the tables say one after the other.
  private func bytes(_ movie: MovieFile) throws -> [[UInt8]] {
    let track = try #require(movie.tracks.first { $0.mediaType == .audio })
    return try track.samples().map { try movie.source.read($0.range).array }
  }

  @Test func samplesOfOneSizeAreCopiedInTheirOrder() throws {
    // Chunks out of order, of which two touch; 100 ticks of 3000 a second each.
    let old = try sound(
      "uniform.mov", sizes: SampleSizeBox(sampleSize: 7, sampleCount: 700), duration: 9, timescale: 3_000,
      chunks: [10_000, 10_700, 400, 30_000, 20_000, 50_000, 60_000], perChunk: 100)
    let new = try muxed(old)
    let samples = try #require(new.tracks.first { $0.mediaType == .audio }).samples()
    #expect(samples.count == 700)
    #expect(try bytes(new) == bytes(old))
    #expect(samples.map(\.decodeTime) == (0..<700).map { $0 * 9 })
    // The tables of the copy have no row for each sample.
    let table = try #require(new.tracks.first { $0.mediaType == .audio }?.box?["mdia/minf/stbl"])
    #expect(table.first(SampleSizeBox.self)?.sampleSize == 7)
  }

  @Test(arguments: [.max, .max - 3, .max - 256, 1 << 63, 60_000] as [UInt64], [true, false])
  func samplesBeyondTheEndAreRefused(place: UInt64, isUniform: Bool) throws {
    let sizes = isUniform ? SampleSizeBox(sampleSize: 400, sampleCount: 30) : SampleSizeBox(Array(400..<430))
    let plain = try sound(
      "plain.mov", sizes: sizes, duration: 3_000, chunks: [1_000, 2_000, 12_345], perChunk: 10)
    let old = try changed(plain, "cut.mov", from: 12_345, to: place)
    let size = try #require(old.source.size)
    // Of the last chunk, those samples fit that end before the file does.
    let whole = try #require(old.tracks.first { $0.mediaType == .audio }).samples().prefix {
      $0.range.length == UInt64($0.size) && $0.range.upperBound <= size
    }
    guard whole.count < 30 else {
      #expect(try bytes(muxed(old)) == bytes(old))
      return
    }
    let error = try #require(throws: EditError.self) { try muxed(old) }
    #expect("\(error)".contains("sample \(whole.count) of track"), "\(error)")
    #expect("\(error)".contains("is beyond the end of"), "\(error)")
  }

  /// A sample lasts for years: nothing waits for each second of them.
  @Test func soundOfManyYearsTakesNoTime() throws {
    for (timescale, duration) in [(1, 0x7FFF_FFFF), (1, 1_000), (0xFFFF_FFFF, 0x7FFF_FFFF)]
      as [(UInt32, UInt32)]
    {
      let old = try sound(
        "years-\(timescale)-\(duration).mov", sizes: SampleSizeBox(sampleSize: 4, sampleCount: 2_000),
        duration: duration,
        timescale: timescale, chunks: [1_000, 20_000], perChunk: 1_000)
      #expect(try bytes(muxed(old, "\(timescale)-\(duration).mov")) == bytes(old))
    }
  }
}
