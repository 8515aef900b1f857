// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `cmin`: how the camera maps what is before it to the image, as fractions of its size.
public struct CameraIntrinsicMatrixProperty: BoxPayload {
  public static let name: StaticString = "camera intrinsic matrix property"
  public static let types: [FourCC] = ["cmin"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.40"
  public static let summary: StaticString = "The focal length and principal point of the camera."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// Bit 0: both focal lengths and the skew are given. Bits 8 to 12 and 16 to 20: the binary denominators.
  public var flags: UInt32 = 0
  /// The focal length, relative to the width of the image.
  public var focalLengthX: Int32 = 0
  /// The point on the optical axis, relative to the width of the image.
  public var principalPointX: Int32 = 0
  /// The point on the optical axis, relative to the height of the image.
  public var principalPointY: Int32 = 0
  /// The focal length relative to the height, where pixels are not square.
  public var focalLengthY: Int32?
  /// How much the axes of the sensor lean.
  public var skewFactor: Int32?

  public init() {}

  /// The fraction bits of all values but the skew.
  public var fractionBits: Int { Int(flags >> 8 & 31) }
  /// The fraction bits of the skew.
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

  public static var samples: [CameraIntrinsicMatrixProperty] {
    var simple = CameraIntrinsicMatrixProperty()
    simple.flags = 16 << 8
    (simple.focalLengthX, simple.principalPointX, simple.principalPointY) = (50_000, 32_768, 32_768)
    var full = simple
    full.flags |= 1 | 8 << 16
    (full.focalLengthY, full.skewFactor) = (66_667, -1)
    return [simple, full]
  }
}

/// `cmex`: where the camera was, and where it looked.
public struct CameraExtrinsicMatrixProperty: BoxPayload {
  public static let name: StaticString = "camera extrinsic matrix property"
  public static let types: [FourCC] = ["cmex"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.39"
  public static let summary: StaticString =
    "Where the camera was, and where it looked: of a stereo pair the distance of its cameras."
  public static let versions: ClosedRange<UInt8>? = 0...1

  /// A rotation by angles; what version 1 has.
  public struct Angles: FieldLayout {
    /// In 2^-16 degrees.
    public var yaw: Int32 = 0, pitch: Int32 = 0, roll: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.i32("yaw", &yaw, .fixedPoint(fractionBits: 16))
      try c.i32("pitch", &pitch, .fixedPoint(fractionBits: 16))
      try c.i32("roll", &roll, .fixedPoint(fractionBits: 16))
    }
  }

  /// The version of the full box.
  public var version: UInt8 = 0
  /// Bits 0 to 2: the coordinates that are given. Bit 3: the rotation is. Bit 4: its fields are wide. Bit 5: the system is.
  public var flags: UInt32 = 0
  /// Where the camera was, in micrometers; 0 where it is not given.
  public var positionX: Int32?, positionY: Int32?, positionZ: Int32?
  /// How the camera was turned, in version 0: a quaternion of length 1, in 2^-14, or 2^-30 where its fields are wide.
  /// The real part follows from these.
  public var quaternionX: Int32?, quaternionY: Int32?, quaternionZ: Int32?
  /// How the camera was turned, in version 1.
  public var angles: Angles?
  /// Which system of coordinates is meant; images with the same number share it.
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

  public static var samples: [CameraExtrinsicMatrixProperty] {
    var baseline = CameraExtrinsicMatrixProperty()
    baseline.flags = 1
    baseline.positionX = 19_240
    var full = baseline
    full.flags = 0x2F
    (full.positionY, full.positionZ, full.worldCoordinateSystemID) = (0, -5, 1)
    (full.quaternionX, full.quaternionY, full.quaternionZ) = (0, -164, 0)
    var wide = full
    wide.flags = 0x3F
    wide.quaternionZ = 1 << 29
    var turned = full
    turned.version = 1
    (turned.quaternionX, turned.quaternionY, turned.quaternionZ) = (nil, nil, nil)
    turned.angles = Angles()
    turned.angles?.yaw = 90 << 16
    return [CameraExtrinsicMatrixProperty(), baseline, full, wide, turned]
  }
}
