// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pps_3d_extension()`: which depth values occur.
public struct PPS3DExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, I.7.3.2.3.7 and I.7.3.2.3.8"

  /// The tables of depth values; `nil` if `dlts_present_flag` is 0.
  public var depthLookUpTables: DepthLookUpTables?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.announced("dlts_present_flag", "depth_look_up_tables", &depthLookUpTables)
  }

  /// The tables of the depth layers.
  public struct DepthLookUpTables: FieldLayout {
    /// The bits of a depth sample, less 8 (`pps_bit_depth_for_depth_layers_minus8`).
    public var bitDepthForDepthLayersMinus8: UInt8 = 0
    /// The tables of the depth layers, `pps_depth_layers_minus1` + 1 of them; `nil` if `dlt_flag` is 0.
    public var tables: [Table?] = [nil]

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var last = UInt8(clamping: max(1, tables.count) - 1)
      try c.u("pps_depth_layers_minus1", &last, 6)
      try c.u("pps_bit_depth_for_depth_layers_minus8", &bitDepthForDepthLayersMinus8, 4, in: 0...8)
      let bits = Int(bitDepthForDepthLayersMinus8) + 8
      try c.elements("tables", &tables, at: 0..<(Int(last) + 1), minimumBits: 1, new: nil) {
        c, _, table throws(ParseError) in
        c.beginStructure("table")
        var isPresent = table != nil
        try c.flag("dlt_flag", &isPresent)
        if isPresent {
          var present = table ?? Table()
          defer { table = present }
          try present.layout(&c, bits: bits)
        } else {
          table = nil
        }
        c.endScope()
      }
    }
  }

  /// One table: flags for each value, or the values as differences.
  public struct Table: Hashable, Sendable {
    /// Whether the table is predicted from that of the base view (`dlt_pred_flag`).
    public var predFlag = false
    /// Whether each value occurs; `nil` if `dlt_val_flags_present_flag` is 0 (`dlt_value_flag`).
    public var valueFlags: BitString?
    /// The number of values (`num_val_delta_dlt`).
    public var numValDelta: UInt32 = 0
    /// The greatest difference between neighbouring values; inferred to be 0 if absent (`max_diff`).
    public var maxDiff: UInt32?
    /// The least difference between neighbouring values, less 1; inferred to be `max_diff` - 1 where absent
    /// (`min_diff_minus1`).
    public var minDiffMinus1: UInt32?
    /// The first value; `nil` if absent (`delta_dlt_val0`).
    public var deltaVal0: UInt32?
    /// The further differences, less the least one (`delta_val_diff_minus_min`).
    public var deltaValDiffMinusMin: [UInt32] = []

    /// Makes a table without values.
    public init() {}

    mutating func layout(_ c: inout some Coder, bits: Int) throws(ParseError) {
      try c.flag("dlt_pred_flag", &predFlag)
      var hasFlags = !predFlag && valueFlags != nil
      if !predFlag { try c.flag("dlt_val_flags_present_flag", &hasFlags) }
      guard !hasFlags else {
        var flags = valueFlags ?? BitString()
        defer { valueFlags = flags }
        return try c.bitString("dlt_value_flag", &flags, count: 1 << bits)
      }
      valueFlags = nil
      try c.u("num_val_delta_dlt", &numValDelta, bits)
      try c.u("max_diff", &maxDiff, bits, if: numValDelta > 1)
      let greatest = maxDiff ?? 0
      try c.u(
        "min_diff_minus1", &minDiffMinus1, ceilLog2(Int(greatest) + 1), if: numValDelta > 2 && greatest > 0)
      try c.u("delta_dlt_val0", &deltaVal0, bits, if: numValDelta > 0)
      let least = minDiffMinus1.map { $0 + 1 } ?? greatest
      guard numValDelta > 0, greatest > least else {
        deltaValDiffMinusMin = []
        return
      }
      try c.array(
        "delta_val_diff_minus_min", &deltaValDiffMinusMin, count: numValDelta - 1,
        bits: ceilLog2(Int(greatest - least) + 1))
    }
  }
}
