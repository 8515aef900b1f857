// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `cmin`: the focal length and principal point of the camera, as fractions of the image size.
public struct CameraIntrinsicMatrixProperty: FullBox {
  public static let info = BoxInfo(
    ["cmin"], name: "camera intrinsic matrix property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.40",
    "The focal length and principal point of the camera, as fractions of the image size.", versions: 0...0)

  /// Bit 0: whether both focal lengths and the skew are given. Bits 8 to 12 and 16 to 20: the fraction bits of the
  /// values.
  public var flags: UInt32 = 0
  /// The focal length, relative to the width of the image.
  public var focalLengthX: Int32 = 0
  /// The horizontal position of the principal point, relative to the width of the image.
  public var principalPointX: Int32 = 0
  /// The vertical position of the principal point, relative to the height of the image.
  public var principalPointY: Int32 = 0
  /// The focal length relative to the height, if pixels are not square; otherwise `nil`.
  public var focalLengthY: Int32?
  /// The skew of the axes of the sensor; `nil` if not given.
  public var skewFactor: Int32?

  public init() {}

  /// The number of fraction bits of all values except the skew.
  public var fractionBits: Int { Int(flags >> 8 & 31) }
  /// The number of fraction bits of the skew.
  public var skewFractionBits: Int { Int(flags >> 16 & 31) }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    let format = FieldFormat.fixedPoint(fractionBits: fractionBits)
    try c.i32("focal_length_x", &focalLengthX, format)
    try c.i32("principal_point_x", &principalPointX, format)
    try c.i32("principal_point_y", &principalPointY, format)
    let isFull = flags & 1 != 0
    try c.i("focal_length_y", &focalLengthY, 32, if: isFull, format)
    try c.i("skew_factor", &skewFactor, 32, if: isFull, .fixedPoint(fractionBits: skewFractionBits))
  }
}

/// `cmex`: the position and orientation of the camera; in a stereo pair, also the distance between the cameras.
public struct CameraExtrinsicMatrixProperty: VersionedFullBox {
  public static let info = BoxInfo(
    ["cmex"], name: "camera extrinsic matrix property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.39",
    "The position and orientation of the camera; in a stereo pair, also the distance between the cameras.",
    versions: 0...1)

  /// A rotation by angles, as in version 1.
  public struct Angles: FieldLayout {
    /// The angles, in units of 2^-16 degrees.
    public var yaw: Int32 = 0, pitch: Int32 = 0, roll: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.i32("yaw", &yaw, .fixedPoint(fractionBits: 16))
      try c.i32("pitch", &pitch, .fixedPoint(fractionBits: 16))
      try c.i32("roll", &roll, .fixedPoint(fractionBits: 16))
    }
  }

  public var version: UInt8 = 0
  /// Bits 0 to 2: which coordinates are given. Bit 3: whether the rotation is given, bit 4: whether its fields are
  /// wide. Bit 5: whether the coordinate system is given.
  public var flags: UInt32 = 0
  /// The position of the camera in micrometres; `nil` if not given, which means 0.
  public var positionX: Int32?, positionY: Int32?, positionZ: Int32?
  /// The rotation of the camera in version 0: a quaternion of length 1, in units of 2^-14, or 2^-30 if its fields
  /// are wide; `nil` if not given. The real part is derived from these values.
  public var quaternionX: Int32?, quaternionY: Int32?, quaternionZ: Int32?
  /// The rotation of the camera in version 1; `nil` if not given.
  public var angles: Angles?
  /// The coordinate system, shared by all images with the same number; `nil` if not given.
  public var worldCoordinateSystemID: UInt32?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.i("pos_x", &positionX, 32, if: flags & 1 != 0, .scaled(1_000, " mm"))
    try c.i("pos_y", &positionY, 32, if: flags & 2 != 0, .scaled(1_000, " mm"))
    try c.i("pos_z", &positionZ, 32, if: flags & 4 != 0, .scaled(1_000, " mm"))
    let isTurned = flags & 8 != 0
    let hasQuaternion = isTurned && version == 0
    let bits = flags & 16 != 0 ? 32 : 16
    try c.i("quat_x", &quaternionX, bits, if: hasQuaternion, .fixedPoint(fractionBits: bits - 2))
    try c.i("quat_y", &quaternionY, bits, if: hasQuaternion, .fixedPoint(fractionBits: bits - 2))
    try c.i("quat_z", &quaternionZ, bits, if: hasQuaternion, .fixedPoint(fractionBits: bits - 2))
    try c.group("rotation", &angles, if: isTurned && version == 1)
    try c.u("id", &worldCoordinateSystemID, 32, if: flags & 32 != 0)
  }
}
