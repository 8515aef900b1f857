// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Movies whose samples change their description: each picture is the one that its own movie has, with its eye and
/// colours, however it is reached.
@Suite struct SplicedPicturesTests {
  /// A picture as its own movie has it.
  private struct Truth: Equatable {
    var sums: [[UInt8]]
    var eyes: [StereoEye?]
    var colour: VideoColour
    var size: PictureSize
  }

  /// Other eyes, sizes, depths and kinds of layers; the second layer of the last part of the fifth has no parameter sets, and
  /// the third begins with a picture that only the beginning of a stream makes a new start.
  static let splices: [[String]] = [
    ["spatial.mov", "*spatial.mov"],
    ["hdr10.mp4", "spatial.mov", "cmaf-hevc-sidx.mp4"],
    ["hdr10.mp4", "cmaf-hevc-sidx.mp4@13"],
    ["spatial.mov", "alpha-layer.mp4"],
    ["alpha-layer.mp4", "*spatial.mov", "side-by-side-packed.mov"],
    ["two-tracks-lhv1.mp4", "*two-tracks-lhv1.mp4"],
    ["two-views-fragmented.mp4", "hdr10.mp4", "*two-views-fragmented.mp4"],
  ]

  /// What the parts of all splices are by themselves.
  private static let parts = Result {
    try Dictionary(uniqueKeysWithValues: Set(splices.joined()).map { ($0, try Part($0)) })
  }

  /// A movie by itself: its pictures by their samples, and the samples with problems.
  private struct Part {
    var pictures: [Int: Truth]
    var problems: [String]
    let count: Int

    init(_ name: String) throws {
      let movie = try RemadeMovie.spliced([name])
      let read = try SplicedPicturesTests.groups(try SplicedPicturesTests.track(movie))
      (pictures, problems) = (read.groups.mapValues(SplicedPicturesTests.truth), read.problems)
      count = movie.samples[0].count
    }

    /// A problem of a sample, as a reader says it of a sample that many later.
    static func moved(_ problem: String, _ distance: Int) -> String {
      let words = problem.split(separator: " ", maxSplits: 2)
      let number = words[1].prefix { $0.isNumber }
      return "sample \((Int(number) ?? 0) + distance)\(words[1].dropFirst(number.count)) \(words[2])"
    }
  }

  private static func track(_ movie: RemadeMovie) throws -> Track {
    try #require(try MovieFile(bytes: movie.encoded()).tracks.first { $0.isHEVC })
  }

  private static func truth(_ group: PictureGroup) -> Truth {
    Truth(
      sums: PictureReaderTests.sums(group), eyes: group.layers.map(\.eye),
      colour: group.layers.first?.colour ?? VideoColour(),
      size: group.layers.first?.size ?? PictureSize(width: 0, height: 0))
  }

  private static func groups(
    _ track: Track, threads: Int = 1
  ) throws -> (groups: [Int: PictureGroup], problems: [String]) {
    var options = PictureOptions()
    options.threads = threads
    let reader = try track.pictures(options: options)
    var groups: [Int: PictureGroup] = [:]
    while let group = try reader.next() { groups[group.sample] = group }
    return (groups, reader.takeProblems())
  }

  /// The pictures and problems of each part alone, by the sample of the whole.
  private static func truths(_ names: [String]) throws -> (pictures: [Int: Truth], problems: Set<String>) {
    let parts = try parts.get()
    var all: (pictures: [Int: Truth], problems: Set<String>) = ([:], [])
    var start = 0
    for name in names {
      let part = try #require(parts[name])
      for (sample, picture) in part.pictures { all.pictures[start + sample] = picture }
      all.problems.formUnion(part.problems.map { Part.moved($0, start) })
      start += part.count
    }
    return all
  }

  @Test(arguments: splices) func readFromTheStart(_ names: [String]) throws {
    let truths = try Self.truths(names)
    #expect(truths.problems.isEmpty == !names.contains { $0.hasPrefix("side") })
    let track = try Self.track(try RemadeMovie.spliced(names))
    #expect(track.formatDescriptions.count == names.count)
    for threads in names.count > 2 ? [1, 3] : [2] {
      let (found, problems) = try Self.groups(track, threads: threads)
      #expect(Set(found.keys) == Set(truths.pictures.keys) && !found.isEmpty)
      #expect(Set(problems) == truths.problems)
      for (sample, group) in found.sorted(by: { $0.key < $1.key })
      where Self.truth(group) != truths.pictures[sample] {
        Issue.record("\(names), \(threads) threads: sample \(sample) is another picture")
        break
      }
    }
  }

