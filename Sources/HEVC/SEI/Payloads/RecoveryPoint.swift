// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `recovery_point` (6): from which picture on the output is correct if decoding starts here. ISO/IEC 23008-2, D.2.8
public struct RecoveryPoint: SEIPayload {
  public static let payloadType = SEIPayloadType(6)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.8"
  public static let summary: StaticString =
    "From which picture on the output is correct if decoding starts here."

  /// The order count of that picture relative to this one (`recovery_poc_cnt`).
  public var orderCount: Int32 = 0
  /// Whether the output is then exactly correct, and not only approximately (`exact_match_flag`).
  public var isExact = false
  /// Whether pictures at this point may be badly damaged because the stream was cut (`broken_link_flag`).
  public var isBrokenLink = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.se("recovery_poc_cnt", &orderCount, in: -32_768...32_767)
    try c.flag("exact_match_flag", &isExact)
    try c.flag("broken_link_flag", &isBrokenLink)
  }
}
