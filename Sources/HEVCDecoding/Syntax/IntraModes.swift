// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// The modes of intra prediction. ISO/IEC 23008-2, 7.3.8.5, 8.4.2 and 8.4.3

extension SliceDecoder {
  /// The modes of an intra coding unit: first all flags, then the choice of each block, then chroma.
  mutating func intraModes(_ x: Int, _ y: Int, _ size: Int) {
    let count = isIntraSplit ? 4 : 1
    let blockSize = isIntraSplit ? size &>> 1 : size
    var flags = 0
    for index in 0..<count { flags |= cabac.bin(Contexts.previousIntraLuma) &<< index }
    for index in 0..<count {
      let blockX = x &+ (index & 1) &* blockSize, blockY = y &+ (index &>> 1) &* blockSize
      let mode = lumaMode(blockX, blockY, isPredicted: (flags &>> index) & 1 != 0)
      setIntraMode(blockX, blockY, blockSize, mode: mode)
      switch index {
      case 0: lumaModes = (mode, mode, mode, mode)
      case 1: lumaModes.1 = mode
      case 2: lumaModes.2 = mode
      default: lumaModes.3 = mode
      }
    }
    guard v.chromaArrayType != 0 else { return }
    for index in 0..<(v.chromaArrayType == 3 ? count : 1) {
      let (mode, isDerived) = chromaMode(value(of: lumaModes, index))
      switch index {
      case 0:
        chromaModes = (mode, mode, mode, mode)
        isChromaDerived = (isDerived, isDerived, isDerived, isDerived)
      case 1:
        chromaModes.1 = mode
        isChromaDerived.1 = isDerived
      case 2:
        chromaModes.2 = mode
        isChromaDerived.2 = isDerived
      default:
        chromaModes.3 = mode
        isChromaDerived.3 = isDerived
      }
    }
  }

  /// IntraPredModeY. 8.4.2
  private mutating func lumaMode(_ x: Int, _ y: Int, isPredicted: Bool) -> Int {
    let left = candidateMode(x, y, x &- 1, y)
    // Modes above the coding tree block are not kept.
    let above = y & ((1 &<< v.ctbLog2Size) &- 1) == 0 ? 1 : candidateMode(x, y, x, y &- 1)
    var a: Int, b: Int, c: Int
    if left == above {
      if left < 2 {
        (a, b, c) = (0, 1, 26)
      } else {
        (a, b, c) = (left, 2 &+ (left &+ 29) & 31, 2 &+ (left &- 1) & 31)
      }
    } else {
      (a, b) = (left, above)
      c = left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26
    }
    if isPredicted {
      // mpm_idx
      if cabac.bypassBin() == 0 { return a }
      return cabac.bypassBin() == 0 ? b : c
    }
    var mode = cabac.bypass(5)
    if a > b { swap(&a, &b) }
    if a > c { swap(&a, &c) }
    if b > c { swap(&b, &c) }
    if mode >= a { mode = mode &+ 1 }
    if mode >= b { mode = mode &+ 1 }
    if mode >= c { mode = mode &+ 1 }
    return mode
  }

  /// candIntraPredModeX: DC if the neighbour has no mode.
  private func candidateMode(_ fromX: Int, _ fromY: Int, _ x: Int, _ y: Int) -> Int {
    guard isAvailable(fromX: fromX, fromY: fromY, x, y), info(x, y) & BlockInfo.intra != 0 else { return 1 }
    return Int(tables.intraMode[(y &>> 2) &* tables.stride &+ x &>> 2])
  }

  /// IntraPredModeC, and whether it is derived from the luma mode. 8.4.3
  private mutating func chromaMode(_ luma: Int) -> (mode: Int, isDerived: Bool) {
    var mode = luma, isDerived = true
    if cabac.flag(Contexts.intraChroma) {
      isDerived = false
      switch cabac.bypass(2) {
      case 0: mode = 0
      case 1: mode = 26
      case 2: mode = 10
      default: mode = 1
      }
      if mode == luma { mode = 34 }
    }
    guard v.chromaArrayType == 2 else { return (mode, isDerived) }
    return (Int(Self.modesOf422[mode]), isDerived)
  }

  /// The chroma modes for 4:2:2. Table 8-3
  private static let modesOf422: [UInt8] = [
    0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27,
    28, 28,
    29, 29, 30, 31,
  ]
}
