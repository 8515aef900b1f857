// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The index of the first `00 00 third` in `start..<end`, or `nil`.
///
/// Two zeros in a row are rare in coded pictures, so the search looks for those, 64 bytes at a step: a word and the
/// word one byte further on, put together by "or", have a zero byte just where two zeros stand in a row.
@inline(__always)
func indexOfZeroPair(
  before third: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int
) -> Int? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let signs: UInt64 = 0x8080_8080_8080_8080
  var index = start
  while index <= end &- 66 {
    var found: UInt64 = 0
    for step in 0..<8 {
      let at = index &+ step &* 8
      let pairs =
        unsafe base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        | base.loadUnaligned(fromByteOffset: at &+ 1, as: UInt64.self)
      // Its sign bits are set where a byte is zero, and nowhere if none is.
      found |= (pairs &- ones) & ~pairs
    }
    if found & signs != 0 {
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
