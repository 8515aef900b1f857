// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Bytes written by hand from ISO/IEC 14496-12, 14496-1 and the QuickTime File Format.
@Suite struct AudioBoxTests {
  /// Six zero bytes, the data reference 1.
  private let start = "000000000000 0001 "
  /// Two channels of 16 bits at 48 kHz.
  private let stereo = "0002 0010 0000 0000 BB800000 "
  /// A child: an empty `free`.
  private let child = "00000008 66726565"

  private func entry(
    _ hex: String, unread: Int = 8, version: UInt8 = 0, location: SourceLocation = #_sourceLocation
  ) throws -> AudioSampleEntry {
    try payload(
      "mp4a", in: .audioSampleDescription, hex, as: AudioSampleEntry.self, unread: unread,
      sampleDescriptionVersion: version, location: location)
  }

  @Test func theFourForms() throws {
    let basic = try entry(start + "0000 0000 00000000" + stereo + child)
    #expect(basic.form == .basic && basic.channelCount == 2 && basic.sampleRate == 48_000 << 16)
    let isoVersion1 = try entry(start + "0001 0000 00000000" + stereo + child, version: 1)
    #expect(isoVersion1.form == .basic && isoVersion1.entryVersion == 1)
    let version1 = try entry(
      start + "0001 0000 00000000 0002 0010 FFFE 0000 BB800000 00000400 00000000 00000000 00000002" + child)
    #expect(version1.form == .quickTimeVersion1 && version1.compressionID == -2)
    #expect(version1.packetSizes?.samplesPerPacket == 1_024 && version1.packetSizes?.bytesPerSample == 2)
    let version2 = try entry(
      start + """
        0002 0000 00000000 0003 0010 FFFE 0000 00010000
        00000048 40E7700000000000 00000004 7F000000 00000018 0000000C 0000000C 00000001
        """ + child)
    #expect(version2.form == .quickTimeVersion2)
    let format = try #require(version2.linearFormat)
    #expect(format.sampleRate == 48_000 && format.channelCount == 4 && format.bitsPerChannel == 24)
    #expect(format.formatFlags == 12 && format.bytesPerPacket == 12 && format.framesPerPacket == 1)
  }

