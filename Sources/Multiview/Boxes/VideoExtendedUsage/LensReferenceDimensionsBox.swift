// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `rdim`: the size of the picture that the intrinsics refer to.
public struct LensReferenceDimensionsBox: FullBox {
  public static let info = BoxInfo(
    ["rdim"], name: "lens reference dimensions", in: [.box("lens")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The size of the picture that the intrinsics refer to.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// Its width in pixels.
  public var referenceWidth: UInt32 = 0
  /// Its height in pixels.
  public var referenceHeight: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("reference_width", &referenceWidth)
    try c.u32("reference_height", &referenceHeight)
  }
}
