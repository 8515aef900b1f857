// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The filters between samples of more than 12 bits, whose predictions take four bytes. ISO/IEC 23008-2, 8.5.3.3.3
enum LongInterpolation {
  @unsafe
  @inline(never)
  static func filter(
    _ source: UnsafePointer<UInt16>, _ stride: Int, _ phaseX: Int, _ phaseY: Int, _ isLuma: Bool,
    _ depth: Int, _ area: BlockArea, _ prediction: UnsafeMutablePointer<Int32>,
    _ rows: UnsafeMutablePointer<Int32>
  ) {
    let width = area.width, height = area.height
    let tapsX = unsafe InterpolationTaps.shared.taps(phaseX, isLuma)
    let tapsY = unsafe InterpolationTaps.shared.taps(phaseY, isLuma)
    let shift = Int32(truncatingIfNeeded: min(4, depth &- 8))
    if phaseX == 0, phaseY == 0 {
      let up = Int32(truncatingIfNeeded: max(2, 14 &- depth))
      for row in 0..<height {
        let from = unsafe source + row &* stride, to = unsafe prediction + row &* width
        for column in 0..<width { unsafe to[column] = Int32(from[column]) &<< up }
      }
    } else if phaseX == 0 || phaseY == 0 {
      for row in 0..<height {
        unsafe taps(
          prediction + row &* width, source + row &* stride, phaseX != 0 ? 1 : stride, width,
          phaseX != 0 ? tapsX : tapsY, isLuma, shift)
      }
    } else {
      let before = isLuma ? 3 : 1, around = isLuma ? 7 : 3
      for row in 0..<(height &+ around) {
        unsafe taps(
          rows + row &* width, source + (row &- before) &* stride, 1, width, tapsX, isLuma, shift)
      }
      // Without gaps between rows, the block is one row.
      unsafe taps(
        prediction, UnsafePointer(rows + before &* width), width, width &* height, tapsY, isLuma, 6)
    }
  }

  /// `count` sums of eight or four samples that are `step` apart. The taps are in memory and not constants:
  /// constants would become shifts, which are slower.
  @unsafe
  @inline(__always)
  private static func taps<S: FixedWidthInteger>(
    _ target: UnsafeMutablePointer<Int32>, _ source: UnsafePointer<S>, _ step: Int, _ count: Int,
    _ taps: UnsafePointer<Int16>, _ isLuma: Bool, _ shift: Int32
  ) {
    if isLuma {
      let s0 = unsafe source - 3 &* step, s1 = unsafe source - 2 &* step, s2 = unsafe source - step
      let s4 = unsafe source + step, s5 = unsafe source + 2 &* step, s6 = unsafe source + 3 &* step
      let s7 = unsafe source + 4 &* step
      let t0 = unsafe Int32(taps[0]), t1 = unsafe Int32(taps[1]), t2 = unsafe Int32(taps[2])
      let t3 = unsafe Int32(taps[3]), t4 = unsafe Int32(taps[4]), t5 = unsafe Int32(taps[5])
      let t6 = unsafe Int32(taps[6]), t7 = unsafe Int32(taps[7])
      for index in 0..<count {
        let a =
          unsafe Int32(truncatingIfNeeded: s0[index]) &* t0 &+ Int32(truncatingIfNeeded: s1[index]) &* t1
          &+ Int32(truncatingIfNeeded: s2[index]) &* t2 &+ Int32(truncatingIfNeeded: source[index]) &* t3
        let b =
          unsafe Int32(truncatingIfNeeded: s4[index]) &* t4 &+ Int32(truncatingIfNeeded: s5[index]) &* t5
          &+ Int32(truncatingIfNeeded: s6[index]) &* t6 &+ Int32(truncatingIfNeeded: s7[index]) &* t7
        unsafe target[index] = (a &+ b) &>> shift
      }
    } else {
      let s0 = unsafe source - step, s2 = unsafe source + step, s3 = unsafe source + 2 &* step
      let t0 = unsafe Int32(taps[0]), t1 = unsafe Int32(taps[1]), t2 = unsafe Int32(taps[2])
      let t3 = unsafe Int32(taps[3])
      for index in 0..<count {
        let a =
          unsafe Int32(truncatingIfNeeded: s0[index]) &* t0 &+ Int32(truncatingIfNeeded: source[index]) &* t1
          &+ Int32(truncatingIfNeeded: s2[index]) &* t2 &+ Int32(truncatingIfNeeded: s3[index]) &* t3
        unsafe target[index] = a &>> shift
      }
    }
  }
}