  @Test func bytesOverruleTheVersion() throws {
    // MP4 with version 1 and without the fields of QuickTime, in an stsd of version 0.
    #expect(try entry(start + "0001 0000 00000000" + stereo + child).form == .basic)
    // QuickTime fields in an stsd of version 1.
    let sizes = "00000400 00000000 00000000 00000002"
    #expect(
      try entry(start + "0001 0000 00000000" + stereo + sizes + child, version: 1).form == .quickTimeVersion1)
    // Neither fits: the version counts.
    #expect(
      try entry(start + "0001 0000 00000000" + stereo + sizes + "00000001 00000002").form
        == .quickTimeVersion1)
    // Nothing but a terminator after.
    #expect(
      try entry(start + "0001 0000 00000000" + stereo + sizes + "00000000", unread: 4).form
        == .quickTimeVersion1)
  }

  @Test func entriesThatAreDamaged() throws {
    let short = try decode("mp4a", in: .audioSampleDescription, ByteView(hex: start + "0000 0000 0000"))
    #expect(short.error?.field == "vendor")
    // The size of the structure reaches after the end.
    let long = try decode(
      "lpcm", in: .audioSampleDescription,
      ByteView(
        hex: start + """
          0002 0000 00000000 0003 0010 FFFE 0000 00010000
          FFFFFFFF 40E7700000000000 00000004 7F000000 00000018 0000000C 0000000C 00000001
          """))
    #expect(long.error != nil)
  }

  @Test func descriptorsWithShortAndLongLengths() throws {
    // ES 1 { decoder AAC, 128 kbit/s { info 11 90 } , packing 2 }
    let short = "00000000 03 19 0001 00 04 11 40 15 000300 0001F400 0001F400 05 02 1190 06 01 02"
    let long = """
      00000000 03 80808025 0001 00 04 80808017 40 15 000300 0001F400 0001F400
      05 80808005 1190565500 06 80808001 02
      """.replacing("80808017", with: "80808017")
    let box = try payload("esds", in: .audioSampleEntry, short, as: ElementaryStreamDescriptorBox.self)
    #expect(box.descriptors.map(\.tag) == [.elementaryStream])
    let config = try #require(box.decoderConfig)
    #expect(config.objectType.rawValue == 0x40 && config.streamType == 5 && !config.isUpStream)
    #expect(config.bufferSize == 768 && config.maximumBitrate == 128_000 && config.averageBitrate == 128_000)
    #expect(box.decoderSpecificInfo?.array == [0x11, 0x90])
    let wide = try payload("esds", in: .audioSampleEntry, long, as: ElementaryStreamDescriptorBox.self)
    #expect(wide.decoderSpecificInfo?.array == [0x11, 0x90, 0x56, 0x55, 0x00])
    #expect(wide.descriptors.first?.lengthByteCount == 4)
  }

  @Test func optionalFieldsOfAStream() throws {
    let box = try payload(
      "esds", in: .otherSampleEntry, "00000000 03 0A 0005 E3 0001 02 6162 0009",
      as: ElementaryStreamDescriptorBox.self)
    guard case .elementaryStream(let stream)? = box.descriptors.first?.content else {
      Issue.record("no stream")
      return
    }
    #expect(stream.streamID == 5 && stream.priority == 3)
    #expect(stream.dependsOnStreamID == 1 && stream.url?.utf8Text == "ab" && stream.clockStreamID == 9)
  }

  @Test func descriptorsGrowWithTheirContent() throws {
    var box = try payload(
      "esds", in: .audioSampleEntry,
      "00000000 03 19 0001 00 04 11 40 15 000300 0001F400 0001F400 05 02 1190 06 01 02",
      as: ElementaryStreamDescriptorBox.self)
    box.descriptors = [
      Descriptor(.decoderSpecificInfo, .decoderSpecificInfo(ByteView([UInt8](repeating: 7, count: 200))))
    ]
    // 200 is 1 * 128 + 72: two bytes of length.
    #expect(try box.encoded().prefix(7) == [0, 0, 0, 0, 5, 0x81, 72])
  }

  @Test func descriptorsThatAreDamaged() throws {
    func error(_ bytes: [UInt8]) throws -> ParseError? {
      try decode("esds", in: .audioSampleEntry, ByteView([0, 0, 0, 0] + bytes)).error
    }
    #expect(try error([3, 9, 0, 1, 0]) != nil)
    #expect(try error([3, 0x80, 0x80, 0x80, 0x80, 0x00]) != nil)
    // Descriptors that nest ten thousand deep end as bytes: nothing overflows.
    var bytes: [UInt8] = []
    for _ in 0..<10_000 {
      let length = bytes.count + 3
      let size = [
        UInt8(length >> 21 & 127) | 128, UInt8(length >> 14 & 127) | 128, UInt8(length >> 7 & 127) | 128,
      ]
      bytes = [3] + size + [UInt8(length & 127), 0, 1, 0] + bytes
    }
    #expect(try error(bytes) == nil)
  }

  @Test func channelsAndRates() throws {
    let map = try payload(
      "chnl", in: .audioSampleEntry, "00000000 01 02 0000000000000004", as: ChannelLayoutBox.self)
    #expect(map.definedLayout == 2 && map.omittedChannelsMap == 4 && map.objectCount == nil)
    let speakers = try payload(
      "chnl", in: .audioSampleEntry, "00000000 03 00 00 7E FFE2 0F 05", as: ChannelLayoutBox.self)
    #expect(speakers.speakers.map(\.position) == [0, 126] && speakers.objectCount == 5)
    #expect(speakers.speakers.last?.azimuth == -30 && speakers.speakers.last?.elevation == 15)
    let newer = try payload(
      "chnl", in: .audioSampleEntry, "01000000 12 06 00 01 03", as: ChannelLayoutBox.self)
    #expect(newer.formatOrdering == 2 && newer.baseChannelCount == 6 && newer.speakers.map(\.position) == [3])
    #expect(
      try payload("srat", in: .audioSampleEntry, "00000000 0002EE00", as: SamplingRateBox.self).samplingRate
        == 192_000)
    let opus = try payload(
      "dOps", in: .audioSampleEntry, "00 02 0138 0000BB80 FF80 00", as: OpusSpecificBox.self)
    #expect(opus.preSkip == 312 && opus.outputGain == -128 && opus.channelMapping == nil)
    // 48 kHz, bsid 8, 3/2 channels with a low-frequency one, 384 kbit/s: 00 01000 000 111 1 01110 00000.
    let dolby = try payload("dac3", in: .audioSampleEntry, "103DC0", as: AC3SpecificBox.self)
    #expect(
      dolby.bitstreamID == 8 && dolby.channelMode == 7 && dolby.hasLowFrequencyChannel
        && dolby.bitRateCode == 14)
    #expect(dolby.channelCount == 6)
  }

  /// ETSI TS 102 366, annex F: bsid 16, 3/2 channels with a low-frequency one.
  @Test func channelsOfEnhancedAC3() throws {
    let plain = try payload("dec3", in: .audioSampleEntry, "1800 200F00", as: EnhancedAC3SpecificBox.self)
    #expect(plain.substreams.map(\.channelCount) == [6])
    // One substream depends on it, with the pair Lrs/Rrs: 7.1.
    let surround = try payload(
      "dec3", in: .audioSampleEntry, "1800 200F0202", as: EnhancedAC3SpecificBox.self)
    #expect(surround.substreams.map(\.channelCount) == [8])
    // Mono, and the low-frequency channel of a dependent substream.
    let small = try payload(
      "dec3", in: .audioSampleEntry, "1800 20020300", as: EnhancedAC3SpecificBox.self)
    #expect(small.substreams.map(\.channelCount) == [2])
  }
}
