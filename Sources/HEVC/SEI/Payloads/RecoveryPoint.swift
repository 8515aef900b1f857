// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `recovery_point` (6): after how many pictures the output is right again. ISO/IEC 23008-2, D.2.8
public struct RecoveryPoint: SEIPayload {
  public static let payloadType = SEIPayloadType(6)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.8"
  public static let summary: StaticString = "After how many pictures decoding is right when it starts here."

  /// `recovery_poc_cnt`: the difference of order counts between here and there.
  public var orderCount: Int32 = 0
  /// `exact_match_flag`
  public var isExact = false
  /// `broken_link_flag`
  public var isBrokenLink = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.se("recovery_poc_cnt", &orderCount, in: -32_768...32_767)
    try c.flag("exact_match_flag", &isExact)
    try c.flag("broken_link_flag", &isBrokenLink)
  }

  public static var samples: [RecoveryPoint] {
    var sample = RecoveryPoint()
    sample.orderCount = -3
    sample.isExact = true
    return [sample]
  }
}
