// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import MVDumpCommand
import MoviePictures
import Multiview
import TestSupport
import Testing

/// Movies that show any number of pictures, none of which can be decoded.
@Suite struct HostilePictureTests {
  /// Reads until a picture cannot be decoded, and nothing more is tried.
  private func expectEnd(_ movie: HostileMovie, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let reader = try movie.opened().tracks[0].pictures()
    // Each attempt ends by itself: what was asked for is a new operation.
    for _ in 0..<2 {
      try reader.move(to: .zero)
      let error = #expect(throws: PictureError.self, sourceLocation: sourceLocation) {
        while try reader.next() != nil {}
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("maximumSampleOverlap"), "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test func samplesUponOneAnother() throws {
    let media = [[UInt8]](repeating: [0, 0, 0, 5, 0x26, 1, 0x80, 0x55, 0x55], count: 100).flatMap { $0 }
    var track = HostileTrack()
    track.samples(
      sizes: [Int](repeating: media.count, count: 400),
      offsets: [Int](repeating: HostileMovie.mediaOffset, count: 400))
    try expectEnd(HostileMovie(tracks: [track], media: media))
  }

  @Test func editsUponAllSamples() throws {
    var track = HostileTrack()
    track.uniformSamples(10_000, size: 1, offset: HostileMovie.mediaOffset)
    let edits = (0..<100).flatMap { _ in Raw.u32(0x7FFF_FFFF, 0, 0x1_0000) }
    track.edits = Raw.box("edts", Raw.fullBox("elst", Raw.u32(100), edits))
    try expectEnd(HostileMovie(tracks: [track], media: [0, 0, 0, 2, 0x26, 1]))
  }

  /// Samples that alternate between descriptions with long parameter sets, each of which begins another stream.
  @Test func descriptionsThatAlternate() throws {
    var track = HostileTrack()
    let count = 2_000
    track.samples(
      sizes: [Int](repeating: 1, count: count),
      offsets: [Int](repeating: HostileMovie.mediaOffset, count: count))
    let box = HostileTrack.hevcDescription
    let entry = Array(box.dropFirst(16))
    track.description = Raw.fullBox("stsd", Raw.u32(2), entry, entry)
    let rows = (1...count).flatMap { Raw.u32($0, 1, 1 + $0 % 2) }
    track.tables =
      Raw.fullBox("stts", Raw.u32(1, count, 100)) + Raw.fullBox("stsc", Raw.u32(count), rows)
      + Raw.fullBox("stsz", Raw.u32(1, count))
      + Raw.fullBox(
        "stco", Raw.u32(count), Raw.words([Int](repeating: HostileMovie.mediaOffset, count: count)))
    try expectEnd(HostileMovie(tracks: [track], media: [0, 0, 0, 2, 0x26, 1]))
  }

  /// A series that ends early keeps the pictures before its end.
  @Test(arguments: [["--all"], ["--every", "1/6"]]) func seriesKeepTheirPictures(_ moments: [String]) throws {
    let fixture = try MovieFile(bytes: Fixtures.bytes("spatial.mov").array)
    let first = try #require(try fixture.tracks[0].samples().first { _ in true })
    let picture = try fixture.source.read(first.range).array
    let damage = [[UInt8]](repeating: [0, 0, 0, 5, 0x26, 1, 0x80, 0x55, 0x55], count: 400).flatMap { $0 }
    var track = HostileTrack()
    let place = HostileMovie.mediaOffset + picture.count
    track.samples(
      sizes: [picture.count] + [Int](repeating: damage.count, count: 600),
      offsets: [HostileMovie.mediaOffset] + [Int](repeating: place, count: 600))
    let movie = HostileMovie(tracks: [track], media: picture + damage)
    let folder = try TemporaryFolder()
    let output = folder.path + "/out.y4m"
    let errors = OutputChannel(), bytes = ByteView(movie.bytes)
    let surroundings = Surroundings(
      output: OutputChannel(), errors: errors, environment: { _ in nil },
      openStandardInput: { _ in MemoryBytes(bytes) })
    let code = MVDump.run(["render"] + moments + ["--eye", "left", "-o", output, "-"], in: surroundings)
    #expect(code == .no)
    #expect(errors.buffer.text.contains("too much was read that shows no picture"), "\(errors.buffer.text)")
    let written = try #require(contents(output)?.count)
    let frame = 320 * 180 * 3 / 2
    #expect(written > frame && written < frame + 200)
  }

  /// A movie that shows its pictures again and again is shown to the end: each picture is an operation of its own.
  @Test func picturesThatAreShownAgain() throws {
    var track = HostileTrack()
    let fixture = try MovieFile(bytes: Fixtures.bytes("spatial.mov").array)
    let samples = try Array(fixture.tracks[0].samples().prefix(2))
    let media = try samples.flatMap { try fixture.source.read($0.range).array }
    track.samples(
      sizes: samples.map { Int($0.size) },
      offsets: [HostileMovie.mediaOffset, HostileMovie.mediaOffset + Int(samples[0].size)])
    let edits = (0..<40).flatMap { _ in Raw.u32(200, 0, 0x1_0000) }
    track.edits = Raw.box("edts", Raw.fullBox("elst", Raw.u32(40), edits))
    var limits = Limits.standard
    limits.maximumSampleOverlap = 16
    let movie = try HostileMovie(tracks: [track], media: media).opened(limits)
    let reader = try movie.tracks[0].pictures()
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 80, "\(reader.takeProblems())")
  }
}
