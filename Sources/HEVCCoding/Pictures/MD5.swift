// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The MD5 sum of bytes that arrive in pieces. RFC 1321
package struct MD5 {
  private var state = SIMD4<UInt32>(0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
  /// Bytes that do not fill a block yet. `Array` has no spans before macOS 26 and iOS 26.
  private var pending: ContiguousArray<UInt8> = []
  private var count: UInt64 = 0

  package init() { pending.reserveCapacity(64) }

  /// Adds bytes.
  package mutating func update(_ bytes: Span<UInt8>) {
    count &+= UInt64(bytes.count)
    var state = self.state
    defer { self.state = state }
    var place = 0
    if !pending.isEmpty {
      while place < bytes.count, pending.count < 64 {
        pending.append(bytes[place])
        place &+= 1
      }
      guard pending.count == 64 else { return }
      Self.block(&state, pending.span, 0)
      pending.removeAll(keepingCapacity: true)
    }
    while place &+ 64 <= bytes.count {
      Self.block(&state, bytes, place)
      place &+= 64
    }
    while place < bytes.count {
      pending.append(bytes[place])
      place &+= 1
    }
  }

  /// The sum of all bytes so far.
  package func sum() -> [UInt8] {
    var end = self
    var padding: ContiguousArray<UInt8> = [0x80]
    while (pending.count &+ padding.count) & 63 != 56 { padding.append(0) }
    let bits = count &<< 3
    for shift: UInt64 in stride(from: 0, to: 64, by: 8) {
      padding.append(UInt8(truncatingIfNeeded: bits &>> shift))
    }
    end.update(padding.span)
    return (0..<16).map { UInt8(truncatingIfNeeded: end.state[$0 >> 2] &>> UInt32(8 * ($0 & 3))) }
  }

  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
    UInt32(bytes[place]) | UInt32(bytes[place &+ 1]) &<< 8 | UInt32(bytes[place &+ 2]) &<< 16
      | UInt32(bytes[place &+ 3]) &<< 24
  }

  @inline(__always)
  private static func step(
    _ a: inout UInt32, _ b: UInt32, _ mixed: UInt32, _ word: UInt32, _ constant: UInt32, _ shift: UInt32
  ) {
    let sum = a &+ mixed &+ word &+ constant
    a = b &+ (sum &<< shift | sum &>> (32 &- shift))
  }

  @inline(__always)
  private static func f(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { d ^ (b & (c ^ d)) }
  @inline(__always)
  private static func g(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { c ^ (d & (b ^ c)) }
  @inline(__always)
  private static func h(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { b ^ c ^ d }
  @inline(__always)
  private static func i(_ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { c ^ (b | ~d) }

  /// Adds 64 bytes. The rounds are written out, so that every word stays in a register.
  private static func block(_ state: inout SIMD4<UInt32>, _ bytes: Span<UInt8>, _ place: Int) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    let x0 = word(bytes, place &+ 0)
    let x1 = word(bytes, place &+ 4)
    let x2 = word(bytes, place &+ 8)
    let x3 = word(bytes, place &+ 12)
    let x4 = word(bytes, place &+ 16)
    let x5 = word(bytes, place &+ 20)
    let x6 = word(bytes, place &+ 24)
    let x7 = word(bytes, place &+ 28)
    let x8 = word(bytes, place &+ 32)
    let x9 = word(bytes, place &+ 36)
    let x10 = word(bytes, place &+ 40)
    let x11 = word(bytes, place &+ 44)
    let x12 = word(bytes, place &+ 48)
    let x13 = word(bytes, place &+ 52)
    let x14 = word(bytes, place &+ 56)
    let x15 = word(bytes, place &+ 60)
    step(&a, b, f(b, c, d), x0, 0xD76A_A478, 7)
    step(&d, a, f(a, b, c), x1, 0xE8C7_B756, 12)
    step(&c, d, f(d, a, b), x2, 0x2420_70DB, 17)
    step(&b, c, f(c, d, a), x3, 0xC1BD_CEEE, 22)
    step(&a, b, f(b, c, d), x4, 0xF57C_0FAF, 7)
    step(&d, a, f(a, b, c), x5, 0x4787_C62A, 12)
    step(&c, d, f(d, a, b), x6, 0xA830_4613, 17)
    step(&b, c, f(c, d, a), x7, 0xFD46_9501, 22)
    step(&a, b, f(b, c, d), x8, 0x6980_98D8, 7)
    step(&d, a, f(a, b, c), x9, 0x8B44_F7AF, 12)
    step(&c, d, f(d, a, b), x10, 0xFFFF_5BB1, 17)
    step(&b, c, f(c, d, a), x11, 0x895C_D7BE, 22)
    step(&a, b, f(b, c, d), x12, 0x6B90_1122, 7)
    step(&d, a, f(a, b, c), x13, 0xFD98_7193, 12)
    step(&c, d, f(d, a, b), x14, 0xA679_438E, 17)
    step(&b, c, f(c, d, a), x15, 0x49B4_0821, 22)
    step(&a, b, g(b, c, d), x1, 0xF61E_2562, 5)
    step(&d, a, g(a, b, c), x6, 0xC040_B340, 9)
    step(&c, d, g(d, a, b), x11, 0x265E_5A51, 14)
    step(&b, c, g(c, d, a), x0, 0xE9B6_C7AA, 20)
    step(&a, b, g(b, c, d), x5, 0xD62F_105D, 5)
    step(&d, a, g(a, b, c), x10, 0x0244_1453, 9)
    step(&c, d, g(d, a, b), x15, 0xD8A1_E681, 14)
    step(&b, c, g(c, d, a), x4, 0xE7D3_FBC8, 20)
    step(&a, b, g(b, c, d), x9, 0x21E1_CDE6, 5)
    step(&d, a, g(a, b, c), x14, 0xC337_07D6, 9)
    step(&c, d, g(d, a, b), x3, 0xF4D5_0D87, 14)
    step(&b, c, g(c, d, a), x8, 0x455A_14ED, 20)
    step(&a, b, g(b, c, d), x13, 0xA9E3_E905, 5)
    step(&d, a, g(a, b, c), x2, 0xFCEF_A3F8, 9)
    step(&c, d, g(d, a, b), x7, 0x676F_02D9, 14)
    step(&b, c, g(c, d, a), x12, 0x8D2A_4C8A, 20)
    step(&a, b, h(b, c, d), x5, 0xFFFA_3942, 4)
    step(&d, a, h(a, b, c), x8, 0x8771_F681, 11)
    step(&c, d, h(d, a, b), x11, 0x6D9D_6122, 16)
    step(&b, c, h(c, d, a), x14, 0xFDE5_380C, 23)
    step(&a, b, h(b, c, d), x1, 0xA4BE_EA44, 4)
    step(&d, a, h(a, b, c), x4, 0x4BDE_CFA9, 11)
    step(&c, d, h(d, a, b), x7, 0xF6BB_4B60, 16)
    step(&b, c, h(c, d, a), x10, 0xBEBF_BC70, 23)
    step(&a, b, h(b, c, d), x13, 0x289B_7EC6, 4)
    step(&d, a, h(a, b, c), x0, 0xEAA1_27FA, 11)
    step(&c, d, h(d, a, b), x3, 0xD4EF_3085, 16)
    step(&b, c, h(c, d, a), x6, 0x0488_1D05, 23)
    step(&a, b, h(b, c, d), x9, 0xD9D4_D039, 4)
    step(&d, a, h(a, b, c), x12, 0xE6DB_99E5, 11)
    step(&c, d, h(d, a, b), x15, 0x1FA2_7CF8, 16)
    step(&b, c, h(c, d, a), x2, 0xC4AC_5665, 23)
    step(&a, b, i(b, c, d), x0, 0xF429_2244, 6)
    step(&d, a, i(a, b, c), x7, 0x432A_FF97, 10)
    step(&c, d, i(d, a, b), x14, 0xAB94_23A7, 15)
    step(&b, c, i(c, d, a), x5, 0xFC93_A039, 21)
    step(&a, b, i(b, c, d), x12, 0x655B_59C3, 6)
    step(&d, a, i(a, b, c), x3, 0x8F0C_CC92, 10)
    step(&c, d, i(d, a, b), x10, 0xFFEF_F47D, 15)
    step(&b, c, i(c, d, a), x1, 0x8584_5DD1, 21)
    step(&a, b, i(b, c, d), x8, 0x6FA8_7E4F, 6)
    step(&d, a, i(a, b, c), x15, 0xFE2C_E6E0, 10)
    step(&c, d, i(d, a, b), x6, 0xA301_4314, 15)
    step(&b, c, i(c, d, a), x13, 0x4E08_11A1, 21)
    step(&a, b, i(b, c, d), x4, 0xF753_7E82, 6)
    step(&d, a, i(a, b, c), x11, 0xBD3A_F235, 10)
    step(&c, d, i(d, a, b), x2, 0x2AD7_D2BB, 15)
    step(&b, c, i(c, d, a), x9, 0xEB86_D391, 21)
    state &+= SIMD4(a, b, c, d)
  }
}
