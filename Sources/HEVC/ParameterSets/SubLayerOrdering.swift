// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The buffer sizes that a decoder needs for one sub-layer. ISO/IEC 23008-2, 7.4.3.1 and 7.4.3.2.1
public struct SubLayerOrdering: Hashable, Sendable {
  /// How many pictures the buffer holds, less 1 (`vps_max_dec_pic_buffering_minus1` or
  /// `sps_max_dec_pic_buffering_minus1`).
  public var maxDecPicBufferingMinus1: UInt32 = 0
  /// How many pictures may precede another one in decoding order and follow it in output order
  /// (`vps_max_num_reorder_pics` or `sps_max_num_reorder_pics`).
  public var maxNumReorderPics: UInt32 = 0
  /// How much longer than the reordering requires a picture may wait for output, plus 1; 0 for no limit
  /// (`vps_max_latency_increase_plus1` or `sps_max_latency_increase_plus1`).
  public var maxLatencyIncreasePlus1: UInt32 = 0

  /// Makes sizes of 0.
  public init() {}
}
