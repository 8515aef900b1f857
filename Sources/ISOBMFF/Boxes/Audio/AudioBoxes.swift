// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

let audioBoxes: [BoxRegistration] = [
  BoxRegistration(AudioSampleEntry.self),
  BoxRegistration(AudioSampleEntry.self, types: []),
  BoxRegistration(ElementaryStreamDescriptorBox.self),
  BoxRegistration(ChannelLayoutBox.self),
  BoxRegistration(SamplingRateBox.self),
  BoxRegistration(AC3SpecificBox.self),
  BoxRegistration(EnhancedAC3SpecificBox.self),
  BoxRegistration(AC4SpecificBox.self),
  BoxRegistration(OpusSpecificBox.self),
  BoxRegistration(FLACSpecificBox.self),
  BoxRegistration(AppleLosslessSpecificBox.self),
  BoxRegistration(PCMConfigBox.self),
  BoxRegistration(MPEGHConfigurationBox.self),
  BoxRegistration(MPEGHProfileCompatibilityBox.self),
  BoxRegistration(AMRSpecificBox.self),
  BoxRegistration(ImmersiveAudioConfigurationBox.self),
  BoxRegistration(SpatialAudioBox.self),
  BoxRegistration(DownmixInstructionsBox.self),
  BoxRegistration(DynamicRangeControlBox.self),

  BoxRegistration(
    container: "wave", name: "SoundDecompressionParametersBox", in: [.audioSampleEntry],
    "QuickTime File Format, Sound", "What the decoder of a sound track needs to know."),
  BoxRegistration(SoundDecoderParametersBox.self),
  BoxRegistration(SoundByteOrderBox.self),
  BoxRegistration(AudioChannelLayoutBox.self),
]
