// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How many pictures a decoder holds back, for one sub-layer. ISO/IEC 23008-2, 7.4.3.1 and 7.4.3.2.1
public struct SubLayerOrdering: Hashable, Sendable {
  /// `vps_max_dec_pic_buffering_minus1` or `sps_max_dec_pic_buffering_minus1`
  public var maxDecPicBufferingMinus1: UInt32 = 0
  /// `vps_max_num_reorder_pics` or `sps_max_num_reorder_pics`
  public var maxNumReorderPics: UInt32 = 0
  /// `vps_max_latency_increase_plus1` or `sps_max_latency_increase_plus1`
  public var maxLatencyIncreasePlus1: UInt32 = 0

  /// No pictures.
  public init() {}
}
