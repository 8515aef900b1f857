// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension AudioChannelLayoutBox: ExampleProviding {
  package static var examples: [AudioChannelLayoutBox] {
    var stereo = AudioChannelLayoutBox()
    stereo.layoutTag = 101 << 16 | 2
    var described = AudioChannelLayoutBox()
    var left = Description()
    left.label = 1
    left.x = (-1 as Float).bitPattern
    described.descriptions = [left, Description()]
    return [stereo, described]
  }
}

extension ChannelLayoutBox: ExampleProviding {
  package static var examples: [ChannelLayoutBox] {
    var stereo = ChannelLayoutBox()
    stereo.omittedChannelsMap = 0
    var placed = ChannelLayoutBox()
    placed.streamStructure = 3
    placed.definedLayout = 0
    var free = Speaker(position: 126)
    free.azimuth = -30
    free.elevation = 15
    placed.speakers = [Speaker(position: 0), free]
    placed.objectCount = 4
    var objects = ChannelLayoutBox()
    objects.streamStructure = 2
    objects.objectCount = 12
    var newer = ChannelLayoutBox()
    newer.version = 1
    newer.baseChannelCount = 2
    var omitting = newer
    omitting.omittedChannelsMap = 4
    var listed = newer
    listed.definedLayout = 0
    listed.speakers = placed.speakers
    var newerObjects = newer
    newerObjects.streamStructure = 2
    return [stereo, placed, objects, newer, omitting, listed, newerObjects]
  }
}

extension SamplingRateBox: ExampleProviding {
  package static var examples: [SamplingRateBox] { [SamplingRateBox()] }
}

extension SpatialAudioBox: ExampleProviding {
  package static var examples: [SpatialAudioBox] { [SpatialAudioBox()] }
}

extension OpusSpecificBox: ExampleProviding {
  package static var examples: [OpusSpecificBox] {
    var surround = OpusSpecificBox()
    surround.outputChannelCount = 6
    surround.channelMappingFamily = 1
    var mapping = ChannelMapping()
    mapping.streamCount = 4
    mapping.coupledCount = 2
    mapping.mapping = [0, 4, 1, 2, 3, 5]
    surround.channelMapping = mapping
    return [OpusSpecificBox(), surround]
  }
}

extension FLACSpecificBox: ExampleProviding {
  package static var examples: [FLACSpecificBox] {
    var first = Block()
    first.data = ByteView(repeatElement(0, count: 34))
    var last = Block()
    last.isLast = true
    last.blockType = 1
    var sample = FLACSpecificBox()
    sample.blocks = [first, last]
    return [sample]
  }
}

extension AppleLosslessSpecificBox: ExampleProviding {
  package static var examples: [AppleLosslessSpecificBox] {
    var more = AppleLosslessSpecificBox()
    more.rest = ByteView([0, 0, 0, 0])
    return [AppleLosslessSpecificBox(), more]
  }
}

extension PCMConfigBox: ExampleProviding {
  package static var examples: [PCMConfigBox] { [PCMConfigBox()] }
}

extension MPEGHConfigurationBox: ExampleProviding {
  package static var examples: [MPEGHConfigurationBox] {
    var sample = MPEGHConfigurationBox()
    sample.configuration = ByteView([0xC0, 0x01])
    return [MPEGHConfigurationBox(), sample]
  }
}

extension MPEGHProfileCompatibilityBox: ExampleProviding {
  package static var examples: [MPEGHProfileCompatibilityBox] {
    var sample = MPEGHProfileCompatibilityBox()
    sample.compatibleSets = [0x12]
    return [sample]
  }
}

extension AMRSpecificBox: ExampleProviding {
  package static var examples: [AMRSpecificBox] { [AMRSpecificBox()] }
}

extension ImmersiveAudioConfigurationBox: ExampleProviding {
  package static var examples: [ImmersiveAudioConfigurationBox] {
    var sample = ImmersiveAudioConfigurationBox()
    sample.configuration = ByteView([2, 0xF8, 0x06])
    return [sample]
  }
}

extension AC4SpecificBox: ExampleProviding {
  package static var examples: [AC4SpecificBox] {
    var sample = AC4SpecificBox()
    sample.data = ByteView([0x20, 0xA4, 0x01])
    return [sample]
  }
}

extension DownmixInstructionsBox: ExampleProviding {
  package static var examples: [DownmixInstructionsBox] {
    var sample = DownmixInstructionsBox()
    sample.instructions = ByteView([2, 2, 0x81])
    var newer = sample
    newer.version = 1
    return [sample, newer]
  }
}

extension DynamicRangeControlBox: ExampleProviding {
  package static var examples: [DynamicRangeControlBox] {
    var sample = DynamicRangeControlBox()
    sample.data = ByteView([1, 2, 3])
    return [sample]
  }
}

extension SoundByteOrderBox: ExampleProviding {
  package static var examples: [SoundByteOrderBox] { [SoundByteOrderBox()] }
}

extension SoundDecoderParametersBox: ExampleProviding {
  package static var examples: [SoundDecoderParametersBox] {
    var sample = SoundDecoderParametersBox()
    sample.data = ByteView([0, 0, 0, 0])
    return [SoundDecoderParametersBox(), sample]
  }
}