  /// One picture of many, by a reader of its own and by one that goes back and forth.
  @Test(arguments: splices) func reachedBySeeking(_ names: [String]) throws {
    let truths = try Self.truths(names)
    let track = try Self.track(try RemadeMovie.spliced(names))
    let samples = try track.samples()
    let borders = (1..<samples.count).filter {
      samples.sample(at: $0)?.descriptionIndex != samples.sample(at: $0 - 1)?.descriptionIndex
    }
    #expect(borders.count == names.count - 1)
    let wanted = borders.flatMap { [$0, $0 - 1, $0 + 3] } + [samples.count - 1, 0]
    let reader = try track.pictures()
    for (index, sample) in wanted.enumerated() {
      let truth = try #require(truths.pictures[sample])
      #expect(Self.truth(try reader.group(ofSample: sample)) == truth, "sample \(sample)")
      let shown = try #require(samples.firstPresentation(of: sample))
      let time = MediaTime(value: shown.range.lowerBound, timescale: track.timescale)
      #expect(Self.truth(try #require(try reader.group(shownAt: time))) == truth, "sample \(sample)")
      let other =
        index % 2 == 0 ? try track.pictureGroup(at: time) : try track.pictures(from: time).next()
      #expect(Self.truth(try #require(other)) == truth, "sample \(sample)")
    }
    #expect(truths.problems.isSuperset(of: reader.takeProblems()))
  }

  /// Where the last pictures of a part are shown after the first ones of the next, all of them are found, one after the other
  /// and each by itself, even if another one is shown at the same time.
  @Test func overlappingParts() throws {
    let names = ["hdr10.mp4", "spatial.mov"]
    let truths = try Self.truths(names)
    var movie = try RemadeMovie.spliced(names, isOverlapping: true)
    let track = try Self.track(movie)
    let samples = try track.samples()
    let reader = try track.pictures()
    for sample in 0..<samples.count {
      #expect(Self.truth(try reader.group(ofSample: sample)) == truths.pictures[sample], "sample \(sample)")
    }
    // Between one another, so that no two have the same time.
    for place in movie.samples[0].indices where movie.samples[0][place].description == 1 {
      movie.samples[0][place].offset += Int32(movie.samples[0][place].duration / 2)
    }
    let mixed = try Self.track(movie)
    let shown = try mixed.samples()
    let order = (0..<shown.presentationCount).compactMap { shown.presentedSample(at: $0)?.index }
    #expect(order != order.sorted())
    let (found, problems) = try Self.groups(mixed)
    #expect(found.mapValues(Self.truth) == truths.pictures && problems == [])
  }

  /// From any time on, everything that is shown later is found, though it may come out before what is shown first.
  @Test(arguments: [false, true]) func readFromTheMiddle(_ isOverlapping: Bool) throws {
    let names = ["hdr10.mp4", "spatial.mov"]
    let truths = try Self.truths(names)
    var movie = try RemadeMovie.spliced(names, isOverlapping: isOverlapping)
    for place in movie.samples[0].indices {
      if !isOverlapping {
        movie.samples[0][place].offset = 0
      } else if movie.samples[0][place].description == 1 {
        movie.samples[0][place].offset += Int32(movie.samples[0][place].duration / 2)
      }
    }
    let track = try Self.track(movie)
    let samples = try track.samples()
    let shown = (0..<samples.presentationCount).compactMap { samples.presentation(at: $0) }
      .filter { !$0.range.isEmpty }
    #expect(shown.count == movie.samples[0].count)
    for start in shown.indices {
      let time = MediaTime(value: shown[start].range.lowerBound, timescale: track.timescale)
      let reader = try track.pictures(from: time)
      var found: [Int] = []
      while let group = try reader.next() {
        #expect(Self.truth(group) == truths.pictures[group.sample])
        found.append(group.sample)
      }
      #expect(found == shown[start...].map(\.sample), "from \(start)")
    }
  }

