// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `colour_mapping_table()`: how the colours of a reference layer are converted to those of this one.
public struct ColourMappingTable: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.3.5 and F.7.3.2.3.6"

  /// A coefficient of one component, as a quotient, a remainder and a sign.
  public struct Coefficient: Hashable, Sendable {
    /// The quotient of the absolute value (`res_coeff_q`).
    public var quotient: UInt32 = 0
    /// The remainder of the absolute value (`res_coeff_r`).
    public var remainder: UInt32 = 0
    /// Whether the value is negative; `nil` if the other two are 0 (`res_coeff_s`).
    public var sign: Bool?

    /// Makes a coefficient of 0.
    public init() {}
  }

  /// The residuals of one vertex, for three components; `nil` if `coded_res_flag` is 0.
  public typealias Vertex = [Coefficient]?

  /// The reference layers that the table applies to (`cm_ref_layer_id`).
  public var cmRefLayerIDs: [UInt8] = [0]
  /// How often the colour space is split into octants, 0 or 1 (`cm_octant_depth`).
  public var cmOctantDepth: UInt8 = 0
  /// Log2 of the number of parts into which luma is divided (`cm_y_part_num_log2`).
  public var cmYPartNumLog2: UInt8 = 0
  /// The bits of a luma sample of the input, less 8 (`luma_bit_depth_cm_input_minus8`).
  public var lumaBitDepthCmInputMinus8: UInt32 = 0
  /// The bits of a chroma sample of the input, less 8 (`chroma_bit_depth_cm_input_minus8`).
  public var chromaBitDepthCmInputMinus8: UInt32 = 0
  /// The bits of a luma sample of the output, less 8 (`luma_bit_depth_cm_output_minus8`).
  public var lumaBitDepthCmOutputMinus8: UInt32 = 0
  /// The bits of a chroma sample of the output, less 8 (`chroma_bit_depth_cm_output_minus8`).
  public var chromaBitDepthCmOutputMinus8: UInt32 = 0
  /// By how many bits the residuals are shifted to the left (`cm_res_quant_bits`).
  public var cmResQuantBits: UInt8 = 0
  /// The difference between the bits of a remainder and the longest possible one, less 1
  /// (`cm_delta_flc_bits_minus1`).
  public var cmDeltaFlcBitsMinus1: UInt8 = 0
  /// The offset of the first chroma component's split threshold; `nil` if absent
  /// (`cm_adapt_threshold_u_delta`).
  public var cmAdaptThresholdUDelta: Int32?
  /// The offset of the second chroma component's split threshold; `nil` if absent
  /// (`cm_adapt_threshold_v_delta`).
  public var cmAdaptThresholdVDelta: Int32?
  /// Whether the colour space is split into octants; `nil` if the depth is 0 (`split_octant_flag`).
  public var splitOctantFlag: Bool?
  /// The octants, one or eight: for each its luma parts, and for each part four vertices.
  public var octants: [[Vertex]] = []

  public init() {}

  /// The number of parts into which the range of luma is divided (`PartNumY`).
  public var partNumY: Int { 1 << Int(min(cmYPartNumLog2, 3)) }

  /// The number of bits of a remainder (`CMResLSBits`).
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
      // The standard limits the resulting value, not the quotient.
      try c.ue("res_coeff_q", &coefficient.quotient, in: 0...(.max - 1))
      try c.u("res_coeff_r", &coefficient.remainder, bits)
      try c.flag(
        "res_coeff_s", &coefficient.sign, if: coefficient.quotient != 0 || coefficient.remainder != 0)
      c.endScope()
    }
  }
}
