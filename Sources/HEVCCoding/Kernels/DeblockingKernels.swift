// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The deblocking filter for a part of an edge. ISO/IEC 23008-2, 8.7.2.5
package enum DeblockingKernels {
  /// Filters four lines across an edge; (`x`, `y`) is the first sample after it. With `keepsP` or `keepsQ`, the
  /// samples before or after the edge do not change.
  package static func luma(
    _ plane: Plane, x: Int, y: Int, isVertical: Bool, beta: Int, tc: Int, keepsP: Bool, keepsQ: Bool
  ) {
    let isInside =
      isVertical
      ? plane.contains(x: x &- 4, y: y, width: 8, height: 4)
      : plane.contains(x: x, y: y &- 4, width: 4, height: 8)
    guard isInside else { return }
    let place = y &* plane.stride &+ x
    if plane.bitDepth <= 11 {
      let filter = LumaDeblocking(
        beta: beta, tc: tc, keepsP: keepsP, keepsQ: keepsQ, bitDepth: plane.bitDepth)
      if plane.isWide {
        let q = unsafe plane.samples(UInt16.self) + place
        unsafe isVertical ? filter.filterColumns(q, plane.stride) : filter.filterRows(q, plane.stride)
      } else {
        let q = unsafe plane.samples(UInt8.self) + place
        unsafe isVertical ? filter.filterColumns(q, plane.stride) : filter.filterRows(q, plane.stride)
      }
      return
    }
    let across = isVertical ? 1 : plane.stride, along = isVertical ? plane.stride : 1
    guard plane.isWide else { return }
    unsafe luma(
      plane.samples(UInt16.self) + place, across, along, Int32(truncatingIfNeeded: beta),
      Int32(truncatingIfNeeded: tc), keepsP, keepsQ, plane.bitDepth)
  }

  /// Samples of 12 bits and more, for which sums in 16 bits have no room.
  @unsafe
  @inline(__always)
  private static func luma<S: Sample>(
    _ q: UnsafeMutablePointer<S>, _ across: Int, _ along: Int, _ beta: Int32, _ tc: Int32, _ keepsP: Bool,
    _ keepsQ: Bool, _ bitDepth: Int
  ) {
    /// Sample `index` of a line, counted from the edge; negative before it.
    @inline(__always)
    func sample(_ line: UnsafeMutablePointer<S>, _ index: Int) -> Int32 {
      unsafe Int32(truncatingIfNeeded: line[index &* across])
    }
    // 8.7.2.5.3
    let last = unsafe q + 3 &* along
    let dp0 = unsafe abs(sample(q, -3) &- 2 &* sample(q, -2) &+ sample(q, -1))
    let dp3 = unsafe abs(sample(last, -3) &- 2 &* sample(last, -2) &+ sample(last, -1))
    let dq0 = unsafe abs(sample(q, 2) &- 2 &* sample(q, 1) &+ sample(q, 0))
    let dq3 = unsafe abs(sample(last, 2) &- 2 &* sample(last, 1) &+ sample(last, 0))
    let first = dp0 &+ dq0, fourth = dp3 &+ dq3
    guard first &+ fourth < beta else { return }
    // 8.7.2.5.6
    @inline(__always)
    func isStrong(_ line: UnsafeMutablePointer<S>, _ difference: Int32) -> Bool {
      unsafe 2 &* difference < beta &>> 2
        && abs(sample(line, -4) &- sample(line, -1)) &+ abs(sample(line, 0) &- sample(line, 3)) < beta &>> 3
        && abs(sample(line, -1) &- sample(line, 0)) < (5 &* tc &+ 1) &>> 1
    }
    var line = unsafe q
    if unsafe isStrong(q, first) && isStrong(last, fourth) {
      for _ in 0..<4 {
        let p3 = unsafe sample(line, -4), p2 = unsafe sample(line, -3), p1 = unsafe sample(line, -2)
        let p0 = unsafe sample(line, -1), q0 = unsafe sample(line, 0), q1 = unsafe sample(line, 1)
        let q2 = unsafe sample(line, 2), q3 = unsafe sample(line, 3)
        @inline(__always)
        func set(_ index: Int, _ old: Int32, _ new: Int32) {
          let value = max(old &- 2 &* tc, min(old &+ 2 &* tc, new))
          unsafe line[index &* across] = S(truncatingIfNeeded: value)
        }
        if !keepsP {
          set(-1, p0, (p2 &+ 2 &* p1 &+ 2 &* p0 &+ 2 &* q0 &+ q1 &+ 4) &>> 3)
          set(-2, p1, (p2 &+ p1 &+ p0 &+ q0 &+ 2) &>> 2)
          set(-3, p2, (2 &* p3 &+ 3 &* p2 &+ p1 &+ p0 &+ q0 &+ 4) &>> 3)
        }
        if !keepsQ {
          set(0, q0, (p1 &+ 2 &* p0 &+ 2 &* q0 &+ 2 &* q1 &+ q2 &+ 4) &>> 3)
          set(1, q1, (p0 &+ q0 &+ q1 &+ q2 &+ 2) &>> 2)
          set(2, q2, (p0 &+ q0 &+ q1 &+ 3 &* q2 &+ 2 &* q3 &+ 4) &>> 3)
        }
        unsafe line += along
      }
      return
    }
    let side = (beta &+ beta &>> 1) &>> 3
    let changesP1 = dp0 &+ dp3 < side, changesQ1 = dq0 &+ dq3 < side
    let high = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
    let half = tc &>> 1
    for _ in 0..<4 {
      let p2 = unsafe sample(line, -3), p1 = unsafe sample(line, -2), p0 = unsafe sample(line, -1)
      let q0 = unsafe sample(line, 0), q1 = unsafe sample(line, 1), q2 = unsafe sample(line, 2)
      let delta = (9 &* (q0 &- p0) &- 3 &* (q1 &- p1) &+ 8) &>> 4
      if abs(delta) < 10 &* tc {
        let held = max(0 &- tc, min(tc, delta))
        if !keepsP {
          unsafe line[0 &- across] = S(truncatingIfNeeded: max(0, min(high, p0 &+ held)))
          if changesP1 {
            let change = max(0 &- half, min(half, ((p2 &+ p0 &+ 1) &>> 1 &- p1 &+ held) &>> 1))
            unsafe line[-2 &* across] = S(truncatingIfNeeded: max(0, min(high, p1 &+ change)))
          }
        }
        if !keepsQ {
          unsafe line[0] = S(truncatingIfNeeded: max(0, min(high, q0 &- held)))
          if changesQ1 {
            let change = max(0 &- half, min(half, ((q2 &+ q0 &+ 1) &>> 1 &- q1 &- held) &>> 1))
            unsafe line[across] = S(truncatingIfNeeded: max(0, min(high, q1 &+ change)))
          }
        }
      }
      unsafe line += along
    }
  }

  /// Filters `count` lines of chroma. 8.7.2.5.8
  package static func chroma(
    _ plane: Plane, x: Int, y: Int, isVertical: Bool, count: Int, tc: Int, keepsP: Bool, keepsQ: Bool
  ) {
    let isInside =
      isVertical
      ? plane.contains(x: x &- 2, y: y, width: 4, height: count)
      : plane.contains(x: x, y: y &- 2, width: count, height: 4)
    guard isInside else { return }
    let place = y &* plane.stride &+ x
    let across = isVertical ? 1 : plane.stride, along = isVertical ? plane.stride : 1
    if plane.isWide {
      unsafe chroma(
        plane.samples(UInt16.self) + place, across, along, count, Int32(truncatingIfNeeded: tc), keepsP,
        keepsQ,
        plane.bitDepth)
    } else {
      unsafe chroma(
        plane.samples(UInt8.self) + place, across, along, count, Int32(truncatingIfNeeded: tc), keepsP,
        keepsQ,
        plane.bitDepth)
    }
  }

  @unsafe
  @inline(__always)
  private static func chroma<S: Sample>(
    _ q: UnsafeMutablePointer<S>, _ across: Int, _ along: Int, _ count: Int, _ tc: Int32, _ keepsP: Bool,
    _ keepsQ: Bool, _ bitDepth: Int
  ) {
    let high = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
    var line = unsafe q
    for _ in 0..<count {
      let p1 = unsafe Int32(truncatingIfNeeded: line[-2 &* across])
      let p0 = unsafe Int32(truncatingIfNeeded: line[0 &- across])
      let q0 = unsafe Int32(truncatingIfNeeded: line[0]), q1 = unsafe Int32(truncatingIfNeeded: line[across])
      let delta = max(0 &- tc, min(tc, ((q0 &- p0) &<< 2 &+ p1 &- q1 &+ 4) &>> 3))
      if !keepsP { unsafe line[0 &- across] = S(truncatingIfNeeded: max(0, min(high, p0 &+ delta))) }
      if !keepsQ { unsafe line[0] = S(truncatingIfNeeded: max(0, min(high, q0 &- delta))) }
      unsafe line += along
    }
  }
}
