// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `layers_not_present` (160): which layers have no pictures from here on. ISO/IEC 23008-2, F.14.2.2
public struct LayersNotPresent: SEIPayload {
  public static let payloadType = SEIPayloadType(160)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.2"
  public static let summary: StaticString = "Which layers have no pictures from here on."

  /// The video parameter set in force (`lnp_sei_active_vps_id`).
  public var videoParameterSetID: UInt8 = 0
  /// Whether each layer of the video parameter set is missing (`layer_not_present_flag`).
  public var areMissing: [Bool] = [false]
  /// The number of layers; `nil` if unknown.
  package var layerCount: Int? = 1

  public init() {}

  public mutating func prepare(for context: SEIContext) {
    layerCount = context.video.map { $0.maxLayersMinus1 + 1 }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("lnp_sei_active_vps_id", &videoParameterSetID, 4)
    guard let layerCount else {
      throw c.failure(.missing("the video parameter set"), "layer_not_present_flag")
    }
    try c.array("layer_not_present_flag", &areMissing, count: layerCount)
  }
}
