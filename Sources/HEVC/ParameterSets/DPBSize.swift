// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `dpb_size()`: how many pictures of each layer a decoder keeps. ISO/IEC 23008-2, F.7.3.2.1.3
public struct DPBSize: Hashable, Sendable {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.3"

  /// The sizes of one output layer set.
  public struct OutputLayerSet: Hashable, Sendable {
    /// Whether each sub-layer says if it has sizes (`sub_layer_flag_info_present_flag`).
    public var subLayerFlagInfoPresentFlag = false
    /// The sizes of the sub-layers; `nil` for those of the previous sub-layer.
    public var subLayers: [SubLayer?] = []

    /// Makes an empty list of sizes.
    public init() {}
  }

  /// The sizes of one sub-layer.
  public struct SubLayer: Hashable, Sendable {
    /// How many pictures of each layer in the layer set a decoder keeps, less 1; `nil` if the layer is not
    /// necessary (`max_vps_dec_pic_buffering_minus1`).
    public var maxVpsDecPicBufferingMinus1: [UInt32?] = []
    /// How many access units may precede another one in decoding order and follow it in output order
    /// (`max_vps_num_reorder_pics`).
    public var maxVpsNumReorderPics: UInt32 = 0
    /// How much longer than the reordering requires an access unit may wait for output, plus 1; 0 for no limit
    /// (`max_vps_latency_increase_plus1`).
    public var maxVpsLatencyIncreasePlus1: UInt32 = 0

    /// Makes empty sizes.
    public init() {}
  }

  /// The sizes of the output layer sets from 1 on.
  public var outputLayerSets: [OutputLayerSet] = []

  /// Makes an empty structure.
  public init() {}

  /// The sizes of an output layer set; `nil` if there are none.
  func sizes(outputLayerSet index: Int) -> OutputLayerSet? {
    outputLayerSets.indices.contains(index - 1) ? outputLayerSets[index - 1] : nil
  }

  /// Codes the sizes for `outputs`, which begin with output layer set 0.
  mutating func layout(
    _ c: inout some Coder, _ outputs: [OutputLayers], baseLayerInternalFlag: Bool
  ) throws(ParseError) {
    try c.elements(
      "dpb_size", &outputLayerSets, at: 1..<max(1, outputs.count), minimumBits: 3, new: OutputLayerSet()
    ) { c, i, ols throws(ParseError) in
      c.beginStructure("output_layer_set")
      try c.flag("sub_layer_flag_info_present_flag", &ols.subLayerFlagInfoPresentFlag)
      let hasFlags = ols.subLayerFlagInfoPresentFlag
      let layers = outputs[i]
      var coded = layers.necessaryLayers
      if !baseLayerInternalFlag { coded = coded.subtracting([0]) }
      try c.elements(
        "sub_layers", &ols.subLayers, at: 0..<(layers.maxSubLayersMinus1 + 1), minimumBits: 0, new: nil
      ) { c, j, subLayer throws(ParseError) in
        c.beginStructure("sub_layer")
        var isPresent = j == 0 || (hasFlags && subLayer != nil)
        if j > 0 && hasFlags { try c.flag("sub_layer_dpb_info_present_flag", &isPresent) }
        if isPresent {
          var present = subLayer ?? SubLayer()
          defer { subLayer = present }
          try present.layout(&c, layers.layerSet, coded)
        } else {
          subLayer = nil
        }
        c.endScope()
      }
      c.endScope()
    }
  }
}

extension DPBSize.SubLayer {
  fileprivate mutating func layout(
    _ c: inout some Coder, _ set: LayerSet, _ coded: LayerIDSet
  ) throws(ParseError) {
    if maxVpsDecPicBufferingMinus1.count != set.count {
      maxVpsDecPicBufferingMinus1 = Array(repeating: nil, count: set.count)
    }
    c.beginArray("max_vps_dec_pic_buffering_minus1", count: set.count)
    var k = 0
    for id in set {
      try c.ue(
        "max_vps_dec_pic_buffering_minus1", &maxVpsDecPicBufferingMinus1[k], if: coded.contains(id),
        in: 0...15)
      k += 1
    }
    c.endScope()
    try c.ue("max_vps_num_reorder_pics", &maxVpsNumReorderPics, in: 0...15)
    try c.ue("max_vps_latency_increase_plus1", &maxVpsLatencyIncreasePlus1, in: 0...(.max - 1))
  }
}
