// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Joined, cut and fragmented movies whose pictures are first composed before, at and after 0, and whose sound is
/// longer or shorter than the pictures. What they present is computed from the bytes of the files by a model that
/// does not use the library.
@Suite struct PresentedPartsTests {
  /// A movie that is made of samples with bytes of their own.
  struct Clip: CustomStringConvertible, Sendable {
    /// The composition time of the first picture, in 1/15360 s.
    var first: Int
    /// The duration of the sound minus that of the pictures, in packets of 1024/48000 s.
    var sound: Int
    var form = Form.plain
    /// Whether edits begin with the first picture and the second packet.
    var hasEdits = false
    var pictures = 12

    enum Form: String, CaseIterable, Sendable { case plain, fragmented, hybrid }

    var description: String {
      "\(form.rawValue), pictures from \(first), sound \(sound > 0 ? "+" : "")\(sound)"
        + (hasEdits ? ", edits" : "")
    }

    /// All clips that tests go through.
    static let all: [Clip] = [-512, 0, 512, 1024].flatMap { first in
      [-3, 0, 5].flatMap { sound in
        Form.allCases.flatMap { form in
          [false, true].map { Clip(first: first, sound: sound, form: form, hasEdits: $0) }
        }
      }
    }

    /// The bytes of the movie. `letter` distinguishes its samples from those of other clips.
    func bytes(_ letter: Character) throws -> [UInt8] {
      var movie = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
      movie.moov.children.removeAll { $0.type == "udta" || $0.type == "meta" }
      var number = 0
      movie.moov.children.removeAll { box in
        if box.type == "trak" { number += 1 }
        return box.type == "trak" && number > 2
      }
      func sample(_ name: String, _ index: Int) -> [UInt8] {
        Array("\(letter) \(name) \(index) \(String(repeating: "x", count: index % 7))".utf8)
      }
      let pictures = (0..<pictures).map { index in
        // The first picture, and then pairs that are decoded in the reverse order.
        let isLast = index == self.pictures - 1 && index % 2 == 1
        let reorder = index == 0 || isLast ? 0 : index % 2 == 1 ? 512 : -512
        return RemadeMovie.Sample(
          sample("picture", index), duration: 512, offset: Int32(first + reorder), isSync: index == 0)
      }
      let packets = self.pictures * 512 * 48_000 / 15_360 / 1_024 + sound
      movie.samples = [
        pictures,
        (0..<max(2, packets)).map { RemadeMovie.Sample(sample("sound", $0), duration: 1_024) },
      ]
      let (hasEdits, begin, form) = (self.hasEdits, self.first, self.form)
      let own = form == .hybrid ? 4 : 0
      func long(_ value: Int) -> [UInt8] { PlainBox.bytes(UInt64(UInt32(truncatingIfNeeded: value)), 4) }
      movie.editTracks { index, trak in
        trak.remove(["edts", "tref"], in: "")
        guard hasEdits else { return }
        let from = index == 0 ? max(0, begin) : 1_024
        let all = index == 0 ? pictures.count * 512 * 25 : (packets - 1) * 1_024 * 8
        // The movie has 384000 units a second. Edits of fragments are open; a hybrid's are those of its own samples.
        let length =
          form == .plain ? all : form == .fragmented ? 0 : index == 0 ? own * 512 * 25 : (own - 1) * 1_024 * 8
        let list = [0, 0, 0, 0] + long(1) + long(length) + long(from) + [0, 1, 0, 0]
        trak.children.insert(PlainBox("edts", [], [PlainBox("elst", list)]), at: 1)
      }
      return switch form {
      case .plain: movie.encoded()
      case .fragmented: movie.fragmented(samplesEach: 5)
      case .hybrid: movie.fragmented(samplesEach: 5, after: own)
      }
    }
  }

  private func bytes(_ movie: MovieFile) throws -> [UInt8] {
    try movie.source.read(at: 0, count: Int(movie.source.size ?? 0)).array
  }

