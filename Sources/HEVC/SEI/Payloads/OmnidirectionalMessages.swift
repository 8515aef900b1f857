// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `equirectangular_projection` (150): the pictures are a sphere, unrolled. ISO/IEC 23008-2, D.2.41
public struct EquirectangularProjection: SEIPayload {
  public static let payloadType = SEIPayloadType(150)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.41"
  public static let summary: StaticString = "That the pictures are an equirectangular projection of a sphere."

  /// Bands beside the picture that do not count.
  public struct GuardBand: FieldLayout {
    /// `erp_guard_band_type`
    public var type: UInt8 = 0
    /// `erp_left_guard_band_width`
    public var left: UInt8 = 0
    /// `erp_right_guard_band_width`
    public var right: UInt8 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("erp_guard_band_type", &type, 3)
      try c.u8("erp_left_guard_band_width", &left)
      try c.u8("erp_right_guard_band_width", &right)
    }
  }

  /// The projection.
  public struct Projection: FieldLayout {
    /// `erp_persistence_flag`
    public var persists = false
    /// `erp_guard_band_flag`
    public var hasGuardBand = false
    /// `erp_reserved_zero_2bits`
    public var reserved: UInt8 = 0
    /// The bands, where there are any.
    public var guardBand: GuardBand?
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("erp_persistence_flag", &persists)
      try c.flag("erp_guard_band_flag", &hasGuardBand)
      try c.reserved("erp_reserved_zero_2bits", &reserved, bits: 2, expecting: 0)
      try c.group("guard_band", &guardBand, if: hasGuardBand)
    }
  }

  /// `erp_cancel_flag`
  public var cancels = false
  /// The projection, unless it ends here.
  public var projection: Projection? = Projection()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("erp_cancel_flag", &cancels)
    try c.group("projection", &projection, if: !cancels)
  }

  public static var samples: [EquirectangularProjection] {
    var banded = EquirectangularProjection()
    banded.projection?.hasGuardBand = true
    banded.projection?.guardBand = GuardBand()
    var cancel = EquirectangularProjection()
    cancel.cancels = true
    cancel.projection = nil
    return [EquirectangularProjection(), banded, cancel]
  }
}

/// `cubemap_projection` (151): the pictures are the faces of a cube. ISO/IEC 23008-2, D.2.42
public struct CubemapProjection: SEIPayload {
  public static let payloadType = SEIPayloadType(151)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.42"
  public static let summary: StaticString = "That the pictures are the faces of a cube around the viewer."

  /// `cmp_cancel_flag`
  public var cancels = false
  /// `cmp_persistence_flag`
  public var persists: Bool? = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("cmp_cancel_flag", &cancels)
    try c.flag("cmp_persistence_flag", &persists, if: !cancels)
  }

  public static var samples: [CubemapProjection] {
    var cancel = CubemapProjection()
    cancel.cancels = true
    cancel.persists = nil
    return [CubemapProjection(), cancel]
  }
}

/// `sphere_rotation` (154): how to turn the sphere. ISO/IEC 23008-2, D.2.44
public struct SphereRotation: SEIPayload {
  public static let payloadType = SEIPayloadType(154)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.44"
  public static let summary: StaticString = "How the sphere of a projection is turned."

  /// A rotation, in 2^-16 degrees.
  public struct Rotation: FieldLayout {
    /// `sphere_rotation_persistence_flag`
    public var persists = false
    /// `sphere_rotation_reserved_zero_6bits`
    public var reserved: UInt8 = 0
    /// `yaw_rotation`
    public var yaw: Int32 = 0
    /// `pitch_rotation`
    public var pitch: Int32 = 0
    /// `roll_rotation`
    public var roll: Int32 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("sphere_rotation_persistence_flag", &persists)
      try c.reserved("sphere_rotation_reserved_zero_6bits", &reserved, bits: 6, expecting: 0)
      try c.i32("yaw_rotation", &yaw, .fixedPoint(fractionBits: 16))
      try c.i32("pitch_rotation", &pitch, .fixedPoint(fractionBits: 16))
      try c.i32("roll_rotation", &roll, .fixedPoint(fractionBits: 16))
    }
  }

  /// `sphere_rotation_cancel_flag`
  public var cancels = false
  /// The rotation, unless it ends here.
  public var rotation: Rotation? = Rotation()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("sphere_rotation_cancel_flag", &cancels)
    try c.group("rotation", &rotation, if: !cancels)
  }

  public static var samples: [SphereRotation] {
    var turned = SphereRotation()
    turned.rotation?.yaw = -90 << 16
    var cancel = SphereRotation()
    cancel.cancels = true
    cancel.rotation = nil
    return [turned, cancel]
  }
}

/// `omni_viewport` (156): where to look. ISO/IEC 23008-2, D.2.46
public struct OmniViewport: SEIPayload {
  public static let payloadType = SEIPayloadType(156)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.46"
  public static let summary: StaticString = "Which parts of the sphere are recommended."

  /// A part of the sphere, in 2^-16 degrees.
  public struct Viewport: FieldLayout {
    /// `omni_viewport_azimuth_centre`
    public var azimuth: Int32 = 0
    /// `omni_viewport_elevation_centre`
    public var elevation: Int32 = 0
    /// `omni_viewport_tilt_centre`
    public var tilt: Int32 = 0
    /// `omni_viewport_hor_range`
    public var horizontalRange: UInt32 = 1
    /// `omni_viewport_ver_range`
    public var verticalRange: UInt32 = 1
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.i32("omni_viewport_azimuth_centre", &azimuth, .fixedPoint(fractionBits: 16))
      try c.i32("omni_viewport_elevation_centre", &elevation, .fixedPoint(fractionBits: 16))
      try c.i32("omni_viewport_tilt_centre", &tilt, .fixedPoint(fractionBits: 16))
      try c.u32("omni_viewport_hor_range", &horizontalRange, in: nil, .fixedPoint(fractionBits: 16))
      try c.u32("omni_viewport_ver_range", &verticalRange, in: nil, .fixedPoint(fractionBits: 16))
    }
  }

  /// The recommended parts.
  public struct Viewports: FieldLayout {
    /// `omni_viewport_persistence_flag`
    public var persists = false
    /// `omni_viewport_cnt_minus1`
    public var countMinus1: UInt8 = 0
    /// The parts.
    public var viewports: [Viewport] = [Viewport()]
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("omni_viewport_persistence_flag", &persists)
      try c.u("omni_viewport_cnt_minus1", &countMinus1, 4)
      try c.array("viewports", &viewports, count: Int(countMinus1) + 1, minimumBits: 160)
    }
  }

  /// `omni_viewport_id`
  public var id: UInt16 = 0
  /// `omni_viewport_cancel_flag`
  public var cancels = false
  /// The parts, unless they end here.
  public var viewports: Viewports? = Viewports()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("omni_viewport_id", &id, 10)
    try c.flag("omni_viewport_cancel_flag", &cancels)
    try c.group("viewports", &viewports, if: !cancels)
  }

  public static var samples: [OmniViewport] {
    var cancel = OmniViewport()
    cancel.id = 1_023
    cancel.cancels = true
    cancel.viewports = nil
    return [OmniViewport(), cancel]
  }
}
