// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Positions in the samples of tracks: they go on request, from every byte.
@Suite struct TimedPositionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Positions over time: values of one key, or a whole track.
  @Test func positionsOverTimeAreRemovedOnRequest() throws {
    func movie(_ names: [String: String]) throws -> String {
      var text = Fixtures.bytes("timed-metadata.mov").array
      for (old, new) in names {
        let place = try #require(text.indices.first { text[$0...].starts(with: Array(old.utf8)) })
        #expect(old.utf8.count == new.utf8.count)
        text.replaceSubrange(place..<(place + old.utf8.count), with: Array(new.utf8))
      }
      return try folder.write("timed\(names.count).mov", text)
    }
    let position = [UInt8]([0x41, 0xAC, 0, 0])  // 21.5
    let one = try movie(["org.example.temperature": "org.example.gpslocation"])
    let run = mvedit("tag", "--remove", "location", "-o", folder.path + "/a.mov", one)
    #expect(run.code == .no && run.errors.contains("timed-location"), "\(run.errors)")
    for output in [folder.path + "/b.mov", one] {
      let place = output == one ? ["--in-place"] : ["-o", output]
      let timed = mvedit(["tag", "--remove", "timed-location"] + place + [one])
      #expect(timed.code == .success, "\(timed.errors)")
      #expect(!PlacedMovie.contains(try #require(contents(output)), position))
      let track = try #require(try MovieFile(path: output).tracks.first)
      #expect(track.timedMetadataKeys?.keys.map(\.name) == ["com.apple.quicktime.video-orientation"])
      #expect(try track.timedMetadata().flatMap(\.items).count == 2)
    }
    let both = try movie([
      "org.example.temperature": "org.example.gpslocation",
      "com.apple.quicktime.video-orientation": "com.apple.quicktime.location.ISO67090",
    ])
    let whole = mvedit("tag", "--remove", "timed-location", "-o", folder.path + "/c.mov", both)
    #expect(whole.code == .success, "\(whole.errors)")
    #expect(try MovieFile(path: folder.path + "/c.mov").tracks.isEmpty)
    #expect(!PlacedMovie.contains(try #require(contents(folder.path + "/c.mov")), position))
  }

  /// So are those that come into a movie that is made at the same time: they are in no byte of it.
  @Test(arguments: [false, true]) func positionsDoNotComeIntoNewMovies(isWhole: Bool) throws {
    var text = Fixtures.bytes("timed-metadata.mov").array
    let names =
      [("org.example.temperature", "org.example.gpslocation")]
      + (isWhole ? [("com.apple.quicktime.video-orientation", "com.apple.quicktime.location.ISO67090")] : [])
    for (old, new) in names {
      let place = try #require(text.indices.first { text[$0...].starts(with: Array(old.utf8)) })
      text.replaceSubrange(place..<(place + old.utf8.count), with: Array(new.utf8))
    }
    let timed = try folder.write("timed.mov", text), position = [UInt8]([0x41, 0xAC, 0, 0])
    let pictures = try folder.write("p.y4m", EncodeTests.y4m(width: 64, height: 32, pictures: 3))
    for line in [
      ["mux", "--fps", "30", Fixtures.path("two-views.hevc")],
      ["encode", "--layout", "mono", "--effort", "1", pictures],
    ] {
      let output = folder.path + "/made.mov"
      func made(_ more: [String]) throws -> [UInt8] {
        let run = mvedit(line + ["--metadata-from", timed, "-f", "-o", output] + more)
        #expect(run.code == .success, "\(run.errors)")
        return try #require(contents(output))
      }
      #expect(PlacedMovie.contains(try made([]), position), "\(line)")
      #expect(!PlacedMovie.contains(try made(["--remove", "timed-location"]), position), "\(line)")
      #expect(try MovieFile(path: output).tracks.count == (isWhole ? 1 : 2))
    }
  }

  /// What follows values that cannot be read may be a position as well.
  @Test func positionsInDamagedSamplesAreErased() throws {
    var movie = Fixtures.bytes("timed-metadata.mov").array
    let name = try #require(movie.indices.first { movie[$0...].starts(with: Array("org.example.temp".utf8)) })
    movie.replaceSubrange(name..<(name + 23), with: Array("org.example.gpslocation".utf8))
    let value = try #require(movie.indices.first { movie[$0...].starts(with: [0x41, 0xAC, 0, 0]) })
    // The size of that value in its sample: more than there is.
    movie.replaceSubrange((value - 8)..<(value - 4), with: [0, 0, 0xFF, 0xFF])
    let source = try folder.write("damaged.mov", movie), output = folder.path + "/removed.mov"
    let run = mvedit("tag", "--remove", "timed-location", "-o", output, source)
    #expect(run.code == .success, "\(run.errors)")
    #expect(!PlacedMovie.contains(try #require(contents(output)), [0x41, 0xAC, 0, 0]))
  }

  /// The samples of joined tracks have the keys of their own part.
  @Test(arguments: [false, true]) func positionsOverTimeOfJoinedParts(isFirst: Bool) throws {
    let plain = Fixtures.bytes("timed-metadata.mov").array
    let (old, new) = ("org.example.temperature", "org.example.gpslocation")
    var placed = plain
    let place = try #require(plain.indices.first { plain[$0...].starts(with: Array(old.utf8)) })
    placed.replaceSubrange(place..<(place + old.utf8.count), with: Array(new.utf8))
    // 21.5 in the part that stays, 42.5 in the other one.
    let kept: [UInt8] = [0x41, 0xAC, 0, 0], gone: [UInt8] = [0x42, 0x2A, 0, 0]
    for value in placed.indices where placed[value...].starts(with: kept) {
      placed.replaceSubrange(value..<(value + 4), with: gone)
    }
    let parts = [try folder.write("placed.mov", placed), try folder.write("plain.mov", plain)]
    let joined = folder.path + "/joined.mov", output = folder.path + "/removed.mov"
    let join = mvedit(["join", "-o", joined] + (isFirst ? parts : parts.reversed()))
    #expect(join.code == .success, "\(join.errors)")
    let names = try MovieFile(path: joined).tracks[0].timedMetadata().map {
      $0.items.map { $0.key.name?.rawValue }
    }
    #expect(names.joined().contains(old) && names.joined().contains(new), "\(names)")
    let run = mvedit("tag", "--remove", "timed-location", "-o", output, joined)
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    #expect(!PlacedMovie.contains(bytes, gone) && PlacedMovie.contains(bytes, kept))
    #expect(!PlacedMovie.contains(bytes, Array(new.utf8)) && PlacedMovie.contains(bytes, Array(old.utf8)))
    let left = try MovieFile(path: output).tracks[0].timedMetadata().map {
      $0.items.map { $0.key.name?.rawValue }
    }
    #expect(left == names.map { $0.filter { $0 != new } })
  }

  /// Samples whose entry is not there have the keys of those that are.
  @Test(arguments: [UInt32(0), 7]) func positionsOverTimeWithoutAnEntry(number: UInt32) throws {
    var movie = Fixtures.bytes("timed-metadata.mov").array
    func place(_ text: String) throws -> Int {
      try #require(movie.indices.first { movie[$0...].starts(with: Array(text.utf8)) })
    }
    let name = try place("org.example.temperature"), table = try place("stsc")
    movie.replaceSubrange(name..<(name + 23), with: Array("org.example.gpslocation".utf8))
    movie.replaceSubrange((table + 20)..<(table + 24), with: u32(number))
    let source = try folder.write("numbered.mov", movie), output = folder.path + "/removed.mov"
    let run = mvedit("tag", "--remove", "timed-location", "-o", output, source)
    #expect(run.code == .success, "\(run.errors)")
    #expect(!PlacedMovie.contains(try #require(contents(output)), [0x41, 0xAC, 0, 0]))
  }

  /// Of a track that is removed, fragments have nothing either, nor their defaults and indexes.
  @Test func aTrackOfPositionsInFragmentsIsRemoved() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("edit-list-trim.mp4")))
    let timed = try RemadeMovie(MovieFile(path: Fixtures.path("timed-metadata.mov")))
    var positions = try #require(timed.moov["trak"])
    positions.patch("tkhd", at: 12, 7)
    positions.edit("mdia/minf/stbl/stsd") { $0.children[0].type = "camm" }
    // Between the two others, so that the numbers of those in a fragment change.
    let second = try #require(remade.moov.children.lastIndex { $0.type == "trak" })
    remade.moov.children.insert(positions, at: second)
    let secret = Array("+37.3318-122.0312".utf8)
    let sample = RemadeMovie.Sample(secret, duration: 100)
    remade.samples.insert([sample, sample, sample, sample], at: 1)
    var boxes = PlainBox.boxes(remade.fragmented(samplesEach: 2)[...])
    let soundID = remade.moov.children[second + 1]["tkhd"].map { PlainBox.number($0.fields[12..<16]) } ?? 0
    func full(_ type: String, _ numbers: [UInt64]) -> PlainBox {
      PlainBox(type, numbers.flatMap { PlainBox.bytes($0, 4) })
    }
    // Indexes of the first fragment, for each track.
    let first = try #require(boxes.firstIndex { $0.type == "moof" })
    let size = boxes[first].bytes.count + boxes[first + 1].bytes.count
    for id in [7, 1] as [UInt64] {
      boxes.insert(
        full("sidx", [0, id, 1_000, 0, id == 1 ? 44 : 0, 1, UInt64(size), 100, 0]), at: first)
    }
    boxes.insert(full("prft", [0, 7, 1, 1, 0]), at: first)
    let moof = boxes[..<(first + 3)].reduce(0) { $0 + $1.bytes.count }
    func entries(_ id: UInt64, _ number: UInt8) -> PlainBox {
      let head = [0, id, 0, 1, 0, UInt64(moof)].flatMap { PlainBox.bytes($0, 4) }
      return PlainBox("tfra", head + [number, 1, 1])
    }
    let access = [entries(7, 2), entries(soundID, 3)]
    let length = access.reduce(8 + 16) { $0 + $1.bytes.count }
    boxes.append(PlainBox("mfra", [], access + [full("mfro", [0, UInt64(length)])]))
    let path = try folder.write("positions.mp4", boxes.flatMap(\.bytes)), output = folder.path + "/new.mp4"
    let old = try MovieFile(path: path)
    try #require(old.tracks.map(\.id).contains(7) && old.tracks.count == 3)
    let run = mvedit("tag", "--remove", "timed-location", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    #expect(!PlacedMovie.contains(bytes, secret))
    let movie = try MovieFile(path: output)
    let tree = try #require(movie.tree)
    let fragments = tree.boxes.filter { $0.type == "moof" }.flatMap { $0.all("traf") }
    #expect(!fragments.isEmpty)
    #expect(fragments.allSatisfy { $0.first(TrackFragmentHeaderBox.self)?.trackID != 7 })
    let extends = tree["moov/mvex"]?.all("trex").compactMap { $0.payload(TrackExtendsBox.self)?.trackID }
    #expect(extends == [1, UInt32(soundID)])
    #expect(tree.first("prft") == nil)
    let indexes = tree.boxes.compactMap { $0.payload(SegmentIndexBox.self) }
    #expect(indexes.map(\.referenceID) == [1])
    let start = try #require(tree.boxes.firstIndex { $0.type == "moof" })
    let subsegment = tree.boxes[start].size + tree.boxes[start + 1].size
    #expect(indexes.first?.references.map(\.referencedSize) == [UInt32(subsegment)])
    let found = tree.first("mfra")?.all("tfra").compactMap { $0.payload(TrackFragmentRandomAccessBox.self) }
    #expect(found?.map(\.trackID) == [UInt32(soundID)])
    #expect(found?.first?.entries.first?.trafNumber == 2)
    #expect(found?.first?.entries.first?.moofOffset == UInt64(tree.boxes[start].offset))
    let broken = Set(movie.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    #expect(!broken.contains("MV095"), "\(broken)")
    for track in movie.tracks {
      let before = try #require(old.tracks.first { $0.id == track.id })
      let samples = try track.samples().map { try movie.source.read($0.range).array }
      #expect(try samples == before.samples().map { try old.source.read($0.range).array })
    }
  }
}
