// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `dOps`: the parameters of Opus audio.
public struct OpusSpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["dOps"], name: "Opus specific", in: [.audioSampleEntry],
    "Encapsulation of Opus in ISO Base Media File Format, 4.3.2", "The parameters of Opus audio.")

  /// The stream and channel that each output channel comes from.
  public struct ChannelMapping: Hashable, Sendable {
    /// The number of streams.
    public var streamCount: UInt8 = 1
    /// How many of the streams have two channels.
    public var coupledCount: UInt8 = 0
    /// For each output channel, its index among the decoded channels; 255 means silence.
    public var mapping: [UInt8] = []
    /// Makes an empty mapping.
    public init() {}
  }

  /// The version of the structure.
  public var version: UInt8 = 0
  /// The number of channels.
  public var outputChannelCount: UInt8 = 2
  /// How many samples, at 48 kHz, to skip at the start.
  public var preSkip: UInt16 = 312
  /// The sample rate of the original audio, in hertz.
  public var inputSampleRate: UInt32 = 48_000
  /// The gain to apply in decibels, as an 8.8 fixed-point number.
  public var outputGain: Int16 = 0
  /// The meaning of the channels: 0 mono or stereo, 1 surround, 2 and 3 ambisonics.
  public var channelMappingFamily: UInt8 = 0
  /// The mapping for families other than 0; otherwise `nil`.
  public var channelMapping: ChannelMapping?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("Version", &version)
    try c.u8("OutputChannelCount", &outputChannelCount)
    try c.u16("PreSkip", &preSkip)
    try c.u32("InputSampleRate", &inputSampleRate)
    try c.i16("OutputGain", &outputGain, .fixedPoint(fractionBits: 8))
    try c.u8("ChannelMappingFamily", &channelMappingFamily)
    if channelMappingFamily != 0 {
      var mapping = channelMapping ?? ChannelMapping()
      try c.u8("StreamCount", &mapping.streamCount)
      try c.u8("CoupledCount", &mapping.coupledCount)
      try c.array("ChannelMapping", &mapping.mapping, count: outputChannelCount, bits: 8)
      channelMapping = mapping
    }
  }
}

/// `dfLa`: the metadata blocks of FLAC audio; the first one is STREAMINFO.
public struct FLACSpecificBox: FullBox {
  public static let info = BoxInfo(
    ["dfLa"], name: "FLAC specific", in: [.audioSampleEntry],
    "Encapsulation of FLAC in ISO Base Media File Format, 3.3.2",
    "The metadata blocks of FLAC audio; the first one is STREAMINFO.", versions: 0...0)

  /// A metadata block.
  public struct Block: FieldLayout {
    /// Whether it is the last block.
    public var isLast = false
    /// The type of the block: 0 is STREAMINFO.
    public var blockType: UInt8 = 0
    /// The content of the block.
    public var data = ByteView()
    /// Makes an empty block.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("LastMetadataBlockFlag", &isLast)
      try c.u("BlockType", &blockType, 7)
      var length = UInt32(clamping: data.count)
      try c.u24("Length", &length)
      try c.bytes("BlockData", &data, count: Int(length))
    }
  }

  public var flags: UInt32 = 0
  /// The blocks.
  public var blocks: [Block] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.arrayWhileBitsLeft("MetadataBlocks", &blocks, minimumBits: 32)
  }
}

/// `alac` in a sample entry: the parameters of Apple Lossless audio.
public struct AppleLosslessSpecificBox: FullBox {
  public static let info = BoxInfo(
    ["alac"], name: "Apple Lossless specific", in: [.audioSampleEntry, .box("wave")],
    "Apple Lossless Audio Codec, ALACMagicCookieDescription", "The parameters of Apple Lossless audio.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// How many samples of a channel are in a packet.
  public var frameLength: UInt32 = 4_096
  /// The version that a decoder must support.
  public var compatibleVersion: UInt8 = 0
  /// The number of bits of a sample.
  public var bitDepth: UInt8 = 16
  /// A parameter of the Rice coding.
  public var pb: UInt8 = 40
  /// A parameter of the Rice coding.
  public var mb: UInt8 = 10
  /// A parameter of the Rice coding.
  public var kb: UInt8 = 14
  /// The number of channels.
  public var channelCount: UInt8 = 2
  /// Not used.
  public var maximumRun: UInt16 = 255
  /// The size of the largest packet in bytes; 0 is unknown.
  public var maximumFrameBytes: UInt32 = 0
  /// The average bit rate in bits per second; 0 is unknown.
  public var averageBitRate: UInt32 = 0
  /// The sample rate in hertz.
  public var sampleRate: UInt32 = 44_100
  /// An optional channel layout.
  public var rest = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("frameLength", &frameLength)
    try c.u8("compatibleVersion", &compatibleVersion)
    try c.u8("bitDepth", &bitDepth)
    try c.u8("pb", &pb)
    try c.u8("mb", &mb)
    try c.u8("kb", &kb)
    try c.u8("numChannels", &channelCount)
    try c.u16("maxRun", &maximumRun)
    try c.u32("maxFrameBytes", &maximumFrameBytes)
    try c.u32("avgBitRate", &averageBitRate)
    try c.u32("sampleRate", &sampleRate)
    try c.leftovers(&rest)
  }
}

