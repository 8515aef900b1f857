// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Parts of movies, compared with a plain model of what their source presents.
@Suite struct TrimTests {
  private static let fixtures = Fixtures.media.filter { $0.hasSuffix(".mov") || $0.hasSuffix(".mp4") }

  /// Numbers that are the same in every run.
  private struct Numbers {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, bound)))
    }
  }

  /// Cuts a part out and compares all its tracks with the model; answers what is different.
  private func differences(
    _ movie: MovieFile, _ start: MoviePosition?, _ end: MoviePosition?, snaps: Bool = false
  ) throws -> (problems: [String], report: CutReport) {
    var trimmer = try MovieTrimmer(movie)
    (trimmer.start, trimmer.end, trimmer.snapsToSyncSamples) = (start, end, snaps)
    let report = try trimmer.plannedReport()
    let part = try trimmer.plannedMovie()
    let (from, to) = (report.range.lowerBound.seconds, report.range.upperBound.seconds)
    var problems: [String] = []
    for old in movie.tracks where old.mediaType != .hint {
      let wanted = try ShownSamples(old, of: movie).part(from, to)
      guard let new = part.tracks.first(where: { $0.id == old.id }) else {
        if !wanted.spans.isEmpty { problems.append("track \(old.id) is missing") }
        continue
      }
      if old.mediaType == .timecode { continue }
      let isMain = old.id == movie.mainVideoTrack?.id
      let tick = 1 / Double(old.timescale)
      let found = try ShownSamples(new, of: part)
      if let difference = found.difference(wanted, within: isMain ? 1e-7 : tick * 1.01) {
        problems.append("track \(old.id) (\(old.mediaType)): \(difference)")
      }
      guard let first = try new.samples().sample(at: 0) else { continue }
      if !first.isSync, old.mediaType == .video, !report.notices.contains(.lacksStart(trackID: old.id)) {
        problems.append("track \(old.id) does not begin at a sync sample")
      }
      if new.formatDescriptions.map(\.box.bytes) != old.formatDescriptions.map(\.box.bytes) {
        problems.append("track \(old.id) has other sample entries")
      }
    }
    return (problems, report)
  }

  private func compare(_ movie: MovieFile, _ name: String, cuts: Int) throws -> (cut: Int, refused: String?) {
    var numbers = Numbers(state: UInt64(name.utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }.magnitude))
    let pictures: Int
    if let main = movie.mainVideoTrack {
      pictures = try main.samples().presentationCount
    } else {
      pictures = 0
    }
    let milliseconds = Int((movie.duration?.seconds ?? 0) * 1_000)
    var done = 0
    for number in 0..<cuts {
      var start: MoviePosition?, end: MoviePosition?
      if number % 2 == 0, pictures > 1 {
        let first = numbers.next(pictures - 1)
        start = .picture(first)
        end = .picture(first + 1 + numbers.next(pictures - first))
      } else if milliseconds > 2 {
        let first = numbers.next(milliseconds - 1)
        start = .time(MediaTime(value: Int64(first), timescale: 1_000))
        end = .time(MediaTime(value: Int64(first + 1 + numbers.next(milliseconds - first)), timescale: 1_000))
      } else {
        continue
      }
      let label = "\(name) \(start?.description ?? "") to \(end?.description ?? "")"
      do {
        let (problems, _) = try differences(movie, start, end, snaps: number % 5 == 4)
        #expect(problems.isEmpty, "\(label): \(problems)")
        done += 1
      } catch let error as EditError {
        guard error.isRefusal || error.reason.hasSuffix("is cut off") else {
          Issue.record("\(label): \(error)")
          continue
        }
        return (done, error.reason)
      }
    }
    return (done, nil)
  }

  @Test(arguments: fixtures) func partsPresentWhatTheMovieDoes(name: String) throws {
    guard let movie = try? MovieFile(path: Fixtures.path(name)), movie.tree?.first("moov") != nil else {
      return
    }
    let (cut, refused) = try compare(movie, name, cuts: 12)
    if let refused { print("\(name) is refused: \(refused)") } else { #expect(cut > 0) }
  }

  @Test(.enabled(if: Corpus.isPresent)) func partsOfTheCorpusPresentWhatItDoes() throws {
    let corpus = try #require(Corpus.folder)
    var (movies, cuts) = (0, 0)
    var refusals: [String: Int] = [:]
    for name in CorpusEditingTests.movies {
      guard let movie = try? MovieFile(path: corpus + "/" + name), (try? MovieTrimmer(movie)) != nil,
        movie.tracks.reduce(0, { $0 + $1.sampleCount }) < 20_000
      else { continue }
      let (done, refused) = try compare(movie, name, cuts: 4)
      cuts += done
      if done > 0 { movies += 1 }
      if let refused { refusals[refused, default: 0] += 1 }
    }
    print("\(cuts) parts of \(movies) movies")
    for (reason, count) in refusals.sorted(by: { $0.value > $1.value }) {
      print("refused \(count): \(reason)")
    }
    #expect(movies > 40)
  }
}

/// Places in a movie, as people write them.
@Suite struct MoviePositionTests {
  @Test func timesAndPicturesAreRead() {
    func time(_ value: Int64, _ scale: UInt32) -> MoviePosition {
      .time(MediaTime(value: value, timescale: scale))
    }
    for (text, position) in [
      ("4", time(4, 1)), ("4.25", time(17, 4)), ("1:04.25", time(257, 4)), ("1:00:04", time(3_604, 1)),
      ("0.1234567894", time(123_456_789, 1_000_000_000)), ("3/2", time(3, 2)),
      ("1700000000.5", time(17_000_000_005, 10)), ("#0", .picture(0)), ("#120", .picture(120)),
    ] { #expect(MoviePosition(text) == position, "\(text)") }
    for text in [
      "", "#", "#-1", "-1", "1:60", "1:2:3:4", "4.", ".5", "1,5", "4.2x", "1.5.2", "99999999999", "#1.5",
      "1e3", "3/0", "/2", "1/2/3", "1:3/2", "1/4294967296",
    ] { #expect(MoviePosition(text) == nil, "\(text)") }
  }
}
