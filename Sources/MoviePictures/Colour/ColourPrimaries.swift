// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The chromaticities of red, green, blue and white. ISO/IEC 23091-2, 8.1
struct ColourPrimaries: Hashable {
  /// A colour without its brightness: the shares of X and Y in X + Y + Z.
  struct Chromaticity: Hashable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }

    /// X, Y and Z, scaled so that Y is 1.
    var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
  }

  let red: Chromaticity
  let green: Chromaticity
  let blue: Chromaticity
  let white: Chromaticity

  /// Makes the primaries of a code point (`colour_primaries`): 1, 5, 6, 7, 9 and 12, all with the white D65;
  /// `nil` for others.
  init?(code: Int) {
    white = Chromaticity(0.3127, 0.3290)
    switch code {
    case 1:
      (red, green, blue) = (
        Chromaticity(0.640, 0.330), Chromaticity(0.300, 0.600), Chromaticity(0.150, 0.060)
      )
    case 5:
      (red, green, blue) = (
        Chromaticity(0.640, 0.330), Chromaticity(0.290, 0.600), Chromaticity(0.150, 0.060)
      )
    case 6, 7:
      (red, green, blue) = (
        Chromaticity(0.630, 0.340), Chromaticity(0.310, 0.595), Chromaticity(0.155, 0.070)
      )
    case 9:
      (red, green, blue) = (
        Chromaticity(0.708, 0.292), Chromaticity(0.170, 0.797), Chromaticity(0.131, 0.046)
      )
    case 12:
      (red, green, blue) = (
        Chromaticity(0.680, 0.320), Chromaticity(0.265, 0.690), Chromaticity(0.150, 0.060)
      )
    default: return nil
    }
  }

  /// The matrix from red, green and blue to X, Y and Z, row by row.
  var toXYZ: [[Double]] {
    let columns = [red, green, blue].map(\.tristimulus)
    let matrix = (0..<3).map { row in columns.map { $0[row] } }
    // Scales the three columns so that their sum is white.
    let inverse = Self.inverse(matrix), target = white.tristimulus
    let shares = inverse.map { row in zip(row, target).reduce(0) { $0 + $1.0 * $1.1 } }
    return matrix.map { row in zip(row, shares).map { $0 * $1 } }
  }

  /// Returns the matrix from red, green and blue of these primaries to those of others, row by row.
  func converted(to other: ColourPrimaries) -> [[Double]] {
    let left = Self.inverse(other.toXYZ), right = toXYZ
    return left.map { row in
      (0..<3).map { column in
        row[0] * right[0][column] + row[1] * right[1][column] + row[2] * right[2][column]
      }
    }
  }

  private static func inverse(_ m: [[Double]]) -> [[Double]] {
    func minor(_ row: Int, _ column: Int) -> Double {
      let r = [(row + 1) % 3, (row + 2) % 3], c = [(column + 1) % 3, (column + 2) % 3]
      return m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]]
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
    return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
  }
}
