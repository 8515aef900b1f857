// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Cursors over movies with edit lists. The model in `PresentationTests` has the general case.
@Suite struct CursorTests {
  /// What a walk in the order of presentation comes by: samples and times.
  private struct Stop: Hashable {
    var sample: Int
    var time: Int64
    init(_ sample: Int, _ time: Int64) { (self.sample, self.time) = (sample, time) }
  }

  /// Walks from the first presentation to the last, and back.
  private static func walk(_ track: Track) throws -> [Stop] {
    guard var cursor = try track.makeSampleCursor(presentationTimeStamp: .zero) else { return [] }
    while cursor.stepInPresentationOrder(byCount: -1) == -1 {}
    var stops: [Stop] = []
    repeat {
      let time = try #require(cursor.presentationTimeStamp)
      stops.append(Stop(cursor.index, time.value))
    } while cursor.stepInPresentationOrder(byCount: 1) == 1
    var back = [stops.last]
    while cursor.stepInPresentationOrder(byCount: -1) == -1 {
      back.append(Stop(cursor.index, try #require(cursor.presentationTimeStamp).value))
    }
    #expect(back.reversed() == stops)
    #expect(try track.presentationTimes().map(\.value) == stops.map(\.time))
    return stops
  }

  private static func sample(shownAt time: Int64, _ track: Track) throws -> Int? {
    try track.makeSampleCursor(shownAt: MediaTime(value: time, timescale: track.timescale))?.index
  }

  // MARK: A movie with 4 samples, one unit each, at 30 units a second

  /// Durations are in units of the media.
  private static func movie(_ entries: [(duration: Int, media: Int, rate: Int)]) throws -> MovieFile {
    var movie = EditedMovie()
    let scale = try #require(movie.tree.first("moov")?.first(MovieHeaderBox.self)?.timescale)
    let rows = entries.flatMap { entry in
      u32(UInt32(entry.duration * Int(scale) / 30)) + u32(UInt32(bitPattern: Int32(entry.media)))
        + u32(UInt32(entry.rate) << 16)
    }
    try movie.append(
      box("edts", fullBox("elst", u32(UInt32(entries.count)), rows)), to: "moov/trak")
    return try movie.opened()
  }

  @Test func aCursorBeforeTheFirstPresentedSampleIsAtIt() throws {
    let track = try Self.movie([(30, -1, 1), (2, 1, 1)]).tracks[0]
    let cursor = try #require(try track.makeSampleCursor(presentationTimeStamp: .zero))
    #expect(cursor.index == 1 && cursor.isPresented)
    #expect(cursor.presentationTimeStamp == MediaTime(value: 30, timescale: 30))
    #expect(try Self.sample(shownAt: 0, track) == nil)
    #expect(try Self.sample(shownAt: 29, track) == nil)
    #expect(try Self.sample(shownAt: 30, track) == 1)
    #expect(try Self.sample(shownAt: 31, track) == 2)
    #expect(try Self.sample(shownAt: 32, track) == nil)
    // The first sample and the last are cut away.
    var all = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    #expect(all.presentationTimeStamp == nil && all.presentedTimes == nil && !all.isPresented)
    #expect(all.stepInDecodeOrder(byCount: 3) == 3 && all.presentationTimeStamp == nil)
    #expect(try Self.walk(track) == [Stop(1, 30), Stop(2, 31)])
  }

  @Test func aSampleThatIsPresentedTwiceHasTwoTimes() throws {
    let track = try Self.movie([(30, -1, 1), (2, 0, 1), (2, 0, 1)]).tracks[0]
    #expect(try Self.walk(track) == [Stop(0, 30), Stop(1, 31), Stop(0, 32), Stop(1, 33)])
    let second = try #require(
      try track.makeSampleCursor(presentationTimeStamp: MediaTime(value: 32, timescale: 30)))
    #expect(second.index == 0 && second.presentationTimeStamp == MediaTime(value: 32, timescale: 30))
    // In the order of decoding a sample is where it is first presented, however one came to it.
    var moved = second
    #expect(moved.stepInDecodeOrder(byCount: 1) == 1)
    #expect(moved.presentationTimeStamp == MediaTime(value: 31, timescale: 30))
  }

  @Test func swappedEditsAreWalkedInTheirOrder() throws {
    let track = try Self.movie([(2, 2, 1), (2, 0, 1)]).tracks[0]
    #expect(try Self.walk(track) == [Stop(2, 0), Stop(3, 1), Stop(0, 2), Stop(1, 3)])
  }

  @Test func aHeldSampleAndOneThatRunsFast() throws {
    let track = try Self.movie([(9, 2, 0), (2, 0, 2), (5, 3, 1)]).tracks[0]
    // Two units at double rate show four; the sample in between falls on a half and is rounded up.
    #expect(
      try Self.walk(track) == [Stop(2, 0), Stop(0, 9), Stop(1, 10), Stop(2, 10), Stop(3, 11), Stop(3, 11)])
    #expect(try Self.sample(shownAt: 8, track) == 2)
    #expect(try Self.sample(shownAt: 10, track) == 2)
    // The media ends one unit later, its edit after five.
    #expect(try Self.sample(shownAt: 11, track) == 3 && Self.sample(shownAt: 12, track) == nil)
  }

