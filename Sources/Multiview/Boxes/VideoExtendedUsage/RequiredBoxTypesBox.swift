// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `must`: the types of its sibling boxes that a reader must understand.
public struct RequiredBoxTypesBox: FullBox {
  public static let info = BoxInfo(
    ["must"], name: "required box types", in: [.box("vexu"), .box("eyes")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The types of its sibling boxes that a reader must understand.", versions: 0...0)

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