  /// Samples whose description lacks the wanted layers are skipped: they are not decoded, and no problem is reported.
  @Test func partsWithoutTheLayer() throws {
    let names = ["hdr10.mp4", "spatial.mov", "hdr10.mp4"]
    let movie = try RemadeMovie.spliced(names)
    let reader = try Self.track(movie).pictures(options: PictureOptions(layers: [1]))
    var samples: [Int] = []
    while let group = try reader.next() {
      #expect(group.layers.map(\.layerID) == [1])
      samples.append(group.sample)
    }
    let stereo = movie.samples[0].indices.filter { movie.samples[0][$0].description == 2 }
    #expect(samples.sorted() == stereo)
    #expect(reader.takeProblems() == [])
    #expect(reader.lackingCount == movie.samples[0].count - stereo.count)
    #expect(reader.decodedCount == 2 * stereo.count)
    // Each time at which one would be shown counts, though it is the same sample.
    let count = reader.lackingCount
    for _ in 0..<2 { #expect(throws: PictureError.self) { try reader.group(ofSeriesAt: .zero) } }
    #expect(reader.lackingCount == count + 2)
    let error = #expect(throws: PictureError.self) { try reader.group(ofSample: 0) }
    #expect("\(try #require(error))".hasSuffix("its sample description has no layer 1"))
  }

  /// Without composition times, pictures are shown in decoding order, although the decoder outputs some of them later.
  @Test func picturesWithoutCompositionTimes() throws {
    let names = ["hdr10.mp4", "spatial.mov"]
    let truths = try Self.truths(names)
    var movie = try RemadeMovie.spliced(names)
    let offsets = movie.samples[0].map(\.offset)
    #expect(Set(offsets).count > 2)
    for place in movie.samples[0].indices { movie.samples[0][place].offset = 0 }
    for threads in [1, 3] {
      var options = PictureOptions()
      options.threads = threads
      let reader = try Self.track(movie).pictures(options: options)
      var found: [Int] = []
      while let group = try reader.next() {
        found.append(group.sample)
        #expect(Self.truth(group) == truths.pictures[group.sample], "sample \(group.sample)")
      }
      #expect(found == Array(movie.samples[0].indices))
      let problems = reader.takeProblems()
      #expect(
        problems.count == 1 && problems[0].contains("another order than the stream specifies"), "\(problems)")
    }
  }

  /// If the end of a part's first sample is damaged, the part is still extracted with its own parameter sets.
  @Test func extractedWithADamagedFirstSample() throws {
    let names = ["hdr10.mp4", "spatial.mov"]
    let truths = try Self.truths(names)
    var movie = try RemadeMovie.spliced(names)
    let first = try #require(movie.samples[0].firstIndex { $0.description == 2 })
    movie.samples[0][first].bytes += [0, 0, 0, 9, 2]
    var stream: [UInt8] = []
    let summary = try Self.track(movie).extract(layers: [0]) { piece in
      stream += piece
      return true
    }
    #expect(summary.damagedSamples == 1)
    let found = try Self.groups(try #require(MovieFile(bytes: stream).tracks.first)).groups
    for sample in first..<movie.samples[0].count {
      let sums = try #require(found[sample].map(Self.truth)).sums
      #expect(
        !sums.isEmpty && sums[...] == truths.pictures[sample]?.sums.prefix(sums.count), "sample \(sample)")
    }
  }

  /// Where samples cannot be decoded, those before and after them are, and not much is read again.
  @Test func damageInOnePart() throws {
    let names = ["hdr10.mp4", "spatial.mov", "hdr10.mp4"]
    let truths = try Self.truths(names)
    var movie = try RemadeMovie.spliced(names)
    let last = try #require(movie.samples[0].lastIndex { $0.description == 2 })
    var damaged = movie.samples[0][last]
    (damaged.bytes, damaged.isSync) = ([0, 0, 0, 9, 2], false)
    let count = 400
    movie.samples[0].insert(contentsOf: Array(repeating: damaged, count: count), at: last + 1)
    // To begin again for each sample would take more than a reader may.
    let reader = try Self.track(movie).pictures()
    var found: [Int: Truth] = [:]
    while let group = try reader.next() { found[group.sample] = Self.truth(group) }
    for (sample, truth) in truths.pictures {
      #expect(found[sample > last ? sample + count : sample] == truth, "sample \(sample)")
    }
    #expect(found.count == truths.pictures.count)
    #expect(!reader.takeProblems().isEmpty)
  }

