// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The index of the first `00 00 third` in `start..<end`, or `nil`.
///
/// Two zeros in a row are rare in coded pictures, so the search looks for those, 64 bytes at a step: the bytes and the
/// bytes one further on, put together by "or", are zero just where two zeros stand in a row.
@inline(__always)
func indexOfZeroPair(
  before third: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int
) -> Int? {
  var index = start
  while index <= end &- 66 {
    var found = SIMDMask<SIMD16<Int8>>()
    for step in 0..<4 {
      let at = index &+ step &* 16
      let pairs =
        unsafe base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
        | base.loadUnaligned(fromByteOffset: at &+ 1, as: SIMD16<UInt8>.self)
      found = found .| (pairs .== SIMD16())
    }
    // As two words: asking the mask lane by lane takes longer than all of the above.
    let words = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
    if words[0] | words[1] != 0 {
      for candidate in index..<(index &+ 64)
      where unsafe isZeroPair(before: third, in: base, at: candidate) { return candidate }
    }
    index &+= 64
  }
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
