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

  /// The record of VP9 has code points, which hold where nothing else says any; drafts of the record have others.
  @Test func colourOfARecordOfVP9() throws {
    for (version, transfer) in [(1, 16), (0, nil)] as [(UInt8, Int?)] {
      var movie = EditedMovie()
      let record = [version, 0, 0, 0, 2, 11, 0xA2, 9, 16, 9, 0, 0]
      let fields = u32(0) + u16(0) + u16(1) + [UInt8](repeating: 0, count: 16) + u16(320) + u16(180)
      let rest =
        u32(72 << 16) + u32(72 << 16) + u32(0) + u16(1) + [UInt8](repeating: 0, count: 32) + u16(24)
        + u16(0xFFFF)
      movie.replace(
        "moov/trak/mdia/minf/stbl/stsd",
        with: fullBox("stsd", u32(1), box("vp09", fields, rest, box("vpcC", record))))
      let colour = try #require(try movie.opened().tracks.first).colour
      #expect(colour.transfer == transfer && colour.isHDR == (transfer != nil))
    }
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

  /// What the boxes of codecs say goes before the fields of the sample entry, which say two channels at 48 kHz here.
  @Test func soundOfTheBoxesOfCodecs() throws {
    func format(_ type: FourCC, _ boxes: [UInt8], rate: UInt32 = 48_000 << 16) throws -> AudioFormat? {
      let fields = u32(0) + u16(0) + u16(1) + u32(0) + u32(0) + u16(2) + u16(16) + u32(0) + u32(rate)
      var movie = EditedMovie()
      movie.edit("moov/trak/mdia/hdlr", HandlerBox.self) { $0.handlerType = "soun" }
      movie.replace("moov/trak/mdia/minf/stbl/stsd", with: fullBox("stsd", u32(1), box(type, fields, boxes)))
      return try #require(try movie.opened().tracks.first).formatDescriptions.first?.audio
    }
    // STREAMINFO: 20 bits of 96000, three of six channels less 1, five of 24 bits less 1.
    let info = u16(4096) + u16(4096) + [0, 0, 0, 0, 0, 0] + u32(96_000 << 12 | 5 << 9 | 23 << 4)
    let flac = try #require(
      try format("fLaC", fullBox("dfLa", [0x80, 0, 0, 34], info, [UInt8](repeating: 0, count: 20)), rate: 0))
    #expect(flac.sampleRate == 96_000 && flac.channelCount == 6)
    let cookie = u32(4096) + [0, 24, 40, 10, 14, 6] + u16(255) + u32(0) + u32(0) + u32(192_000)
    let lossless = try #require(try format("alac", fullBox("alac", cookie)))
    #expect(lossless.sampleRate == 192_000 && lossless.channelCount == 6)
    let opus = try #require(try format("Opus", box("dOps", [0, 6], u16(312), u32(44_100), u16(0), [0])))
    #expect(opus.sampleRate == 48_000 && opus.channelCount == 6)
    #expect(try format("ipcm", fullBox("srat", u32(192_000)))?.sampleRate == 192_000)
    #expect(
      try format("dtsc", box("ddts", u32(96_000), [UInt8](repeating: 0, count: 16)))?.sampleRate == 96_000)
    #expect(try format("mlpa", [], rate: 48_000)?.sampleRate == 48_000)
  }

  /// A configuration that is missing or cut off says nothing: the sample entry does.
  @Test(arguments: [[], [0x2B]] as [[UInt8]]) func aConfigurationThatCannotBeReadSaysNothing(config: [UInt8])
    throws
  {
    let decoder = [0x40, 0x15, 0, 0, 0] + u32(0) + u32(0) + [5, UInt8(config.count)] + config
    let stream = [3, UInt8(decoder.count + 5)] + u16(1) + [0, 4, UInt8(decoder.count)] + decoder
    let fields = u32(0) + u16(0) + u16(1) + u32(0) + u32(0) + u16(1) + u16(16) + u32(0) + u32(22_050 << 16)
    var movie = EditedMovie()
    movie.edit("moov/trak/mdia/hdlr", HandlerBox.self) { $0.handlerType = "soun" }
    movie.replace(
      "moov/trak/mdia/minf/stbl/stsd",
      with: fullBox("stsd", u32(1), box("mp4a", fields, fullBox("esds", stream))))
    let track = try #require(try movie.opened().tracks.first)
    let format = try #require(track.formatDescriptions.first?.audio)
    #expect(format.sampleRate == 22_050 && format.channelCount == 1 && format.audioObjectType == nil)
    #expect(track.codecString == "mp4a.40")
  }

  /// 24 times 512 ticks, and once 256 back: 12032 ticks for 25 samples.
  @Test func aNegativeDurationIsSubtracted() throws {
    var movie = EditedMovie()
    movie.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { ($0.timescale, $0.duration) = (12_800, 1_280) }
    movie.edit("moov/trak/mdia/minf/stbl/stts", TimeToSampleBox.self) {
      $0.entries = .of([
        .init(sampleCount: 2, sampleDelta: 512), .init(sampleCount: 1, sampleDelta: UInt32.max - 255),
        .init(sampleCount: 1, sampleDelta: 512),
      ])
    }
    let rate = try #require(try movie.opened().tracks.first?.nominalFrameRate)
    #expect(abs(rate - 4 * 12_800 / 1_280) < 0.001, "\(rate)")
  }

  /// Text in a Macintosh language is in its encoding, unless it is UTF-8, as many writers have it.
  @Test(
    arguments: [([0x8A, 0x41, 0xA9], "äA©"), ([0xC3, 0xA4], "ä"), ([0xFF], "ˇ")] as [([UInt8], String)])
  func textInAMacintoshLanguage(bytes: [UInt8], text: String) throws {
    var entry = UserDataTextBox.Entry()
    (entry.language, entry.bytes) = (2, ByteView(bytes))
    #expect(entry.text == text)
    entry.language = 0x55C4
    #expect(entry.text == String(decoding: bytes, as: UTF8.self))
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
