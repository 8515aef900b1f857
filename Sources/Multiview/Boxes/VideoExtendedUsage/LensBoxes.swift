// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `lens`: one lens of a camera system.
///
/// A full box; if a writer omitted version and flags, the boxes in it are still found.
public struct CameraLensBox: FullBox {
  public static let info = BoxInfo(
    ["lens"], name: "camera lens", in: [.box("lnsc")],
    spatialMedia, "One lens of a camera system.",
    versions: 0...0, childrenFollow: true)

  /// Whether version and flags come first. Not in the file: found by looking ahead.
  public var isFullBox = true
  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    isFullBox = !payload.isEmpty && !Self.startsWithBox(payload)
  }

  /// Whether a box that belongs in a lens begins with the first byte, where version and flags should be.
  static func startsWithBox(_ payload: ByteView) -> Bool {
    let known: [FourCC] = ["lnhd", "rdim", "lnin", "ldst", "lfad", "lnex"]
    return payload.fourCC(at: 4).map(known.contains) ?? false
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    if isFullBox { try c.fullBox(&flags) }
  }
}

/// `lnhd`: the identifier of a lens, the kinds of its parameters and light, and its role.
public struct LensHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["lnhd"], name: "lens header", in: [.box("lens")],
    spatialMedia,
    "The identifier of a lens, the kinds of its parameters and light, and its role.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The number of the lens, unique within its collection.
  public var lensIdentifier: UInt32 = 0
  /// How the lens is described.
  public var lensAlgorithmKind = FourCC(0)
  /// The kind of light that the lens captures, such as colour.
  public var lensDomain = FourCC(0)
  /// Which of the lenses it is: that of the left eye, for instance.
  public var lensRole = FourCC(0)

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("lens_identifier", &lensIdentifier)
    try c.fourCC("lens_algorithm_kind", &lensAlgorithmKind)
    try c.fourCC("lens_domain", &lensDomain)
    try c.fourCC("lens_role", &lensRole)
  }
}

/// `rdim`: the size of the picture that the intrinsics refer to.
public struct LensReferenceDimensionsBox: FullBox {
  public static let info = BoxInfo(
    ["rdim"], name: "lens reference dimensions", in: [.box("lens")],
    spatialMedia,
    "The size of the picture that the intrinsics refer to.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// Its width in pixels.
  public var referenceWidth: UInt32 = 0
  /// Its height in pixels.
  public var referenceHeight: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("reference_width", &referenceWidth)
    try c.u32("reference_height", &referenceHeight)
  }
}

/// `lnin`: the focal lengths and the principal point of a lens, as binary fixed-point numbers.
public struct LensIntrinsicsBox: FullBox {
  public static let info = BoxInfo(
    ["lnin"], name: "lens intrinsics", in: [.box("lens")],
    spatialMedia,
    "The focal lengths and the principal point of a lens, as binary fixed-point numbers.", versions: 0...0)

  /// 0x1: the vertical focal length and the skew are present. 0x2: the projection offset is present.
  public var flags: UInt32 = 0
  /// The numerators are divided by 2 to this power.
  public var denominatorShiftOperand: Int16 = 0
  /// The numerator of the skew is divided by 2 to this power.
  public var skewDenominatorShiftOperand: Int16 = 0
  /// The horizontal focal length.
  public var focalLengthX: Int32 = 0
  /// The principal point, horizontally.
  public var principalPointX: Int32 = 0
  /// The principal point, vertically.
  public var principalPointY: Int32 = 0
  /// The vertical focal length; `nil` if it equals the horizontal one.
  public var focalLengthY: Int32?
  /// The skew; `nil` if there is none.
  public var skewFactor: Int32?
  /// The shift of the projection centre along the optical axis.
  public var projectionOffset: Binary32?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i16("denominator_shift_operand", &denominatorShiftOperand)
    try c.i16("skew_denominator_shift_operand", &skewDenominatorShiftOperand)
    try c.i32("focal_length_x", &focalLengthX)
    try c.i32("principal_point_x", &principalPointX)
    try c.i32("principal_point_y", &principalPointY)
    try c.i("focal_length_y", &focalLengthY, 32, if: flags & 0x1 != 0)
    try c.i("skew_factor", &skewFactor, 32, if: flags & 0x1 != 0)
    try c.binary32("projection_offset", &projectionOffset, if: flags & 0x2 != 0)
  }
}

