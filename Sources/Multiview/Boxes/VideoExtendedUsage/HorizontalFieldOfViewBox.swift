// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `hfov`: the horizontal angle that the picture covers.
///
/// It is a plain box next to `vexu`, not in it.
public struct HorizontalFieldOfViewBox: BoxPayload {
  public static let info = BoxInfo(
    ["hfov"], name: "horizontal field of view", in: [.visualSampleEntry],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
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
