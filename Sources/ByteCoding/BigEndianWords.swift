// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Loops over consecutive big-endian numbers: sample tables can have millions of rows.
extension ByteView {
  /// Calls `body` with each 64-bit word in `range`, which counts words; words outside the view are skipped.
  @inlinable
  package func forEachWord64(_ range: Range<Int>, _ body: (UInt64) -> Void) {
    let words = range.clamped(to: 0..<(count &>> 3))
    let base = unsafe UnsafeRawPointer(storage.base) + start
    for index in words {
      body(UInt64(bigEndian: unsafe base.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)))
    }
    withExtendedLifetime(storage) {}
  }

  /// The sum of every `stride`th 32-bit word in `range`, which counts words; words outside the view are skipped.
  @inlinable
  package func sumOfWords32(_ range: Range<Int>, stride: Int = 1) -> UInt64 {
    let words = range.clamped(to: 0..<(count &>> 2))
    let base = unsafe UnsafeRawPointer(storage.base) + start
    var sum: UInt64 = 0
    var index = words.lowerBound
    while index < words.upperBound {
      sum &+= UInt64(
        UInt32(bigEndian: unsafe base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)))
      index &+= max(1, stride)
    }
    withExtendedLifetime(storage) {}
    return sum
  }

  /// The 32-bit word at `index`, which counts words; 0 outside the view.
  @inlinable
  package func word32(_ index: Int) -> UInt32 {
    guard index >= 0, index < count &>> 2 else { return 0 }
    return UInt32(
      bigEndian: unsafe storage.base.loadUnaligned(fromByteOffset: start &+ index &* 4, as: UInt32.self))
  }

  /// The 64-bit word at `index`, which counts words; 0 outside the view.
  @inlinable
  package func word64(_ index: Int) -> UInt64 {
    guard index >= 0, index < count &>> 3 else { return 0 }
    return UInt64(
      bigEndian: unsafe storage.base.loadUnaligned(fromByteOffset: start &+ index &* 8, as: UInt64.self))
  }
}
