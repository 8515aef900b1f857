// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension AV1CodecConfigurationBox: ExampleProviding {
  package static var examples: [AV1CodecConfigurationBox] {
    var main = AV1CodecConfigurationBox()
    main.seqLevelIdx0 = 8
    main.configOBUs = ByteView([0x0A, 0x0B, 0, 0, 0, 0x24])
    var delayed = AV1CodecConfigurationBox()
    delayed.seqProfile = 1
    delayed.isHighBitdepth = true
    delayed.initialPresentationDelayMinusOne = 9
    return [main, delayed]
  }
}

extension VPCodecConfigurationBox: ExampleProviding {
  package static var examples: [VPCodecConfigurationBox] {
    var hdr = VPCodecConfigurationBox()
    hdr.profile = 2
    hdr.level = 51
    hdr.bitDepth = 10
    (hdr.colourPrimaries, hdr.transferCharacteristics, hdr.matrixCoefficients) = (9, 16, 9)
    hdr.codecInitializationData = ByteView([1, 2])
    var draft = VPCodecConfigurationBox()
    draft.version = 0
    draft.colorSpace = 2
    draft.chromaSubsampling = 1
    return [VPCodecConfigurationBox(), hdr, draft]
  }
}

extension DolbyVisionConfigurationBox: ExampleProviding {
  package static var examples: [DolbyVisionConfigurationBox] {
    var hdr10 = DolbyVisionConfigurationBox()
    hdr10.level = 6
    hdr10.baseLayerSignalCompatibilityID = 1
    var dual = DolbyVisionConfigurationBox()
    dual.profile = 7
    dual.isEnhancementLayerPresent = true
    dual.metadataCompression = 1
    return [hdr10, dual]
  }
}

extension ColourInformationBox: ExampleProviding {
  package static var examples: [ColourInformationBox] {
    var quickTime = ColourInformationBox()
    quickTime.colourType = "nclc"
    (quickTime.colourPrimaries, quickTime.transferCharacteristics, quickTime.matrixCoefficients) = (1, 1, 1)
    var short = ColourInformationBox()
    short.matrixCoefficients = 99
    var icc = ColourInformationBox()
    icc.colourType = "prof"
    icc.profile = ByteView([0, 0, 0, 4])
    return [
      ColourInformationBox(primaries: 9, transfer: 16, matrix: 9, isFullRange: false), quickTime, short, icc,
    ]
  }
}

extension MasteringDisplayColourVolumeBox: ExampleProviding {
  package static var examples: [MasteringDisplayColourVolumeBox] {
    var sample = MasteringDisplayColourVolumeBox()
    sample.green = Chromaticity(x: 13_250, y: 34_500)
    sample.blue = Chromaticity(x: 7_500, y: 3_000)
    sample.red = Chromaticity(x: 34_000, y: 16_000)
    sample.white = Chromaticity(x: 15_635, y: 16_450)
    sample.maxLuminance = 10_000_000
    sample.minLuminance = 50
    return [sample]
  }
}

extension ContentLightLevelBox: ExampleProviding {
  package static var examples: [ContentLightLevelBox] {
    var sample = ContentLightLevelBox()
    sample.maxCLL = 1_000
    sample.maxFALL = 400
    return [sample]
  }
}

extension PixelAspectRatioBox: ExampleProviding {
  package static var examples: [PixelAspectRatioBox] {
    var wide = PixelAspectRatioBox()
    wide.hSpacing = 40
    wide.vSpacing = 33
    return [PixelAspectRatioBox(), wide]
  }
}

extension CleanApertureBox: ExampleProviding {
  package static var examples: [CleanApertureBox] {
    var sample = CleanApertureBox()
    sample.widthN = 1_920
    sample.heightN = 1_080
    sample.vertOffN = -4
    return [sample]
  }
}

extension SampleEntry: ExampleProviding {
  package static var examples: [SampleEntry] {
    var sample = SampleEntry()
    sample.data = ByteView([1, 2, 3])
    return [SampleEntry(), sample]
  }
}

extension BoxedSampleEntry: ExampleProviding {
  package static var examples: [BoxedSampleEntry] { [BoxedSampleEntry()] }
}

extension ProtectedSampleEntry: ExampleProviding {
  package static var examples: [ProtectedSampleEntry] {
    var text = ProtectedSampleEntry()
    text.data = ByteView(Array("\0image/png\0".utf8))
    return [ProtectedSampleEntry(), text]
  }
}

extension Stereoscopic3DBox: ExampleProviding {
  package static var examples: [Stereoscopic3DBox] {
    var sample = Stereoscopic3DBox()
    sample.stereoMode = 2
    return [Stereoscopic3DBox(), sample]
  }
}

extension VisualSampleEntry: ExampleProviding {
  package static var examples: [VisualSampleEntry] {
    var quickTime = VisualSampleEntry(width: 1_920, height: 1_080, compressorName: "HEVC")
    quickTime.vendor = FourCC("appl").rawValue
    quickTime.temporalQuality = 512
    quickTime.spatialQuality = 512
    var palette = VisualSampleEntry(width: 320, height: 240)
    palette.depth = 1
    palette.colorTableID = 0
    palette.colorTable = InlineColorTable()
    palette.colorTable?.colors = [
      .init(value: 0, color: RGBColor(red: 65_535, green: 65_535, blue: 65_535)),
      .init(value: 1, color: RGBColor()),
    ]
    return [VisualSampleEntry(width: 160, height: 120), quickTime, palette]
  }
}
