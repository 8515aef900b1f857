// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `display_orientation` (47): how to flip and rotate the pictures for display. ISO/IEC 23008-2, D.2.17
public struct DisplayOrientation: SEIPayload {
  public static let payloadType = SEIPayloadType(47)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.17"
  public static let summary: StaticString = "How to flip and rotate the pictures for display."

  /// A flip followed by a rotation.
  public struct Orientation: FieldLayout {
    /// Whether to flip the pictures horizontally (`hor_flip`).
    public var flipsHorizontally = false
    /// Whether to flip the pictures vertically (`ver_flip`).
    public var flipsVertically = false
    /// The anticlockwise rotation, in units of 1/65536 of a turn (`anticlockwise_rotation`).
    public var rotation: UInt16 = 0
    /// Whether the message applies to later pictures as well (`display_orientation_persistence_flag`).
    public var persists = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("hor_flip", &flipsHorizontally)
      try c.flag("ver_flip", &flipsVertically)
      try c.u16("anticlockwise_rotation", &rotation)
      try c.flag("display_orientation_persistence_flag", &persists)
    }
  }

  /// Whether the message ends an earlier one (`display_orientation_cancel_flag`).
  public var cancels = false
  /// The orientation; `nil` if the message ends an earlier one.
  public var orientation: Orientation? = Orientation()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("display_orientation_cancel_flag", &cancels)
    try c.group("orientation", &orientation, if: !cancels)
  }
}
