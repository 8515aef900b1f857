// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Movies that contradict themselves: each gives a diagnostic, and everything that can still be reported is reported.
@Suite struct BadInputTests {
  /// A fixture with some bytes changed.
  static func movie(_ name: String, _ change: (inout [UInt8]) throws -> Void) throws -> MovieFile {
    var bytes = Fixtures.bytes(name).array
    try change(&bytes)
    return try MovieFile(bytes: bytes)
  }

  /// Where a sequence of bytes stands for the `number`th time.
  static func find(_ text: String, in bytes: [UInt8], number: Int = 0) throws -> Int {
    let wanted = Array(text.utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: wanted) }
    try #require(places.count > number)
    return places[number]
  }

  static func replace(_ text: String, with other: String, in bytes: inout [UInt8], number: Int = 0) throws {
    let place = try find(text, in: bytes, number: number)
    bytes.replaceSubrange(place..<(place + text.utf8.count), with: Array(other.utf8))
  }

  static func codes(_ list: DiagnosticList) -> Set<String> { Set(list.map(\.code.rawValue)) }

  @Test func layeredRecordWithoutBaseRecord() throws {
    let movie = try Self.movie("spatial.mov") { try Self.replace("hvcC", with: "free", in: &$0) }
    let track = try #require(movie.tracks.first)
    #expect(Self.codes(movie.allDiagnostics).contains("base-layer-not-configured"))
    // Lengths are known from the other record, so samples can be walked; the eyes are signalled as before.
    #expect(track.lengthSize == 4)
    #expect(track.layers.map(\.isInSamples) == [true, true])
    #expect(track.formatDescriptions[0].stereo.hasBothEyeViews)
    #expect(track.sampleCount == 4)
  }

  @Test func baseRecordWithoutLayeredRecord() throws {
    let movie = try Self.movie("spatial.mov") { try Self.replace("lhvC", with: "free", in: &$0) }
    let track = try #require(movie.tracks.first)
    #expect(Self.codes(movie.allDiagnostics).contains("layer-not-configured"))
    #expect(track.layers.map(\.layerID) == [0, 1])
    #expect(track.layers.map(\.hasParameterSets) == [true, false])
    #expect(track.layers.map(\.isInSamples) == [true, true])
    #expect(track.classification == .mono && track.classificationReport.claimsMissingView)
    // The fixture that was made so says the same.
    let made = try MovieFile(path: Fixtures.path("stereo-tags-without-lhvC.mov"))
    #expect(Self.codes(made.allDiagnostics).contains("layer-not-configured"))
  }

  @Test func lengthSizesThatDiffer() throws {
    let movie = try Self.movie("spatial.mov") { bytes in
      // lengthSizeMinusOne: the low bits of the fifth byte of the record.
      let record = try Self.find("lhvC", in: bytes) + 4
      #expect(bytes[record + 4] & 3 == 3)
      bytes[record + 4] &= 0xFC
    }
    let track = try #require(movie.tracks.first)
    #expect(Self.codes(movie.allDiagnostics).contains("length-sizes-differ"))
    #expect(track.lengthSize == 4)
    #expect(track.layers.map(\.isInSamples) == [true, true])
    #expect(track.classification == .spatial)
  }

  @Test func layersThatAreNotInTheSamples() throws {
    let movie = try Self.movie("spatial.mov") { bytes in
      // All units of layer 1 become units of layer 0's filler data.
      let track = try #require(try MovieFile(bytes: bytes).tracks.first)
      var places: [Int] = []
      try track.forEachAccessUnit { unit, _ in
        places += unit.units.filter { $0.header.layerID == 1 }.map { Int($0.range.lowerBound) }
        return true
      }
      for place in places { bytes.replaceSubrange(place..<(place + 2), with: [38 << 1, 1]) }
    }
    let track = try #require(movie.tracks.first)
    #expect(Self.codes(movie.allDiagnostics).contains("layer-not-in-samples"))
    #expect(track.layers.map(\.isInSamples) == [true, false])
    #expect(track.layers.map(\.eye) == [.left, .right])
    #expect(track.classification == .mono)
  }

  @Test func samplesPastTheEndOfTheFile() throws {
    let whole = Fixtures.bytes("spatial.mov").array
    let samples = try #require(try MovieFile(bytes: whole).tracks.first).samples()
    let last = try #require(samples.sample(at: 3))
    // Cut within the last sample.
    let movie = try MovieFile(bytes: whole.prefix(Int(last.offset) + 20))
    let track = try #require(movie.tracks.first)
    #expect(Self.codes(try movie.sampleDiagnostics()).contains("sample-outside-file"))
    #expect(track.sampleCount == 4)
    #expect(track.classification == .spatial)
    let summary = try track.extract(layers: [0]) { _ in true }
    #expect(summary.damagedSamples == 1)
    #expect(summary.samples == 4)
  }

  /// What is in a sample that is there only in part is not known; it is not absent.
  @Test func firstSampleCutOff() throws {
    let whole = Fixtures.bytes("spatial.mov").array
    let samples = try #require(try MovieFile(bytes: whole).tracks.first).samples()
    let place = try #require(samples.sample(at: 0))
    let first = Int(place.offset)
    for length in [0, 3, 5, 40, 3_000, Int(place.size) / 2] {
      let track = try #require(try MovieFile(bytes: whole.prefix(first + length)).tracks.first)
      #expect(track.layers.map(\.layerID) == [0, 1])
      #expect(track.layers[1].isInSamples == nil, "\(length)")
      #expect(track.classificationFacts.hasSecondViewInSamples == nil)
      #expect(track.classification == .spatial)
      #expect(!track.layerAnalysis.knowsFirstSample)
      #expect(!Self.codes(track.layerAnalysis.diagnostics).contains("layer-not-in-samples"))
    }
    let track = try #require(try MovieFile(bytes: whole).tracks.first)
    #expect(track.layerAnalysis.knowsFirstSample)
  }

  @Test func timesThatRunBackwards() throws {
    let movie = try Self.movie("spatial.mov") { bytes in
      // stts: version and flags, entry_count, then sample_count and sample_delta: 4 samples, -1 each.
      let table = try Self.find("stts", in: bytes) + 4
      #expect(bytes[(table + 4)..<(table + 12)].elementsEqual([0, 0, 0, 1, 0, 0, 0, 4]))
      bytes.replaceSubrange((table + 12)..<(table + 16), with: [0xFF, 0xFF, 0xFF, 0xFF])
    }
    let track = try #require(movie.tracks.first)
    let codes = Self.codes(try movie.sampleDiagnostics())
    #expect(codes.contains("negative-sample-delta") && codes.contains("decode-time-backwards"))
    #expect(try track.samples().map(\.decodeTime) == [0, -1, -2, -3])
    #expect(track.layers.map(\.eye) == [.left, .right])
    #expect(track.classification == .spatial)
  }

  @Test(arguments: ["two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4"])
  func secondTrackThatDoesNotLineUp(name: String) throws {
    let movie = try Self.movie(name) { bytes in
      // The deltas of the second track become 3 for 1.
      let table = try Self.find("stts", in: bytes, number: 1) + 4
      #expect(bytes[(table + 12)..<(table + 16)].elementsEqual([0, 0, 0, 1]))
      bytes[table + 15] = 3
    }
    #expect(Self.codes(try movie.tracks[1].sampleDiagnostics()).contains("tracks-out-of-step"))
    #expect(!Self.codes(try movie.tracks[0].sampleDiagnostics()).contains("tracks-out-of-step"))
    let joined = movie.tracks[0].joined
    #expect(joined.layers.map(\.isInSamples) == [true, true])
    var layers: [[UInt8]] = []
    try joined.forEachAccessUnit { unit, _ in
      layers.append(unit.bytesByLayer.keys.sorted())
      return true
    }
    // Times 0, 1, 2, 3 against 0, 3, 6, 9.
    #expect(layers == [[0, 1], [0], [0], [0, 1]])
  }

  // MARK: Extractors

  /// Where the extractor of the first sample is.
  static func extractor(in bytes: [UInt8]) throws -> Int {
    let track = try #require(try MovieFile(bytes: bytes).tracks.last)
    var place: Int?
    try track.forEachAccessUnit { unit, _ in
      place = unit.units.first { $0.header.type == .extractor }.map { Int($0.range.lowerBound) }
      return false
    }
    return try #require(place)
  }

  static func firstUnit(_ movie: MovieFile) throws -> AccessUnitPlaces {
    let track = try #require(movie.tracks.last)
    // Only this track, so that its extractors are all there is of the base layer.
    var found: AccessUnitPlaces?
    try track.joined.forEachAccessUnit { unit, _ in
      found = unit
      return false
    }
    return try #require(found)
  }

  @Test(arguments: [
    // Byte of the extractor, new value, what the error is about.
    (2, UInt8(9), "constructor"), (3, 7, "scal"), (4, 0x80, "sample"), (5, 0x7F, "beyond"),
    (9, 0x7F, "beyond"),
  ])
  func extractorsThatLeadNowhere(byte: Int, value: UInt8, reason: String) throws {
    let movie = try Self.movie("two-tracks-hvc2.mp4") { bytes in
      bytes[try Self.extractor(in: bytes) + byte] = value
    }
    let unit = try Self.firstUnit(movie)
    #expect(unit.error.map { "\($0)" }?.contains(reason) == true, "\(unit.error as Any)")
    // The base layer's own track still has what the extractor should stand for.
    #expect(unit.bytesByLayer.keys.sorted() == [0, 1])
    #expect(movie.tracks.last?.layers.map(\.layerID) == [0, 1])
  }

  /// An extractor that stands for the sample it is in, by a track that refers to itself.
  @Test func extractorsThatStandForThemselves() throws {
    let movie = try Self.movie("two-tracks-hvc2.mp4") { bytes in
      let extractor = try Self.extractor(in: bytes)
      let reference = try Self.find("scal", in: bytes) + 4
      bytes[reference + 3] = 2
      // One unit, the first: itself.
      bytes.replaceSubrange((extractor + 5)..<(extractor + 13), with: [UInt8](repeating: 0, count: 8))
    }
    let unit = try Self.firstUnit(movie)
    #expect(unit.error.map { "\($0)" }?.contains("itself") == true, "\(unit.error as Any)")
    #expect(unit.bytesByLayer.keys.sorted() == [0, 1])
  }

  /// A whole sample that stands for itself many times over is cut at the limit.
  @Test func extractorsThatMultiply() throws {
    let movie = try Self.movie("two-tracks-hvc2.mp4") { bytes in
      let reference = try Self.find("scal", in: bytes) + 4
      bytes[reference + 3] = 2
      let track = try #require(try MovieFile(bytes: bytes).tracks.last)
      let sample = try #require(try track.samples().sample(at: 0))
      // The sample becomes extractors of the whole sample, end to end: 17 bytes each with their length.
      let one: [UInt8] =
        [0, 0, 0, 13, 49 << 1, 1, 0, 1, 0, 0, 0, 0, 0] + u32(UInt32(sample.size / 17 * 17))
      for number in 0..<Int(sample.size / 17) {
        let start = Int(sample.offset) + number * 17
        bytes.replaceSubrange(start..<(start + 17), with: one)
      }
    }
    let unit = try Self.firstUnit(movie)
    #expect(unit.error != nil)
    #expect(unit.units.count <= 1 << 16)
  }

  /// Inline bytes in front of bytes of another track: a unit put together.
  @Test func extractorsWithInlineBytes() throws {
    var header: [UInt8] = []
    let movie = try Self.movie("two-tracks-hvc2.mp4") { bytes in
      let extractor = try Self.extractor(in: bytes)
      // Inline: a length of 6 bytes and the header of an access unit delimiter; then nothing else fits but one byte.
      header = [0, 0, 0, 3, 35 << 1, 1, 0x50]
      bytes.replaceSubrange((extractor + 2)..<(extractor + 13), with: [2, 7] + header + [2, 0])
    }
    let unit = try Self.firstUnit(movie)
    let composed = try #require(unit.units.first { $0.composed != nil })
    #expect(composed.composed?.array == Array(header.dropFirst(4)))
    #expect(composed.header.type == .accessUnitDelimiter && composed.byteCount == 3)
  }
}
