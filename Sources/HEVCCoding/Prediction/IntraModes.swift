// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The modes that neighbours suggest, and those of chroma. ISO/IEC 23008-2, 8.4.2 and 8.4.3

extension BlockContext {
  /// candModeList: the three modes that are short to code for a luma block.
  package func candidateModes(_ x: Int, _ y: Int) -> (Int, Int, Int) {
    let left = candidateMode(x, y, x &- 1, y)
    // Modes above the coding tree block are not kept.
    let above = y & ((1 &<< v.ctbLog2Size) &- 1) == 0 ? 1 : candidateMode(x, y, x, y &- 1)
    guard left == above else {
      return (left, above, left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26)
    }
    return left < 2 ? (0, 1, 26) : (left, 2 &+ (left &+ 29) & 31, 2 &+ (left &- 1) & 31)
  }

  /// candIntraPredModeX: DC if the neighbour has no mode.
  private func candidateMode(_ fromX: Int, _ fromY: Int, _ x: Int, _ y: Int) -> Int {
    guard isAvailable(fromX: fromX, fromY: fromY, x, y), info(x, y) & BlockInfo.intra != 0 else { return 1 }
    return Int(tables.intraMode[(y &>> 2) &* tables.stride &+ x &>> 2])
  }

  /// IntraPredModeC: the mode of luma, or what `intra_chroma_pred_mode` 0 to 3 selects. 8.4.3
  package func chromaMode(luma: Int, choice: Int?) -> Int {
    var mode = luma
    if let choice {
      switch choice {
      case 0: mode = 0
      case 1: mode = 26
      case 2: mode = 10
      default: mode = 1
      }
      if mode == luma { mode = 34 }
    }
    return v.chromaArrayType == 2 ? Int(Self.modesOf422[mode]) : mode
  }

  /// The chroma modes for 4:2:2. Table 8-3
  private static let modesOf422: [UInt8] = [
    0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27,
    28, 28,
    29, 29, 30, 31,
  ]
}
