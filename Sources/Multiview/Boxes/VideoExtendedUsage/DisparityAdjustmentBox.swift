// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `dadj`: how far the two views are shifted apart for presentation.
///
/// A positive shift pushes the scene away.
public struct DisparityAdjustmentBox: FullBox {
  public static let info = BoxInfo(
    ["dadj"], name: "disparity adjustment", in: [.box("cmfy")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "How far the two views are shifted apart for presentation.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The shift. Zero is a value; an unknown shift has no box.
  public var adjustment = DisparityRatio(rawValue: 0)

  public init() {}

  /// A box with this shift.
  public init(_ adjustment: DisparityRatio) { self.adjustment = adjustment }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i32("disparity_adjustment", &adjustment.rawValue, .scaled(10_000, " of the width"))
  }
}
