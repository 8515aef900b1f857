// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `must`: the boxes beside it that a reader has to understand to make sense of the box around them.
public struct RequiredBoxTypesBox: BoxPayload {
  public static let name: StaticString = "required box types"
  public static let types: [FourCC] = ["must"]
  public static let scopes: [BoxScope] = [.box("vexu"), .box("eyes")]
  public static let specification: StaticString =
    "Apple Spatial and Immersive Media – Format additions, 1.9.8"
  public static let summary: StaticString =
    "The types of the boxes beside it that a reader has to understand."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The types of those boxes.
  public var requiredBoxTypes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCCsToEnd("required_box_types", &requiredBoxTypes)
  }
}
