// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `dac3`: the parameters of AC-3 audio.
public struct AC3SpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["dac3"], name: "AC-3 specific", in: [.audioSampleEntry, .box("wave")], "ETSI TS 102 366, F.4",
    "The parameters of AC-3 audio.")

  /// The sample rate: 0 is 48 kHz, 1 is 44.1 kHz, 2 is 32 kHz.
  public var sampleRateCode: UInt8 = 0
  /// The version of the bitstream.
  public var bitstreamID: UInt8 = 8
  /// The kind of service (`bsmod`).
  public var bitstreamMode: UInt8 = 0
  /// The layout of the channels except the low-frequency one (`acmod`).
  public var channelMode: UInt8 = 7
  /// Whether there is a low-frequency channel.
  public var hasLowFrequencyChannel = true
  /// The bit rate, as an index into a table.
  public var bitRateCode: UInt8 = 15
  /// Five bits that should be 0.
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("fscod", &sampleRateCode, 2)
    try c.u("bsid", &bitstreamID, 5)
    try c.u("bsmod", &bitstreamMode, 3)
    try c.u("acmod", &channelMode, 3)
    try c.flag("lfeon", &hasLowFrequencyChannel)
    try c.u("bit_rate_code", &bitRateCode, 5)
    try c.reserved("reserved", &reserved, bits: 5, expecting: 0)
  }
}

/// `dec3`: the parameters of Enhanced AC-3 audio.
public struct EnhancedAC3SpecificBox: BoxPayload {
  public static let info = BoxInfo(
    ["dec3"], name: "Enhanced AC-3 specific", in: [.audioSampleEntry, .box("wave")], "ETSI TS 102 366, F.6",
    "The parameters of Enhanced AC-3 audio.")

  /// An independent substream.
  public struct Substream: FieldLayout {
    /// The sample rate: 0 is 48 kHz, 1 is 44.1 kHz, 2 is 32 kHz.
    public var sampleRateCode: UInt8 = 0
    /// The version of the bitstream.
    public var bitstreamID: UInt8 = 16
    /// A bit that should be 0.
    public var reserved: UInt8 = 0
    /// Whether it is a second service that replaces the main one.
    public var isAssociatedService = false
    /// The kind of service (`bsmod`).
    public var bitstreamMode: UInt8 = 0
    /// The layout of the channels except the low-frequency one (`acmod`).
    public var channelMode: UInt8 = 7
    /// Whether there is a low-frequency channel.
    public var hasLowFrequencyChannel = true
    /// Three bits that should be 0.
    public var reservedBits: UInt8 = 0
    /// How many substreams depend on it.
    public var dependentSubstreams: UInt8 = 0
    /// The channels of the dependent substreams, one bit each.
    public var channelLocations: UInt16 = 0
    /// A bit that should be 0, if there are no dependent substreams.
    public var lastReservedBit: UInt8 = 0
    /// Makes a substream with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("fscod", &sampleRateCode, 2)
      try c.u("bsid", &bitstreamID, 5)
      try c.reserved("reserved", &reserved, bits: 1, expecting: 0)
      try c.flag("asvc", &isAssociatedService)
      try c.u("bsmod", &bitstreamMode, 3)
      try c.u("acmod", &channelMode, 3)
      try c.flag("lfeon", &hasLowFrequencyChannel)
      try c.reserved("reserved2", &reservedBits, bits: 3, expecting: 0)
      try c.u("num_dep_sub", &dependentSubstreams, 4)
      if dependentSubstreams > 0 {
        try c.u("chan_loc", &channelLocations, 9, .hexadecimal)
      } else {
        try c.reserved("reserved3", &lastReservedBit, bits: 1, expecting: 0)
      }
    }
  }

  /// Indicates that the stream carries objects (Dolby Atmos).
  public struct ObjectExtension: FieldLayout {
    /// Seven bits that should be 0.
    public var reserved: UInt8 = 0
    /// Whether it carries objects.
    public var isTypeA = true
    /// The complexity of the objects.
    public var complexityIndex: UInt8 = 16
    /// Makes an extension with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
      try c.flag("flag_ec3_extension_type_a", &isTypeA)
      try c.u8("complexity_index_type_a", &complexityIndex)
    }
  }

  /// The data rate in units of 1000 bits per second.
  public var dataRate: UInt16 = 0
  /// The independent substreams; at least one.
  public var substreams: [Substream] = [Substream()]
  /// Indicates that the stream carries objects; `nil` if absent.
  public var objectExtension: ObjectExtension?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("data_rate", &dataRate, 13)
    var countMinus1 = UInt8(clamping: substreams.count &- 1)
    try c.u("num_ind_sub", &countMinus1, 3)
    try c.array("substreams", &substreams, count: Int(countMinus1) + 1, minimumBits: 24)
    var hasExtension = objectExtension != nil
    c.presence(&hasExtension, whenBitsLeft: 16)
    try c.group("object_extension", &objectExtension, if: hasExtension)
  }
}

extension AC3SpecificBox {
  /// The number of channels, including the low-frequency one. ETSI TS 102 366, 4.4.2.3
  public var channelCount: Int { Self.channelCount(mode: channelMode) + (hasLowFrequencyChannel ? 1 : 0) }

  /// How many channels except the low-frequency one each `acmod` has.
  static func channelCount(mode: UInt8) -> Int {
    switch mode {
    case 1: 1
    case 0, 2: 2
    case 3, 4: 3
    case 5, 6: 4
    default: 5
    }
  }
}

extension EnhancedAC3SpecificBox.Substream {
  /// The number of channels, including those of dependent substreams. ETSI TS 102 366, F.6.2.13
  public var channelCount: Int {
    // Bits 0, 1, 4, 5 and 6 of the locations represent pairs, the others one channel each.
    let pairs = channelLocations & 0b0_0111_0011
    let added = dependentSubstreams > 0 ? channelLocations.nonzeroBitCount + pairs.nonzeroBitCount : 0
    return AC3SpecificBox.channelCount(mode: channelMode) + (hasLowFrequencyChannel ? 1 : 0) + added
  }
}
