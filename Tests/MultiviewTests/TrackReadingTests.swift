// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What a track tells beside its layers: colour, language, sound, sample groups, restrictions, shared pictures.
@Suite struct TrackReadingTests {
  // MARK: Colour

  /// The fixture has no `colr`: its VUI says BT.2020 and PQ, as it was encoded.
  @Test func colourOfTheBitstream() throws {
    let movie = try MovieFile(path: Fixtures.path("hdr10.mp4"))
    let colour = try #require(movie.tracks.first).colour
    #expect(colour.primaries == 9 && colour.transfer == 16 && colour.matrix == 9)
    #expect(colour.videoRange == "PQ" && colour.isHDR && colour.isWideGamut)
    #expect(movie.tracks(withMediaCharacteristic: .containsHDRVideo).count == 1)
    #expect(movie.tracks(withMediaCharacteristic: .usesWideGamutColorSpace).count == 1)
    let plain = try MovieFile(path: Fixtures.path("spatial.mov"))
    #expect(plain.tracks(withMediaCharacteristic: .containsHDRVideo).isEmpty)
    #expect(plain.tracks(withMediaCharacteristic: .usesWideGamutColorSpace).isEmpty)
  }

  /// x265 was given G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50) and 1000,400; the movie has no
  /// boxes for them.
  @Test func lightOfTheBitstream() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tracks.first)
    let display = try #require(track.masteringDisplay), level = try #require(track.contentLightLevel)
    #expect(
      [display.green.x, display.green.y, display.blue.x, display.blue.y] == [13_250, 34_500, 7_500, 3_000])
    #expect(
      [display.red.x, display.red.y, display.white.x, display.white.y] == [34_000, 16_000, 15_635, 16_450])
    #expect(display.maxLuminance == 10_000_000 && display.minLuminance == 50)
    #expect(level.maxCLL == 1_000 && level.maxFALL == 400)
    var movie = EditedMovie()
    try movie.append(box("clli", u16(700), u16(70)), to: EditedMovie.entry)
    #expect(try movie.opened().tracks.first?.contentLightLevel?.maxCLL == 700)
    #expect(try movie.opened().tracks.first?.masteringDisplay == nil)
  }

  @Test func aProfileInFrontOfCodePointsHidesNothing() throws {
    var movie = EditedMovie()
    try movie.append(
      box("colr", code("prof"), u32(4)) + box("colr", code("nclx"), u16(9), u16(18), u16(9), [0x80]),
      to: EditedMovie.entry)
    let track = try #require(try movie.opened().tracks.first)
    #expect(track.colour.videoRange == "HLG" && track.colour.isFullRange == true)
    #expect(track.mediaCharacteristics.isSuperset(of: [.containsHDRVideo, .usesWideGamutColorSpace]))
  }

  @Test func wideColoursNeedNotBeHDR() throws {
    var movie = EditedMovie()
    // Display P3 as cameras write it.
    try movie.append(box("colr", code("nclc"), u16(12), u16(1), u16(6)), to: EditedMovie.entry)
    let track = try #require(try movie.opened().tracks.first)
    #expect(track.colour.videoRange == "SDR")
    #expect(track.mediaCharacteristics.contains(.usesWideGamutColorSpace))
    #expect(!track.mediaCharacteristics.contains(.containsHDRVideo))
  }

  // MARK: Language

  @Test func theExtendedLanguageGoesFirst() throws {
    var movie = EditedMovie()
    try movie.append(fullBox("elng", Array("zh-Hant-TW".utf8) + [0]), to: "moov/trak/mdia")
    #expect(try movie.opened().tracks.first?.language == "zh-Hant-TW")
  }

  /// QuickTime File Format Specification: 0 is English, 11 Japanese, 33 simplified Chinese, 138 Javanese.
  @Test(
    arguments: [(0, "eng"), (11, "jpn"), (33, "zho"), (138, "jav"), (100, nil), (0x7FFF, nil)]
      as [(UInt16, String?)])
  func macintoshLanguages(code: UInt16, language: String?) throws {
    var movie = EditedMovie()
    movie.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { $0.language = code }
    // Only QuickTime has them.
    #expect(try movie.opened().tracks.first?.language == nil)
    movie.edit("ftyp", FileTypeBox.self) { $0.majorBrand = "qt  " }
    #expect(try movie.opened().tracks.first?.language == language)
  }

  // MARK: Sound

  /// The sample entries of both say 2; their `dac3` and `dec3` say 3/2 and a low-frequency channel, as ffprobe does.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: ["sample_ac3_aac.mp4", "sample_eac3joc.mp4"])
  func channelsOfDolbySound(name: String) throws {
    let files = Corpus.files("third-party").filter { $0.hasSuffix(name) }
    let file = try #require(files.first, "\(name) is not in the corpus")
    let track = try #require(try MovieFile(path: (Corpus.folder ?? "") + "/" + file).tracks.first)
    #expect(track.formatDescriptions.first?.audio?.channelCount == 6)
  }

  // MARK: Sample groups

  private func cursor(_ movie: EditedMovie, at index: Int64) throws -> SampleCursor {
    let track = try #require(try movie.opened().tracks.first)
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    #expect(cursor.stepInDecodeOrder(byCount: index) == index)
    return cursor
  }

  @Test func theRollDistanceSaysHowFarBack() throws {
    var movie = EditedMovie()
    #expect(try cursor(movie, at: 3).samplesRequiredForDecoderRefresh == 0)
    // Version 1, entries of two bytes: -2 and 3. The samples 1 and 2 are in the first group, 3 in the second.
    let groups =
      box("sgpd", u32(0x0100_0000), code("roll"), u32(2), u32(2), i16(-2), i16(3))
      + fullBox("sbgp", code("roll"), u32(3), u32(1), u32(0), u32(2), u32(1), u32(1), u32(2))
    try movie.append(groups, to: EditedMovie.tables)
    let required = try (0..<4).map { try cursor(movie, at: $0).samplesRequiredForDecoderRefresh }
    // Sample 1 has only one before it. A positive distance needs none.
    #expect(required == [0, 1, 2, 0])
  }

  /// Patterns (`csgp`) are another form of the same groups, and what no table lists is in the default group. ISO/IEC 14496-12, 8.9.3
  @Test func theRollDistanceMayBeThatOfAPatternOrTheDefault() throws {
    for (table, distances) in [
      (fullBox("csgp", code("roll"), u32(1), [0x24, 0x12]), [0, 2, 1, 2]), ([], [0, 1, 1, 1]),
    ] {
      var movie = EditedMovie()
      let groups = box("sgpd", u32(0x0200_0000), code("roll"), u32(2), u32(1), u32(2), i16(-1), i16(-2))
      try movie.append(groups + table, to: EditedMovie.tables)
      let required = try (0..<4).map { try cursor(movie, at: $0).samplesRequiredForDecoderRefresh }
      #expect(required == zip(0..<4, distances).map { min($0, $1) })
    }
  }

  @Test func openRandomAccessPointsArePartialSyncSamples() throws {
    var movie = EditedMovie()
    let groups =
      box("sgpd", u32(0x0100_0000), code("rap "), u32(1), u32(1), [0x81])
      + fullBox("sbgp", code("rap "), u32(3), u32(1), u32(1), u32(1), u32(0), u32(1), u32(1))
    try movie.append(groups, to: EditedMovie.tables)
    let found = try (0..<4).map { try cursor(movie, at: $0).currentSampleSyncInfo }
    #expect(found.map(\.sampleIsPartialSync) == [false, false, true, false])
    #expect(found.map(\.sampleIsFullSync) == [true, false, false, false])
  }

  @Test func groupsThatNameWhatIsNotThereSayNothing() throws {
    var movie = EditedMovie()
    let groups = fullBox("sbgp", code("roll"), u32(2), u32(.max), u32(.max), u32(.max), u32(1))
    try movie.append(groups, to: EditedMovie.tables)
    #expect(try cursor(movie, at: 3).samplesRequiredForDecoderRefresh == 0)
  }

  // MARK: Restrictions

  /// `resv` tells how pictures are to be shown; nothing of them is hidden. ISO/IEC 14496-12, 8.15
  @Test func restrictedMediaIsNotEncrypted() throws {
    var movie = EditedMovie()
    try movie.append(box("rinf", box("frma", code("hvc1"))), to: EditedMovie.entry)
    let entry = try #require(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    let offset = entry.offset
    try movie.patch { bytes in bytes.replaceSubrange((offset + 4)..<(offset + 8), with: code("resv")) }
    let track = try #require(try movie.opened().tracks.first)
    #expect(track.formatDescriptions.first?.sampleEntryType == "resv" && track.codec == "hvc1")
    #expect(track.formatDescriptions.first?.isProtected == false)
    #expect(track.layers.map(\.isInSamples) == [true, true])
  }

  // MARK: Eyes

  @Test func aMessageInTheSamplesThatContradictsTheRecordIsReported() throws {
    var movie = EditedMovie()
    let before = try #require(try movie.opened().tracks.first).eyeAssignment
    #expect(before.eyes == [0: .left, 1: .right])
    // precision 31, one display, left view 1, right view 0: the fixture's own message the other way round.
    let swapped = try #require(NALUnit(ByteView(hex: "4E01 B004 040A8020 80")))
    try movie.rewriteSamples { samples in samples[0][0] = swapped }
    let eyes = try #require(try movie.opened().tracks.first).eyeAssignment
    #expect(eyes.contradictions.contains { $0.code == "eyes-differ-by-message" })
    #expect(eyes.eyes == [0: .right, 1: .left])
  }

  @Test func halvesOfAPicture() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("side-by-side-packed.mov")).tracks.first)
    #expect(track.packedEyes == PackedEyes(.sideBySide, isReversed: false))
    #expect(track.viewSize == PictureSize(width: 160, height: 180))
    #expect(track.packedEyes?.description == "left half: left eye, right half: right eye")
    let above = PackedEyes(.overUnder, isReversed: true)
    #expect(above.description == "upper half: right eye, lower half: left eye")
    #expect(
      above.viewSize(in: PictureSize(width: 320, height: 180)) == PictureSize(width: 320, height: 90))
    let layered = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    #expect(layered.packedEyes == nil && layered.viewSize == PictureSize(width: 320, height: 180))
  }
}
