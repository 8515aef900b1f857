// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension AVCConfigurationBox: ExampleProviding {
  package static var examples: [AVCConfigurationBox] {
    var baseline = AVCConfigurationBox()
    baseline.profileCompatibility = 0xC0
    baseline.sequenceParameterSets = [ByteView([0x67, 0x42, 0xC0, 0x1E])]
    baseline.pictureParameterSets = [ByteView([0x68, 0xCE, 0x3C, 0x80])]
    var high = baseline
    high.profileIndication = 100
    high.profileCompatibility = 0
    var full = high
    full.highProfile = HighProfile()
    full.highProfile?.bitDepthLumaMinus8 = 2
    full.highProfile?.sequenceParameterSetExtensions = [ByteView([0x6D, 0x80])]
    return [baseline, high, full]
  }
}

extension BitRateBox: ExampleProviding {
  package static var examples: [BitRateBox] {
    var sample = BitRateBox()
    sample.bufferSizeDB = 4_931
    sample.maxBitrate = 128_000
    sample.avgBitrate = 96_000
    return [sample]
  }
}

extension CodingConstraintsBox: ExampleProviding {
  package static var examples: [CodingConstraintsBox] {
    var sample = CodingConstraintsBox()
    sample.allRefPicsIntra = true
    sample.maxRefPerPic = 15
    return [CodingConstraintsBox(), sample]
  }
}

