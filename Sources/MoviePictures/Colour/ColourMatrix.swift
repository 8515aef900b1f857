// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How red, green and blue are computed from a luma sample and two chroma samples. ISO/IEC 23091-2, 8.3
public enum ColourMatrix: Hashable, Sendable {
  /// Luma is a weighted sum of red, green and blue; the weights of red and blue are in units of 1/10 000.
  case shares(red: Int, blue: Int)
  /// The planes are green, blue and red, in this order.
  case identity
  /// Luma, and the differences green and orange (YCgCo).
  case greenOrange

  /// BT.601, used by standard definition and most photos: code points 5 and 6.
  public static let bt601 = ColourMatrix.shares(red: 2990, blue: 1140)
  /// BT.709, used by high definition: code point 1.
  public static let bt709 = ColourMatrix.shares(red: 2126, blue: 722)
  /// BT.2020 with non-constant luminance, used by ultra high definition and HDR: code point 9.
  public static let bt2020 = ColourMatrix.shares(red: 2627, blue: 593)

  /// Makes the matrix of a code point (`matrix_coefficients`); `nil` for 2 (unspecified), for reserved values,
  /// and for those that are not supported: constant luminance (10, 13), Y'D'zD'x (11), weights derived from the
  /// primaries (12) and ICtCp (14).
  public init?(code: Int) {
    switch code {
    case 0: self = .identity
    case 1: self = .bt709
    case 4: self = .shares(red: 3000, blue: 1100)
    case 5, 6: self = .bt601
    case 7: self = .shares(red: 2120, blue: 870)
    case 8: self = .greenOrange
    case 9: self = .bt2020
    default: return nil
    }
  }

  /// The rows of red, green and blue: the coefficients of luma, of the first and of the second chroma sample.
  ///
  /// Luma is from 0 to 1 and chroma from -1/2 to 1/2; with ``identity`` all three are from 0 to 1.
  var rows: [[Fraction]] {
    let one = Fraction(1, 1), none = Fraction(0, 1)
    switch self {
    case .identity: return [[none, none, one], [one, none, none], [none, one, none]]
    case .greenOrange:
      let minus = Fraction(-1, 1)
      return [[one, minus, one], [one, one, none], [one, minus, minus]]
    case .shares(let red, let blue):
      let whole = 10_000, green = max(1, whole - red - blue)
      return [
        [one, none, Fraction(2 * (whole - red), whole)],
        [
          one, Fraction(-2 * blue * (whole - blue), green * whole),
          Fraction(-2 * red * (whole - red), green * whole),
        ],
        [one, Fraction(2 * (whole - blue), whole), none],
      ]
    }
  }

  /// Returns luma, from 0 to 1, and two chroma values, from -1/2 to 1/2, of a colour; with ``identity`` all
  /// three are from 0 to 1.
  func components(red: Double, green: Double, blue: Double) -> (luma: Double, first: Double, second: Double) {
    switch self {
    case .identity: return (green, blue, red)
    case .greenOrange:
      return ((red + 2 * green + blue) / 4, (2 * green - red - blue) / 4, (red - blue) / 2)
    case .shares(let shareOfRed, let shareOfBlue):
      let kr = Double(shareOfRed) / 10_000, kb = Double(shareOfBlue) / 10_000
      let luma = kr * red + (1 - kr - kb) * green + kb * blue
      return (luma, (blue - luma) / (2 * (1 - kb)), (red - luma) / (2 * (1 - kr)))
    }
  }

  /// A number as a quotient of two integers.
  struct Fraction: Hashable {
    let numerator: Int
    let denominator: Int

    init(_ numerator: Int, _ denominator: Int) {
      self.numerator = numerator
      self.denominator = denominator
    }

    /// The fraction times `factor`/`divisor`, rounded to the nearest integer, halves away from zero.
    func scaled(by factor: Int, over divisor: Int) -> Int {
      let bottom = UInt(denominator) * UInt(max(1, divisor))
      let wide = numerator.magnitude.multipliedFullWidth(by: UInt(max(0, factor)))
      guard wide.high < bottom else { return numerator < 0 ? .min : .max }
      let (quotient, remainder) = bottom.dividingFullWidth(wide)
      let rounded = Int(clamping: remainder >= bottom - bottom / 2 ? quotient + 1 : quotient)
      return numerator < 0 ? -rounded : rounded
    }
  }
}
