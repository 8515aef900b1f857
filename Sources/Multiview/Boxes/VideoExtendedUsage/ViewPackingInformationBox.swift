// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `pkin`: how the views are packed into one picture.
public struct ViewPackingInformationBox: FullBox {
  public static let info = BoxInfo(
    ["pkin"], name: "view packing information", in: [.box("pack")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
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
