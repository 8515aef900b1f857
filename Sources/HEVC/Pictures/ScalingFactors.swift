// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The weight of each transform coefficient, for every block size and kind of block. ISO/IEC 23008-2, 7.4.5
///
/// A coded list may be a copy of another one, or the default; here all lists are resolved, with each weight at its
/// position.
package struct ScalingFactors: Hashable, Sendable {
  /// The weights (`ScalingFactor`): for each size from 4x4 to 32x32, six matrices, each row by row.
  package let factors: [UInt8]

  /// The index in ``factors`` at which a matrix begins: `sizeID` is 0 for 4x4 up to 3 for 32x32; `matrixID` is 0
  /// to 2 for intra blocks of Y, Cb and Cr, and 3 to 5 for inter blocks.
  package static func offset(sizeID: Int, matrixID: Int) -> Int {
    let before = [0, 96, 480, 2016]
    return before[sizeID & 3] + matrixID << (4 + 2 * sizeID)
  }

  /// A weight: m in equation 8-309.
  package func factor(sizeID: Int, matrixID: Int, x: Int, y: Int) -> Int {
    Int(factors[Self.offset(sizeID: sizeID, matrixID: matrixID) + y << (2 + sizeID) + x])
  }

  /// The weights for pictures of `sps` that refer to `pps`; `nil` if all weights are 16 because lists are not
  /// used.
  ///
  /// Sets that take their lists from another layer must be resolved beforehand.
  package init?(_ sps: SequenceParameterSet, _ pps: PictureParameterSet) {
    guard sps.scalingListEnabledFlag else { return nil }
    self.init(pps.scalingListData ?? sps.scalingListData)
  }

  /// The weights described by coded lists; the default ones without lists.
  package init(_ data: ScalingListData?) {
    var lists: [[Matrix]] = []
    for sizeID in 0..<4 {
      var matrices: [Matrix] = []
      for matrixID in 0..<6 {
        if sizeID == 3, matrixID % 3 != 0 {
          // Only used by 4:4:4: the chroma lists of 16x16, upsampled further.
          matrices.append(lists[2][matrixID])
          continue
        }
        let step = sizeID == 3 ? 3 : 1
        let index = sizeID * 6 + matrixID / step
        guard let data, data.lists.indices.contains(index) else {
          matrices.append(Matrix(defaultOf: sizeID, matrixID))
          continue
        }
        let list = data.lists[index]
        if let delta = list.predMatrixIdDelta {
          let reference = matrixID - Int(clamping: delta) * step
          matrices.append(
            delta == 0 || !matrices.indices.contains(reference)
              ? Matrix(defaultOf: sizeID, matrixID) : matrices[reference])
        } else {
          matrices.append(Matrix(list, sizeID))
        }
      }
      lists.append(matrices)
    }
    var factors: [UInt8] = []
    factors.reserveCapacity(Self.offset(sizeID: 3, matrixID: 6))
    for sizeID in 0..<4 {
      for matrix in lists[sizeID] { matrix.append(to: &factors, sizeID) }
    }
    self.factors = factors
  }

  /// A list in coding order (`ScalingList`), and the weight of the lowest coefficient of larger blocks.
  private struct Matrix {
    var coefficients: [UInt8]
    var dc: UInt8?

    /// The default list. Tables 7-5 and 7-6
    init(defaultOf sizeID: Int, _ matrixID: Int) {
      if sizeID == 0 {
        coefficients = [UInt8](repeating: 16, count: 16)
      } else {
        coefficients = matrixID < 3 ? ScalingFactors.intraDefault : ScalingFactors.interDefault
        dc = sizeID > 1 ? 16 : nil
      }
    }

    /// The list from coded differences. 7.3.4
    init(_ list: ScalingListData.List, _ sizeID: Int) {
      var next: Int32 = 8
      if sizeID > 1 {
        next = (list.dcCoefMinus8 ?? 0) &+ 8
        dc = UInt8(truncatingIfNeeded: next)
      }
      let count = sizeID == 0 ? 16 : 64
      coefficients = []
      coefficients.reserveCapacity(count)
      for index in 0..<count {
        let delta = index < list.deltaCoefs.count ? Int32(list.deltaCoefs[index]) : 0
        next = (next &+ delta &+ 256) & 255
        coefficients.append(UInt8(truncatingIfNeeded: next))
      }
    }

    /// Expands the list into a matrix. Equations 7-44 to 7-54
    func append(to factors: inout [UInt8], _ sizeID: Int) {
      let size = 4 << sizeID, listLog2 = sizeID == 0 ? 2 : 3
      let shift = max(0, sizeID - 1)
      var places = [Int](repeating: 0, count: coefficients.count)
      for (index, place) in ScalingFactors.diagonalScan(listLog2).enumerated() { places[place] = index }
      let start = factors.count
      for y in 0..<size {
        for x in 0..<size {
          factors.append(coefficients[places[(y >> shift) << listLog2 | (x >> shift)]])
        }
      }
      if let dc { factors[start] = dc }
    }
  }

  /// The up-right diagonal scan of a square, as positions in row order. ISO/IEC 23008-2, 6.5.3
  private static func diagonalScan(_ log2Size: Int) -> [Int] {
    let size = 1 << log2Size
    var places: [Int] = []
    for diagonal in 0..<(2 * size - 1) {
      for x in 0..<size where (0..<size).contains(diagonal - x) {
        places.append((diagonal - x) << log2Size | x)
      }
    }
    return places
  }

  /// Table 7-6, matrices 0 to 2.
  private static let intraDefault: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18,
    17, 18, 18, 17, 18, 21, 19, 20, 21, 20, 19, 21, 24, 22, 22, 24,
    24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31,
    29, 36, 41, 44, 41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115,
  ]

  /// Table 7-6, matrices 3 to 5.
  private static let interDefault: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18,
    18, 18, 18, 18, 18, 20, 20, 20, 20, 20, 20, 20, 24, 24, 24, 24,
    24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 28, 28, 28, 28, 28,
    28, 33, 33, 33, 33, 33, 41, 41, 41, 41, 54, 54, 54, 71, 71, 91,
  ]
}
