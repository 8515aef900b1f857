// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rect`, `equi`, `hequ`, `prim` or `fish`: reserved for parameters of one kind of projection; empty so far.
public struct ProjectionKindBox: FullBox {
  public static let info = BoxInfo(
    ["rect", "equi", "hequ", "prim", "fish"], name: "projection kind", in: [.box("proj", in: "vexu")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "Reserved for parameters of one kind of projection; empty so far.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The bytes for which the specification defines no fields yet.
  public var fields = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.leftovers(&fields)
  }
}
