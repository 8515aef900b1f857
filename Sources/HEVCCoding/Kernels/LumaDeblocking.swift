// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Lanes of no side, of the one before the edge, of the one after it, and of both.
@safe
private struct SideMasks: @unchecked Sendable {
  static let shared = SideMasks()
  let lanes: UnsafeMutablePointer<Int16>

  private init() {
    unsafe lanes = UnsafeMutablePointer<Int16>.allocate(capacity: 32)
    for index in 0..<32 {
      let isAfter = index & 4 != 0
      unsafe lanes[index] = index & (isAfter ? 16 : 8) != 0 ? -1 : 0
    }
  }
}

/// The deblocking filter of luma for four lines across an edge at once. ISO/IEC 23008-2, 8.7.2.5
///
/// Each register has samples of one distance from the edge: those of the four lines before the edge, then those after it.
/// Both sides have the same equations, with the roles of the sides changed.
struct LumaDeblocking {
  let beta: Int
  let tc: Int
  let keepsP: Bool
  let keepsQ: Bool
  let bitDepth: Int

  /// Samples at distances 0 to 3 from the edge.
  typealias Sides = (Words, Words, Words, Words)

  /// The side before the edge where that after it is, and the other way round.
  @inline(__always)
  private func swapped(_ words: Words) -> Words {
    let pairs = words.pairs
    return Pairs(pairs[1], pairs[0]).words
  }

  /// All bits of the lanes of a side, or none. From memory: masks that are made of conditions would be applied to single
  /// lanes.
  @inline(__always)
  private func mask(_ before: Bool, _ after: Bool) -> Words {
    unsafe Words(at: SideMasks.shared.lanes + ((before ? 8 : 0) &+ (after ? 16 : 0)))
  }

  @inline(__always)
  private func held(_ words: Words, within limit: Words) -> Words {
    (words &+ limit).held(to: limit &+ limit) &- limit
  }

  @inline(__always)
  private func chosen(_ old: Words, _ new: Words, _ mask: Words) -> Words { old ^ ((old ^ new) & mask) }

  /// The samples after filtering; nothing if none changes. Samples have at most 11 bits.
  @inline(__always)
  func filtered(_ s: Sides) -> Sides? {
    // 8.7.2.5.3
    let curves = (s.2 &- (s.1 &+ s.1) &+ s.0).magnitudes
    let dp0 = Int(curves[0]), dp3 = Int(curves[3]), dq0 = Int(curves[4]), dq3 = Int(curves[7])
    let first = dp0 &+ dq0, fourth = dp3 &+ dq3
    guard first &+ fourth < beta else { return nil }
    let b0 = swapped(s.0), b1 = swapped(s.1)
    let allowed = mask(!keepsP, !keepsQ)
    // 8.7.2.5.6
    if 2 &* first < beta &>> 2, 2 &* fourth < beta &>> 2 {
      let flats = (s.3 &- s.0).magnitudes, steps = (s.0 &- b0).magnitudes
      let step = (5 &* tc &+ 1) &>> 1
      if Int(flats[0]) &+ Int(flats[4]) < beta &>> 3, Int(flats[3]) &+ Int(flats[7]) < beta &>> 3,
        Int(steps[0]) < step, Int(steps[3]) < step
      {
        let limit = Words(repeating: Int16(truncatingIfNeeded: 2 &* tc))
        let middle = s.1 &+ s.0 &+ b0
        let new0 = (middle &+ middle &+ s.2 &+ b1 &+ 4) &>> 3
        let new1 = (s.2 &+ middle &+ 2) &>> 2
        let new2 = ((s.3 &+ s.2) &* 2 &+ s.2 &+ middle &+ 4) &>> 3
        return (
          s.0 &+ (held(new0 &- s.0, within: limit) & allowed),
          s.1 &+ (held(new1 &- s.1, within: limit) & allowed),
          s.2 &+ (held(new2 &- s.2, within: limit) & allowed), s.3
        )
      }
    }
    // 8.7.2.5.7
    let outer = b1 &- s.1, inner = b0 &- s.0
    let sums = ((inner &<< 3) &+ inner &- (outer &+ outer &+ outer) &+ 8) &>> 4
    let before = sums.pairs[0]
    let deltas = Pairs(before, before).words
    // Lines whose step is an edge of the picture stay. With magnitudes, a shift takes fewer instructions than `signs`.
    let isSmall = (deltas.magnitudes &- Words(repeating: Int16(truncatingIfNeeded: 10 &* tc))) &>> 15
    let limit = Words(repeating: Int16(truncatingIfNeeded: tc))
    let change = held(deltas, within: limit)
    let sign = Words(0, 0, 0, 0, -1, -1, -1, -1)
    let signed = (change ^ sign) &- sign
    let high = Words(repeating: Int16(truncatingIfNeeded: 1 &<< bitDepth &- 1))
    let lines = isSmall & allowed
    let new0 = chosen(s.0, (s.0 &+ signed).held(to: high), lines)
    let side = (beta &+ beta &>> 1) &>> 3
    let isFlat = mask(dp0 &+ dp3 < side, dq0 &+ dq3 < side)
    let halfLimit = Words(repeating: Int16(truncatingIfNeeded: tc &>> 1))
    let second = held((((s.2 &+ s.0 &+ 1) &>> 1) &- s.1 &+ signed) &>> 1, within: halfLimit)
    let new1 = chosen(s.1, (s.1 &+ second).held(to: high), lines & isFlat)
    return (new0, new1, s.2, s.3)
  }

