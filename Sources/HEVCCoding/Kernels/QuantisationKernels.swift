// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// From coefficients to levels and back, for the choices of an encoder. ISO/IEC 23008-2, 8.6.2 and 8.6.3, without
/// scaling lists.
@usableFromInline
package enum QuantisationKernels {
  /// How coefficients of a block become levels: `(magnitude * scale + offset) >> shift`.
  package struct Quantiser {
    /// The factor; from 1 to 32 767.
    package var scale: Int
    /// What is added before the shift: half of `1 << shift` rounds to the nearest level, less prefers zeros.
    package var offset: Int
    /// From 8 to 30.
    package var shift: Int

    @inlinable
    package init(scale: Int, offset: Int, shift: Int) {
      self.scale = scale
      self.offset = offset
      self.shift = shift
    }

    /// The quantiser that undoes what a decoder does with the parameter `qp` (Qp′, 0 or more): `offset` is in parts
    /// of 512 of a level, 171 (a third) or 85 (a sixth) being usual.
    package init(qp: Int, log2Size: Int, bitDepth: Int, offset: Int) {
      let period = max(0, qp) / 6
      scale = Self.scales[max(0, qp) % 6]
      shift = 29 &+ period &- bitDepth &- log2Size
      self.offset = offset &<< max(0, shift &- 9)
    }

    private static let scales = [26214, 23302, 20560, 18396, 16384, 14564]
  }

  /// Writes the levels of `count` coefficients, a multiple of eight, and their deltas: by how much of a 256th each
  /// coefficient is beyond its level. Magnitudes of coefficients are at most 32 767, and levels are held there.
  ///
  /// - Parameter deltas: room for `count` numbers, or for none if the deltas are not needed.
  /// - Returns: how many levels are not 0; 0 if the memory or the quantiser is not as described.
  package static func quantise(
    _ coefficients: Memory<Int16>, to levels: Memory<Int16>, count: Int, _ quantiser: Quantiser,
    deltas: Memory<Int16>
  ) -> Int {
    guard count & 7 == 0, count >= 0, coefficients.count >= count, levels.count >= count, quantiser.scale > 0,
      quantiser.scale < 1 &<< 15, quantiser.shift >= 8, quantiser.shift <= 30, quantiser.offset >= 0,
      quantiser.offset < 1 &<< quantiser.shift
    else { return 0 }
    let hasDeltas = deltas.count >= count && count > 0
    guard 32767 &* quantiser.scale &+ quantiser.offset < 1 &<< 31,
      (32767 &* quantiser.scale &+ quantiser.offset) &>> quantiser.shift <= 32767
    else {
      return unsafe quantiseAny(
        coefficients.base, levels.base, count, quantiser, hasDeltas ? deltas.base : nil)
    }
    // The smallest magnitude whose level is not 0.
    let least = (1 &<< quantiser.shift &- quantiser.offset &+ quantiser.scale &- 1) / quantiser.scale
    // Factors that are known to be the same would be multiplied in a slower way.
    var factors = Words(repeating: Int16(truncatingIfNeeded: quantiser.scale))
    let offset = Int32(truncatingIfNeeded: quantiser.offset)
    let shift = Int32(truncatingIfNeeded: quantiser.shift)
    return unsafe withUnsafePointer(to: &factors) { factors in
      let factors = unsafe UnsafeRawPointer(factors).assumingMemoryBound(to: Int16.self)
      if hasDeltas {
        return unsafe quantiseWithDeltas(
          UnsafePointer(coefficients.base), levels.base, count, factors, offset, shift, deltas.base)
      }
      return unsafe quantise(
        UnsafePointer(coefficients.base), levels.base, count, factors, offset, shift,
        Int16(truncatingIfNeeded: min(32767, least)))
    }
  }

  @unsafe
  @inline(never)
  private static func quantise(
    _ source: UnsafePointer<Int16>, _ levels: UnsafeMutablePointer<Int16>, _ count: Int,
    _ factors: UnsafePointer<Int16>, _ offset: Int32, _ shift: Int32, _ least: Int16
  ) -> Int {
    let add = SIMD8<Int32>(repeating: offset), by = SIMD8<Int32>(repeating: shift)
    let below = Words(repeating: least &- 1)
    var used = Words(), index = 0
    while index < count {
      let value = unsafe Words(at: source + index), sign = value.signs
      let magnitude = (value ^ sign) &- sign
      if (below &- magnitude).signs.isZero {
        unsafe Words().store(at: levels + index)
      } else {
        let products = (magnitude.widened &* (unsafe Words(at: factors)).widened &+ add) &>> by
        let level = Words(
          low: Longs(products[0], products[1], products[2], products[3]),
          high: Longs(products[4], products[5], products[6], products[7]))
        used = used &+ (0 &- level).signs
        unsafe ((level ^ sign) &- sign).store(at: levels + index)
      }
      index = index &+ 8
    }
    return 0 &- Int(used.signedSum)
  }

  @unsafe
  @inline(never)
  private static func quantiseWithDeltas(
    _ source: UnsafePointer<Int16>, _ levels: UnsafeMutablePointer<Int16>, _ count: Int,
    _ factors: UnsafePointer<Int16>, _ offset: Int32, _ shift: Int32, _ deltas: UnsafeMutablePointer<Int16>
  ) -> Int {
    let add = SIMD8<Int32>(repeating: offset), by = SIMD8<Int32>(repeating: shift)
    let fine = SIMD8<Int32>(repeating: shift &- 8)
    var used = Words(), index = 0
    while index < count {
      let value = unsafe Words(at: source + index), sign = value.signs
      let magnitude = (value ^ sign) &- sign
      let scaled = magnitude.widened &* (unsafe Words(at: factors)).widened
      let products = (scaled &+ add) &>> by
      let rest = (scaled &- (products &<< by)) &>> fine
      let level = Words(
        low: Longs(products[0], products[1], products[2], products[3]),
        high: Longs(products[4], products[5], products[6], products[7]))
      used = used &+ (0 &- level).signs
      unsafe ((level ^ sign) &- sign).store(at: levels + index)
      unsafe Words(
        low: Longs(rest[0], rest[1], rest[2], rest[3]), high: Longs(rest[4], rest[5], rest[6], rest[7])
      )
      .store(at: deltas + index)
      index = index &+ 8
    }
    return 0 &- Int(used.signedSum)
  }

  /// For quantisers whose levels may not fit.
  @unsafe
  @inline(never)
  private static func quantiseAny(
    _ source: UnsafeMutablePointer<Int16>, _ levels: UnsafeMutablePointer<Int16>, _ count: Int,
    _ quantiser: Quantiser, _ deltas: UnsafeMutablePointer<Int16>?
  ) -> Int {
    var used = 0
    for index in 0..<count {
      let value = unsafe Int(source[index])
      let scaled = min(32767, abs(value)) &* quantiser.scale
      let level = min(32767, (scaled &+ quantiser.offset) &>> quantiser.shift)
      if level != 0 { used = used &+ 1 }
      unsafe levels[index] = Int16(truncatingIfNeeded: value < 0 ? 0 &- level : level)
      if let deltas = unsafe deltas {
        let rest = (scaled &- level &<< quantiser.shift) &>> (quantiser.shift &- 8)
        unsafe deltas[index] = Int16(truncatingIfNeeded: min(32767, rest))
      }
    }
    return used
  }

  /// Writes the coefficients that a decoder makes of `count` levels, a multiple of eight, with the parameter `qp`
  /// (Qp′). 8.6.3, equation 8-309, with m = 16
  package static func scale(
    _ levels: Memory<Int16>, to coefficients: Memory<Int16>, count: Int, qp: Int, log2Size: Int, bitDepth: Int
  ) {
    guard count & 7 == 0, count >= 0, levels.count >= count, coefficients.count >= count, qp >= 0, qp <= 87,
      log2Size >= 2, log2Size <= 5, bitDepth >= 8, bitDepth <= 12
    else { return }
    // The factor m is 16: four bits less of a shift of 5 to 12.
    let shift = bitDepth &+ log2Size &- 9, factor = levelScales[qp % 6] &<< (qp / 6)
    if factor < 1 &<< 15 {
      var factors = Words(repeating: Int16(truncatingIfNeeded: factor))
      unsafe withUnsafePointer(to: &factors) { factors in
        unsafe scale(
          UnsafePointer(levels.base), coefficients.base, count,
          UnsafeRawPointer(factors).assumingMemoryBound(to: Int16.self), Int32(truncatingIfNeeded: shift))
      }
      return
    }
    for index in 0..<count {
      let scaled = unsafe (Int(levels.base[index]) &* factor &+ 1 &<< (shift &- 1)) &>> shift
      unsafe coefficients.base[index] = Int16(clamping: scaled)
    }
  }

  private static let levelScales = [40, 45, 51, 57, 64, 72]

  @unsafe
  @inline(never)
  private static func scale(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ count: Int,
    _ factors: UnsafePointer<Int16>, _ shift: Int32
  ) {
    let round = SIMD8<Int32>(repeating: 1 &<< (shift &- 1)), by = SIMD8<Int32>(repeating: shift)
    var index = 0
    while index < count {
      let level = unsafe Words(at: source + index)
      if level.isZero {
        unsafe level.store(at: target + index)
      } else {
        let scaled = (level.widened &* (unsafe Words(at: factors)).widened &+ round) &>> by
        let low = Longs(scaled[0], scaled[1], scaled[2], scaled[3])
        let high = Longs(scaled[4], scaled[5], scaled[6], scaled[7])
        let words = Words(low: low, high: high)
        // What fits is the same with all its upper bits as with 16.
        let beyond = (low ^ ((low &<< 16) &>> 16)) | (high ^ ((high &<< 16) &>> 16))
        if beyond.words.isZero {
          unsafe words.store(at: target + index)
        } else {
          for lane in 0..<8 { unsafe target[index &+ lane] = Int16(clamping: scaled[lane]) }
        }
      }
      index = index &+ 8
    }
  }
}
