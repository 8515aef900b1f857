// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import TestSupport
import Testing

@testable import Multiview

/// What a playlist says of a movie, beside what other tests look at.
@Suite struct PlaylistAttributesTests {
  private func size(_ fixture: String = "spatial.mov", _ change: (inout EditedMovie) throws -> Void) throws
    -> String?
  {
    var movie = EditedMovie(fixture)
    try change(&movie)
    return try movie.opened().playlistAttributes?.resolution.map { "\($0)" }
  }

  /// The size at which a view is shown: what is outside of the clean aperture is not, and pixels are square.
  @Test func sizesAreThoseOfTheDisplay() throws {
    #expect(try size { _ in } == "320x180")
    func turn(_ movie: inout EditedMovie) {
      movie.edit("moov/trak/tkhd", TrackHeaderBox.self) { header in
        (header.matrix.a, header.matrix.b, header.matrix.c, header.matrix.d) = (0, 0x1_0000, -0x1_0000, 0)
      }
    }
    #expect(try size { turn(&$0) } == "180x320")
    let shape = box("pasp", u32(4), u32(3))
    let aperture = box("clap", [300, 1, 160, 1, 0, 1, 0, 1].flatMap { u32($0) })
    #expect(try size { try $0.append(shape, to: EditedMovie.entry) } == "427x180")
    #expect(try size { try $0.append(aperture, to: EditedMovie.entry) } == "300x160")
    #expect(
      try size {
        try $0.append(aperture, to: EditedMovie.entry)
        try $0.append(shape, to: EditedMovie.entry)
        turn(&$0)
      } == "160x400")
    // Of a picture with both eyes, the half.
    let plain = try #require(try MovieFile(path: Fixtures.path("side-by-side-packed.mov")).mainVideoTrack)
    let whole = try #require(plain.displaySize)
    #expect(plain.viewSize == PictureSize(width: whole.width / 2, height: whole.height))
    #expect(
      try size("side-by-side-packed.mov") { turn(&$0) } == "\(whole.height)x\(whole.width / 2)")
  }

  /// A message on the preferred transfer function, as broadcasts in HLG have it beside a VUI for older receivers.
  private func prefer(_ transfer: UInt8, _ movie: inout EditedMovie) {
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.arrays.append(
        NALUnitArray(.prefixSEI, isComplete: false, [ByteView([0x4E, 0x01, 147, 1, transfer, 0x80])]))
    }
  }

  @Test func hybridLogGammaOfBroadcastsIsSeen() throws {
    var movie = EditedMovie()
    prefer(18, &movie)
    var opened = try movie.opened()
    #expect(opened.playlistAttributes?.videoRange == "HLG" && opened.tracks[0].colour.transfer == 18)
    #expect(opened.tracks[0].mediaCharacteristics.contains(.containsHDRVideo))
    // For older receivers, a curve of SDR.
    try movie.append(box("colr", code("nclx"), u16(9), u16(14), u16(9), [0]), to: EditedMovie.entry)
    opened = try movie.opened()
    #expect(opened.playlistAttributes?.videoRange == "HLG" && opened.tracks[0].colour.primaries == 9)
    movie.remove("\(EditedMovie.entry)/colr")
    // A curve of HDR is not replaced.
    try movie.append(box("colr", code("nclx"), u16(9), u16(16), u16(9), [0]), to: EditedMovie.entry)
    #expect(try movie.opened().playlistAttributes?.videoRange == "PQ")
    var unspecified = EditedMovie()
    prefer(2, &unspecified)
    #expect(try unspecified.opened().tracks[0].colour == EditedMovie().opened().tracks[0].colour)
  }

  /// Profiles 5 and 20 have no base layer for others, and are PQ. 8 is what its base layer is.
  @Test(arguments: [(5, "PQ"), (20, "PQ"), (8, nil)] as [(UInt8, String?)])
  func dolbyVisionIsPQ(profile: UInt8, range: String?) throws {
    var movie = EditedMovie()
    let content: [UInt8] = [1, 0, profile << 1, 0x20 | 1] + [UInt8](repeating: 0, count: 20)
    try movie.append(box(profile > 7 ? "dvvC" : "dvcC", content), to: EditedMovie.entry)
    #expect(try movie.opened().tracks[0].colour.videoRange == nil)
    #expect(try movie.opened().playlistAttributes?.videoRange == range)
  }

  /// Apple's examples of immersive video have level 6.1, and video with a projection has as many pixels.
  @Test(
    arguments: [(183, true, false), (186, true, true), (183, false, true), (153, false, false)]
      as [(UInt8, Bool, Bool)])
  func levelsForProjections(level: UInt8, isProjected: Bool, isTooHigh: Bool) throws {
    var movie = EditedMovie("two-views-fragmented.mp4")
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.generalLevelIdc.rawValue = level
    }
    if isProjected {
      try movie.append(box("proj", fullBox("prji", code("equi"))), to: "\(EditedMovie.entry)/vexu")
    }
    let findings = try movie.opened().check().findings.filter { $0.rule.id == "MV067" }
    #expect(findings.isEmpty != isTooHigh)
  }
}
