// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What the first sample could say, where it was not read to its end, is not known.
@Suite struct FirstSampleTests {
  /// A movie whose configuration record names no eyes.
  private static func unnamed() throws -> (bytes: [UInt8], first: Int) {
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.arrays.removeAll { $0.nalUnitType.isSEI }
    }
    let bytes = try movie.encoded()
    let sample = try #require(try MovieFile(bytes: bytes).tracks.first?.samples().sample(at: 0))
    return (bytes, Int(sample.offset))
  }

  @Test func aConventionSaysWhatItRestsOn() throws {
    var (bytes, first) = try Self.unnamed()
    let whole = try #require(try MovieFile(bytes: bytes).tracks.first)
    #expect(whole.layerAnalysis.firstSampleGap == nil)
    bytes[first] = 0x7F
    let movie = try MovieFile(bytes: bytes)
    let track = try #require(movie.tracks.first)
    let gap = try #require(track.layerAnalysis.firstSampleGap)
    #expect(gap.offset == first && gap.code.diagnosticCode == "truncated")
    #expect(track.eyeAssignment.decidedBy == .convention)
    #expect(track.eyeAssignment.evidence.contains { $0.statement.contains("no readable message") })
    #expect(movie.allDiagnostics.contains { $0.message.hasPrefix("only part of the first sample was read") })
    let report = movie.check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(!report.findings.contains { $0.rule.id == "MV046" })
  }

  /// A second view that begins later is there; one of which there is nothing is not.
  @Test(arguments: [0, 1, 3]) func aViewThatBeginsLate(without count: Int) throws {
    var movie = EditedMovie()
    try movie.rewriteSamples { samples in
      for index in samples.indices where index < count || count == 3 {
        samples[index].removeAll { $0.layerID == 1 && $0.type.isSliceSegment }
      }
    }
    let opened = try movie.opened()
    #expect(opened.classification == (count < 3 ? .spatial : .mono))
    let codes = opened.allDiagnostics.map(\.code)
    #expect(codes.contains("layer-not-in-samples") == (count > 0))
    #expect((opened.check().verdict(.spatial)?.outcome == .pass) == (count == 0))
  }

  /// Units without number in front of the message.
  @Test func aLimitIsNamed() throws {
    let (bytes, first) = try Self.unnamed()
    let units = [[UInt8]](repeating: [0, 0, 0, 3, 0x46, 0x01, 0x50], count: 20_000).flatMap { $0 }
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.arrays.removeAll { $0.nalUnitType.isSEI }
    }
    let samples = try #require(try MovieFile(bytes: bytes).tracks.first?.samples())
    let size = Int(samples.sample(at: 0)?.size ?? 0)
    try movie.place([units + bytes[first..<first + size]])
    let track = try #require(try movie.opened().tracks.first)
    guard case .limitExceeded? = track.layerAnalysis.firstSampleGap?.code else {
      return #expect(Bool(false), "\(String(describing: track.layerAnalysis.firstSampleGap))")
    }
    let report = try movie.opened().check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
  }

  /// A file of which one range cannot be read.
  private struct Torn: ByteSource {
    let bytes: MemoryBytes
    let hole: Range<UInt64>
    var size: UInt64? { bytes.size }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      if range == hole { throw SourceError(.other("is torn"), offset: hole.lowerBound) }
      return try bytes.read(range)
    }
  }

  /// A check reads all tables first. Where one cannot be read, the first sample is still found in what was loaded of it.
  @Test func aTornTableDoesNotHideTheFirstSample() throws {
    let fixture = Fixtures.bytes("spatial.mov").array
    let first = try #require(try MovieFile(bytes: fixture).tracks.first?.samples().sample(at: 0))
    let sample = Array(fixture[Int(first.offset)..<Int(first.offset) + Int(first.size)])
    var edited = EditedMovie()
    try edited.place([sample] + [[UInt8]](repeating: [0], count: 20_000))
    let bytes = try edited.encoded()
    let table = try #require(BoxTree(ByteView(bytes))["moov/trak/mdia/minf/stbl/stsz"]?.fileRange)
    #expect(table.count > 65_536)
    let torn = Torn(
      bytes: MemoryBytes(bytes), hole: UInt64(table.lowerBound)..<UInt64(table.upperBound))
    let movie = try MovieFile(source: torn)
    _ = movie.check()
    let track = try #require(movie.tracks.first)
    #expect(throws: SourceError.self) { try track.samples() }
    #expect(track.layerAnalysis.knowsFirstSample)
    #expect(track.layers.map(\.layerID) == [0, 1])
  }

  /// What is in this file where the samples of another file would is not theirs.
  @Test func mediaOfAnotherFile() throws {
    var movie = EditedMovie()
    movie.edit("moov/trak/mdia/minf/dinf/dref/url ", DataEntryURLBox.self) { $0.flags = 0 }
    var bytes = try movie.encoded()
    let first = try #require(try MovieFile(bytes: bytes).tracks.first?.samples().sample(at: 0))
    for index in 0..<16 { bytes[Int(first.offset) + index] = 0x7F }
    let track = try #require(try MovieFile(bytes: bytes).tracks.first)
    #expect(track.layerAnalysis.firstSampleGap == nil)
    #expect(!track.layerAnalysis.units.contains { $0.source == .sample(0) })
    #expect(try track.sampleDiagnostics().contains { $0.code == "external-media" })
    var errors: [ParseError] = []
    try track.forEachAccessUnit { unit, _ in
      if let error = unit.error { errors.append(error) }
      return true
    }
    #expect(Set(errors.map(\.reason)) == ["the samples are in another file, which is not read"])
    #expect(try errors.count == track.samples().count)
    #expect(throws: ExtractionError.self) { try track.extract(layers: [0]) { _ in true } }
    let report = try MovieFile(bytes: bytes).check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(report.findings.filter { $0.severity == .error }.map(\.rule.id) == ["MV086"])
    // Here, they are.
    let own = try #require(try EditedMovie().opened().tracks.first)
    #expect(own.layerAnalysis.units.contains { $0.source == .sample(0) })
    #expect(try !own.sampleDiagnostics().contains { $0.code == "external-media" })
  }

  /// A message that ends before it has named both eyes names none.
  @Test func aMessageThatIsCutSaysNothing() throws {
    let type = ThreeDimensionalReferenceDisplaysInfo.payloadType
    func cut(_ unit: NALUnit) throws -> NALUnit {
      guard unit.names(type) else { return unit }
      return try NALUnit(
        unit.header,
        SEIMessages(
          unit.seiMessages().messages.map { message in
            var message = message
            if message.payloadType == type { message.payload = message.payload.prefix(1) }
            return message
          }))
    }
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.arrays.removeAll { $0.nalUnitType.isSEI }
    }
    try movie.rewriteSamples { samples in samples = try samples.map { try $0.map(cut) } }
    let track = try #require(try movie.opened().tracks.first)
    #expect(track.eyeAssignment.decidedBy == .convention)
    #expect(track.eyeAssignment.evidence.contains { $0.statement.contains("no readable message") })
    let messages = try movie.opened().allDiagnostics.map(\.message)
    #expect(messages.contains { $0.hasPrefix("an SEI message of sample 0 cannot be read") }, "\(messages)")
    let report = try movie.opened().check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(!report.isClean() && !report.findings.contains { $0.rule.id == "MV046" })
    // Where another message is whole, it decides.
    var other = EditedMovie()
    try other.rewriteSamples { samples in samples = try samples.map { try $0.map(cut) } }
    let kept = try #require(try other.opened().tracks.first)
    let whole = try #require(try EditedMovie().opened().tracks.first)
    #expect(
      kept.eyeAssignment.decidedBy == .referenceDisplays
        && kept.eyeAssignment.eyes == whole.eyeAssignment.eyes)
  }

  @Test func samplesWithoutPictures() throws {
    for content in [[], [UInt8](repeating: 0, count: 8), [0, 0, 0, 3, 0x4E, 0x01, 0x80]] {
      var movie = EditedMovie()
      movie.edit("\(EditedMovie.tables)/stts", TimeToSampleBox.self) {
        $0.entries = .of([RuleCase.run(4, 1_000)])
      }
      try movie.place([[UInt8]](repeating: content, count: 4))
      let report = try movie.opened().check()
      #expect(report.verdict(.spatial)?.outcome == .unknown, "\(content)")
      #expect(report.unreadable.contains { $0.contains("none of the 4 samples") }, "\(report.unreadable)")
      #expect(report.findings.contains { $0.rule.id == "MV082" })
    }
    var empty = EditedMovie()
    try empty.place([])
    empty.edit("\(EditedMovie.tables)/stts", TimeToSampleBox.self) { $0.entries = .of([]) }
    empty.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { $0.entries = .of([]) }
    empty.edit("\(EditedMovie.tables)/stco", ChunkOffsetBox.self) { $0.entries = .of([]) }
    let told = try empty.opened().check()
    #expect(told.unreadable == ["the track has no samples"])
    // Of an init segment the samples are elsewhere.
    let fragmented = Fixtures.bytes("two-views-fragmented.mp4")
    let fragment = try #require(BoxTree(fragmented, registry: .standard).first("moof"))
    let start = try MovieFile(bytes: fragmented.prefix(fragment.offset).array).check()
    #expect(start.unreadable == [], "\(start.unreadable)")
    let stream = Fixtures.bytes("two-views.hevc")
    let pictures = try #require(AnnexBNALUnits(stream).first { try $0.get().type.isSliceSegment })
    let sets = stream.prefix(try pictures.get().bytes.fileOffset - 3).array
    let report = try MovieFile(bytes: sets).check()
    #expect(report.unreadable == ["no picture could be read from the stream"])
  }

  @Test func ofTracksThatAreNotReadNothingIsKnown() throws {
    let bytes = Fixtures.bytes("spatial.mov")
    let moov = try #require(BoxTree(bytes, registry: .standard).first("moov"))
    // In front of the track stand as many as are read.
    let tracks = [[UInt8]](repeating: [0, 0, 0, 8] + Array("trak".utf8), count: Limits.maximumTracks).joined()
    let size = UInt32(moov.size + tracks.count)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array("moov".utf8)
    let place = moov.offset
    let movie = try MovieFile(
      bytes: bytes.prefix(place).array + head + tracks + bytes.suffix(from: place + 8).array)
    #expect(movie.tracks.count == Limits.maximumTracks && movie.classification == .unknown)
    let report = movie.check()
    #expect(!report.isClean() && report.verdicts.allSatisfy { $0.outcome == .unknown || $0.target == .iso })
  }
}
