// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `scaling_list_data()`: the quantisation matrices.
public struct ScalingListData: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.4"

  /// One matrix in coded form.
  public struct List: Hashable, Sendable {
    /// Which earlier matrix this one copies, 0 for the default; `nil` if the matrix itself is coded, because
    /// `scaling_list_pred_mode_flag` is 1 (`scaling_list_pred_matrix_id_delta`).
    public var predMatrixIdDelta: UInt32? = 0
    /// The weight of the lowest coefficient, less 8, of matrices of 16x16 and 32x32; `nil` if absent
    /// (`scaling_list_dc_coef_minus8`).
    public var dcCoefMinus8: Int32?
    /// The weights as differences, 16 or 64 of them if the matrix is coded; otherwise empty
    /// (`scaling_list_delta_coef`).
    public var deltaCoefs: [Int8] = []

    /// Makes the default matrix.
    public init() {}
  }

  /// The matrices in coding order: six each of 4x4, 8x8 and 16x16 (`matrixId` 0 to 5), and two of 32x32
  /// (`matrixId` 0 and 3).
  public var lists: [List] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.elements("lists", &lists, at: 0..<20, minimumBits: 2, new: List()) {
      c, index, list throws(ParseError) in
      c.beginStructure("list")
      let sizeID = min(index / 6, 3)
      let last = sizeID == 3 ? index - 18 : index - 6 * sizeID
      var isCoded = list.predMatrixIdDelta == nil
      try c.flag("scaling_list_pred_mode_flag", &isCoded)
      try c.ue(
        "scaling_list_pred_matrix_id_delta", &list.predMatrixIdDelta, if: !isCoded,
        in: 0...UInt32(last))
      if isCoded {
        try c.se("scaling_list_dc_coef_minus8", &list.dcCoefMinus8, if: sizeID > 1, in: -7...247)
        try c.elements(
          "scaling_list_delta_coef", &list.deltaCoefs, at: 0..<min(64, 16 << (2 * sizeID)), minimumBits: 1,
          new: 0
        ) { c, _, coefficient throws(ParseError) in
          var wide = Int32(coefficient)
          try c.se("scaling_list_delta_coef", &wide, in: -128...127)
          coefficient = Int8(clamping: wide)
        }
      }
      c.endScope()
    }
  }
}
