// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `sub_bitstream_property` (164): the bit rates of parts of the bitstream. ISO/IEC 23008-2, F.14.2.6
public struct SubBitstreamProperty: SEIPayload {
  public static let payloadType = SEIPayloadType(164)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.6"
  public static let summary: StaticString = "The bit rates of parts of the bitstream."

  /// A part of the bitstream.
  public struct Part: FieldLayout {
    /// How the part is extracted (`sub_bitstream_mode`).
    public var mode: UInt8 = 0
    /// Its output layer set (`ols_idx_to_vps`).
    public var outputLayerSet: UInt32 = 0
    /// Its highest temporal sub-layer (`highest_sublayer_id`).
    public var highestSubLayer: UInt8 = 0
    /// Its average bit rate in coded form (`avg_sb_property_bit_rate`).
    public var averageBitRate: UInt16 = 0
    /// Its maximum bit rate in coded form (`max_sb_property_bit_rate`).
    public var maximumBitRate: UInt16 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("sub_bitstream_mode", &mode, 2)
      try c.ue("ols_idx_to_vps", &outputLayerSet, in: 0...UInt32.max - 1)
      try c.u("highest_sublayer_id", &highestSubLayer, 3)
      try c.u16("avg_sb_property_bit_rate", &averageBitRate)
      try c.u16("max_sb_property_bit_rate", &maximumBitRate)
    }
  }

  /// The video parameter set in force (`sb_property_active_vps_id`).
  public var videoParameterSetID: UInt8 = 0
  /// The number of parts, less 1 (`num_additional_sub_streams_minus1`).
  public var countMinus1: UInt32 = 0
  /// The parts.
  public var parts: [Part] = [Part()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("sb_property_active_vps_id", &videoParameterSetID, 4)
    try c.ue("num_additional_sub_streams_minus1", &countMinus1, in: 0...255)
    try c.array("sub_streams", &parts, count: Int(clamping: countMinus1) + 1, minimumBits: 38)
  }
}