  /// A random access picture may say that those before it need not be output. A movie says when each is shown; a decoder of a
  /// stream takes it at its word.
  @Test func priorPictures() throws {
    let part = try RemadeMovie.spliced(["hdr10.mp4"])
    var movie = part
    movie.samples[0] += part.samples[0]
    let count = part.samples[0].count
    for place in movie.samples[0][count].units.indices {
      // IDR_N_LP; the flag follows first_slice_segment_in_pic_flag.
      if movie.samples[0][count].units[place][0] >> 1 == 20 {
        movie.samples[0][count].units[place][2] |= 0x40
      }
    }
    #expect(movie.samples[0][count] != part.samples[0][0])
    let track = try Self.track(movie)
    let truths = try Self.truths(["hdr10.mp4", "hdr10.mp4"])
    #expect(try Self.groups(track).groups.mapValues(Self.truth) == truths.pictures)
    let decoder = HEVCDecoder()
    var tags: [Int] = []
    tags += decoder.beginStream(parameterSets: track.layerAnalysis.units.map(\.unit)).map(\.tag)
    for (tag, sample) in movie.samples[0].enumerated() {
      let units = LengthPrefixedNALUnits(ByteView(sample.bytes), lengthSize: 4).compactMap { try? $0.get() }
      tags += decoder.decode(units, tag: tag).map(\.tag)
    }
    tags += decoder.finish().map(\.tag)
    #expect(tags.count < 2 * count && Set(tags).isSuperset(of: count..<(2 * count)))
  }

  /// A thumbnail is the picture of its eye, in the colours of its part.
  @Test func thumbnails() throws {
    for names in [["spatial.mov", "*spatial.mov"], ["cmaf-hevc-sidx.mp4", "hdr10.mp4"]] {
      let joined = try RemadeMovie.spliced(names)
      let track = try Self.track(joined)
      let first = try Self.track(try RemadeMovie.spliced([names[0]]))
      let second = try Self.track(try RemadeMovie.spliced([names[1]]))
      let length = joined.samples[0].prefix { $0.description == 1 }.reduce(0) { $0 + Int64($1.duration) }
      let later = MediaTime(value: length, timescale: track.timescale)
      let eyes: [StereoEye?] = names[0] == "spatial.mov" ? [nil, .left, .right] : [nil]
      for eye in eyes {
        #expect(try track.thumbnail(at: .zero, eye: eye) == first.thumbnail(at: .zero, eye: eye))
        #expect(try track.thumbnail(at: later, eye: eye) == second.thumbnail(at: .zero, eye: eye))
      }
    }
  }

  /// Every statement about the track goes by the sample that is asked about.
  @Test func describedTracks() throws {
    let track = try Self.track(try RemadeMovie.spliced(["spatial.mov", "hdr10.mp4", "*spatial.mov"]))
    #expect(track.usedDescriptions.map(\.number) == [1, 2, 3])
    #expect(track.usedDescriptions.map(\.firstSample.index) == [0, 4, 9])
    #expect(track.usedDescriptions.map(\.sampleCount) == [4, 5, 4])
    let parts = track.usedDescriptions.map { track.described(for: $0.firstSample) }
    #expect(parts.map { $0.eyeAssignment.layer(of: .left) } == [0, nil, 1])
    #expect(parts.map { $0.colour.videoRange } == [nil, "PQ", nil])
    #expect(parts.map(\.classification) == [.spatial, .mono, .spatial])
    #expect(parts.map { $0.layers.map(\.layerID) } == [[0, 1], [0], [0, 1]])
    #expect(
      track.eyeAssignment == parts[0].eyeAssignment
        && track.mainDescription?.path == parts[0].mainDescription?.path)
    // From one to another, and back to the first.
    #expect(parts[2].described(byDescription: 2).colour.videoRange == "PQ")
    let first = try #require(track.usedDescriptions.first).firstSample
    #expect(parts[2].described(for: first).eyeAssignment == track.eyeAssignment)
    #expect(track.described(byDescription: 9).colour == track.colour)
  }
}

