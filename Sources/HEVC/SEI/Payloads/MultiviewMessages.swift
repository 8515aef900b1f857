// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `multiview_scene_info` (178): the range of disparities between neighbouring views. ISO/IEC 23008-2, G.14.2.5
public struct MultiviewSceneInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(178)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.5"
  public static let summary: StaticString = "The range of disparities between neighbouring views."

  /// The smallest disparity, in luma samples (`min_disparity`).
  public var minimumDisparity: Int32 = 0
  /// The difference between the largest and the smallest disparity, in luma samples (`max_disparity_range`).
  public var disparityRange: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.se("min_disparity", &minimumDisparity, in: -1_024...1_023)
    try c.ue("max_disparity_range", &disparityRange, in: 0...2_047)
  }
}

/// `multiview_view_position` (180): the order of the views from left to right. ISO/IEC 23008-2, G.14.2.7
public struct MultiviewViewPosition: SEIPayload {
  public static let payloadType = SEIPayloadType(180)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.7"
  public static let summary: StaticString = "The order of the views from left to right."

  /// The number of views, less 1 (`num_views_minus1`).
  public var viewCountMinus1: UInt32 = 0
  /// The position of each view, by view order index; 0 is the leftmost (`view_position`).
  public var positions: [UInt32] = [0]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("num_views_minus1", &viewCountMinus1, in: 0...62)
    try c.array(
      "view_position", &positions, count: Int(clamping: viewCountMinus1) + 1, expGolombIn: 0...62)
  }
}
