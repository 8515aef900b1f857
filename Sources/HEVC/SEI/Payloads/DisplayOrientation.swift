// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `display_orientation` (47): how to turn the pictures. ISO/IEC 23008-2, D.2.17
public struct DisplayOrientation: SEIPayload {
  public static let payloadType = SEIPayloadType(47)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.17"
  public static let summary: StaticString = "How to flip and turn the pictures before they are shown."

  /// A flip and a turn.
  public struct Orientation: FieldLayout {
    /// `hor_flip`
    public var flipsHorizontally = false
    /// `ver_flip`
    public var flipsVertically = false
    /// `anticlockwise_rotation`, in 1/65536 of a turn.
    public var rotation: UInt16 = 0
    /// `display_orientation_persistence_flag`
    public var persists = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("hor_flip", &flipsHorizontally)
      try c.flag("ver_flip", &flipsVertically)
      try c.u16("anticlockwise_rotation", &rotation)
      try c.flag("display_orientation_persistence_flag", &persists)
    }
  }

  /// `display_orientation_cancel_flag`
  public var cancels = false
  /// How to turn the pictures, unless that ends here.
  public var orientation: Orientation? = Orientation()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("display_orientation_cancel_flag", &cancels)
    try c.group("orientation", &orientation, if: !cancels)
  }

  public static var samples: [DisplayOrientation] {
    var turned = DisplayOrientation()
    turned.orientation?.rotation = 0x4000
    var cancel = DisplayOrientation()
    cancel.cancels = true
    cancel.orientation = nil
    return [turned, cancel]
  }
}
