// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `must`: the types of its sibling boxes that a reader must understand.
public struct RequiredBoxTypesBox: FullBox {
  public static let info = BoxInfo(
    ["must"], name: "required box types", in: [.box("vexu"), .box("eyes")],
    spatialMedia,
    "The types of its sibling boxes that a reader must understand.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The types of those boxes.
  public var requiredBoxTypes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCCsToEnd("required_box_types", &requiredBoxTypes)
  }
}

/// `stri` in `eyes`: which eyes there are views for, and whether their order is reversed.
///
/// `stri` in `strk` is a different box.
public struct StereoViewInformationBox: FullBox {
  public static let info = BoxInfo(
    ["stri"], name: "stereo view information", in: [.box("eyes")],
    spatialMedia,
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

/// `hero`: the eye whose view is shown if only one can be shown.
public struct HeroEyeBox: FullBox {
  public static let info = BoxInfo(
    ["hero"], name: "hero eye", in: [.box("eyes")],
    spatialMedia,
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

/// `blin`: the distance between the centres of the two cameras.
public struct CameraBaselineBox: FullBox {
  public static let info = BoxInfo(
    ["blin"], name: "camera baseline", in: [.box("cams")],
    spatialMedia,
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

/// `dadj`: how far the two views are shifted apart for presentation.
///
/// A positive shift pushes the scene away. As a property of images it has the same form. ISO/IEC 23008-12:2022/Amd 1:2025, 6.5.42
public struct DisparityAdjustmentBox: FullBox {
  public static let info = BoxInfo(
    ["dadj"], name: "disparity adjustment", in: [.box("cmfy"), .box("ipco")],
    spatialMedia,
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
