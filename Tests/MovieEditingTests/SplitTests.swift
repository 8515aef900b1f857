// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Tracks of two layers that become two, and two that become one.
@Suite struct SplitTests {
  private func fixture(_ name: String) throws -> MovieFile { try MovieFile(path: Fixtures.path(name)) }

  private func bytes(_ track: Track, of movie: MovieFile) throws -> [ByteView] {
    try track.samples().map { try movie.source.read($0.range) }
  }

  /// What tables say of samples but where they are and how large they are.
  private func times(_ track: Track) throws -> [[Int64]] {
    try track.samples().map {
      [
        $0.decodeTime, $0.compositionOffset, $0.duration, Int64($0.flags.rawValue),
        Int64($0.descriptionIndex),
      ]
    }
  }

  /// The layers of the pictures of a sample, in a reading of its own.
  private func pictureLayers(_ sample: ByteView, lengthSize: Int) -> [UInt8] {
    var layers: [UInt8] = []
    var position = 0
    while let length = sample.bigEndian(at: position, width: lengthSize) {
      let unit = sample.suffix(from: position + lengthSize)
      position += lengthSize + Int(length)
      guard let first = unit[0], let second = unit[1], first >> 1 < 32 else { continue }
      layers.append((first & 1) << 5 | second >> 3)
    }
    return layers
  }

