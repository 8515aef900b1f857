// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The index of the first `00 00 third` in `start..<end`, or `nil`.
///
/// Three such bytes contain one aligned pair, the first of it at an even distance from `start`, that is either `00
/// 00` or `00 third`, depending on where the three begin. So each byte is loaded once, 64 at a step, as two-byte
/// words; with the bits of `third` masked out such a word is zero, and other words rarely are.
@inline(__always)
func indexOfZeroPair(
  before third: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int
) -> Int? {
  let mask = SIMD8(repeating: ~(UInt16(third) << 8).littleEndian)
  var index = start
  while index <= end &- 66 {
    var found = SIMDMask<SIMD8<Int16>>()
    for step in 0..<4 {
      let pairs = unsafe base.loadUnaligned(fromByteOffset: index &+ step &* 16, as: SIMD8<UInt16>.self)
      found = found .| ((pairs & mask) .== SIMD8())
    }
    // As two words: testing the mask lane by lane takes longer than all of the above.
    let words = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
    if words[0] | words[1] != 0 {
      // The three bytes may have begun with the last byte of the previous step.
      for candidate in max(start, index &- 1)..<(index &+ 64)
      where unsafe isZeroPair(before: third, in: base, at: candidate) { return candidate }
    }
    index &+= 64
  }
  index = max(start, index &- 1)
  while index <= end &- 3 {
    if unsafe isZeroPair(before: third, in: base, at: index) { return index }
    index &+= 1
  }
  return nil
}

@inline(__always)
private func isZeroPair(before third: UInt8, in base: UnsafeRawPointer, at index: Int) -> Bool {
  unsafe base.loadUnaligned(fromByteOffset: index, as: UInt16.self) == 0
    && base.load(fromByteOffset: index &+ 2, as: UInt8.self) == third
}
