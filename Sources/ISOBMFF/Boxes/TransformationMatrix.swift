// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How a picture is placed: the matrix `a b u / c d v / x y w` by which points are multiplied.
/// ISO/IEC 14496-12, 6.2.2
public struct TransformationMatrix: FieldLayout {
  /// The linear part, as 16.16 fixed-point numbers.
  public var a: Int32 = 0x0001_0000, b: Int32 = 0, c: Int32 = 0, d: Int32 = 0x0001_0000
  /// The translation, as 16.16 fixed-point numbers.
  public var x: Int32 = 0, y: Int32 = 0
  /// The projective part, as 2.30 fixed-point numbers.
  public var u: Int32 = 0, v: Int32 = 0, w: Int32 = 0x4000_0000

  /// Makes the identity matrix.
  public init() {}

  /// Makes a rotation by quarter turns or any other linear map, with a translation.
  public init(a: Int32, b: Int32, c: Int32, d: Int32, x: Int32 = 0, y: Int32 = 0) {
    (self.a, self.b, self.c, self.d, self.x, self.y) = (a, b, c, d, x, y)
  }

  /// The rotation and scaling of this matrix, and after it those of another: their product, without translation and
  /// projection.
  package func followed(by other: TransformationMatrix) -> TransformationMatrix {
    func sum(_ p: Int32, _ q: Int32, _ r: Int32, _ s: Int32) -> Int32 {
      Int32(clamping: (Int64(p) * Int64(q) &+ Int64(r) * Int64(s)) >> 16)
    }
    return TransformationMatrix(
      a: sum(a, other.a, b, other.c), b: sum(a, other.b, b, other.d), c: sum(c, other.a, d, other.c),
      d: sum(c, other.b, d, other.d))
  }

  /// Whether the matrix leaves the picture unchanged.
  public var isUnity: Bool { self == TransformationMatrix() }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    c.beginArray("matrix", count: 9)
    try c.i32("a", &a, .fixedPoint(fractionBits: 16))
    try c.i32("b", &b, .fixedPoint(fractionBits: 16))
    try c.i32("u", &u, .fixedPoint(fractionBits: 30))
    try c.i32("c", &self.c, .fixedPoint(fractionBits: 16))
    try c.i32("d", &d, .fixedPoint(fractionBits: 16))
    try c.i32("v", &v, .fixedPoint(fractionBits: 30))
    try c.i32("x", &x, .fixedPoint(fractionBits: 16))
    try c.i32("y", &y, .fixedPoint(fractionBits: 16))
    try c.i32("w", &w, .fixedPoint(fractionBits: 30))
    c.endScope()
  }
}

/// A colour of three 16-bit components.
public struct RGBColor: FieldLayout {
  /// The components.
  public var red: UInt16 = 0, green: UInt16 = 0, blue: UInt16 = 0

  /// Black.
  public init() {}

  /// A colour.
  public init(red: UInt16, green: UInt16, blue: UInt16) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("red", &red)
    try c.u16("green", &green)
    try c.u16("blue", &blue)
  }
}
