// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `colour_mapping_table()`: how the colours of a reference layer become those of this one.
public struct ColourMappingTable: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.3.5 and F.7.3.2.3.6"

  /// `res_coeff_q`, `res_coeff_r` and `res_coeff_s` of one component.
  public struct Coefficient: Hashable, Sendable {
    /// `res_coeff_q`
    public var quotient: UInt32 = 0
    /// `res_coeff_r`
    public var remainder: UInt32 = 0
    /// `res_coeff_s`; `nil` where the other two are 0.
    public var sign: Bool?

    /// Zero.
    public init() {}
  }

  /// The residuals of one vertex: of three components, or `nil` where `coded_res_flag` is clear.
  public typealias Vertex = [Coefficient]?

  /// `cm_ref_layer_id`
  public var cmRefLayerIDs: [UInt8] = [0]
  /// `cm_octant_depth`
  public var cmOctantDepth: UInt8 = 0
  /// `cm_y_part_num_log2`
  public var cmYPartNumLog2: UInt8 = 0
  /// `luma_bit_depth_cm_input_minus8`
  public var lumaBitDepthCmInputMinus8: UInt32 = 0
  /// `chroma_bit_depth_cm_input_minus8`
  public var chromaBitDepthCmInputMinus8: UInt32 = 0
  /// `luma_bit_depth_cm_output_minus8`
  public var lumaBitDepthCmOutputMinus8: UInt32 = 0
  /// `chroma_bit_depth_cm_output_minus8`
  public var chromaBitDepthCmOutputMinus8: UInt32 = 0
  /// `cm_res_quant_bits`
  public var cmResQuantBits: UInt8 = 0
  /// `cm_delta_flc_bits_minus1`
  public var cmDeltaFlcBitsMinus1: UInt8 = 0
  /// `cm_adapt_threshold_u_delta`
  public var cmAdaptThresholdUDelta: Int32?
  /// `cm_adapt_threshold_v_delta`
  public var cmAdaptThresholdVDelta: Int32?
  /// `split_octant_flag`; `nil` where the depth is 0.
  public var splitOctantFlag: Bool?
  /// The octants, one or eight: for each its luma parts, and for each of those four vertices.
  public var octants: [[Vertex]] = []

  public init() {}

  /// Into how many parts the range of luma is divided. `PartNumY`
  public var partNumY: Int { 1 << Int(min(cmYPartNumLog2, 3)) }

  /// CMResLSBits
  public var cmResLSBits: Int {
    max(
      0,
      10 + Int(lumaBitDepthCmInputMinus8) - Int(lumaBitDepthCmOutputMinus8) - Int(cmResQuantBits)
        - (Int(cmDeltaFlcBitsMinus1) + 1))
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var last = UInt32(clamping: max(1, cmRefLayerIDs.count) - 1)
    try c.ue("num_cm_ref_layers_minus1", &last, in: 0...61)
    try c.array("cm_ref_layer_id", &cmRefLayerIDs, count: last + 1, bits: 6)
    try c.u("cm_octant_depth", &cmOctantDepth, 2, in: 0...1)
    try c.u("cm_y_part_num_log2", &cmYPartNumLog2, 2, in: 0...(3 - min(cmOctantDepth, 1)))
    try c.ue("luma_bit_depth_cm_input_minus8", &lumaBitDepthCmInputMinus8, in: 0...8)
    try c.ue("chroma_bit_depth_cm_input_minus8", &chromaBitDepthCmInputMinus8, in: 0...8)
    try c.ue("luma_bit_depth_cm_output_minus8", &lumaBitDepthCmOutputMinus8, in: 0...8)
    try c.ue("chroma_bit_depth_cm_output_minus8", &chromaBitDepthCmOutputMinus8, in: 0...8)
    try c.u("cm_res_quant_bits", &cmResQuantBits, 2)
    try c.u("cm_delta_flc_bits_minus1", &cmDeltaFlcBitsMinus1, 2)
    let threshold: ClosedRange<Int32> = -32768...32767
    try c.se("cm_adapt_threshold_u_delta", &cmAdaptThresholdUDelta, if: cmOctantDepth == 1, in: threshold)
    try c.se("cm_adapt_threshold_v_delta", &cmAdaptThresholdVDelta, if: cmOctantDepth == 1, in: threshold)
    try c.flag("split_octant_flag", &splitOctantFlag, if: cmOctantDepth > 0)
    let vertices = partNumY * 4, bits = cmResLSBits
    try c.elements(
      "colour_mapping_octants", &octants, at: 0..<(splitOctantFlag == true ? 8 : 1), minimumBits: vertices,
      new: []
    ) { c, _, octant throws(ParseError) in
      try c.elements("vertices", &octant, at: 0..<vertices, minimumBits: 1, new: nil) {
        c, _, vertex throws(ParseError) in
        c.beginStructure("vertex")
        var isCoded = vertex != nil
        try c.flag("coded_res_flag", &isCoded)
        if isCoded {
          var coefficients = vertex ?? []
          defer { vertex = coefficients }
          try Self.layout(&coefficients, &c, bits: bits)
        } else {
          vertex = nil
        }
        c.endScope()
      }
    }
  }

  private static func layout(
    _ coefficients: inout [Coefficient], _ c: inout some Coder, bits: Int
  ) throws(ParseError) {
    try c.elements("res_coeff", &coefficients, at: 0..<3, minimumBits: 1 + bits, new: Coefficient()) {
      c, _, coefficient throws(ParseError) in
      c.beginStructure("component")
      // The standard bounds the value that results, not the quotient.
      try c.ue("res_coeff_q", &coefficient.quotient, in: 0...(.max - 1))
      try c.u("res_coeff_r", &coefficient.remainder, bits)
      try c.flag(
        "res_coeff_s", &coefficient.sign, if: coefficient.quotient != 0 || coefficient.remainder != 0)
      c.endScope()
    }
  }
}
