// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `stri` in `eyes`: which eyes there are views for, and whether their order is reversed.
///
/// `stri` in `strk` is a different box.
public struct StereoViewInformationBox: FullBox {
  public static let info = BoxInfo(
    ["stri"], name: "stereo view information", in: [.box("eyes")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "Which eyes there are views for, and whether their order is reversed.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// Bits that are fixed to 0.
  public var reserved: UInt8 = 0
  /// The views are in the opposite of the default order, which is left first.
  public var eyeViewsReversed = false
  /// There are views beyond those for the two eyes.
  public var hasAdditionalViews = false
  /// There is a view for the right eye.
  public var hasRightEyeView = false
  /// There is a view for the left eye.
  public var hasLeftEyeView = false

  public init() {}

  /// Signals views for these eyes.
  public init(eyes: StereoViewComponents) { self.eyes = eyes }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 4, expecting: 0)
    try c.flag("eye_views_reversed", &eyeViewsReversed)
    try c.flag("has_additional_views", &hasAdditionalViews)
    try c.flag("has_right_eye_view", &hasRightEyeView)
    try c.flag("has_left_eye_view", &hasLeftEyeView)
  }
}

extension StereoViewInformationBox {
  /// The eyes that there are views for.
  var eyes: StereoViewComponents {
    get { StereoViewComponents(rawValue: UInt64(flagBits & 3)) }
    set {
      hasLeftEyeView = newValue.contains(.leftEye)
      hasRightEyeView = newValue.contains(.rightEye)
    }
  }

  /// The four flags as they are in the byte: 0x08 reversed, 0x04 additional, 0x02 right, 0x01 left.
  public var flagBits: UInt8 {
    (eyeViewsReversed ? 8 : 0) | (hasAdditionalViews ? 4 : 0) | (hasRightEyeView ? 2 : 0)
      | (hasLeftEyeView ? 1 : 0)
  }
}
