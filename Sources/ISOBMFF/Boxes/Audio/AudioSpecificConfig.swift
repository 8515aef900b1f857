// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `AudioSpecificConfig()`: the configuration of an MPEG-4 audio decoder, as far as all object types share it.
/// ISO/IEC 14496-3, 1.6.2.1
public struct AudioSpecificConfig: FieldLayout {
  /// An object type: five bits, or eleven if these are all ones (`GetAudioObjectType()`).
  public struct ObjectType: FieldLayout {
    /// The five bits; 31 is an escape.
    public var code: UInt8 = 2
    /// The number that is added to 32 after the escape; otherwise `nil`.
    public var extensionCode: UInt8?
    /// Makes the type of AAC-LC.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("audioObjectType", &code, 5)
      try c.u("audioObjectTypeExt", &extensionCode, 6, if: code == 31)
    }
    /// The number of the type.
    public var number: UInt8 { extensionCode.map { $0 &+ 32 } ?? code }
  }

  /// A sampling frequency: an index, or 15 and the number itself.
  public struct Frequency: FieldLayout {
    /// The index of the frequency; 15 is an escape.
    public var index: UInt8 = 3
    /// The frequency in hertz if the index is 15; otherwise `nil`.
    public var explicit: UInt32?
    /// Makes the frequency of 48 kHz.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("samplingFrequencyIndex", &index, 4)
      try c.u("samplingFrequency", &explicit, 24, if: index == 15)
    }
    /// The frequency in hertz; `nil` for the reserved indices.
    public var hertz: Int? {
      let table = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
      ]
      return explicit.map { Int($0) } ?? (table.indices.contains(Int(index)) ? table[Int(index)] : nil)
    }
  }

  /// The object type; 5 and 29 mean that spectral band replication is used on top of another type.
  public var objectType = ObjectType()
  /// The sampling frequency of the core.
  public var frequency = Frequency()
  /// The layout of the channels: 1 to 7 and 11 to 14 are predefined, 0 means that it is reported elsewhere.
  public var channelConfiguration: UInt8 = 2
  /// The output sampling frequency with spectral band replication; otherwise `nil`.
  public var extensionFrequency: Frequency?
  /// The object type below the spectral band replication; otherwise `nil`.
  public var coreObjectType: ObjectType?
  /// The part that depends on the object type.
  public var specific = BitString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try objectType.layout(&c)
    try frequency.layout(&c)
    try c.u("channelConfiguration", &channelConfiguration, 4)
    let isReplicated = objectType.number == 5 || objectType.number == 29
    try c.group("extensionSamplingFrequency", &extensionFrequency, if: isReplicated)
    try c.group("coreAudioObjectType", &coreObjectType, if: isReplicated)
    let bits = c.bitsLeft ?? specific.bitCount
    if bits > 0 { try c.bitString("specificConfig", &specific, count: bits) }
  }

  /// The output sample rate in hertz; `nil` for the reserved indices.
  public var sampleRate: Int? { (extensionFrequency ?? general?.extensionFrequency ?? frequency).hertz }

  /// The number of channels that a decoder makes; `nil` if it is reported elsewhere.
  public var channelCount: Int? {
    switch channelConfiguration {
    case 0: general?.channelCount
    // Parametric stereo makes two channels of one.
    case 1: objectType.number == 29 || general?.hasParametricStereo == true ? 2 : 1
    case 2...6: Int(channelConfiguration)
    case 7, 12, 14: 8
    case 11: 7
    case 13: 24
    default: nil
    }
  }
}

extension ElementaryStreamDescriptorBox {
  /// The decoder's configuration for MPEG-4 audio and for MPEG-2 AAC; `nil` for other codecs, and if it cannot be read.
  public var audioConfig: AudioSpecificConfig? {
    guard let decoder = decoderConfig, [0x40, 0x66, 0x67, 0x68].contains(decoder.objectType.rawValue)
    else { return nil }
    guard let reading = decoderSpecificInfo?.decode(AudioSpecificConfig()), reading.error == nil else {
      return nil
    }
    return reading.value
  }
}
