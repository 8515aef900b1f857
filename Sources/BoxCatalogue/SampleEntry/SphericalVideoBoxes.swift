// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `svhd`: the program that wrote the spherical metadata.
public struct SphericalVideoHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["svhd"], name: "spherical video header", in: [.box("sv3d")], "Spherical Video V2 RFC",
    "The program that wrote the spherical metadata.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The name of the program.
  public var metadataSource = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("metadata_source", &metadataSource)
  }
}

/// `prhd`: the initial orientation of the projection.
public struct ProjectionHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["prhd"], name: "projection header", in: [.box("proj")], "Spherical Video V2 RFC",
    "The initial orientation of the projection.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The rotation about the vertical axis in degrees, as a 16.16 fixed-point number.
  public var poseYaw: Int32 = 0
  /// The rotation about the axis to the right in degrees, as a 16.16 fixed-point number.
  public var posePitch: Int32 = 0
  /// The rotation about the viewing axis in degrees, as a 16.16 fixed-point number.
  public var poseRoll: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i32("pose_yaw_degrees", &poseYaw, .fixedPoint(fractionBits: 16))
    try c.i32("pose_pitch_degrees", &posePitch, .fixedPoint(fractionBits: 16))
    try c.i32("pose_roll_degrees", &poseRoll, .fixedPoint(fractionBits: 16))
  }
}

/// `equi`: the picture is an equirectangular projection, parts of which may be cropped.
public struct EquirectangularProjectionBox: FullBox {
  public static let info = BoxInfo(
    ["equi"], name: "equirectangular projection", in: [.box("proj")], "Spherical Video V2 RFC",
    "The picture is an equirectangular projection, parts of which may be cropped.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The part that is cropped at each edge, as a 0.32 fixed-point fraction of the whole.
  public var boundsTop: UInt32 = 0, boundsBottom: UInt32 = 0, boundsLeft: UInt32 = 0, boundsRight: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("projection_bounds_top", &boundsTop, in: nil, .fixedPoint(fractionBits: 32))
    try c.u32("projection_bounds_bottom", &boundsBottom, in: nil, .fixedPoint(fractionBits: 32))
    try c.u32("projection_bounds_left", &boundsLeft, in: nil, .fixedPoint(fractionBits: 32))
    try c.u32("projection_bounds_right", &boundsRight, in: nil, .fixedPoint(fractionBits: 32))
  }
}

/// `cbmp`: the picture shows the faces of a cube.
public struct CubemapProjectionBox: FullBox {
  public static let info = BoxInfo(
    ["cbmp"], name: "cubemap projection", in: [.box("proj")], "Spherical Video V2 RFC",
    "The picture shows the faces of a cube.", versions: 0...0)

  public var flags: UInt32 = 0
  /// How the faces are arranged; 0 means three by two.
  public var layoutNumber: UInt32 = 0
  /// How many pixels at the edges of each face are padding.
  public var padding: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("layout", &layoutNumber)
    try c.u32("padding", &padding)
  }
}

/// `mshp`: the picture is a texture for a mesh of triangles.
public struct MeshProjectionBox: FullBox {
  public static let info = BoxInfo(
    ["mshp"], name: "mesh projection", in: [.box("proj")], "Spherical Video V2 RFC",
    "The picture is a texture for a mesh of triangles.", versions: 0...0)

  public var flags: UInt32 = 0
  /// A checksum of the data that follows.
  public var crc: UInt32 = 0
  /// The compression: `raw ` none, `dfl8` deflate.
  public var encoding: FourCC = "raw "
  /// The mesh boxes.
  public var meshes = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("crc", &crc, in: nil, .hexadecimal)
    try c.fourCC("encoding_four_cc", &encoding)
    try c.remainder("meshes", &meshes)
  }
}