  /// The differences between what is presented and what is wanted; times may differ by a tick of the movie.
  private func difference(
    _ found: [PlainPresentation.Span], _ wanted: [PlainPresentation.Span], within tick: Double
  ) -> String? {
    let short = 2 * tick
    let (found, wanted) = (
      found.filter { $0.end - $0.start > short }, wanted.filter { $0.end - $0.start > short }
    )
    func text(_ span: PlainPresentation.Span?) -> String {
      span.map { "\(String(decoding: $0.bytes.prefix(14), as: UTF8.self)) \($0.start)–\($0.end)" }
        ?? "nothing"
    }
    for index in 0..<max(found.count, wanted.count) {
      let (own, other) = (
        found.indices.contains(index) ? found[index] : nil,
        wanted.indices.contains(index) ? wanted[index] : nil
      )
      guard let own, let other, own.bytes == other.bytes, abs(own.start - other.start) <= tick,
        abs(own.end - other.end) <= tick
      else { return "\(index): \(text(own)), not \(text(other))" }
    }
    return nil
  }

  private let tick = 1.01 / 15_360

  @Test(arguments: Clip.all) func joinedMoviesPresentWhatEachPresents(clip: Clip) throws {
    // A clip between others: what comes before and after must not be seen in it.
    let clips = [clip, Clip(first: 512, sound: 2, form: .fragmented), clip, clip]
    let files = try zip(clips, "abcd").map { try $0.bytes($1) }
    let joiner = try MovieJoiner(files.map { try MovieFile(bytes: $0) })
    let made = PlainPresentation(try bytes(joiner.plannedMovie()))
    let report = try joiner.plannedReport()
    var start = 0.0
    var wanted: [String: [PlainPresentation.Span]] = [:]
    for (index, file) in files.enumerated() {
      let own = PlainPresentation(file)
      let length = own.tracks.map(\.end).max() ?? 0
      #expect(abs(report.parts[index].seconds - start) < tick * Double(index + 1), "part \(index)")
      start = report.parts[index].seconds
      for track in own.tracks {
        var spans = track.spans.map {
          PlainPresentation.Span(start: $0.start + start, end: $0.end + start, bytes: $0.bytes)
        }
        // The last picture stays until the next movie begins.
        if track.handler == "vide", index + 1 < files.count, let last = spans.indices.last {
          spans[last].end = start + length
        }
        wanted[track.handler, default: []] += spans
      }
      start += length
    }
    for (handler, spans) in wanted {
      let track = try #require(made.first(handler))
      let found = difference(track.spans, spans, within: tick)
      #expect(found == nil, "\(clip): \(handler): \(found ?? "")")
    }
  }

  @Test(arguments: Clip.all) func partsPresentWhatTheMoviePresentsThere(clip: Clip) throws {
    let file = try clip.bytes("a")
    let movie = try MovieFile(bytes: file)
    let whole = PlainPresentation(file)
    // In the middle of pictures and packets, at the beginning, and before the first picture.
    for (from, to) in [(0.0, 0.15), (0.02, 0.3), (0.1, 0.25), (0.125, 0.2)] {
      var trimmer = try MovieTrimmer(movie)
      trimmer.start = .time(MediaTime(value: Int64(from * 1_000), timescale: 1_000))
      trimmer.end = .time(MediaTime(value: Int64(to * 1_000), timescale: 1_000))
      let range = try trimmer.plannedReport().range
      let made = PlainPresentation(try bytes(trimmer.plannedMovie()))
      for track in whole.tracks {
        let wanted = track.spans.compactMap { span -> PlainPresentation.Span? in
          let low = max(span.start, range.lowerBound.seconds), high = min(span.end, range.upperBound.seconds)
          guard high > low else { return nil }
          return .init(
            start: low - range.lowerBound.seconds, end: high - range.lowerBound.seconds, bytes: span.bytes)
        }
        let found = difference(made.first(track.handler)?.spans ?? [], wanted, within: tick)
        #expect(found == nil, "\(clip), \(from)–\(to): \(track.handler): \(found ?? "")")
      }
    }
  }

