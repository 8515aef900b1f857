// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Fragmented movies whose samples do not begin at 0, as a part of a stream that was fetched does not: time in which there is nothing
/// is an empty edit of the ordinary movie, and no sample's own times change. ISO/IEC 14496-12, 8.6.6.1
@Suite struct LateStartTests {
  private func edits(_ track: Track, of movie: MovieFile) -> [(duration: Double, media: Int64)]? {
    let scale = Double(movie.movieTimescale)
    return track.box?["edts/elst"]?.payload(EditListBox.self)?.entries.map {
      (Double($0.editDuration) / scale, $0.mediaTime)
    }
  }

  private func offsets(_ track: Track) throws -> [Int64] { try track.samples().map(\.compositionOffset) }

  private func sameShown(_ movie: MovieFile, _ other: MovieFile) throws {
    for (old, new) in zip(movie.tracks, other.tracks) {
      let difference = try ShownSamples(new, of: other).difference(
        ShownSamples(old, of: movie), within: 1e-9)
      #expect(difference == nil, "track \(old.id)")
    }
  }

  /// 10 hours, as of a stream that began in the morning; and the seconds since 1970 that live streams count.
  @Test(arguments: [36_000, 1_700_000_000] as [UInt64]) func timeBeforeTheFirstSampleIsAnEmptyEdit(
    seconds: UInt64
  ) throws {
    let original = try MovieFile(path: Fixtures.path("spatial.mov"))
    let late = try MovieFile(
      bytes: RemadeMovie(original).fragmented(samplesEach: 2, startTimes: [seconds * 30]))
    let flattener = try MovieFlattener(late)
    let flat = try flattener.plannedMovie()
    let track = try #require(flat.tracks.first)
    let list = try #require(edits(track, of: flat))
    #expect(list.map(\.media) == [-1, 0])
    // Four pictures, 30 a second.
    #expect(list.map(\.duration) == [Double(seconds), 4.0 / 30])
    #expect(try offsets(track) == offsets(original.tracks[0]))
    #expect(try track.samples().map(\.decodeTime) == [0, 1, 2, 3])
    if seconds < 1 << 20 { try sameShown(late, flat) }
    #expect(
      try flattener.plannedReport().notices == [
        .startsLate(MediaTime(value: Int64(seconds), timescale: 1))
      ])
    // The header of the movie has the whole time, and so has that of the track.
    let header = try #require(flat.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self))
    #expect(Double(header.duration) / Double(header.timescale) == Double(seconds) + 4.0 / 30)
    #expect(track.header?.duration == header.duration)
    // A player need not wait.
    var skipping = flattener
    skipping.skipsStart = true
    let soon = try skipping.plannedMovie()
    #expect(edits(soon.tracks[0], of: soon).map { $0.map(\.media) } == [0])
    try sameShown(original, soon)
    #expect(try skipping.plannedReport().notices == [])
  }

  @Test func soundThatBeginsLateStaysLate() throws {
    let original = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    var remade = try RemadeMovie(original)
    remade.editTracks { _, trak in trak.remove(["edts"], in: "") }
    // 0.1 s and 1/48000 s more than the video: less than the units of video.
    let late = try MovieFile(
      bytes: remade.fragmented(samplesEach: 10, startTimes: [1536, 4801, 38_400]))
    let flat = try MovieFlattener(late).plannedMovie()
    let lists = try flat.tracks.map { try #require(edits($0, of: flat)) }
    #expect(lists.map { $0.map(\.media) } == [[-1, 1024], [-1, 0], [-1, 0]])
    #expect(lists[1].first?.duration == 4801.0 / 48_000)
    // Pictures wait as long as they did: the first one is composed 1024 units after it is decoded.
    #expect(lists[0].first?.duration == (1536.0 + 1024) / 15_360)
    #expect(try offsets(flat.tracks[1]).allSatisfy { $0 == 0 })
    #expect(try offsets(flat.tracks[0]) == offsets(original.tracks[0]))
    try sameShown(late, flat)
    var skipping = try MovieFlattener(late)
    skipping.skipsStart = true
    let soon = try skipping.plannedMovie()
    // What comes first comes at once, and the others as much later as they did.
    let starts = try soon.tracks.map { try #require(edits($0, of: soon)?.first) }
    #expect(starts[1].media == 0 || starts[2].media == 0)
    let shown = try soon.tracks.map { try #require(ShownSamples($0, of: soon).spans.first?.start) }
    let before = try late.tracks.map { try #require(ShownSamples($0, of: late).spans.first?.start) }
    #expect(shown.min() == 0)
    for (new, old) in zip(shown, before) { #expect(abs(new - (old - before.min()!)) < 1e-9) }
  }

  @Test func anEditThatBeginsBeforeTheMediaIsDivided() throws {
    let original = try MovieFile(path: Fixtures.path("edit-list-trim.mp4"))
    // Its video is presented from 1024/15360 s on, its sound from 3520/48000 s on; here both begin half a second later.
    let late = try MovieFile(
      bytes: try RemadeMovie(original).fragmented(samplesEach: 10, startTimes: [7_680, 24_000]))
    let flat = try MovieFlattener(late).plannedMovie()
    try sameShown(late, flat)
    for (old, new) in zip(original.tracks, flat.tracks) { #expect(try offsets(old) == offsets(new)) }
    #expect(edits(flat.tracks[1], of: flat)?.first?.duration == (24_000.0 - 3_520) / 48_000)
  }

  /// A scale of the movie in which the wait of a track is no whole number becomes a finer one.
  @Test func theTimescaleOfTheMovieIsFineEnough() throws {
    let original = try MovieFile(path: Fixtures.path("spatial.mov"))
    var remade = try RemadeMovie(original)
    remade.moov.patch("mvhd", at: 12, 7)
    let late = try MovieFile(bytes: remade.fragmented(samplesEach: 2, startTimes: [17]))
    let flat = try MovieFlattener(late).plannedMovie()
    #expect(flat.movieTimescale == 210)
    #expect(edits(flat.tracks[0], of: flat)?.first?.duration == 17.0 / 30)
    try sameShown(late, flat)
  }

  /// The movie box of a movie that goes on in fragments says how long its own samples last. (`made/frag_mfra_hybrid.mp4`)
  @Test func theHeaderOfAMovieThatGoesOnInFragmentsHasAllOfIt() throws {
    let original = try MovieFile(path: Fixtures.path("spatial.mov"))
    var remade = try RemadeMovie(original)
    remade.moov.patch("mvhd", at: 16, 20)
    let movie = try MovieFile(bytes: remade.fragmented(samplesEach: 2))
    let flat = try MovieFlattener(movie).plannedMovie()
    let header = try #require(flat.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self))
    #expect(header.timescale == 600 && header.duration == 80)
  }

  /// Base layers, halves and joined layers of a movie that begins late begin as late.
  @Test func whatIsMadeOfALateMovieIsLate() throws {
    let original = try MovieFile(path: Fixtures.path("spatial.mov"))
    let late = try MovieFile(
      bytes: RemadeMovie(original).fragmented(samplesEach: 2, startTimes: [90]))
    for made in [try MovieStripper(late).plannedMovie(), try MovieSplitter(late).plannedMovie()] {
      for track in made.tracks {
        #expect(edits(track, of: made).map { $0.map(\.media) } == [-1, 0])
        #expect(try ShownSamples(track, of: made).spans.first?.start == 3)
        #expect(try offsets(track) == offsets(original.tracks[0]))
      }
    }
  }
}
