// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// How many bytes from `first` on equal those from `second` on, at most `limit`.
  package func countSame(_ first: Int, _ second: Int, limit: Int) -> Int {
    guard first >= 0, second >= 0, limit > 0 else { return 0 }
    let limit = Swift.min(limit, count &- Swift.max(first, second))
    var length = 0
    // SAFETY: both places and the eight bytes from there are before the end, since `length + 8 <= limit`.
    let bytes = unsafe self.bytes
    while length &+ 8 <= limit {
      let one = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: first &+ length, as: UInt64.self)
      let other = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: second &+ length, as: UInt64.self)
      let difference = UInt64(littleEndian: one ^ other)
      if difference != 0 { return length &+ difference.trailingZeroBitCount / 8 }
      length &+= 8
    }
    while length < limit, self[first &+ length] == self[second &+ length] { length &+= 1 }
    return length
  }
}

/// Whether two buffers of the same size have the same bytes. Whole tables are compared, so that it takes words and not single bytes.
func hasSameBytes(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
  let count = min(one.count, other.count)
  guard count > 0, let left = one.baseAddress, let right = other.baseAddress else {
    return true
  }
  // SAFETY: every load ends at or before `count`, the size of both buffers.
  func difference(_ place: Int) -> UInt64 {
    unsafe (left + place).loadUnaligned(as: UInt64.self) ^ (right + place).loadUnaligned(as: UInt64.self)
  }
  var place = 0
  while place &+ 32 <= count {
    let all =
      difference(place) | difference(place &+ 8) | difference(place &+ 16) | difference(place &+ 24)
    if all != 0 { return false }
    place &+= 32
  }
  while place &+ 8 <= count {
    if difference(place) != 0 { return false }
    place &+= 8
  }
  while place < count {
    if unsafe left.load(fromByteOffset: place, as: UInt8.self)
      != right.load(fromByteOffset: place, as: UInt8.self)
    {
      return false
    }
    place &+= 1
  }
  return true
}
