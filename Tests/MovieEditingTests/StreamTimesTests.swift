// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What a stream says of its times and its light changes in the middle, and is so in the movie.
@Suite struct StreamTimesTests {
  typealias PlainUnit = MuxTests.PlainUnit
  /// Four pictures of two layers, the first of which can be decoded alone. 30000/1000 pictures in a second.
  private let units = MuxTests.accessUnits(Fixtures.bytes("two-views.hevc").array)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mux(
    _ accessUnits: [[PlainUnit]], sound: String? = nil, _ change: (inout MuxOptions) -> Void = { _ in }
  ) throws -> (movie: MovieFile, report: MuxReport) {
    var options = MuxOptions()
    change(&options)
    let stream = MuxTests.joined(accessUnits.flatMap { $0 })
    var muxer = StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options)
    muxer.soundSource = try sound.map { try MovieFile(path: $0) }
    return try muxer.draftMovie()
  }

  /// The access units with another sequence parameter set of the base layer.
  private func changed(_ change: (inout VUIParameters) -> Void) throws -> [[PlainUnit]] {
    try units.map { units in
      try units.map { unit in
        guard unit.type == 33, unit.layer == 0 else { return unit }
        let set = try #require(NALUnit(ByteView(unit.bytes)))
        var content = set.rbsp.decode(SequenceParameterSet()).value
        var vui = content.vui ?? VUIParameters()
        change(&vui)
        content.vui = vui
        return PlainUnit(bytes: try NALUnit(set.header, content).bytes.array, offset: 0)
      }
    }
  }

  /// The access units at another rate.
  private func timed(_ scale: UInt32, _ ticks: UInt32) throws -> [[PlainUnit]] {
    try changed { vui in
      var timing = VUITiming()
      (timing.timeScale, timing.numUnitsInTick) = (scale, ticks)
      vui.timing = timing
    }
  }

  /// A message of one unit, before the first slice of an access unit.
  private func adding(_ message: [UInt8], to accessUnit: [PlainUnit]) throws -> [PlainUnit] {
    var units = accessUnit
    let place = try #require(units.firstIndex { $0.type < 32 })
    units.insert(PlainUnit(bytes: [0x4E, 1] + message + [0x80], offset: 0), at: place)
    return units
  }

  /// `content_light_level_info`: type 144, four bytes. ISO/IEC 23008-2, D.2.35
  private func light(_ most: UInt16) -> [UInt8] {
    [144, 4, UInt8(most >> 8), UInt8(most & 255), 0, 100]
  }

  private func durations(_ movie: MovieFile) throws -> [Double] {
    let track = try #require(movie.mainVideoTrack)
    return try track.samples().map { Double($0.duration) / Double(track.timescale) }
  }

  // MARK: Light

  /// The light level that applies to each sample: that of its entry, unless its sequence has another in its samples.
  private func levels(_ movie: MovieFile) throws -> [UInt16] {
    let track = movie.tracks[0]
    var level: UInt16 = 0, entry: UInt32 = 0
    func read(_ units: [NALUnit]) {
      for message in units.flatMap({ $0.seiMessages().messages }) where message.payloadType.rawValue == 144 {
        level = UInt16(message.payload[0] ?? 0) << 8 | UInt16(message.payload[1] ?? 0)
      }
    }
    return try zip(track.samples(), MuxTests.units(of: movie)).map { sample, units in
      if sample.descriptionIndex != entry {
        entry = sample.descriptionIndex
        read(track.formatDescriptions[Int(entry) - 1].configurationUnits.map(\.unit))
      }
      read(units.filter { $0.type == 39 }.compactMap { NALUnit(ByteView($0.bytes)) })
      return level
    }
  }

  @Test func aSequenceThatIsBrighterHasAnEntryOfItsOwn() throws {
    let dark = try [adding(light(1_000), to: units[0])] + units[1...]
    let bright = try [adding(light(4_000), to: units[0])] + units[1...]
    let (movie, report) = try mux(dark + bright + dark)
    #expect(report.descriptions == 2)
    let expected: [UInt16] = [1_000, 1_000, 1_000, 1_000, 4_000, 4_000, 4_000, 4_000]
    #expect(try levels(movie) == expected + expected[..<4])
    let boxes = movie.tracks[0].formatDescriptions.map { $0.box.first(ContentLightLevelBox.self)?.maxCLL }
    #expect(boxes == [1_000, 4_000])
    #expect(try movie.tracks[0].samples().map(\.descriptionIndex) == [1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1])
    // A message that is not repeated is not another one.
    #expect(try mux(dark + units + dark).report.descriptions == 1)
  }

  /// A message within a sequence stays, and so does the one that ends it.
  @Test func messagesOfTheRecordStayWhereTheyAreNeeded() throws {
    let dark = try [adding(light(1_000), to: units[0])] + units[1...]
    var both = dark
    both[2] = try adding(light(4_000), to: both[2])
    both[3] = try adding(light(1_000), to: both[3])
    #expect(try levels(mux(both + dark).movie) == [1_000, 1_000, 4_000, 1_000, 1_000, 1_000, 1_000, 1_000])
  }

  // MARK: Times

  /// `pic_timing` with `pic_struct`, of a progressive source: type 1, one byte. ISO/IEC 23008-2, D.2.3
  private func structured(_ values: [UInt8], _ units: [[PlainUnit]]) throws -> [[PlainUnit]] {
    try zip(values, units).map { try adding([1, 1, $0 << 4 | 1 << 2 | 1], to: $1) }
  }

  @Test func picturesThatAreRepeatedLastLonger() throws {
    let described = try changed { $0.frameFieldInfoPresentFlag = true }
    let stream = try structured([0, 7, 8, 5], described)
    let (movie, report) = try mux(stream)
    // Table D.2: once, twice, three times, and a field more.
    #expect(try durations(movie) == [1, 2, 3, 1.5].map { $0 / 30 })
    #expect(report.notices.filter { $0.kind == .longerPictures }.map(\.count) == [3])
    #expect(try movie.tracks[0].samples().map { $0.compositionTime - $0.decodeTime } == [0, 0, 0, 0])
    // A rate that is given is that of all pictures.
    let even = try mux(stream) { $0.frameRate = FrameRate(30) }
    #expect(try durations(even.movie) == [1, 1, 1, 1].map { $0 / 30 } && even.report.notices.isEmpty)
    // Without the flag, the message has other bits.
    #expect(try durations(mux(structured([7, 7, 7, 7], units)).movie) == [1, 1, 1, 1].map { $0 / 30 })
    // An odd period has whole halves.
    let film = try changed { vui in
      vui.frameFieldInfoPresentFlag = true
      vui.timing?.timeScale = 30_000
      vui.timing?.numUnitsInTick = 1_001
    }
    let pulled = try mux(structured([5, 3, 6, 4], film)).movie
    #expect(try durations(pulled) == [3_003, 2_002, 3_003, 2_002].map { $0 / 60_000 })
  }

  @Test func eachPartHasItsOwnRate() throws {
    let stream = try units + timed(25, 1) + units
    let (movie, report) = try mux(stream)
    let slow = [1, 1, 1, 1].map { $0 / 25.0 }, fast = [1, 1, 1, 1].map { $0 / 30.0 }
    #expect(try durations(movie) == fast + slow + fast)
    #expect(report.notices.filter { $0.kind == .rateChanges }.map(\.count) == [2])
    #expect(try durations(mux(stream) { $0.frameRate = FrameRate(30) }.movie) == fast + fast + fast)
    // 600 units in a second have no whole number of these.
    let odd = try units + timed(30_000, 1_001)
    let error = try #require(throws: EditError.self) { try mux(odd) }
    #expect(error.kind == .exceedsLimit && error.reason.contains("from 30 to 30000/1001"), "\(error)")
    #expect(error.advice.steps == [.setFrameRate])
  }

  // MARK: Beside other tracks

  private func delay(_ movie: MovieFile) -> UInt64 {
    let edits = movie.tracks[0].box?["edts/elst"].flatMap { $0.payload(EditListBox.self) }
    return edits?.entries.first.map { $0.mediaTime == -1 ? $0.editDuration : 0 } ?? 0
  }

  /// Pictures that are left out at the start leave a gap if there is sound, which begins with the first of them.
  @Test func soundStaysInSyncWithACutStart() throws {
    let stream = Array(units[1...]) + units
    // The parameter sets are needed at the start.
    let sets = units[0].filter { (32...34).contains($0.type) }
    let late = [sets + stream[0]] + stream[1...]
    let sound = Fixtures.path("metadata-keys.mov")
    let (movie, report) = try mux(late, sound: sound) { $0.skipsUndecodableStart = true }
    #expect(report.notices.map(\.kind).contains(.laterStart))
    // Three thirtieths of a second.
    #expect(delay(movie) * 10 == UInt64(movie.movieTimescale))
    let silent = try mux(late) { $0.skipsUndecodableStart = true }
    #expect(delay(silent.movie) == 0 && !silent.report.notices.map(\.kind).contains(.laterStart))
  }

  @Test func dolbyVisionIsNoticed() throws {
    let stream = units.map { $0 + [PlainUnit(bytes: [62 << 1, 1, 0x19, 8, 9, 0x80], offset: 0)] }
    let (movie, report) = try mux(stream)
    #expect(report.notices.filter { $0.kind == .dolbyVision }.map(\.count) == [4])
    #expect(try MuxTests.units(of: movie).allSatisfy { $0.contains { $0.type == 62 } })
  }

  // MARK: The form of copied tracks

  /// PCM has another form in MP4, AAC is converted.
  @Test(arguments: [("sowt", true), ("mp4a", false)] as [(FourCC, Bool)])
  func soundThatOnlyQuickTimeHasIsNoticed(type: FourCC, isNoticed: Bool) throws {
    let name = "metadata-keys.mov"
    var bytes = Fixtures.bytes(name).array
    let tracks = try MovieFile(path: Fixtures.path(name)).tracks.filter { $0.mediaType == .audio }
    for entry in tracks.flatMap(\.formatDescriptions) {
      bytes.replaceSubrange(entry.box.offset + 4..<entry.box.offset + 8, with: Array("\(type)".utf8))
    }
    let path = try folder.write("\(type).mov", bytes)
    let report = try mux(units, sound: path) { $0.brand = .mp4 }.report
    #expect(
      report.notices.filter { $0.kind == .quickTimeSound }.map(\.count) == (isNoticed ? [tracks.count] : []))
    #expect(try mux(units, sound: path).report.notices.allSatisfy { $0.kind != .quickTimeSound })
  }

  /// A movie with sound as QuickTime describes it.
  private func quickTimeSound(language: UInt16) throws -> String {
    var tree = try #require(try MovieFile(path: Fixtures.path("metadata-keys.mov")).tree)
    let tracks = try MovieFile(path: Fixtures.path("metadata-keys.mov")).tracks
    let place = try #require(tracks.firstIndex { $0.mediaType == .audio })
    try tree.edit("moov/trak[\(place)]/mdia") { (media: inout Box) throws(ParseError) in
      try media.editAll(MediaHeaderBox.self) { $0.language = language }
      try media.editAll(HandlerBox.self) { handler in
        (handler.componentType, handler.isNamePascal) = (FourCC("mhlr").rawValue, true)
        (handler.manufacturer, handler.name) = (FourCC("appl").rawValue, TerminatedString("Sound Media"))
      }
    }
    let path = folder.path + "/sound-\(language).mov"
    try tree.write(toFile: path)
    return path
  }

  /// ISO/IEC 14496-12, 8.4.2 and 8.4.3: 0 is English in QuickTime, and three letters in MP4.
  @Test(arguments: [(0, "eng"), (2, "deu"), (0x55C4, "und"), (0x7FFF, "und")] as [(UInt16, String)])
  func soundInMP4HasTheFormOfMP4(code: UInt16, language: String) throws {
    let path = try quickTimeSound(language: code)
    let movie = try mux(units, sound: path) { $0.brand = .mp4 }.movie
    let media = try #require(movie.tracks.first { $0.mediaType == .audio }?.box?.first("mdia"))
    let handler = try #require(media.first(HandlerBox.self))
    #expect(handler.componentType == 0 && !handler.isNamePascal && handler.manufacturer == 0)
    #expect(handler.name.text == "Sound Media" && handler.name.isTerminated)
    #expect(media.first("minf")?.first("hdlr") == nil)
    // Three letters, five bits each.
    let packed = language.utf8.reduce(UInt16(0)) { $0 * 32 + UInt16($1) - 0x60 }
    #expect(media.first(MediaHeaderBox.self)?.language == packed)
    let kept = try mux(units, sound: path).movie.tracks.first { $0.mediaType == .audio }?.box?.first("mdia")
    #expect(
      kept?.first(MediaHeaderBox.self)?.language == code && kept?.first(HandlerBox.self)?.isNamePascal == true
    )
  }
}
