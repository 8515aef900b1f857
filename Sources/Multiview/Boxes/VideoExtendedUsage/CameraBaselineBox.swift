// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `blin`: the distance between the centres of the two cameras.
public struct CameraBaselineBox: FullBox {
  public static let info = BoxInfo(
    ["blin"], name: "camera baseline", in: [.box("cams")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The distance between the centres of the two cameras.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The distance. Zero is a value; an unknown distance has no box.
  public var baseline = Micrometers(rawValue: 0)

  public init() {}

  /// A box with this distance.
  public init(_ baseline: Micrometers) { self.baseline = baseline }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.code("baseline_value", &baseline, bits: 32, .scaled(1000, " mm"))
  }
}