/// A decoder of one's own, fed as the article "Feeding a decoder" does it.
@Suite struct FedDecoderTests {
  /// The recipe of the article, which is compiled with the examples.
  private static func feed(
    _ track: Track, configure: ([NALUnit]) -> Void, decode: (Int, [UInt8]) throws -> Void
  ) throws {
    guard var cursor = try track.makeSampleCursor(atSyncSampleBefore: .zero) else { return }
    var sets: [NALUnit] = []
    repeat {
      let described = track.described(for: cursor.sample)
      let layers = Set(described.layers.filter(\.isTexture).map(\.layerID))
      let needed = described.layerAnalysis.parameterSets(forLayers: layers)
      if needed != sets { configure(needed) }
      sets = needed
      var sample: [UInt8] = []
      for group in try track.taggedNALUnits(at: cursor) where layers.contains(group.layerID) {
        sample += try group.lengthPrefixed()
      }
      try decode(cursor.index, sample)
    } while cursor.stepInDecodeOrder(byCount: 1) == 1
  }

  /// Every picture is whole, and a picture made of it is the one that the track has: colours, eye and geometry.
  @Test(arguments: SplicedPicturesTests.splices) func fed(_ names: [String]) throws {
    let movie = try MovieFile(bytes: try RemadeMovie.spliced(names).encoded())
    let track = try #require(movie.tracks.first { $0.isHEVC }).joined
    var options = HEVCDecoder.Options()
    options.layers = []
    for used in track.usedDescriptions {
      let described = track.described(for: used.firstSample)
      for layer in described.layers where layer.isTexture { options.layers?.insert(layer.layerID) }
    }
    let decoder = HEVCDecoder(options)
    var found: [DecodedPicture] = []
    try Self.feed(track) {
      found += decoder.beginStream(parameterSets: $0)
    } decode: { index, bytes in
      let units = LengthPrefixedNALUnits(ByteView(bytes), lengthSize: 4).compactMap { try? $0.get() }
      found += decoder.decode(units, tag: index)
    }
    found += decoder.finish()
    let failures = decoder.takeFailures()
    #expect(failures.isEmpty != names.contains { $0.hasPrefix("side") })
    #expect(found.allSatisfy { $0.problems.isEmpty && $0.hash != .mismatch } && !found.isEmpty)
    let reader = try track.pictures()
    let samples = try track.samples()
    while let group = try reader.next() {
      let sample = try #require(samples.sample(at: group.sample))
      // Alpha was not fed.
      let textures = track.described(for: sample).layers.filter(\.isTexture).map(\.layerID)
      for picture in group.layers where textures.contains(picture.layerID) {
        let decoded = try #require(
          found.first { $0.tag == group.sample && $0.layerID == picture.layerID })
        let own = Picture(decoded, of: track.described(for: sample))
        #expect(own.eye == picture.eye && own.colour == picture.colour && own.geometry == picture.geometry)
        #expect(own.bytes(ofPlane: 0) == picture.decoded.bytes(ofPlane: 0))
      }
    }
  }

  /// A picture of a stream without a movie: its colours are those of the stream.
  @Test func pushedStream() throws {
    let decoder = HEVCDecoder()
    let track = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tracks.first { $0.isHEVC })
    decoder.insert(parameterSets: track.layerAnalysis.units.map(\.unit))
    var pushed: [DecodedPicture] = []
    try Self.feed(track) { _ in
    } decode: { index, bytes in
      guard index < 12 else { return }
      pushed += decoder.decode(
        LengthPrefixedNALUnits(ByteView(bytes), lengthSize: 4).compactMap { try? $0.get() }, tag: index)
    }
    let first = try #require(pushed.first { $0.tag == 0 })
    let shown = try #require(try track.pictures().next()?.layers.first)
    let picture = Picture(first)
    #expect(picture.colour == shown.colour && picture.colour.videoRange == "PQ" && picture.eye == nil)
    #expect(try picture.rgb() == shown.rgb() && picture.chromaLocation == shown.chromaLocation)
  }
}
