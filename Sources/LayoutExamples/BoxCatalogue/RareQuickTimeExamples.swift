// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension DataCompressionBox: ExampleProviding {
  package static var examples: [DataCompressionBox] { [DataCompressionBox()] }
}

extension CompressedMovieDataBox: ExampleProviding {
  package static var examples: [CompressedMovieDataBox] {
    var sample = CompressedMovieDataBox()
    sample.uncompressedSize = 1_024
    sample.data = ByteView([0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01])
    return [sample]
  }
}

extension GenericMediaInformationBox: ExampleProviding {
  package static var examples: [GenericMediaInformationBox] { [GenericMediaInformationBox()] }
}

extension TextMediaInformationBox: ExampleProviding {
  package static var examples: [TextMediaInformationBox] { [TextMediaInformationBox()] }
}

extension TimecodeMediaInformationBox: ExampleProviding {
  package static var examples: [TimecodeMediaInformationBox] {
    var sample = TimecodeMediaInformationBox()
    sample.fontName = ByteView("Lucida Grande".utf8)
    return [TimecodeMediaInformationBox(), sample]
  }
}

extension TelemetryMediaInformationBox: ExampleProviding {
  package static var examples: [TelemetryMediaInformationBox] { [TelemetryMediaInformationBox()] }
}

extension WindowLocationBox: ExampleProviding {
  package static var examples: [WindowLocationBox] {
    var sample = WindowLocationBox()
    sample.x = 40
    sample.y = -20
    return [sample]
  }
}

extension LoopingBox: ExampleProviding {
  package static var examples: [LoopingBox] { [LoopingBox()] }
}

extension PlaybackFlagBox: ExampleProviding {
  package static var examples: [PlaybackFlagBox] { [PlaybackFlagBox()] }
}

extension PrintToVideoBox: ExampleProviding {
  package static var examples: [PrintToVideoBox] { [PrintToVideoBox()] }
}

extension DataReferenceAtomBox: ExampleProviding {
  package static var examples: [DataReferenceAtomBox] {
    var sample = DataReferenceAtomBox()
    sample.reference = ByteView("movie.mov\0".utf8)
    return [sample]
  }
}

extension ReferenceDataRateBox: ExampleProviding {
  package static var examples: [ReferenceDataRateBox] { [ReferenceDataRateBox()] }
}

extension ReferenceCPUSpeedBox: ExampleProviding {
  package static var examples: [ReferenceCPUSpeedBox] { [ReferenceCPUSpeedBox()] }
}

extension ReferenceVersionCheckBox: ExampleProviding {
  package static var examples: [ReferenceVersionCheckBox] { [ReferenceVersionCheckBox()] }
}

extension ReferenceComponentBox: ExampleProviding {
  package static var examples: [ReferenceComponentBox] { [ReferenceComponentBox()] }
}

extension ReferenceQualityBox: ExampleProviding {
  package static var examples: [ReferenceQualityBox] { [ReferenceQualityBox()] }
}

extension TrackApertureDimensionsBox: ExampleProviding {
  package static var examples: [TrackApertureDimensionsBox] {
    var sample = TrackApertureDimensionsBox()
    sample.width = 1_920 << 16
    sample.height = 1_080 << 16
    return [sample]
  }
}

extension LoadSettingsBox: ExampleProviding {
  package static var examples: [LoadSettingsBox] {
    var sample = LoadSettingsBox()
    sample.preloadFlags = 1
    sample.defaultHints = 0x100
    return [sample]
  }
}

extension ClippingRegionBox: ExampleProviding {
  package static var examples: [ClippingRegionBox] {
    var sample = ClippingRegionBox()
    sample.bottom = 240
    sample.right = 320
    return [sample]
  }
}

extension CompressedMatteBox: ExampleProviding {
  package static var examples: [CompressedMatteBox] {
    var sample = CompressedMatteBox()
    sample.data = ByteView([1, 2, 3])
    return [sample]
  }
}

extension ColorTableBox: ExampleProviding {
  package static var examples: [ColorTableBox] {
    var red = Entry()
    red.value = 1
    red.red = 0xFFFF
    var sample = ColorTableBox()
    sample.colors = [Entry(), red]
    return [sample]
  }
}

extension PreviewBox: ExampleProviding {
  package static var examples: [PreviewBox] { [PreviewBox()] }
}

extension TrackInputBox: ExampleProviding {
  package static var examples: [TrackInputBox] { [TrackInputBox()] }
}

extension TrackInputTypeBox: ExampleProviding {
  package static var examples: [TrackInputTypeBox] { [TrackInputTypeBox()] }
}

extension ObjectIDBox: ExampleProviding {
  package static var examples: [ObjectIDBox] { [ObjectIDBox()] }
}
