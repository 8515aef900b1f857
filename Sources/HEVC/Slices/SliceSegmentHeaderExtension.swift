// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The extension of a slice segment header. ISO/IEC 23008-2, F.7.3.6.1
public struct SliceSegmentHeaderExtension: FieldLayout {
  /// The length of the extension in bytes (`slice_segment_header_extension_length`).
  public var length: UInt32 = 0
  /// How order counts are reset: 1 their high bits, 2 all bits, 3 as the fields below specify; `nil` if absent
  /// (`poc_reset_idc`).
  public var pocResetIdc: UInt8?
  /// The period that the reset belongs to; `nil` if absent (`poc_reset_period_id`).
  public var pocResetPeriodID: UInt8?
  /// Whether the reset of the period concerns all bits; `nil` if absent (`full_poc_reset_flag`).
  public var fullPocResetFlag: Bool?
  /// A value from which the order count may be derived; `nil` if absent (`poc_lsb_val`).
  public var pocLsbVal: UInt16?
  /// Whether the high bits of the order count are given; `nil` if absent (`poc_msb_cycle_val_present_flag`).
  public var pocMsbCycleValPresentFlag: Bool?
  /// The high bits of the order count; `nil` if absent (`poc_msb_cycle_val`).
  public var pocMsbCycleVal: UInt32?
  /// The data of later editions (`slice_segment_header_extension_data_bit`).
  public var data = BitString()

  var hasResetInfo = false
  var hasLayers = false
  var isPocMsbValRequired = false
  var isPocLsbAligned = false
  var pocLsbBits = 4

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("slice_segment_header_extension_length", &length, in: 0...256)
    guard length > 0 else { return }
    let outer = try c.beginLimit(bytes: Int(clamping: length), "slice_segment_header_extension_length")
    defer { c.endLimit(outer) }
    // In a stream of one layer, all of it is data of later editions.
    if hasLayers { try layoutOrderCount(&c) }
    let bits = c.bitsLeft ?? data.bitCount
    if bits > 0 { try c.bitString("slice_segment_header_extension_data_bit", &data, count: bits) }
  }

  private mutating func layoutOrderCount(_ c: inout some Coder) throws(ParseError) {
    try c.u("poc_reset_idc", &pocResetIdc, 2, if: hasResetInfo)
    let idc = pocResetIdc ?? 0
    try c.u("poc_reset_period_id", &pocResetPeriodID, 6, if: idc != 0)
    try c.flag("full_poc_reset_flag", &fullPocResetFlag, if: idc == 3)
    try c.u("poc_lsb_val", &pocLsbVal, pocLsbBits, if: idc == 3)
    try c.flag(
      "poc_msb_cycle_val_present_flag", &pocMsbCycleValPresentFlag,
      if: !isPocMsbValRequired && isPocLsbAligned)
    try c.ue(
      "poc_msb_cycle_val", &pocMsbCycleVal, if: pocMsbCycleValPresentFlag ?? isPocMsbValRequired,
      in: 0...UInt32(clamping: UInt64(1) << UInt64(32 - pocLsbBits)))
  }
}
