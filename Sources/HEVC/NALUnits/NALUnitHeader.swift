// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The two bytes with which every NAL unit begins. ISO/IEC 23008-2, 7.3.1.2
@frozen
public struct NALUnitHeader: FieldLayout {
  /// 1 for a NAL unit that was damaged in transmission, otherwise 0 (`forbidden_zero_bit`).
  public var forbiddenZeroBit: UInt8 = 0
  /// The type of the unit: what it contains (`nal_unit_type`).
  public var type = NALUnitType(rawValue: 0)
  /// The layer: 0 is the base layer, 63 is reserved (`nuh_layer_id`).
  public var layerID: UInt8 = 0
  /// The temporal sub-layer plus 1; 0 is forbidden (`nuh_temporal_id_plus1`).
  public var temporalIDPlus1: UInt8 = 1

  @inlinable
  public init() {}

  /// Makes a header.
  @inlinable
  public init(type: NALUnitType, layerID: UInt8 = 0, temporalID: UInt8 = 0) {
    self.type = type
    self.layerID = layerID
    temporalIDPlus1 = temporalID &+ 1
  }

  /// Makes a header from its two bytes.
  @inlinable
  public init(first: UInt8, second: UInt8) {
    forbiddenZeroBit = first &>> 7
    type = NALUnitType(rawValue: first &>> 1 & 63)
    layerID = (first & 1) &<< 5 | second &>> 3
    temporalIDPlus1 = second & 7
  }

  /// How many bytes a header takes.
  @inlinable
  public static var byteCount: Int { 2 }

  /// The temporal sub-layer; 0 if the header holds the forbidden value (`TemporalId`).
  @inlinable
  public var temporalID: UInt8 { temporalIDPlus1 == 0 ? 0 : temporalIDPlus1 &- 1 }

  /// Whether the header conforms to the standard. A decoder ignores units of layer 63 and damaged ones.
  @inlinable
  public var isValid: Bool { forbiddenZeroBit == 0 && layerID < 63 && temporalIDPlus1 > 0 }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("forbidden_zero_bit", &forbiddenZeroBit, bits: 1, expecting: 0)
    try c.code("nal_unit_type", &type, bits: 6, .named(NALUnitType.name(of:)))
    try c.u("nuh_layer_id", &layerID, 6)
    try c.u("nuh_temporal_id_plus1", &temporalIDPlus1, 3)
  }
}
