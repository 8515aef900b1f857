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
      blocks.setIntraMode(blockX, blockY, blockSize, mode: mode)
      switch index {
      case 0: lumaModes = (mode, mode, mode, mode)
      case 1: lumaModes.1 = mode
      case 2: lumaModes.2 = mode
      default: lumaModes.3 = mode
      }
    }
    guard blocks.v.chromaArrayType != 0 else { return }
    for index in 0..<(blocks.v.chromaArrayType == 3 ? count : 1) {
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
    var (a, b, c) = blocks.candidateModes(x, y)
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

  /// IntraPredModeC, and whether it is derived from the luma mode. 8.4.3
  private mutating func chromaMode(_ luma: Int) -> (mode: Int, isDerived: Bool) {
    let choice = cabac.flag(Contexts.intraChroma) ? cabac.bypass(2) : nil
    return (blocks.chromaMode(luma: luma, choice: choice), choice == nil)
  }
}
