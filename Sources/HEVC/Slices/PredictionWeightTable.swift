// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pred_weight_table()`: weights and offsets of the reference pictures. ISO/IEC 23008-2, 7.3.6.3
public struct PredictionWeightTable: FieldLayout {
  /// The weights of one reference picture.
  public struct Entry: Hashable, Sendable {
    /// Whether luma is weighted; `nil` if absent (`luma_weight_l0_flag` or `luma_weight_l1_flag`).
    public var lumaFlag: Bool?
    /// Whether chroma is weighted; `nil` if absent (`chroma_weight_l0_flag` or `chroma_weight_l1_flag`).
    public var chromaFlag: Bool?
    /// The luma weight less the default; `nil` if absent (`delta_luma_weight_l0` or `delta_luma_weight_l1`).
    public var deltaLumaWeight: Int32?
    /// The luma offset; `nil` if absent (`luma_offset_l0` or `luma_offset_l1`).
    public var lumaOffset: Int32?
    /// The chroma weights less the default, by component (`delta_chroma_weight_l0` or `delta_chroma_weight_l1`).
    public var deltaChromaWeights: [Int32] = []
    /// The chroma offsets as differences to a predicted value, by component (`delta_chroma_offset_l0` or
    /// `delta_chroma_offset_l1`).
    public var deltaChromaOffsets: [Int32] = []

    /// Makes an entry without weights.
    public init() {}
  }

  /// Log2 of the denominator of luma weights (`luma_log2_weight_denom`).
  public var lumaLog2WeightDenom: UInt32 = 0
  /// Log2 of the denominator of chroma weights, less that of luma; `nil` if absent
  /// (`delta_chroma_log2_weight_denom`).
  public var deltaChromaLog2WeightDenom: Int32?
  /// The entries of list 0.
  public var l0: [Entry] = []
  /// The entries of list 1.
  public var l1: [Entry] = []

  /// For each entry of list 0, whether it can be weighted: the current picture itself cannot.
  var isWeightedL0: [Bool] = []
  /// The same for list 1; empty in a P slice.
  var isWeightedL1: [Bool] = []
  var hasChroma = true
  var lumaOffsetRange: ClosedRange<Int32> = -128...127
  var chromaOffsetRange: ClosedRange<Int32> = -512...511

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("luma_log2_weight_denom", &lumaLog2WeightDenom, in: 0...7)
    let denominator = Int32(clamping: lumaLog2WeightDenom)
    try c.se(
      "delta_chroma_log2_weight_denom", &deltaChromaLog2WeightDenom, if: hasChroma,
      in: -denominator...(7 - denominator))
    try layout(&l0, isWeightedL0, .l0, &c)
    if !isWeightedL1.isEmpty { try layout(&l1, isWeightedL1, .l1, &c) }
  }

  /// The names of the elements of a list.
  private struct Names {
    var list: StaticString, lumaFlag: StaticString, chromaFlag: StaticString
    var lumaWeight: StaticString, lumaOffset: StaticString
    var chromaWeight: StaticString, chromaOffset: StaticString

    static var l0: Names {
      Names(
        list: "weights_l0", lumaFlag: "luma_weight_l0_flag", chromaFlag: "chroma_weight_l0_flag",
        lumaWeight: "delta_luma_weight_l0", lumaOffset: "luma_offset_l0",
        chromaWeight: "delta_chroma_weight_l0", chromaOffset: "delta_chroma_offset_l0")
    }
    static var l1: Names {
      Names(
        list: "weights_l1", lumaFlag: "luma_weight_l1_flag", chromaFlag: "chroma_weight_l1_flag",
        lumaWeight: "delta_luma_weight_l1", lumaOffset: "luma_offset_l1",
        chromaWeight: "delta_chroma_weight_l1", chromaOffset: "delta_chroma_offset_l1")
    }
  }

  private func layout(
    _ entries: inout [Entry], _ isWeighted: [Bool], _ names: Names, _ c: inout some Coder
  ) throws(ParseError) {
    if c.isDecoding { entries = [Entry](repeating: Entry(), count: isWeighted.count) }
    guard entries.count == isWeighted.count else {
      throw c.failure(.invalid("has \(entries.count) entries for \(isWeighted.count) pictures"), names.list)
    }
    c.beginArray(names.lumaFlag, count: entries.count)
    for index in entries.indices {
      try c.flag(names.lumaFlag, &entries[index].lumaFlag, if: isWeighted[index])
    }
    c.endScope()
    if hasChroma {
      c.beginArray(names.chromaFlag, count: entries.count)
      for index in entries.indices {
        try c.flag(names.chromaFlag, &entries[index].chromaFlag, if: isWeighted[index])
      }
      c.endScope()
    }
    c.beginArray(names.list, count: entries.count)
    for index in entries.indices {
      c.beginStructure(names.list)
      try layout(&entries[index], names, &c)
      c.endScope()
    }
    c.endScope()
  }

  private func layout(_ entry: inout Entry, _ names: Names, _ c: inout some Coder) throws(ParseError) {
    let hasLuma = entry.lumaFlag == true
    try c.se(names.lumaWeight, &entry.deltaLumaWeight, if: hasLuma, in: -128...127)
    try c.se(names.lumaOffset, &entry.lumaOffset, if: hasLuma, in: lumaOffsetRange)
    guard entry.chromaFlag == true else {
      entry.deltaChromaWeights = []
      entry.deltaChromaOffsets = []
      return
    }
    if c.isDecoding {
      entry.deltaChromaWeights = [0, 0]
      entry.deltaChromaOffsets = [0, 0]
    }
    guard entry.deltaChromaWeights.count == 2, entry.deltaChromaOffsets.count == 2 else {
      throw c.failure(.invalid("must have two components"), names.chromaWeight)
    }
    c.beginArray("components", count: 2)
    for component in 0..<2 {
      c.beginStructure("components")
      try c.se(names.chromaWeight, &entry.deltaChromaWeights[component], in: -128...127)
      try c.se(names.chromaOffset, &entry.deltaChromaOffsets[component], in: chromaOffsetRange)
      c.endScope()
    }
    c.endScope()
  }
}
