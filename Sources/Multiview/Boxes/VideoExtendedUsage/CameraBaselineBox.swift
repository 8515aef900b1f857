// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `blin`: the distance between the centres of the two cameras.
public struct CameraBaselineBox: BoxPayload {
  public static let name: StaticString = "camera baseline"
  public static let types: [FourCC] = ["blin"]
  public static let scopes: [BoxScope] = [.box("cams")]
  public static let specification: StaticString =
    "Apple Spatial and Immersive Media – Format additions, 1.9.8"
  public static let summary: StaticString = "The distance between the two cameras."
  public static let versions: ClosedRange<UInt8>? = 0...0

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
