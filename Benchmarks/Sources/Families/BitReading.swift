// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Reading fields of mixed widths, against a hand-written loop over a bare pointer.
func bitReadingBenchmarks() -> [Benchmark] {
  let count = 200_000
  var generator = Generator(seed: 7)
  var encoder = FieldEncoder()
  for _ in 0..<count {
    var golomb = UInt32(generator.next() % 40), signed = Int32(generator.next() % 19) - 9
    var fixed = UInt16(generator.next() % 2_048), flag = generator.next() % 2 == 0
    do {
      try encoder.ue("a", &golomb, in: 0...100)
      try encoder.se("b", &signed, in: -100...100)
      try encoder.u("c", &fixed, 11)
      try encoder.flag("d", &flag)
    } catch { break }
  }
  let view = ByteView(encoder.bytes)
  let bare = encoder.bytes + [UInt8](repeating: 0, count: 8)

  func subject() -> UInt64 {
    var decoder = FieldDecoder(view)
    var sum: UInt64 = 0
    var golomb: UInt32 = 0, signed: Int32 = 0, fixed: UInt16 = 0, flag = false
    do {
      for _ in 0..<count {
        try decoder.ue("a", &golomb, in: 0...100)
        try decoder.se("b", &signed, in: -100...100)
        try decoder.u("c", &fixed, 11)
        try decoder.flag("d", &flag)
        sum &+= UInt64(golomb) &+ UInt64(truncatingIfNeeded: signed) &+ UInt64(fixed) &+ (flag ? 1 : 0)
      }
    } catch { return 0 }
    return sum
  }

  func yardstick() -> UInt64 {
    unsafe bare.withUnsafeBytes { memory in
      var position = 0
      var sum: UInt64 = 0
      @inline(__always) func window() -> UInt64 {
        unsafe UInt64(bigEndian: memory.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self))
          &<< UInt64(position & 7)
      }
      @inline(__always) func golomb() -> UInt64 {
        let word = window()
        let length = 2 &* word.leadingZeroBitCount &+ 1
        position &+= length
        return (word &>> UInt64(64 &- length)) &- 1
      }
      @inline(__always) func fixed(_ bits: Int) -> UInt64 {
        let value = window() &>> UInt64(64 &- bits)
        position &+= bits
        return value
      }
      for _ in 0..<count {
        let first = golomb()
        let second = golomb()
        let signed = second & 1 == 1 ? Int64(second &+ 1) / 2 : -Int64(second / 2)
        sum &+= first &+ UInt64(bitPattern: signed) &+ fixed(11) &+ fixed(1)
      }
      return sum
    }
  }
  precondition(subject() == yardstick(), "both must read the same")
  return [
    Benchmark(
      "bits/mixed-fields", work: Double(count * 4), unit: "fields", yardstick: "a hand-written pointer loop",
      goal: "within 1.3, so 0.77", reference: yardstick, run: subject)
  ]
}