  /// The units of the access units of a track, each with the layer and the type that its header says.
  private func units(_ track: Track, of movie: MovieFile) throws -> [[ByteView]] {
    var all: [[ByteView]] = []
    var failure: (any Error)?
    try track.forEachAccessUnit { places, _ in
      if let error = places.error { failure = error }
      do { all.append(try places.units.map { try movie.source.read($0.range) }) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    return all
  }

  /// Splits a movie with extractors, follows them byte for byte, and merges it again.
  private func roundTripWithExtractors(_ movie: MovieFile, _ name: String) throws {
    var splitter = try MovieSplitter(movie)
    let plain = try splitter.plannedMovie()
    splitter.usesExtractors = true
    let report = try splitter.plannedReport()
    let split = try splitter.plannedMovie()
    let base = try #require(split.tracks.first { $0.id == report.tracks[0].id })
    let second = try #require(split.tracks.first { $0.id == report.tracks[1].id })
    #expect(report.tracks[1].extractsFrom == base.id && report.tracks[1].samples == second.sampleCount)
    #expect(second.references("scal") == [base.id] && second.references("sbas") == [base.id])
    #expect(second.codec == (splitter.track.codec == "hvc1" ? "hvc2" : "hev2"), "\(name)")
    #expect(
      second.formatDescriptions.allSatisfy { $0.box.first("hvcC") != nil && $0.box.first("lhvC") != nil })
    let (bases, halves) = (try bytes(base, of: split), try bytes(second, of: split))
    #expect(try bases == bytes(#require(plain.tracks.first { $0.id == base.id }), of: plain))
    #expect(bases.count == halves.count, "\(name)")
    let size = base.formatDescriptions[0].lengthSize ?? 4
    let old = try bytes(splitter.track, of: movie)
    for (index, (left, right)) in zip(bases, halves).enumerated() {
      // A unit of type 49 in layer 0, with one constructor: a sample (0) of the first reference, at the same time (0), from
      // byte 0 on so many bytes. ISO/IEC 14496-15, A.3
      #expect(right.bigEndian(at: 0, width: size) == UInt64(5 + 2 * size), "\(name)")
      #expect(right[size] == 49 << 1 && (right[size + 1] ?? 0) >> 3 == 0)
      #expect(right[size + 2] == 0 && right[size + 3] == 1 && right[size + 4] == 0)
      #expect(right.bigEndian(at: size + 5, width: size) == 0)
      #expect(right.bigEndian(at: 2 * size + 5, width: size) == UInt64(left.count), "\(name)")
      let whole = left.array + right.suffix(from: 3 * size + 5).array
      #expect(whole == old[index].array, "\(name), sample \(index)")
    }
    // The reader of this library finds the same units through the extractors.
    #expect(try units(second.joined, of: split) == units(splitter.track, of: movie), "\(name)")
    #expect(second.joined.layers.map(\.layerID) == splitter.track.layers.map(\.layerID), "\(name)")
    let before = Set(movie.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    let after = Set(split.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    // Two tracks, one of them of an entry that Apple's players do not take, are what was asked for.
    #expect(
      after.subtracting(before).subtracting(["MV020", "MV005"]).isEmpty,
      "\(name): \(after.subtracting(before))")
    try compare(try MovieMerger(split).plannedMovie(), movie, splitter.track.id, name)
  }

  /// Splits a movie, compares the halves with its samples, merges them, and compares again.
  private func roundTrip(_ movie: MovieFile, _ name: String) throws {
    try roundTripWithExtractors(movie, name)
    let splitter = try MovieSplitter(movie)
    let report = try splitter.plannedReport()
    let split = try splitter.plannedMovie()
    #expect(split.tracks.count == movie.tracks.count { $0.sampleCount > 0 } + 1, "\(name)")
    let base = try #require(split.tracks.first { $0.id == report.tracks[0].id })
    let second = try #require(split.tracks.first { $0.id == report.tracks[1].id })
    let lengthSize = base.formatDescriptions[0].lengthSize ?? 4
    // Where parameter sets are in samples, those of other layers may come before the base picture, and stay there.
    #expect(base.layers.count == 1 || base.formatDescriptions[0].codec == "hev1", "\(name)")
    #expect(base.formatDescriptions.allSatisfy { $0.box.first("lhvC") == nil })
    #expect(
      second.formatDescriptions.allSatisfy(\.isEnhancementOnly) && second.references("sbas") == [base.id])
    #expect(base.joined.layers.map(\.eye) == splitter.track.layers.map(\.eye), "\(name)")
    for sample in try bytes(base, of: split) {
      let layers = pictureLayers(sample, lengthSize: lengthSize)
      #expect(!layers.isEmpty && layers.allSatisfy { $0 == 0 }, "\(name)")
    }
    for sample in try bytes(second, of: split) {
      #expect(!pictureLayers(sample, lengthSize: lengthSize).contains(0), "\(name)")
    }
    let before = Set(movie.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    let after = Set(split.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    // Layers in two tracks are what was asked for.
    #expect(after.subtracting(before).subtracting(["MV020"]).isEmpty, "\(name): \(after.subtracting(before))")
    try compare(try MovieMerger(split).plannedMovie(), movie, splitter.track.id, name)
    for other in movie.tracks where other.id != splitter.track.id && other.sampleCount > 0 {
      let same = try #require(split.tracks.first { $0.id == other.id })
      #expect(try bytes(same, of: split) == bytes(other, of: movie), "\(name)")
      #expect(try times(same) == times(other), "\(name)")
    }
  }

  /// Records are marked as complete if all parameter sets are in them, as the type of the entry promises. ISO/IEC 14496-15, 8.4.3
  @Test(arguments: ["two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4"]) func mergedRecordsAreComplete(name: String)
    throws
  {
    let movie = try MovieFile(path: Fixtures.path(name))
    let merged = try MovieMerger(movie).plannedMovie()
    let description = try #require(merged.mainVideoTrack?.mainDescription)
    #expect(description.codec == "hvc1")
    let arrays =
      (description.hevcConfiguration?.arrays ?? []) + (description.layeredConfiguration?.arrays ?? [])
    let sets = arrays.filter { $0.nalUnitType.isParameterSet }
    #expect(sets.count >= 5 && sets.allSatisfy(\.arrayCompleteness))
    #expect(!merged.check().findings.contains { $0.rule.id == "MV089" })
  }

  /// A layer of alpha in a track of its own is no eye.
  @Test(arguments: [("spatial.mov", true), ("alpha-layer.mp4", false)])
  func onlyViewsAreEyes(name: String, isView: Bool) throws {
    let split = try MovieSplitter(MovieFile(path: Fixtures.path(name))).plannedMovie()
    #expect(split.tracks.filter(\.isHEVC).count == 2)
    for track in split.tracks where track.isHEVC {
      #expect(track.classificationFacts.hasSecondViewInAnotherTrack == isView)
    }
    #expect(split.classification == (isView ? .stereo : .mono))
    #expect(split.check().findings.contains { $0.rule.id == "MV020" } == isView)
  }

  private func compare(_ merged: MovieFile, _ movie: MovieFile, _ id: UInt32, _ name: String) throws {
    let old = try #require(movie.tracks.first { $0.id == id })
    let new = try #require(merged.tracks.first { $0.id == id }, "\(name)")
    #expect(merged.tracks.count == movie.tracks.count { $0.sampleCount > 0 }, "\(name)")
    #expect(try bytes(new, of: merged) == bytes(old, of: movie), "\(name)")
    #expect(try times(new) == times(old), "\(name)")
    let differences = try MovieComparison(
      movie, merged,
      levels: movie.container.isFragmented ? [.tags, .samples] : [.tags, .samples, .presentation]
    ).differences.filter {
      // Some tools let a track refer to itself, which says nothing.
      !(old.references("sbas") == [id] && $0.subject == "references")
        // A header without a duration gets that of the samples.
        && !($0.subject.hasPrefix("duration in the header") && ["0 s", "unknown"].contains($0.first)
          && $0.second == "that of the samples")
    }
    #expect(differences.isEmpty, "\(name): \(differences.prefix(3))")
    guard !movie.container.isFragmented else { return }
    for (left, right) in zip(old.formatDescriptions, new.formatDescriptions) {
      #expect(try left.box.encoded() == right.box.encoded(), "\(name)")
    }
  }

  @Test func whatWasSplitAndMergedIsWhatItWas() throws {
    for name in [
      "spatial.mov", "stereo-no-hfov.mov", "half-equirect-180.mov", "alpha-layer.mp4",
      "two-views-fragmented.mp4",
    ] {
      let movie = try fixture(name)
      try #require(movie.mainVideoTrack?.layers.count == 2, "\(name)")
      try roundTrip(movie, name)
    }
  }

  /// With several sample entries and sequences, too.
  @Test func joinedMoviesSurviveTheRoundTrip() throws {
    let movies = [try fixture("spatial.mov"), try fixture("stereo-no-hfov.mov"), try fixture("spatial.mov")]
    let joined = try MovieJoiner(movies).plannedMovie()
    #expect(joined.tracks[0].formatDescriptions.count == 2)
    try roundTrip(joined, "joined")
  }

  @Test(.enabled(if: Corpus.isPresent)) func moviesOfTwoViewsSurviveTheRoundTrip() throws {
    let corpus = try #require(Corpus.folder)
    var count = 0
    for name in CorpusEditingTests.movies {
      guard let movie = try? MovieFile(path: corpus + "/" + name), let track = movie.mainVideoTrack,
        track.isHEVC, track.layers.count > 1, !track.joined.isJoined
      else { continue }
      do {
        try roundTrip(movie, name)
        count += 1
      } catch let error as EditError { print("refused: \(name): \(error)") }
    }
    print("\(count) movies were split and merged")
    #expect(count > 20)
  }

  /// MP4Box splits its own movies the same way, byte for byte in both tracks.
  @Test(.enabled(if: Corpus.isPresent)) func extractorsAreThoseOfAnotherHand() throws {
    let corpus = try #require(Corpus.folder)
    for name in ["a320_default", "c322_confwin", "e320_4f"] {
      let theirs = try MovieFile(path: corpus + "/mvhevc/\(name)_gpac_split.mp4")
      var splitter = try MovieSplitter(MovieFile(path: corpus + "/mvhevc/\(name)_gpac.mp4"))
      splitter.usesExtractors = true
      let ours = try splitter.plannedMovie()
      #expect(ours.tracks.map(\.codec) == theirs.tracks.map(\.codec), "\(name)")
      for (mine, other) in zip(ours.tracks, theirs.tracks) {
        #expect(try bytes(mine, of: ours) == bytes(other, of: theirs), "\(name), track \(mine.id)")
        #expect(mine.references.map(\.type) == other.references.map(\.type), "\(name)")
      }
    }
  }

  /// Tracks of each layer by another hand become the track that the same hand made of both.
  @Test(.enabled(if: Corpus.isPresent)) func tracksByOtherHandsMergeToTheirOneTrackForm() throws {
    let corpus = try #require(Corpus.folder)
    var count = 0
    for name in CorpusEditingTests.movies {
      guard let movie = try? MovieFile(path: corpus + "/" + name), let end = name.range(of: "_split"),
        movie.tracks.contains(where: \.joined.isJoined)
      else { continue }
      let whole = try MovieFile(path: corpus + "/" + name[..<end.lowerBound] + ".mp4")
      do {
        let merged = try MovieMerger(movie).plannedMovie()
        let old = try #require(whole.mainVideoTrack), new = try #require(merged.mainVideoTrack)
        #expect(try bytes(new, of: merged) == bytes(old, of: whole), "\(name)")
        #expect(try times(new) == times(old), "\(name)")
        #expect(new.layers == old.layers, "\(name)")
        count += 1
      } catch let error as EditError { print("refused: \(name): \(error)") }
    }
    print("\(count) movies of two tracks were merged")
    #expect(count > 3)
  }

  /// A decoder of one layer gets the same pictures of the split movie, and one of both layers of the merged one.
  @Test(.enabled(if: VideoDecoder.canDecodeViews)) func otherDecodersGetTheSamePictures() throws {
    let decoder = try #require(VideoDecoder.installed)
    let folder = try TemporaryFolder()
    var paths = ["spatial.mov", "two-views-fragmented.mp4"].map { Fixtures.path($0) }
    if let corpus = Corpus.folder {
      paths += ["mvhevc/a320_opengop_gpac.mp4", "mvhevc/c322_confwin_gpac.mp4"].map { corpus + "/" + $0 }
    }
    for (index, path) in paths.enumerated() {
      let (split, merged) = (folder.path + "/split\(index).mp4", folder.path + "/merged\(index).mp4")
      try MovieSplitter(MovieFile(path: path)).write(to: split)
      try MovieMerger(MovieFile(path: split)).write(to: merged)
      let base = decoder.pictures(ofMovie: path, view: 0)
      #expect(!base.isEmpty && decoder.pictures(ofMovie: split, view: 0) == base, "\(path)")
      for view in 0...1 {
        #expect(
          decoder.pictures(ofMovie: merged, view: view) == decoder.pictures(ofMovie: path, view: view),
          "\(path)")
      }
    }
  }

  private func changed(_ movie: MovieFile, isSplit: Bool) throws(EditError) -> MovieFile {
    if isSplit { return try MovieSplitter(movie).plannedMovie() }
    return try MovieMerger(movie).plannedMovie()
  }

  /// Of a damaged movie either a movie is made that can be read, or an error says why not.
  @Test func damagedMoviesAreRefusedOrSplit() throws {
    for name in ["spatial.mov", "two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4"] {
      let whole = try #require(contents(Fixtures.path(name)))
      var random = SeededGenerator(seed: 27)
      for _ in 0..<60 {
        var damaged = whole
        for _ in 0..<3 {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        guard let movie = try? MovieFile(source: MemoryBytes(ByteView(damaged))) else { continue }
        do throws(EditError) {
          let made = try changed(movie, isSplit: name == "spatial.mov")
          #expect(!made.tracks.isEmpty)
        } catch { #expect(!error.reason.isEmpty) }
      }
    }
  }

  @Test func extractorsGo() throws {
    let lhv1 = try MovieMerger(fixture("two-tracks-lhv1.mp4")).plannedMovie()
    let hvc2 = try MovieMerger(fixture("two-tracks-hvc2.mp4")).plannedMovie()
    let first = try #require(lhv1.mainVideoTrack), second = try #require(hvc2.mainVideoTrack)
    #expect(lhv1.tracks.count == 1 && hvc2.tracks.count == 1)
    #expect(try bytes(first, of: lhv1) == bytes(second, of: hvc2))
    #expect(try first.formatDescriptions[0].box.encoded() == second.formatDescriptions[0].box.encoded())
    #expect(first.layers.count == 2 && first.formatDescriptions[0].codec == "hvc1")
    let errors = lhv1.check().findings.filter { $0.severity == .error }.map(\.rule.id)
    // Nobody said which eyes the layers are for.
    #expect(Set(errors) == ["MV016"], "\(errors)")
  }

  @Test func whatHasNoLayersOrTwoTracksIsRefused() throws {
    for name in ["metadata-keys.mov", "two-tracks-lhv1.mp4", "edit-list-trim.mp4", "side-by-side-packed.mov"]
    {
      #expect(throws: EditError.self, "\(name)") { _ = try MovieSplitter(fixture(name)) }
    }
    for name in ["spatial.mov", "metadata-keys.mov"] {
      #expect(throws: EditError.self, "\(name)") { _ = try MovieMerger(fixture(name)) }
    }
  }

  /// A sample without a second layer has no sample in the second track, and a merged sample is a sync sample where both were.
  @Test func samplesOfOneLayerHaveNoSecondHalf() throws {
    let movie = try fixture("spatial.mov")
    let track = try #require(movie.mainVideoTrack)
    let halves = try LayerHalves(track, of: movie)
    #expect(halves.count == track.sampleCount)
    var others = KeptUnits()
    for index in 0..<track.sampleCount {
      others.append(index % 2 == 1 ? [] : halves.others.pieces(of: index)[...])
    }
    #expect(others.present(of: 0..<4) == [0..<1, 2..<3])
    var composer = try MovieComposer(wholeOf: movie) { track, timescale throws(EditError) in
      var composed = try ComposedTrack(whole: track, of: movie, timescale: timescale)
      composed.cuts[0].kept = others
      composed.cuts[0].notSync = [0]
      return [composed]
    }
    let made = try MovieEditor(draft: try composer.draft(), of: [movie]).plannedMovie()
    let old = Array(try track.samples()), new = Array(try #require(made.mainVideoTrack).samples())
    #expect(new.map(\.decodeTime) == [0, 2].map { old[$0].decodeTime })
    #expect(new.map(\.duration) == [0, 2].map { old[$0].duration + old[$0 + 1].duration })
    #expect(!new[0].isSync)
    #expect(halves.syncTypes.base.count == 1)
  }
}
