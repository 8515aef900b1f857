// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `temporal_mv_prediction_constraints` (167): which pictures motion vectors are not predicted from.
/// ISO/IEC 23008-2, F.14.2.9
public struct TemporalMVPredictionConstraints: SEIPayload {
  public static let payloadType = SEIPayloadType(167)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.9"
  public static let summary: StaticString = "Which pictures motion vectors are not predicted from."

  /// Whether motion is not predicted from earlier pictures (`prev_pics_not_used_flag`).
  public var usesNoPreviousPictures = false
  /// Whether motion is not predicted from pictures of the same layer (`no_intra_layer_col_pic_flag`).
  public var usesNoPicturesOfTheLayer = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("prev_pics_not_used_flag", &usesNoPreviousPictures)
    try c.flag("no_intra_layer_col_pic_flag", &usesNoPicturesOfTheLayer)
  }
}
