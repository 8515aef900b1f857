// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Quantisation parameters. ISO/IEC 23008-2, 8.6.1

extension BlockContext {
  /// Begins a quantisation group: all its coding units share its prediction.
  package mutating func beginQpGroup(_ x: Int, _ y: Int) {
    qpDelta = 0
    let mask = (1 &<< v.ctbLog2Size) &- 1
    let left = x & mask != 0 ? Int(tables.qp[(y &>> 2) &* tables.stride &+ (x &- 1) &>> 2]) : lastQp
    let above = y & mask != 0 ? Int(tables.qp[((y &- 1) &>> 2) &* tables.stride &+ x &>> 2]) : lastQp
    predictedQp = (left &+ above &+ 1) &>> 1
  }

  /// QpY. Equation 8-283
  package mutating func updateQp() {
    let offset = 6 &* (v.bitDepthLuma &- 8)
    let sum = predictedQp &+ qpDelta &+ 52 &+ 2 &* offset
    cuQp = sum % (52 &+ offset) &- offset
  }

  /// Qp′Y, Qp′Cb or Qp′Cr. 8.6.1
  package func quantisationParameter(_ component: Int) -> Int {
    if component == 0 { return cuQp &+ 6 &* (v.bitDepthLuma &- 8) }
    let offset = 6 &* (v.bitDepthChroma &- 8)
    let sum =
      component == 1 ? v.ppsCbOffset &+ v.cbOffset &+ cuCbOffset : v.ppsCrOffset &+ v.crOffset &+ cuCrOffset
    let index = max(0 &- offset, min(57, cuQp &+ sum))
    return BlockContext.chromaQp(index, v.chromaArrayType) &+ offset
  }

  /// QpC from qPi. Table 8-10
  package static func chromaQp(_ index: Int, _ chromaArrayType: Int) -> Int {
    guard chromaArrayType == 1 else { return min(index, 51) }
    if index < 30 { return index }
    if index >= 43 { return index &- 6 }
    // 29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37 for 30 to 42, as four bits each, less 29.
    let above = 0x8_7766_5544_3210 as UInt64
    return 29 &+ Int(truncatingIfNeeded: (above &>> UInt64(truncatingIfNeeded: 4 &* (index &- 30))) & 15)
  }
}
