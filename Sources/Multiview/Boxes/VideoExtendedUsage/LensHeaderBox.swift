// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `lnhd`: the identifier of a lens, the kinds of its parameters and light, and its role.
public struct LensHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["lnhd"], name: "lens header", in: [.box("lens")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The identifier of a lens, the kinds of its parameters and light, and its role.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The number of the lens, unique within its collection.
  public var lensIdentifier: UInt32 = 0
  /// How the lens is described.
  public var lensAlgorithmKind = FourCC(0)
  /// The kind of light that the lens captures, such as colour.
  public var lensDomain = FourCC(0)
  /// Which of the lenses it is: that of the left eye, for instance.
  public var lensRole = FourCC(0)

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("lens_identifier", &lensIdentifier)
    try c.fourCC("lens_algorithm_kind", &lensAlgorithmKind)
    try c.fourCC("lens_domain", &lensDomain)
    try c.fourCC("lens_role", &lensRole)
  }
}