/// `ldst`: the radial and tangential distortion of a lens.
public struct LensDistortionsBox: FullBox {
  public static let info = BoxInfo(
    ["ldst"], name: "lens distortions", in: [.box("lens")],
    spatialMedia,
    "The radial and tangential distortion of a lens.", versions: 0...0)

  /// 0x1: the limit is present.
  public var flags: UInt32 = 0
  /// The first radial coefficient.
  public var k1: Binary32 = 0
  /// The second radial coefficient.
  public var k2: Binary32 = 0
  /// The first tangential coefficient.
  public var p1: Binary32 = 0
  /// The second tangential coefficient.
  public var p2: Binary32 = 0
  /// The angle from the optical axis up to which the lens was calibrated, in degrees.
  public var calibrationLimitRadialAngle: Binary32?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("k1", &k1)
    try c.binary32("k2", &k2)
    try c.binary32("p1", &p1)
    try c.binary32("p2", &p2)
    try c.binary32("calibration_limit_radial_angle", &calibrationLimitRadialAngle, if: flags & 0x1 != 0)
  }
}

/// `lfad`: two polynomials that move the points of the frame.
///
/// They have the form x0 + x1·x + x2·x³, measured from the centre of the frame.
public struct LensFrameAdjustmentBox: FullBox {
  public static let info = BoxInfo(
    ["lfad"], name: "lens frame adjustment", in: [.box("lens")],
    spatialMedia,
    "Two polynomials that move the points of the frame.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The constant term, horizontally.
  public var x0: Binary32 = 0
  /// The linear coefficient, horizontally.
  public var x1: Binary32 = 1
  /// The cubic coefficient, horizontally.
  public var x2: Binary32 = 0
  /// The constant term, vertically.
  public var y0: Binary32 = 0
  /// The linear coefficient, vertically.
  public var y1: Binary32 = 1
  /// The cubic coefficient, vertically.
  public var y2: Binary32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("X0", &x0)
    try c.binary32("X1", &x1)
    try c.binary32("X2", &x2)
    try c.binary32("Y0", &y0)
    try c.binary32("Y1", &y1)
    try c.binary32("Y2", &y2)
  }
}

/// `corg`: the origin that the position of a lens is measured from.
public struct LensOriginBox: FullBox {
  public static let info = BoxInfo(
    ["corg"], name: "lens origin", in: [.box("lnex")],
    spatialMedia,
    "The origin that the position of a lens is measured from.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// `blin`: the middle of the baseline, so that each lens lies half of it to one side.
  public var sourceOfOrigin: FourCC = "blin"

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("source_of_origin", &sourceOfOrigin)
  }
}

/// `uqua`: the rotation of a lens, as the imaginary part of a unit quaternion.
public struct UnitQuaternionBox: FullBox {
  public static let info = BoxInfo(
    ["uqua"], name: "unit quaternion", in: [.box("cxfm")],
    spatialMedia,
    "The rotation of a lens, as the imaginary part of a unit quaternion.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The first imaginary component.
  public var x: Binary32 = 0
  /// The second imaginary component.
  public var y: Binary32 = 0
  /// The third imaginary component.
  public var z: Binary32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("x", &x)
    try c.binary32("y", &y)
    try c.binary32("z", &z)
  }
}

/// A single-precision number as it is in a file, bit for bit.
///
/// Comparison is by bits, so that values that are not a number (NaN) are kept by reading and writing.
public struct Binary32: RawRepresentable, Hashable, Sendable {
  /// The bits, IEEE 754 binary32.
  public var rawValue: UInt32
  /// Makes a number from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Makes a number.
  public init(_ value: Float) { rawValue = value.bitPattern }
  /// The number.
  public var value: Float { Float(bitPattern: rawValue) }
}

extension Binary32: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(floatLiteral value: Float) { self.init(value) }
  public init(integerLiteral value: Int16) { self.init(Float(value)) }
  /// The number in decimal.
  public var description: String { "\(value)" }
}

extension FieldCoder where Self: ~Escapable {
  /// A single-precision number.
  mutating func binary32(_ name: StaticString, _ value: inout Binary32) throws(ParseError) {
    try code(name, &value, bits: 32, .binaryFloat)
  }

  /// A single-precision number that may be absent.
  mutating func binary32(
    _ name: StaticString, _ value: inout Binary32?, if isPresent: Bool
  ) throws(ParseError) {
    var bits = value?.rawValue
    try u(name, &bits, 32, if: isPresent, .binaryFloat)
    value = bits.map(Binary32.init(rawValue:))
  }
}
