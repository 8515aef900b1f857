// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import ISOBMFF
import TestSupport
import Testing

/// Boxes put down byte by byte from the specification, and the values they must have.
@Suite struct HandComputedBoxes {
  /// Reads a whole payload, and checks that it is written as it was.
  func read<Payload: BoxPayload>(
    _: Payload.Type, _ hex: String, type: FourCC = "test", scope: BoxScope = .anywhere,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Payload {
    let bytes = ByteView(hex: hex)
    let decoding = try #require(
      BoxRegistration(Payload.self).decode(bytes, BoxContext(type: type, scope: scope)),
      sourceLocation: sourceLocation)
    #expect(decoding.error == nil, sourceLocation: sourceLocation)
    #expect(
      decoding.unread.isEmpty, "\(decoding.unread.count) bytes are left", sourceLocation: sourceLocation)
    #expect(try decoding.payload.encoded() == bytes.array, sourceLocation: sourceLocation)
    return try #require(decoding.payload as? Payload, sourceLocation: sourceLocation)
  }

  @Test func fileType() throws {
    let box = try read(FileTypeBox.self, "6d703432 00000001 69736f6d 6d703431 6d703432")
    #expect(box.majorBrand == "mp42" && box.minorVersion == 1)
    #expect(box.compatibleBrands == ["isom", "mp41", "mp42"])
  }

  @Test func movieHeaderOfBothVersions() throws {
    let matrix = "00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000"
    let tail = "00010000 0100 0000 00000000 00000000 \(matrix) " + String(repeating: "00000000 ", count: 6)
    let short = try read(
      MovieHeaderBox.self, "00 000000 e1b11980 e1b119bc 00000258 000000c8 \(tail) 00000002")
    #expect(short.creationTime == 0xE1B1_1980 && short.modificationTime == 0xE1B1_19BC)
    #expect(short.timescale == 600 && short.duration == 200 && short.nextTrackID == 2)
    #expect(short.rate == 0x10000 && short.volume == 0x100 && short.matrix.isUnity)
    let wide = try read(
      MovieHeaderBox.self,
      "01 000000 00000000e1b11980 00000000e1b119bc 00015f90 ffffffffffffffff \(tail) 00000003")
    #expect(wide.timescale == 90_000 && wide.isDurationUnknown && wide.nextTrackID == 3)
  }

  @Test func trackHeader() throws {
    let box = try read(
      TrackHeaderBox.self,
      """
      00 000007 00000001 00000002 00000005 00000000 00000384 00000000 00000000 ffff 0002 0100 0000
      00000000 00010000 00000000 ffff0000 00000000 00000000 04380000 00000000 40000000 07800000 04380000
      """)
    #expect(box.flags == 7 && box.trackID == 5 && box.duration == 900 && box.isEnabled)
    #expect(box.layer == -1 && box.alternateGroup == 2 && box.volume == 256)
    #expect(box.matrix == TransformationMatrix(a: 0, b: 0x10000, c: -0x10000, d: 0, x: 1_080 << 16))
    #expect(box.width >> 16 == 1_920 && box.height >> 16 == 1_080)
  }

  @Test func mediaHeaderAndItsLanguage() throws {
    let box = try read(MediaHeaderBox.self, "00 000000 00000000 00000000 0000ac44 00015888 15c7 0000")
    #expect(box.timescale == 44_100 && box.duration == 88_200)
    // e = 5, n = 14, g = 7: 00101 01110 00111
    #expect(box.language == 0b0_00101_01110_00111)
    #expect(ValueText.language(UInt64(box.language)) == "eng")
  }

  @Test func handlersOfISOAndQuickTime() throws {
    let reserved = "00000000 00000000 00000000"
    let iso = try read(HandlerBox.self, "00 000000 00000000 76696465 \(reserved) 56 69 64 65 6f 00")
    #expect(iso.handlerType == "vide" && !iso.isNamePascal && iso.name.text == "Video")
    let quickTime = try read(
      HandlerBox.self, "00 000000 6d686c72 736f756e 6170706c 00000000 00000000 05 53 6f 75 6e 64")
    #expect(quickTime.componentType == FourCC("mhlr").rawValue)
    #expect(quickTime.manufacturer == FourCC("appl").rawValue)
    #expect(quickTime.isNamePascal && quickTime.name.text == "Sound")
    let nameless = try read(HandlerBox.self, "00 000000 00000000 6d657461 \(reserved)")
    #expect(nameless.name.text == "" && !nameless.name.isTerminated)
    // A C string of 0x43 bytes with its zero that begins with `C` (0x43): its first byte is not its length.
    let trap = "43" + String(repeating: "61", count: 0x42) + "00"
    let deceptive = try read(HandlerBox.self, "00 000000 00000000 76696465 \(reserved) \(trap)")
    #expect(!deceptive.isNamePascal && deceptive.name.bytes.count == 0x43)
  }

  @Test func editLists() throws {
    let short = try read(
      EditListBox.self, "00 000000 00000002 0000012c ffffffff 0001 0000 000004b0 000007d0 0001 0000")
    #expect(
      short.entries == [
        .init(editDuration: 300, mediaTime: -1), .init(editDuration: 1_200, mediaTime: 2_000),
      ])
    let wide = try read(
      EditListBox.self, "01 000001 00000001 000000012a05f200 fffffffffffffffe 0000 8000")
    #expect(wide.flags == 1)
    #expect(
      wide.entries == [
        .init(editDuration: 5_000_000_000, mediaTime: -2, mediaRateInteger: 0, mediaRateFraction: -32_768)
      ])
  }

  @Test func aCountThatLiesLeavesTheEntriesThatAreThere() throws {
    let edits = ByteView(hex: "00 000000 000000bd 000003e8 00000000 0001 0000", fileOffset: 100)
    let decoding = try #require(BoxRegistration(EditListBox.self).decode(edits, BoxContext(type: "elst")))
    #expect(decoding.error?.code == .countExceedsData(count: 189, availableBits: 96))
    #expect(decoding.error?.offset == 108)
    #expect((decoding.payload as? EditListBox)?.entries == [.init(editDuration: 1_000, mediaTime: 0)])
    let offsets = ByteView(hex: "00 000000 ffffffff 00000030 0000")
    let chunks = try #require(BoxRegistration(ChunkOffsetBox.self).decode(offsets, BoxContext(type: "stco")))
    #expect((chunks.payload as? ChunkOffsetBox)?.entries.map(\.value) == [48])
    #expect(chunks.error?.field == "chunk_offset")
    let run = ByteView(hex: "00 000300 00000003 00000001 00000002 00000003")
    let samples = try #require(BoxRegistration(TrackRunBox.self).decode(run, BoxContext(type: "trun")))
    #expect((samples.payload as? TrackRunBox)?.rows.map(\.sampleSize) == [2])
    #expect(samples.error?.code == .countExceedsData(count: 3, availableBits: 96))
  }

  @Test func timesToSamples() throws {
    let deltas = try read(TimeToSampleBox.self, "00 000000 00000002 00000009 00000014 00000001 ffffffff")
    #expect(deltas.entries.map(\.sampleCount) == [9, 1])
    #expect(deltas.entries.map(\.sampleDelta) == [20, 0xFFFF_FFFF])
    let offsets = try read(
      CompositionOffsetBox.self, "01 000000 00000002 00000001 0000003c 00000003 ffffffd8")
    #expect(offsets.entries.map(\.sampleOffset) == [60, -40])
    // Version 0 is unsigned by the letter; what does not fit into 31 bits was meant to be negative.
    let unsigned = try read(CompositionOffsetBox.self, "00 000000 00000001 00000001 ffffffd8")
    #expect(unsigned.entries.map(\.sampleOffset) == [-40])
    let shift = try read(
      CompositionToDecodeBox.self, "00 000000 00000028 ffffffd8 0000003c 00000000 000000c8")
    #expect(shift.compositionToDTSShift == 40 && shift.leastDecodeToDisplayDelta == -40)
    #expect(shift.greatestDecodeToDisplayDelta == 60 && shift.compositionEndTime == 200)
  }

  @Test func sampleSizes() throws {
    let equal = try read(SampleSizeBox.self, "00 000000 00000004 0000bb80")
    #expect(equal.sampleSize == 4 && equal.sampleCount == 48_000 && equal.entries.isEmpty)
    let each = try read(SampleSizeBox.self, "00 000000 00000000 00000002 00001343 00000078")
    #expect(each.sampleCount == 2 && each.entries.map(\.value) == [4_931, 120])
    // Half bytes, the first sample in the high half; the last half byte is filling, and kept.
    let nibbles = try read(CompactSampleSizeBox.self, "00 000000 000000 04 00000003 1f 75")
    #expect(nibbles.entries.format == 4 && nibbles.entries.map(\.size) == [1, 15, 7])
    let words = try read(CompactSampleSizeBox.self, "00 000000 000000 10 00000002 03e8 ffff")
    #expect(words.entries.map(\.size) == [1_000, 65_535])
    let wrong = ByteView(hex: "00 000000 000000 0c 00000001 0000").decode(CompactSampleSizeBox())
    #expect(wrong.error?.field == "field_size")
  }

  @Test func chunksAndSync() throws {
    let runs = try read(
      SampleToChunkBox.self, "00 000000 00000002 00000001 0000001e 00000001 00000004 0000000a 00000002")
    #expect(runs.entries.map(\.firstChunk) == [1, 4] && runs.entries.map(\.samplesPerChunk) == [30, 10])
    #expect(runs.entries.map(\.sampleDescriptionIndex) == [1, 2])
    let large = try read(ChunkLargeOffsetBox.self, "00 000000 00000001 000000123456789a")
    #expect(large.entries.map(\.value) == [0x12_3456_789A])
    let sync = try read(SyncSampleBox.self, "00 000000 00000002 00000001 0000001f")
    #expect(sync.entries.map(\.value) == [1, 31])
    // 0x20: depends on none; 0x18: depends on others, none depends on it.
    let depends = try read(SampleDependencyTypeBox.self, "00 000000 20 18 a6")
    #expect(depends.entries.map(\.sampleDependsOn) == [2, 1, 2])
    #expect(depends.entries.map(\.sampleIsDependedOn) == [0, 2, 1])
    #expect(depends.entries.map(\.isLeading) == [0, 0, 2])
    #expect(depends.entries.map(\.sampleHasRedundancy) == [0, 0, 2])
  }

  @Test func fragmentHeaders() throws {
    let full = try read(
      TrackFragmentHeaderBox.self,
      "00 00003b 00000002 0000000100000000 00000003 00000400 00000200 01010000")
    #expect(full.trackID == 2 && full.baseDataOffset == 0x1_0000_0000 && full.sampleDescriptionIndex == 3)
    #expect(full.defaultSampleDuration == 1_024 && full.defaultSampleSize == 512)
    #expect(full.defaultSampleFlags == .nonSync && full.defaultSampleFlags?.isSync == false)
    let bare = try read(TrackFragmentHeaderBox.self, "00 030000 00000001")
    #expect(bare.isDefaultBaseMoof && bare.isDurationEmpty && bare.defaultSampleDuration == nil)
    let time = try read(TrackFragmentDecodeTimeBox.self, "01 000000 0000000200000000")
    #expect(time.baseMediaDecodeTime == 0x2_0000_0000)
    let defaults = try read(TrackExtendsBox.self, "00 000000 00000001 00000001 000003e9 00000000 01010000")
    #expect(defaults.defaultSampleDuration == 1_001 && defaults.defaultSampleFlags == .nonSync)
  }

  @Test func trackRuns() throws {
    let box = try read(
      TrackRunBox.self,
      """
      01 000f05 00000002 fffffff8 02000000
      000003e9 00001343 01010000 00000bbb
      000003e9 00000078 02400000 fffffc17
      """)
    #expect(box.dataOffset == -8 && box.firstSampleFlags == .sync && box.rows.format == .all)
    #expect(box.rows.map(\.sampleSize) == [4_931, 120])
    #expect(box.rows.map(\.sampleCompositionTimeOffset) == [3_003, -1_001])
    let flags = try #require(box.rows[1].sampleFlags)
    #expect(flags.dependsOn == 2 && flags.isDependedOn == 1 && flags.isSync)
    // A count without fields takes no bytes: as many rows as it says, and nothing in memory.
    let empty = try read(TrackRunBox.self, "00 000000 ffffffff")
    #expect(empty.rows.count == 0xFFFF_FFFF && empty.rows[0xFFFF_FFFE] == .init() && empty.rows.bytes.isEmpty)
  }

  @Test func setFieldsAnnounceThemselves() throws {
    var header = TrackFragmentHeaderBox()
    header.flags = 0x02_0000
    header.defaultSampleSize = 9
    #expect(header.flags == 0x02_0010)
    #expect(try header.encoded() == ByteView(hex: "00 020010 00000001 00000009").array)
    header.defaultSampleSize = nil
    #expect(header.flags == 0x02_0000)
    var run = TrackRunBox()
    run.dataOffset = 16
    run.rows = .of([.init(size: 5)], as: .size)
    #expect(try run.encoded() == ByteView(hex: "00 000201 00000001 00000010 00000005").array)
  }

  @Test func segmentIndex() throws {
    let box = try read(
      SegmentIndexBox.self,
      """
      00 000000 00000001 00015f90 00000064 00000020 0000 0002
      0000c350 0002bf20 90000000
      800000c8 00057e40 00000bb8
      """)
    #expect(box.timescale == 90_000 && box.earliestPresentationTime == 100 && box.firstOffset == 32)
    #expect(box.references[0].referencedSize == 50_000 && !box.references[0].isIndex)
    #expect(box.references[0].startsWithSAP && box.references[0].sapType == 1)
    #expect(box.references[1].isIndex && box.references[1].referencedSize == 200)
    #expect(box.references[1].sapDeltaTime == 3_000 && !box.references[1].startsWithSAP)
  }

  @Test func randomAccess() throws {
    // Lengths 0, 1, 3: one byte, two bytes, four bytes.
    let box = try read(
      TrackFragmentRandomAccessBox.self,
      "01 000000 00000002 00000007 00000001"
        + "0000000100000000 0000000200000000 02 012c 00011170")
    #expect(box.entries.format == .init(isWide: true, trafNumber: 0, trunNumber: 1, sampleNumber: 3))
    #expect(
      Array(box.entries) == [
        .init(
          time: 0x1_0000_0000, moofOffset: 0x2_0000_0000, trafNumber: 2, trunNumber: 300, sampleDelta: 70_000)
      ])
  }

  @Test func eventMessages() throws {
    let relative = try read(
      EventMessageBox.self, "00 000000 75726e3a7800 3100 00000001 00000002 00000003 00000004 abcd")
    #expect(relative.schemeIDURI.text == "urn:x" && relative.value.text == "1")
    #expect(relative.presentationTime == 2 && relative.eventDuration == 3 && relative.id == 4)
    let absolute = try read(
      EventMessageBox.self, "01 000000 00000001 0000000100000000 00000003 00000004 75726e3a7800 3100 abcd")
    #expect(absolute.schemeIDURI.text == "urn:x" && absolute.presentationTime == 0x1_0000_0000)
    #expect(absolute.messageData.array == [0xAB, 0xCD])
  }

  @Test func dataReferences() throws {
    let own = try read(DataEntryURLBox.self, "00 000001")
    #expect(own.flags == 1 && own.location == nil)
    let external = try read(DataEntryURLBox.self, "00 000000 66 00")
    #expect(external.location?.text == "f")
    let references = try read(TrackReferenceTypeBox.self, "00000001 00000000 00000003")
    #expect(references.trackIDs == [1, 0, 3])
  }

  @Test func visualSampleEntry() throws {
    let start =
      "000000000000 0001 0000 0000 6170706c 00000200 00000200 0780 0438 00480000 00480000 00000000 0001"
    let box = try read(
      VisualSampleEntry.self, "\(start) 04 48455643 \(String(repeating: "00", count: 27)) 0018 ffff")
    #expect(box.dataReferenceIndex == 1 && box.vendor == FourCC("appl").rawValue)
    #expect(box.width == 1_920 && box.height == 1_080 && box.horizontalResolution == 72 << 16)
    #expect(box.compressorName == "HEVC" && box.depth == 24 && box.colorTableID == -1)
    // QuickTime: two colours after the fields.
    let table = "00000000 8000 0001 0000 ffff ffff ffff 0001 0000 0000 0000"
    let palette = try read(
      VisualSampleEntry.self, "\(start) \(String(repeating: "00", count: 32)) 0001 0000 \(table)")
    #expect(palette.colorTable?.colors.count == 2 && palette.colorTable?.flags == 0x8000)
    #expect(palette.colorTable?.colors[0].color.green == 65_535)
  }

  @Test func colours() throws {
    let iso = try read(ColourInformationBox.self, "6e636c78 0009 0010 0009 80")
    #expect(iso.colourPrimaries == 9 && iso.transferCharacteristics == 16 && iso.matrixCoefficients == 9)
    #expect(iso.isFullRange == true)
    let quickTime = try read(ColourInformationBox.self, "6e636c63 0001 0001 0001")
    #expect(quickTime.colourPrimaries == 1 && quickTime.isFullRange == nil)
    let light = try read(
      MasteringDisplayColourVolumeBox.self, "33c2 86c4 1d4c 0bb8 84d0 3e80 3d13 4042 00989680 00000032")
    #expect(
      light.green == Chromaticity(x: 13_250, y: 34_500) && light.red == Chromaticity(x: 34_000, y: 16_000))
    #expect(light.white == Chromaticity(x: 15_635, y: 16_450))
    #expect(light.maxLuminance == 10_000_000 && light.minLuminance == 50)
  }

  @Test func codecConfigurations() throws {
    let avc = try read(
      AVCConfigurationBox.self, "01 64 00 28 ff e1 0002 6764 01 0001 68 fd f8 f8 00",
      scope: .visualSampleEntry)
    #expect(avc.profileIndication == 100 && avc.levelIndication == 40 && avc.lengthSizeMinusOne == 3)
    #expect(avc.sequenceParameterSets.map(\.array) == [[0x67, 0x64]])
    #expect(avc.pictureParameterSets.map(\.array) == [[0x68]])
    #expect(avc.highProfile?.chromaFormat == 1 && avc.highProfile?.bitDepthLumaMinus8 == 0)
    let av1 = try read(AV1CodecConfigurationBox.self, "81 08 0c 00 0a0b")
    #expect(av1.version == 1 && av1.seqProfile == 0 && av1.seqLevelIdx0 == 8)
    #expect(av1.chromaSubsamplingX && av1.chromaSubsamplingY && av1.configOBUs.count == 2)
    let vp9 = try read(VPCodecConfigurationBox.self, "01 000000 02 33 a3 09 10 09 0000")
    #expect(vp9.profile == 2 && vp9.bitDepth == 10 && vp9.chromaSubsampling == 1 && vp9.isFullRange)
    #expect(vp9.transferCharacteristics == 16)
    // 0001000 000110 1 0 1: profile 8, level 6, RPU, no enhancement layer, base layer; 0001 00: compatibility 1.
    let dolby = try read(
      DolbyVisionConfigurationBox.self, "01 00 1035 10000000" + String(repeating: "00000000", count: 4))
    #expect(dolby.profile == 8 && dolby.level == 6 && dolby.baseLayerSignalCompatibilityID == 1)
    #expect(dolby.isRPUPresent && !dolby.isEnhancementLayerPresent && dolby.isBaseLayerPresent)
  }

  @Test func sphericalVideo() throws {
    let stereo = try read(Stereoscopic3DBox.self, "00 000000 02")
    #expect(stereo.stereoMode == 2)
    let half = try read(
      EquirectangularProjectionBox.self, "00 000000 00000000 00000000 40000000 40000000")
    #expect(half.boundsLeft == 0x4000_0000 && half.boundsRight == 0x4000_0000 && half.boundsTop == 0)
    let pose = try read(ProjectionHeaderBox.self, "00 000000 ffa60000 00008000 00000000")
    #expect(pose.poseYaw == -90 * 65_536 && pose.posePitch == 0x8000)
  }

  @Test func timecodeAndText() throws {
    let timecode = try read(
      TimecodeSampleEntry.self, "000000000000 0001 00000000 00000001 00007530 000003e9 1e 00")
    #expect(timecode.timecodeFlags == 1 && timecode.timescale == 30_000)
    #expect(timecode.frameDuration == 1_001 && timecode.numberOfFrames == 30)
    let subtitles = try read(XMLSubtitleSampleEntry.self, "000000000000 0001 6e7300 00 00")
    #expect(subtitles.namespace?.text == "ns" && subtitles.auxiliaryMIMETypes?.text == "")
  }

  @Test func optionalStringsEndWhereBoxesBegin() throws {
    // Only the first of three strings, and a bit rate box of 20 bytes after it.
    let bytes = ByteView(hex: "000000000000 0001 6e7300 00000014 62747274 00000001 00000002 00000003")
    let decoding = try #require(
      BoxRegistration(XMLSubtitleSampleEntry.self).decode(bytes, BoxContext(type: "stpp")))
    let entry = try #require(decoding.payload as? XMLSubtitleSampleEntry)
    #expect(entry.namespace?.text == "ns" && entry.schemaLocation == nil && entry.auxiliaryMIMETypes == nil)
    #expect(decoding.unread.count == 20)
    // A protected entry that has a string of its own before the boxes.
    let encrypted = ByteView(hex: "000000000000 0001 610062 0000000c 66726d61 6d657474")
    let unknown = try #require(
      BoxRegistration(ProtectedSampleEntry.self).decode(encrypted, BoxContext(type: "encm")))
    #expect((unknown.payload as? ProtectedSampleEntry)?.data.array == [0x61, 0, 0x62])
    #expect(unknown.unread.count == 12)
  }
}