/// `pcmC`: how uncompressed samples are stored.
public struct PCMConfigBox: FullBox {
  public static let info = BoxInfo(
    ["pcmC"], name: "PCM config", in: [.audioSampleEntry], "ISO/IEC 23003-5, 5.1",
    "How uncompressed samples are stored.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Bit 0: whether samples are little-endian.
  public var formatFlags: UInt8 = 1
  /// The number of bits of a sample.
  public var sampleSize: UInt8 = 24

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("format_flags", &formatFlags, .hexadecimal)
    try c.u8("PCM_sample_size", &sampleSize)
  }
}

/// `mhaC`: the parameters of MPEG-H 3D audio.
public struct MPEGHConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["mhaC"], name: "MPEG-H configuration", in: [.audioSampleEntry], "ISO/IEC 23008-3, 20.5",
    "The parameters of MPEG-H 3D audio.")

  /// The version of the record; 1.
  public var configurationVersion: UInt8 = 1
  /// The profile and level.
  public var profileLevelIndication: UInt8 = 0x0D
  /// The layout of the loudspeakers that the content is meant for.
  public var referenceChannelLayout: UInt8 = 6
  /// The configuration of the decoder.
  public var configuration = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion)
    try c.u8("mpegh3daProfileLevelIndication", &profileLevelIndication)
    try c.u8("referenceChannelLayout", &referenceChannelLayout)
    var length = UInt16(clamping: configuration.count)
    try c.u16("mpegh3daConfigLength", &length)
    try c.bytes("mpegh3daConfig", &configuration, count: Int(length))
  }
}

/// `mhaP`: the profiles and levels that MPEG-H 3D audio is compatible with.
public struct MPEGHProfileCompatibilityBox: BoxPayload {
  public static let info = BoxInfo(
    ["mhaP"], name: "MPEG-H profile compatibility", in: [.audioSampleEntry], "ISO/IEC 23008-3, 20.7",
    "The profiles and levels that MPEG-H 3D audio is compatible with.")

  /// The profiles and levels.
  public var compatibleSets: [UInt8] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array(
      "CompatibleSetIndication", &compatibleSets, countedBy: "numCompatibleSets", UInt8.self, bits: 8)
  }
}

/// `damr`: the parameters of AMR audio.
public struct AMRSpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["damr"], name: "AMR specific", in: [.audioSampleEntry], "3GPP TS 26.244, 6.7",
    "The parameters of AMR audio.")

  /// The manufacturer of the codec.
  public var vendor: FourCC = "    "
  /// The version of that manufacturer's decoder that suits the stream best; 0 if it does not matter.
  public var decoderVersion: UInt8 = 0
  /// The modes that may occur, one bit each.
  public var modeSet: UInt16 = 0
  /// The number of frames between changes of mode.
  public var modeChangePeriod: UInt8 = 0
  /// The number of frames in a sample.
  public var framesPerSample: UInt8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("vendor", &vendor)
    try c.u8("decoder_version", &decoderVersion)
    try c.u16("mode_set", &modeSet, .hexadecimal)
    try c.u8("mode_change_period", &modeChangePeriod)
    try c.u8("frames_per_sample", &framesPerSample)
  }
}

/// `iacb`: the parameters of IAMF audio (Immersive Audio Model and Formats).
public struct ImmersiveAudioConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["iacb"], name: "immersive audio configuration", in: [.audioSampleEntry],
    "Immersive Audio Model and Formats, 6.2.4",
    "The parameters of IAMF audio (Immersive Audio Model and Formats).")

  /// The version of the record; 1.
  public var configurationVersion: UInt8 = 1
  /// The length of the descriptors in LEB128, followed by the descriptors as bytes.
  public var configuration = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion)
    try c.remainder("configOBUs", &configuration)
  }
}

/// `dac4`: the parameters of AC-4 audio.
public struct AC4SpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["dac4"], name: "AC-4 specific", in: [.audioSampleEntry], "ETSI TS 103 190-2, E.5",
    "The parameters of AC-4 audio.")

  /// The parameters, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("ac4_dsi", &data) }
}