  @Test(arguments: Clip.all) func fragmentsAndTablesPresentTheSame(clip: Clip) throws {
    let file = try clip.bytes("a")
    let movie = try MovieFile(bytes: file)
    let whole = PlainPresentation(file)
    let fragmented = try MovieFragmenter(movie).plannedMovie()
    let flat = try MovieFlattener(fragmented).plannedMovie()
    for (name, made) in [
      ("in fragments", fragmented), ("flat again", flat), ("flat", try MovieFlattener(movie).plannedMovie()),
    ] {
      let own = PlainPresentation(try bytes(made))
      for (track, other) in zip(whole.tracks, own.tracks) {
        let found = difference(other.spans, track.spans, within: 1e-9)
        #expect(found == nil, "\(clip), \(name): \(track.handler): \(found ?? "")")
        #expect(other.sampleCount == track.sampleCount)
      }
      // Where there was no edit list, none is needed.
      for track in made.tracks where !clip.hasEdits { #expect(track.box?["edts"] == nil, "\(clip), \(name)") }
    }
    let header = try #require(flat.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self))
    let longest = whole.tracks.map(\.end).max() ?? 0
    #expect(abs(Double(header.duration) / Double(header.timescale) - longest) < 1.01 / 384_000, "\(clip)")
  }

  /// Offsets in fragments need no signs: an edit begins later instead, and all is presented when it was.
  @Test(arguments: Clip.all) func fragmentsWithoutSignsPresentTheSame(clip: Clip) throws {
    let file = try clip.bytes("a")
    let whole = PlainPresentation(file)
    var fragmenter = try MovieFragmenter(MovieFile(bytes: file))
    fragmenter.writesEditsForOffsets = true
    let made = try fragmenter.plannedMovie()
    for (track, other) in zip(whole.tracks, PlainPresentation(try bytes(made)).tracks) {
      let found = difference(other.spans, track.spans, within: 1e-9)
      #expect(found == nil, "\(clip): \(track.handler): \(found ?? "")")
    }
    for track in made.tracks {
      let least = try track.samples().map(\.compositionOffset).min() ?? 0
      #expect(least >= 0, "\(clip)")
    }
  }

  @Test(.enabled(if: Corpus.isPresent)) func moviesThatWereLostInPart() throws {
    let folder = try #require(Corpus.folder) + "/found/2/"
    // The sound of a clip is longer than its pictures; the pictures of another are delayed in fragments.
    for (name, counts) in [("join-drops-sound.mp4", [50, 102]), ("delayed-fragments.mp4", [120, 190])] {
      let movie = try MovieFile(path: folder + name)
      let made = try MovieJoiner([movie, movie]).plannedMovie()
      #expect(made.tracks.map(\.sampleCount) == counts, "\(name)")
      for track in made.tracks {
        let samples = try track.samples()
        let shown = (0..<samples.presentationCount).compactMap { samples.presentation(at: $0)?.sample }
        #expect(Set(shown).count == shown.count, "\(name): a sample of track \(track.id) is presented twice")
        #expect(shown.count == samples.count, "\(name): track \(track.id)")
      }
    }
    for name in ["flatten-adds-pause-faac.mp4", "flatten-adds-pause-video.mp4"] {
      let movie = try MovieFile(path: folder + name)
      let flat = try MovieFlattener(MovieFragmenter(movie).plannedMovie()).plannedMovie()
      #expect(flat.movieTimescale == movie.movieTimescale, "\(name)")
      for track in flat.tracks { #expect(track.box?["edts"] == nil, "\(name)") }
    }
    let hybrid = try MovieFile(path: folder + "flatten-loses-29-samples.3g2")
    for movie in [hybrid, try MovieFlattener(hybrid).plannedMovie()] {
      #expect(try movie.tracks[0].samples().presentationCount == 352)
    }
  }
}