  // MARK: Samples

  /// An edge between two columns: rows of eight samples.
  @inline(__always)
  private func sides(_ r0: Words, _ r1: Words, _ r2: Words, _ r3: Words) -> Sides {
    let t0 = r0.low(r1).longs, t1 = r2.low(r3).longs, u0 = r0.high(r1).longs, u1 = r2.high(r3).longs
    let p32 = t0.low(t1).pairs, p10 = t0.high(t1).pairs, q01 = u0.low(u1).pairs, q23 = u0.high(u1).pairs
    return (
      Pairs(p10[1], q01[0]).words, Pairs(p10[0], q01[1]).words, Pairs(p32[1], q23[0]).words,
      Pairs(p32[0], q23[1]).words
    )
  }

  @inline(__always)
  private func rows(_ s: Sides) -> Sides {
    // The lanes of the side before the edge, and those of the other one.
    let p0 = s.3.low(s.2).longs, p1 = s.1.low(s.0).longs, q0 = s.0.high(s.1).longs, q1 = s.2.high(s.3).longs
    let pLow = p0.low(p1).pairs, pHigh = p0.high(p1).pairs, qLow = q0.low(q1).pairs, qHigh = q0.high(q1).pairs
    return (
      pLow.low(qLow).words, pLow.high(qLow).words, pHigh.low(qHigh).words, pHigh.high(qHigh).words
    )
  }

  @unsafe
  @inline(never)
  func filterColumns(_ q: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    let p = unsafe q - 4
    let sides = unsafe sides(
      Words(at: p), Words(at: p + stride), Words(at: p + 2 &* stride), Words(at: p + 3 &* stride))
    guard let result = filtered(sides) else { return }
    let rows = rows(result)
    let to = UnsafeMutableRawPointer(p)
    unsafe to.storeBytes(of: rows.0.bytes, as: SIMD8<UInt8>.self)
    unsafe to.storeBytes(of: rows.1.bytes, toByteOffset: stride, as: SIMD8<UInt8>.self)
    unsafe to.storeBytes(of: rows.2.bytes, toByteOffset: 2 &* stride, as: SIMD8<UInt8>.self)
    unsafe to.storeBytes(of: rows.3.bytes, toByteOffset: 3 &* stride, as: SIMD8<UInt8>.self)
  }

  @unsafe
  @inline(never)
  func filterColumns(_ q: UnsafeMutablePointer<UInt16>, _ stride: Int) {
    let p = unsafe UnsafeMutableRawPointer(q - 4).assumingMemoryBound(to: Int16.self)
    let sides = unsafe sides(
      Words(at: p), Words(at: p + stride), Words(at: p + 2 &* stride), Words(at: p + 3 &* stride))
    guard let result = filtered(sides) else { return }
    let rows = rows(result)
    unsafe rows.0.store(at: p)
    unsafe rows.1.store(at: p + stride)
    unsafe rows.2.store(at: p + 2 &* stride)
    unsafe rows.3.store(at: p + 3 &* stride)
  }

  /// An edge between two rows: four columns.
  @unsafe
  @inline(never)
  func filterRows(_ q: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    let p = unsafe q - stride
    let sides = unsafe (
      Words(fours: p, q), Words(fours: p - stride, q + stride),
      Words(fours: p - 2 &* stride, q + 2 &* stride), Words(fours: p - 3 &* stride, q + 3 &* stride)
    )
    guard let result = filtered(sides) else { return }
    unsafe result.0.store(fours: p, q)
    unsafe result.1.store(fours: p - stride, q + stride)
    unsafe result.2.store(fours: p - 2 &* stride, q + 2 &* stride)
  }

  @unsafe
  @inline(never)
  func filterRows(_ q: UnsafeMutablePointer<UInt16>, _ stride: Int) {
    let p = unsafe q - stride
    let sides = unsafe (
      Words(fours: p, q), Words(fours: p - stride, q + stride),
      Words(fours: p - 2 &* stride, q + 2 &* stride), Words(fours: p - 3 &* stride, q + 3 &* stride)
    )
    guard let result = filtered(sides) else { return }
    unsafe result.0.store(fours: p, q)
    unsafe result.1.store(fours: p - stride, q + stride)
    unsafe result.2.store(fours: p - 2 &* stride, q + 2 &* stride)
  }

}