  @Test func stepsByTimeGoByWhatIsShown() throws {
    let track = try Self.movie([(2, 2, 1), (30, -1, 1), (2, 0, 1)]).tracks[0]
    var cursor = try #require(try track.makeSampleCursor(presentationTimeStamp: .zero))
    func move(_ time: Int64) -> [Int64] {
      let step = cursor.step(byPresentationTime: MediaTime(value: time, timescale: 30))
      return [Int64(cursor.index), step.moved.value, step.wasPinned ? 1 : 0]
    }
    #expect(move(20) == [3, 1, 0])
    #expect(move(31) == [0, 31, 0])
    #expect(move(50) == [1, 1, 1])
    #expect(move(-50) == [2, -33, 1])
  }

  @Test func nothingIsPresentedOfMediaThatIsCutAway() throws {
    let track = try Self.movie([(30, 900, 1)]).tracks[0]
    #expect(try track.makeSampleCursor(presentationTimeStamp: .zero) == nil)
    #expect(try track.presentationTimes().isEmpty)
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    #expect(cursor.stepInPresentationOrder(byCount: 1) == 0)
    #expect(cursor.step(byPresentationTime: MediaTime(value: 1, timescale: 1)).wasPinned)
  }

  // MARK: Movies by another hand

  /// Eleven samples of twenty units; in the order of composition 0, 3, 2, 4, 1, 7, 6, 8, 5, 10, 9.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      // Nothing for 300, the first 100 twice.
      (
        "edits",
        [
          (0, 300), (3, 320), (2, 340), (4, 360), (1, 380), (0, 400), (3, 420), (2, 440), (4, 460), (1, 480),
        ], [(299, nil), (300, 0), (399, 1), (400, 0), (499, 1), (500, nil)]
      ),
      // Nothing for 300, the media from 20 for 200.
      (
        "edits2",
        [
          (3, 300), (2, 320), (4, 340), (1, 360), (7, 380), (6, 400), (8, 420), (5, 440), (10, 460), (9, 480),
        ], [(0, nil), (299, nil), (300, 3), (499, 9), (500, nil)]
      ),
      // The media from 120 for 100, then from 0 for 120.
      (
        "edits3",
        [
          (6, 0), (8, 20), (5, 40), (10, 60), (9, 80), (0, 100), (3, 120), (2, 140), (4, 160), (1, 180),
          (7, 200),
        ], [(0, 6), (99, 9), (100, 0), (219, 7), (220, nil)]
      ),
    ] as [(String, [(Int, Int64)], [(Int64, Int?)])])
  func aListOfSeveralEdits(_ name: String, _ stops: [(Int, Int64)], _ shown: [(Int64, Int?)]) throws {
    let track = try MovieFile(path: (Corpus.folder ?? "") + "/found/\(name).mov").tracks[0]
    #expect(try Self.walk(track) == stops.map { Stop($0.0, $0.1) })
    for (time, sample) in shown { #expect(try Self.sample(shownAt: time, track) == sample, "at \(time)") }
    // What is listed for each sample is its first presentation.
    let samples = try track.samples()
    for sample in samples {
      #expect(samples.presentationTime(of: sample) == stops.first { $0.0 == sample.index }?.1)
    }
  }
}
