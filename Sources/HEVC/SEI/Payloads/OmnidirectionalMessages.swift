// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `equirectangular_projection` (150): signals that the pictures are a sphere in equirectangular projection.
/// ISO/IEC 23008-2, D.2.41
public struct EquirectangularProjection: SEIPayload {
  public static let payloadType = SEIPayloadType(150)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.41"
  public static let summary: StaticString =
    "Signals that the pictures are a sphere in equirectangular projection."

  /// Bands at the sides of the picture that are not shown.
  public struct GuardBand: FieldLayout {
    /// How the bands are filled (`erp_guard_band_type`).
    public var type: UInt8 = 0
    /// The width of the left band, in luma samples (`erp_left_guard_band_width`).
    public var left: UInt8 = 0
    /// The width of the right band, in luma samples (`erp_right_guard_band_width`).
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
    /// Whether the message applies to later pictures as well (`erp_persistence_flag`).
    public var persists = false
    /// Whether there are guard bands (`erp_guard_band_flag`).
    public var hasGuardBand = false
    /// Two reserved bits (`erp_reserved_zero_2bits`).
    public var reserved: UInt8 = 0
    /// The guard bands; `nil` if there are none.
    public var guardBand: GuardBand?
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("erp_persistence_flag", &persists)
      try c.flag("erp_guard_band_flag", &hasGuardBand)
      try c.reserved("erp_reserved_zero_2bits", &reserved, bits: 2, expecting: 0)
      try c.group("guard_band", &guardBand, if: hasGuardBand)
    }
  }

  /// Whether the message ends an earlier one (`erp_cancel_flag`).
  public var cancels = false
  /// The projection; `nil` if the message ends an earlier one.
  public var projection: Projection? = Projection()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("erp_cancel_flag", &cancels)
    try c.group("projection", &projection, if: !cancels)
  }
}

/// `cubemap_projection` (151): signals that the pictures are the faces of a cube around the viewer.
/// ISO/IEC 23008-2, D.2.42
public struct CubemapProjection: SEIPayload {
  public static let payloadType = SEIPayloadType(151)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.42"
  public static let summary: StaticString =
    "Signals that the pictures are the faces of a cube around the viewer."

  /// Whether the message ends an earlier one (`cmp_cancel_flag`).
  public var cancels = false
  /// Whether the message applies to later pictures as well; `nil` if it ends an earlier one
  /// (`cmp_persistence_flag`).
  public var persists: Bool? = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("cmp_cancel_flag", &cancels)
    try c.flag("cmp_persistence_flag", &persists, if: !cancels)
  }
}

/// `sphere_rotation` (154): how to rotate the sphere of a projection. ISO/IEC 23008-2, D.2.44
public struct SphereRotation: SEIPayload {
  public static let payloadType = SEIPayloadType(154)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.44"
  public static let summary: StaticString = "How to rotate the sphere of a projection."

  /// A rotation, in units of 2^-16 degrees.
  public struct Rotation: FieldLayout {
    /// Whether the message applies to later pictures as well (`sphere_rotation_persistence_flag`).
    public var persists = false
    /// Six reserved bits (`sphere_rotation_reserved_zero_6bits`).
    public var reserved: UInt8 = 0
    /// The rotation about the vertical axis (`yaw_rotation`).
    public var yaw: Int32 = 0
    /// The rotation about the lateral axis (`pitch_rotation`).
    public var pitch: Int32 = 0
    /// The rotation about the longitudinal axis (`roll_rotation`).
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

  /// Whether the message ends an earlier one (`sphere_rotation_cancel_flag`).
  public var cancels = false
  /// The rotation; `nil` if the message ends an earlier one.
  public var rotation: Rotation? = Rotation()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("sphere_rotation_cancel_flag", &cancels)
    try c.group("rotation", &rotation, if: !cancels)
  }
}

/// `omni_viewport` (156): which parts of the sphere are recommended for viewing. ISO/IEC 23008-2, D.2.46
public struct OmniViewport: SEIPayload {
  public static let payloadType = SEIPayloadType(156)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.46"
  public static let summary: StaticString = "Which parts of the sphere are recommended for viewing."

  /// A part of the sphere, in units of 2^-16 degrees.
  public struct Viewport: FieldLayout {
    /// The azimuth of its centre (`omni_viewport_azimuth_centre`).
    public var azimuth: Int32 = 0
    /// The elevation of its centre (`omni_viewport_elevation_centre`).
    public var elevation: Int32 = 0
    /// The tilt angle at its centre (`omni_viewport_tilt_centre`).
    public var tilt: Int32 = 0
    /// Its horizontal range (`omni_viewport_hor_range`).
    public var horizontalRange: UInt32 = 1
    /// Its vertical range (`omni_viewport_ver_range`).
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

  /// The recommended viewports.
  public struct Viewports: FieldLayout {
    /// Whether the message applies to later pictures as well (`omni_viewport_persistence_flag`).
    public var persists = false
    /// The number of viewports, less 1 (`omni_viewport_cnt_minus1`).
    public var countMinus1: UInt8 = 0
    /// The viewports.
    public var viewports: [Viewport] = [Viewport()]
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("omni_viewport_persistence_flag", &persists)
      try c.u("omni_viewport_cnt_minus1", &countMinus1, 4)
      try c.array("viewports", &viewports, count: Int(countMinus1) + 1, minimumBits: 160)
    }
  }

  /// The purpose of the viewports (`omni_viewport_id`).
  public var id: UInt16 = 0
  /// Whether the message ends an earlier one (`omni_viewport_cancel_flag`).
  public var cancels = false
  /// The viewports; `nil` if the message ends an earlier one.
  public var viewports: Viewports? = Viewports()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("omni_viewport_id", &id, 10)
    try c.flag("omni_viewport_cancel_flag", &cancels)
    try c.group("viewports", &viewports, if: !cancels)
  }
}
