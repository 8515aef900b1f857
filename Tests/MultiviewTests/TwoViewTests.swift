// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

/// Times and sizes of every movie with two views, against `ffprobe`.
@Suite(.enabled(if: Corpus.isPresent)) struct TwoViewTests {
  static let movies: [String] = Corpus.files(with: "ffprobe.packets.csv").filter { name in
    guard let movie = try? MovieFile(path: (Corpus.folder ?? "") + "/" + name), movie.tree != nil else {
      return false
    }
    return movie.tracks.contains { $0.joined.layers.filter(\.isTexture).count > 1 }
  }

  @Test func thereAreMovies() { #expect(Self.movies.count >= 50) }

  static func fields(_ line: Substring) -> [Substring: Substring] {
    let pairs = line.split(separator: ",").compactMap { field -> (Substring, Substring)? in
      let parts = field.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test(arguments: movies) func presentationTimes(name: String) throws {
    let movie = try MovieFile(path: (Corpus.folder ?? "") + "/" + name)
    let packets = (Corpus.truth(name, "ffprobe.packets.csv") ?? "").split(separator: "\n").map(Self.fields)
    for track in movie.tracks where track.mediaType == .video {
      let theirs = packets.filter { $0["stream_index"] == "\(track.index)" }
      try #require(!theirs.isEmpty)
      var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
      var times: [Int64?] = [], sizes: [Int] = []
      repeat {
        times.append(cursor.presentationTimeStamp?.value)
        sizes.append(cursor.currentSampleStorageRange.count)
      } while cursor.stepInDecodeOrder(byCount: 1) == 1
      // docs/timing-notes.md: ffprobe gives times to samples that the edit list cuts away, and moves all those of
      // fragments with negative offsets by the same amount.
      let isPresented = theirs.map { $0["flags"]?.contains("D") == false }
      #expect(times.map { $0 != nil } == isPresented)
      let differences = Set(
        zip(times, theirs).compactMap { time, packet in
          time.flatMap { time in packet["pts"].flatMap { Int64($0) }.map { time - $0 } }
        })
      #expect(differences == [0] || movie.container.isFragmented && differences.count == 1)
      #expect(sizes == theirs.map { $0["size"].flatMap { Int($0) } })
      // What the edit list cuts away is neither in the list nor on the way.
      let presented = times.compactMap { $0 }.sorted()
      #expect(try track.presentationTimes().map(\.value) == presented)
      while cursor.stepInPresentationOrder(byCount: 1) == 1 {}
      var shown = [cursor.presentationTimeStamp?.value]
      while cursor.stepInPresentationOrder(byCount: -1) == -1 {
        shown.append(cursor.presentationTimeStamp?.value)
      }
      #expect(Array(shown.reversed()) == presented)
      for time in presented {
        let found = try track.makeSampleCursor(
          presentationTimeStamp: MediaTime(value: time, timescale: track.timescale))
        #expect(found?.presentationTimeStamp?.value == time)
      }
    }
  }

  @Test(arguments: movies) func layersAddUpToTheSamples(name: String) throws {
    let movie = try MovieFile(path: (Corpus.folder ?? "") + "/" + name)
    let sizes = (Corpus.truth(name, "ffprobe.packets.csv") ?? "").split(separator: "\n").map(Self.fields)
    for track in movie.tracks where track.mediaType == .video {
      let theirs = sizes.filter { $0["stream_index"] == "\(track.index)" }
        .compactMap { $0["size"].flatMap { Int($0) } }
      var ours: [Int] = []
      try track.forEachAccessUnit { places, _ in
        #expect(places.error == nil)
        ours.append(places.bytesByLayer.values.reduce(0, +) + track.lengthSize * places.units.count)
        return true
      }
      #expect(ours == theirs)
    }
  }
}
