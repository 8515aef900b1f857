// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `scalable_nesting` (133): messages that apply to certain layers or operation points. ISO/IEC 23008-2, D.2.24
public struct ScalableNesting: SEIPayload {
  public static let payloadType = SEIPayloadType(133)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.24"
  public static let summary: StaticString = "Messages that apply to certain layers or operation points."

  /// How deep messages may be nested.
  public static let maximumNesting = 2

  /// An operation point.
  public struct OperationPoint: FieldLayout {
    /// The highest temporal sub-layer, plus 1 (`nesting_max_temporal_id_plus1`).
    public var maxTemporalIDPlus1: UInt8 = 0
    /// The index of the operation point (`nesting_op_idx`).
    public var index: UInt32 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("nesting_max_temporal_id_plus1", &maxTemporalIDPlus1, 3)
      try c.ue("nesting_op_idx", &index, in: 0...1_023)
    }
  }

  /// The operation points that the messages apply to.
  public struct OperationPoints: FieldLayout {
    /// Whether the default operation point is included (`default_op_flag`).
    public var includesDefault = false
    /// The number of operation points, less 1 (`nesting_num_ops_minus1`).
    public var countMinus1: UInt32 = 0
    /// The points, except the default one.
    public var points: [OperationPoint] = []
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("default_op_flag", &includesDefault)
      try c.ue("nesting_num_ops_minus1", &countMinus1, in: 0...1_023)
      try c.array(
        "operation_points", &points, count: Int(countMinus1) + (includesDefault ? 0 : 1), minimumBits: 4)
    }
  }

  /// The layers that the messages apply to.
  public struct Layers: FieldLayout {
    /// Whether the messages apply to all layers from this one on (`all_layers_flag`).
    public var areAll = false
    /// The highest temporal sub-layer, plus 1; `nil` if absent (`nesting_no_op_max_temporal_id_plus1`).
    public var maxTemporalIDPlus1: UInt8?
    /// The number of layers, less 1; `nil` if absent (`nesting_num_layers_minus1`).
    public var countMinus1: UInt32?
    /// The layers (`nesting_layer_id`).
    public var ids: [UInt8] = []
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("all_layers_flag", &areAll)
      try c.u("nesting_no_op_max_temporal_id_plus1", &maxTemporalIDPlus1, 3, if: !areAll)
      try c.ue("nesting_num_layers_minus1", &countMinus1, if: !areAll, in: 0...62)
      try c.array(
        "nesting_layer_id", &ids, count: countMinus1.map { Int(clamping: $0) + 1 } ?? 0, bits: 6)
    }
  }

  /// Whether the messages apply to a stream extracted from this one (`bitstream_subset_flag`).
  public var isForSubset = false
  /// Whether the messages apply to operation points rather than layers (`nesting_op_flag`).
  public var isForOperationPoints = false
  /// The operation points that the messages apply to; `nil` if they apply to layers.
  public var operationPoints: OperationPoints?
  /// The layers that the messages apply to; `nil` if they apply to operation points.
  public var layers: Layers? = Layers()
  /// The bits up to the byte boundary (`nesting_zero_bit`).
  public var zeroBits = BitString()
  /// The nested messages.
  public var messages: [SEIMessage] = []
  /// How many messages this one is nested in.
  var nesting = 0

  public init() {}

  public mutating func prepare(for context: SEIContext) { nesting = context.nesting }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    guard nesting < Self.maximumNesting else {
      throw c.failure(
        .limitExceeded(limit: "\(Self.maximumNesting)", value: UInt64(clamping: nesting)), "scalable_nesting")
    }
    try c.flag("bitstream_subset_flag", &isForSubset)
    try c.flag("nesting_op_flag", &isForOperationPoints)
    try c.group("operation_points", &operationPoints, if: isForOperationPoints)
    try c.group("layers", &layers, if: !isForOperationPoints)
    let alignment = c.bitsLeft.map { $0 & 7 } ?? zeroBits.bitCount
    if alignment > 0 { try c.bitString("nesting_zero_bit", &zeroBits, count: alignment) }
    try c.arrayWhileBitsLeft("sei_message", &messages, minimumBits: 16)
  }
}
