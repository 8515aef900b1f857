// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `hero`: the eye whose view is shown if only one can be shown.
public struct HeroEyeBox: FullBox {
  public static let info = BoxInfo(
    ["hero"], name: "hero eye", in: [.box("eyes")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The eye whose view is shown if only one can be shown.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// 0 none, 1 left, 2 right; the rest is reserved.
  public var heroEye = HeroEye.noPreference

  public init() {}

  /// A box that names this eye.
  public init(_ heroEye: HeroEye) { self.heroEye = heroEye }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.code("hero_eye_indicator", &heroEye, bits: 8, HeroEye.format)
  }
}
