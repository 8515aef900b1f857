// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension ByteView {
  /// The index of the next start code prefix, `00 00 01`, that begins at `index` or after it and ends within these
  /// bytes. ISO/IEC 23008-2, B.2
  public func startCode(from index: Int) -> Int? {
    let from = start &+ Swift.min(Swift.max(index, 0), count)
    return unsafe indexOfZeroPair(before: 1, in: UnsafeRawPointer(storage.base), from: from, to: end)
      .map { $0 &- start }
  }

  /// How many zero bytes immediately precede `index`.
  public func zeroBytes(before index: Int) -> Int {
    let last = start &+ Swift.min(Swift.max(index, 0), count)
    var first = last
    while first > start, unsafe storage.base.load(fromByteOffset: first &- 1, as: UInt8.self) == 0 {
      first &-= 1
    }
    return last &- first
  }

  /// How many consecutive zero bytes begin at `index`.
  public func zeroBytes(from index: Int) -> Int {
    let first = start &+ Swift.min(Swift.max(index, 0), count)
    var last = first
    while last < end, unsafe storage.base.load(fromByteOffset: last, as: UInt8.self) == 0 { last &+= 1 }
    return last &- first
  }
}