extension AuxiliaryTypeInfoBox: ExampleProviding {
  package static var examples: [AuxiliaryTypeInfoBox] {
    var sample = AuxiliaryTypeInfoBox()
    sample.auxTrackType = TerminatedString("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
    return [sample]
  }
}

extension SampleScaleBox: ExampleProviding {
  package static var examples: [SampleScaleBox] {
    var sample = SampleScaleBox()
    sample.constraintFlag = true
    sample.displayCenterX = -2
    return [sample]
  }
}

extension RTPHintSampleEntry: ExampleProviding {
  package static var examples: [RTPHintSampleEntry] {
    var sample = RTPHintSampleEntry()
    sample.maxPacketSize = 1_450
    return [sample]
  }
}

extension FDHintSampleEntry: ExampleProviding {
  package static var examples: [FDHintSampleEntry] {
    var sample = FDHintSampleEntry()
    sample.partitionEntryID = 1
    sample.fecOverhead = 0x0040
    return [sample]
  }
}

extension MPEG2TSSampleEntry: ExampleProviding {
  package static var examples: [MPEG2TSSampleEntry] {
    var sample = MPEG2TSSampleEntry()
    sample.precedingBytesLength = 4
    sample.isPrecomputedOnly = true
    return [sample]
  }
}

extension HintTimescaleBox: ExampleProviding {
  package static var examples: [HintTimescaleBox] { [HintTimescaleBox()] }
}

extension HintOffsetBox: ExampleProviding {
  package static var examples: [HintOffsetBox] {
    var sample = HintOffsetBox()
    sample.offset = -1
    return [HintOffsetBox(), sample]
  }
}

extension TimestampSynchronyBox: ExampleProviding {
  package static var examples: [TimestampSynchronyBox] {
    var sample = TimestampSynchronyBox()
    sample.timestampSync = 2
    return [sample]
  }
}

extension ReceivedSSRCBox: ExampleProviding {
  package static var examples: [ReceivedSSRCBox] {
    var sample = ReceivedSSRCBox()
    sample.ssrc = 0x1234_5678
    return [sample]
  }
}

extension SRTPProcessBox: ExampleProviding {
  package static var examples: [SRTPProcessBox] { [SRTPProcessBox()] }
}

extension H263SpecificBox: ExampleProviding {
  package static var examples: [H263SpecificBox] {
    var sample = H263SpecificBox()
    sample.vendor = "FFMP"
    return [sample]
  }
}

extension H263BitrateBox: ExampleProviding {
  package static var examples: [H263BitrateBox] {
    var sample = H263BitrateBox()
    sample.avgBitrate = 60_000
    sample.maxBitrate = 64_000
    return [sample]
  }
}

extension GlobalHeaderBox: ExampleProviding {
  package static var examples: [GlobalHeaderBox] {
    var sample = GlobalHeaderBox()
    sample.data = ByteView([0, 0, 0, 10, 0x66, 0x69, 0x65, 0x6C, 2, 14])
    return [sample]
  }
}

extension LocalIDDependencyBox: ExampleProviding {
  package static var examples: [LocalIDDependencyBox] {
    var sample = LocalIDDependencyBox()
    sample.data = ByteView([0, 0, 0, 1])
    return [sample]
  }
}

extension AmbientViewingEnvironmentBox: ExampleProviding {
  package static var examples: [AmbientViewingEnvironmentBox] {
    var sample = AmbientViewingEnvironmentBox()
    sample.ambientIlluminance = 3_140_000
    sample.ambientLight = Chromaticity(x: 15_635, y: 16_450)
    return [sample]
  }
}

extension ContentColourVolumeBox: ExampleProviding {
  package static var examples: [ContentColourVolumeBox] {
    var full = ContentColourVolumeBox()
    var primaries = Primaries()
    (primaries.x0, primaries.y0, primaries.x1, primaries.y1) = (13_250, 34_500, 7_500, 3_000)
    (primaries.x2, primaries.y2) = (34_000, -1)
    full.primaries = primaries
    full.minLuminance = 50
    full.maxLuminance = 10_000_000
    full.averageLuminance = 1_000_000
    return [ContentColourVolumeBox(), full]
  }
}

extension VPMasteringDisplayBox: ExampleProviding {
  package static var examples: [VPMasteringDisplayBox] {
    var sample = VPMasteringDisplayBox()
    sample.red = Chromaticity(x: 0xAE14, y: 0x51EB)
    sample.green = Chromaticity(x: 0x43D7, y: 0xB0A3)
    sample.blue = Chromaticity(x: 0x2666, y: 0x0F5C)
    sample.white = Chromaticity(x: 0x500D, y: 0x5439)
    sample.maxLuminance = 1_000 << 8
    sample.minLuminance = 164
    return [sample]
  }
}

extension VPContentLightLevelBox: ExampleProviding {
  package static var examples: [VPContentLightLevelBox] {
    var sample = VPContentLightLevelBox()
    sample.maxCLL = 1_000
    sample.maxFALL = 180
    return [sample]
  }
}

extension FieldHandlingBox: ExampleProviding {
  package static var examples: [FieldHandlingBox] {
    var interlaced = FieldHandlingBox()
    interlaced.fieldCount = 2
    interlaced.fieldOrder = 9
    return [FieldHandlingBox(), interlaced]
  }
}

extension ChromaLocationBox: ExampleProviding {
  package static var examples: [ChromaLocationBox] {
    var sample = ChromaLocationBox()
    sample.topField = 2
    sample.bottomField = 2
    return [ChromaLocationBox(), sample]
  }
}

extension GammaLevelBox: ExampleProviding {
  package static var examples: [GammaLevelBox] { [GammaLevelBox()] }
}

extension AlphaModeBox: ExampleProviding {
  package static var examples: [AlphaModeBox] {
    var sample = AlphaModeBox()
    sample.data = ByteView([0, 0, 0, 0, 1])
    return [sample]
  }
}

extension SphericalVideoHeaderBox: ExampleProviding {
  package static var examples: [SphericalVideoHeaderBox] {
    var sample = SphericalVideoHeaderBox()
    sample.metadataSource = TerminatedString("Spherical Metadata Tool")
    return [sample]
  }
}

extension ProjectionHeaderBox: ExampleProviding {
  package static var examples: [ProjectionHeaderBox] {
    var sample = ProjectionHeaderBox()
    sample.poseYaw = -90 << 16
    sample.posePitch = 0x0000_8000
    return [ProjectionHeaderBox(), sample]
  }
}

extension EquirectangularProjectionBox: ExampleProviding {
  package static var examples: [EquirectangularProjectionBox] {
    var half = EquirectangularProjectionBox()
    half.boundsLeft = 0x4000_0000
    half.boundsRight = 0x4000_0000
    return [EquirectangularProjectionBox(), half]
  }
}

extension CubemapProjectionBox: ExampleProviding {
  package static var examples: [CubemapProjectionBox] {
    var sample = CubemapProjectionBox()
    sample.padding = 16
    return [sample]
  }
}

extension MeshProjectionBox: ExampleProviding {
  package static var examples: [MeshProjectionBox] {
    var sample = MeshProjectionBox()
    sample.crc = 0x1234_ABCD
    sample.encoding = "dfl8"
    sample.meshes = ByteView([0x78, 0x9C])
    return [sample]
  }
}

extension TimedTextSampleEntry: ExampleProviding {
  package static var examples: [TimedTextSampleEntry] {
    var sample = TimedTextSampleEntry()
    sample.description.displayFlags = 0x4000_0000
    sample.description.textBox.bottom = 60
    sample.description.textBox.right = 640
    return [sample]
  }
}

extension QuickTimeTextSampleEntry: ExampleProviding {
  package static var examples: [QuickTimeTextSampleEntry] {
    var named = QuickTimeTextSampleEntry()
    named.style.displayFlags = 1
    named.style.textJustification = 1
    named.style.fontFace = 1
    named.style.foregroundColor = RGBColor(red: 65_535, green: 65_535, blue: 65_535)
    named.style.fontName = ByteView(Array("Geneva".utf8))
    var timed = QuickTimeTextSampleEntry()
    timed.timedText = TimedTextDescription()
    return [QuickTimeTextSampleEntry(), named, timed]
  }
}

extension FontTableBox: ExampleProviding {
  package static var examples: [FontTableBox] {
    var sample = FontTableBox()
    var font = Font()
    font.name = ByteView(Array("Serif".utf8))
    sample.fonts = [font, Font()]
    return [sample]
  }
}

extension XMLSubtitleSampleEntry: ExampleProviding {
  package static var examples: [XMLSubtitleSampleEntry] {
    var full = XMLSubtitleSampleEntry()
    full.namespace = TerminatedString("http://www.w3.org/ns/ttml")
    full.auxiliaryMIMETypes = TerminatedString("image/png")
    var short = full
    short.schemaLocation = nil
    short.auxiliaryMIMETypes = nil
    var open = full
    open.auxiliaryMIMETypes = TerminatedString("font/otf", isTerminated: false)
    var empty = XMLSubtitleSampleEntry()
    (empty.namespace, empty.schemaLocation, empty.auxiliaryMIMETypes) = (nil, nil, nil)
    return [full, short, open, empty]
  }
}

extension XMLMetadataSampleEntry: ExampleProviding {
  package static var examples: [XMLMetadataSampleEntry] {
    var full = XMLMetadataSampleEntry()
    full.namespace = TerminatedString("urn:example:meta")
    full.schemaLocation = TerminatedString("https://example.org/meta.xsd")
    var short = full
    short.schemaLocation = nil
    return [full, short]
  }
}

extension PlainTextSampleEntry: ExampleProviding {
  package static var examples: [PlainTextSampleEntry] {
    var full = PlainTextSampleEntry()
    full.mimeFormat = TerminatedString("application/octet-stream")
    var short = PlainTextSampleEntry()
    short.contentEncoding = TerminatedString("text/plain")
    short.mimeFormat = nil
    return [full, short]
  }
}

extension TextConfigBox: ExampleProviding {
  package static var examples: [TextConfigBox] {
    var sample = TextConfigBox()
    sample.text = TerminatedString("urn:example:positions")
    return [sample]
  }
}

extension URIInitBox: ExampleProviding {
  package static var examples: [URIInitBox] {
    var sample = URIInitBox()
    sample.uriInitializationData = ByteView([1, 2, 3])
    return [sample]
  }
}

extension WebVTTTextBox: ExampleProviding {
  package static var examples: [WebVTTTextBox] {
    var sample = WebVTTTextBox()
    sample.text = ByteView(Array("WEBVTT\n\nREGION id:1".utf8))
    return [WebVTTTextBox(), sample]
  }
}

extension TimecodeSampleEntry: ExampleProviding {
  package static var examples: [TimecodeSampleEntry] {
    var drop = TimecodeSampleEntry()
    drop.timecodeFlags = 3
    drop.timescale = 30_000
    drop.numberOfFrames = 30
    return [TimecodeSampleEntry(), drop]
  }
}

extension VVCConfigurationBox: ExampleProviding {
  package static var examples: [VVCConfigurationBox] {
    var known = VVCConfigurationBox()
    var stream = Stream()
    stream.bitDepthMinus8 = 2
    stream.numSublayers = 3
    stream.maxPictureWidth = 1_920
    stream.maxPictureHeight = 1_080
    stream.avgFrameRate = 25 * 256
    stream.profileTierLevel.sublayerCount = 3
    stream.profileTierLevel.sublayerLevels = [48, nil]
    stream.profileTierLevel.generalSubProfiles = [0x0102_0304]
    known.stream = stream
    var sps = NALUnitArray()
    sps.nalUnits = [ByteView([0x00, 0x79, 0x00])]
    var dci = NALUnitArray()
    dci.nalUnitType = 13
    dci.isComplete = false
    dci.nalUnits = [ByteView([0x00, 0x69])]
    known.arrays = [dci, sps]
    return [VVCConfigurationBox(), known]
  }
}

extension WebVTTCueTextBox: ExampleProviding {
  package static var examples: [WebVTTCueTextBox] {
    var sample = WebVTTCueTextBox()
    sample.text = ByteView("line:10%".utf8)
    return [sample]
  }
}

extension WebVTTCueSourceBox: ExampleProviding {
  package static var examples: [WebVTTCueSourceBox] { [WebVTTCueSourceBox()] }
}
