// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `prji`: the kind of projection.
public struct ProjectionInformationBox: FullBox {
  public static let info = BoxInfo(
    ["prji"], name: "projection information", in: [.box("proj", in: "vexu")],
    spatialMedia, "The kind of projection.", versions: 0...0)

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
    spatialMedia,
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

/// `pkin`: how the views are packed into one picture.
public struct ViewPackingInformationBox: FullBox {
  public static let info = BoxInfo(
    ["pkin"], name: "view packing information", in: [.box("pack")],
    spatialMedia,
    "How the views are packed into one picture.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The kind of packing.
  public var packing = ViewPacking.sideBySide

  public init() {}

  /// A box with this kind of packing.
  public init(_ packing: ViewPacking) { self.packing = packing }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("view_packing_kind", &packing.rawValue)
  }
}

/// `hfov`: the horizontal angle that the picture covers.
///
/// It is a plain box next to `vexu`, not in it.
public struct HorizontalFieldOfViewBox: BoxPayload {
  public static let info = BoxInfo(
    ["hfov"], name: "horizontal field of view", in: [.visualSampleEntry],
    spatialMedia,
    "The horizontal angle that the picture covers.")

  /// The angle. Zero is a value; an unknown angle has no box.
  public var fieldOfView = Millidegrees(rawValue: 0)

  public init() {}

  /// A box with this angle.
  public init(_ fieldOfView: Millidegrees) { self.fieldOfView = fieldOfView }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.code("field_of_view", &fieldOfView, bits: 32, .scaled(1000, "°"))
  }
}
