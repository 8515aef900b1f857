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
