// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `prji`: the kind of projection.
public struct ProjectionInformationBox: FullBox {
  public static let info = BoxInfo(
    ["prji"], name: "projection information", in: [.box("proj", in: "vexu")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8", "The kind of projection.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The kind.
  public var projection = Projection.rectilinear

  public init() {}

  /// A box with this kind of projection.
  public init(_ projection: Projection) { self.projection = projection }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("projection_kind", &projection.rawValue)
  }
}

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
