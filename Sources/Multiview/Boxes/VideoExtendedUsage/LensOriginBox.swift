// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `corg`: the origin that the position of a lens is measured from.
public struct LensOriginBox: FullBox {
  public static let info = BoxInfo(
    ["corg"], name: "lens origin", in: [.box("lnex")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The origin that the position of a lens is measured from.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// `blin`: the middle of the baseline, so that each lens lies half of it to one side.
  public var sourceOfOrigin: FourCC = "blin"

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("source_of_origin", &sourceOfOrigin)
  }
}
