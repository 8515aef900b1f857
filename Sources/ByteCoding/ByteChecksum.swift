// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A checksum for comparing bytes that were written with those that are read again: two different runs of bytes
/// practically never have the same sum by accident. It does not protect against bytes that are made to deceive
/// it.
///
/// Four lanes each multiply two words of eight bytes and fold the 128 bits of the product, so that the speed is
/// limited by memory and not by the latency of a multiplication. The sum depends on the bytes alone, not on how
/// they are divided into pieces.
package struct ByteChecksum: Sendable {
  /// The number of bytes that all lanes process together.
  private static let blockBytes = 64

  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3
  )
  /// The bytes of a block that is not complete yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Makes the sum of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: ByteView) {
    unsafe bytes.withUnsafeBytes { buffer in unsafe add(buffer) }
  }

  /// Adds bytes.
  @unsafe
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var bytes = unsafe bytes
    if !rest.isEmpty {
      let missing = min(Self.blockBytes - rest.count, bytes.count)
      unsafe rest.append(contentsOf: bytes.prefix(missing))
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
      guard rest.count == Self.blockBytes else { return }
      unsafe rest.withUnsafeBytes { block in unsafe addBlocks(block) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count / Self.blockBytes * Self.blockBytes
    unsafe addBlocks(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    unsafe rest.append(contentsOf: bytes[whole...])
  }

  /// The sum of all bytes so far.
  package var value: UInt64 {
    var copy = self
    if !rest.isEmpty {
      copy.rest += [UInt8](repeating: 0, count: Self.blockBytes - rest.count)
      unsafe copy.rest.withUnsafeBytes { block in unsafe copy.addBlocks(block) }
    }
    let halves = (Self.folded(copy.lanes.0, copy.lanes.1), Self.folded(copy.lanes.2, copy.lanes.3))
    return Self.folded(halves.0 ^ count, halves.1 ^ 0x1D8E_4E27_C47D_124F)
  }

  /// Adds complete blocks.
  private mutating func addBlocks(_ bytes: UnsafeRawBufferPointer) {
    var (a, b, c, d) = lanes
    var index = 0
    while index < bytes.count {
      // In bounds: a whole block is left.
      func word(_ number: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: index &+ 8 &* number, as: UInt64.self)
      }
      a = Self.folded(a ^ word(0), word(1) ^ 0xA076_1D64_78BD_642F)
      b = Self.folded(b ^ word(2), word(3) ^ 0xE703_7ED1_A0B4_28DB)
      c = Self.folded(c ^ word(4), word(5) ^ 0x8EBC_6AF0_9C88_C6E3)
      d = Self.folded(d ^ word(6), word(7) ^ 0x5899_65CC_7537_4CC3)
      index &+= Self.blockBytes
    }
    lanes = (a, b, c, d)
  }

  /// Folds the two halves of a product. A factor is added, so that a product of 0 does not lose it.
  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return (product.high ^ product.low) &+ (left &<< 1 | 1)
  }
}
