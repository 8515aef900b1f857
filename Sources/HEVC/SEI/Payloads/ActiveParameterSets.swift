// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `active_parameter_sets` (129): which video and sequence parameter sets are active. ISO/IEC 23008-2, D.2.21
public struct ActiveParameterSets: SEIPayload {
  public static let payloadType = SEIPayloadType(129)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.21"
  public static let summary: StaticString = "Which video and sequence parameter sets are active."

  /// The video parameter set in force (`active_video_parameter_set_id`).
  public var videoParameterSetID: UInt8 = 0
  /// Whether all parameter sets of the sequence are sent within it (`self_contained_cvs_flag`).
  public var isSelfContained = false
  /// Whether parameter sets do not change within the sequence (`no_parameter_set_update_flag`).
  public var hasNoUpdates = false
  /// The number of sequence parameter sets, less 1 (`num_sps_ids_minus1`).
  public var idCountMinus1: UInt32 = 0
  /// The sequence parameter sets in force (`active_seq_parameter_set_id`).
  public var sequenceParameterSetIDs: [UInt32] = [0]
  /// For each layer, the index of its set in the list above (`layer_sps_idx`).
  public var layerIndices: [UInt32] = []
  /// The number of layers in the last list.
  package var layerCount = 0

  public init() {}

  public mutating func prepare(for context: SEIContext) {
    guard let video = context.video else { return layerCount = 0 }
    layerCount = video.maxLayersMinus1 + (video.baseLayerIsInternal ? 0 : 1)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("active_video_parameter_set_id", &videoParameterSetID, 4)
    try c.flag("self_contained_cvs_flag", &isSelfContained)
    try c.flag("no_parameter_set_update_flag", &hasNoUpdates)
    try c.ue("num_sps_ids_minus1", &idCountMinus1, in: 0...15)
    try c.array(
      "active_seq_parameter_set_id", &sequenceParameterSetIDs, count: Int(idCountMinus1) + 1,
      expGolombIn: 0...15)
    // Some encoders omit this list.
    let hasLayers = c.bitsBeforeTrailing.map { $0 > 0 } ?? !layerIndices.isEmpty
    try c.array(
      "layer_sps_idx", &layerIndices, count: hasLayers ? layerCount : 0, expGolombIn: 0...idCountMinus1)
  }
}
