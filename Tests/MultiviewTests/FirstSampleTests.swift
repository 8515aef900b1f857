// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
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
    #expect(track.eyes.decidedBy == .convention)
    #expect(track.eyes.evidence.contains { $0.statement.contains("no message that could be read") })
    #expect(movie.allDiagnostics.contains { $0.message.hasPrefix("the first sample was read in part") })
    let report = movie.check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(!report.findings.contains { $0.rule == "MV046" })
  }

  /// Units without number in front of the message.
  @Test func aLimitIsNamed() throws {
    let (bytes, first) = try Self.unnamed()
    let units = [[UInt8]](repeating: [0, 0, 0, 3, 0x46, 0x01, 0x50], count: 5_000).flatMap { $0 }
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

  /// What stands in this file where the samples of another file would is not theirs.
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
    // Here, they are.
    let own = try #require(try EditedMovie().opened().tracks.first)
    #expect(own.layerAnalysis.units.contains { $0.source == .sample(0) })
    #expect(try !own.sampleDiagnostics().contains { $0.code == "external-media" })
  }

  @Test func ofTracksThatAreNotReadNothingIsKnown() throws {
    var limits = Limits()
    limits.maximumTracks = 0
    let movie = try MovieFile(bytes: Fixtures.bytes("spatial.mov").array, limits: limits)
    #expect(movie.classification == .unknown)
    let report = movie.check()
    #expect(!report.isClean() && report.verdicts.allSatisfy { $0.outcome == .unknown })
  }
}
