// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The sum of all bytes from `start` on as 64-bit words: what reading them costs at least.
func sumOfWords(_ bytes: [UInt8], from start: Int = 0) -> UInt64 {
  unsafe bytes.withUnsafeBytes { unsafe sumOfWords($0, from: start) }
}

/// The same of the very memory that a search goes through: another piece of memory may be faster or slower.
func sumOfWords(_ bytes: ByteView, from start: Int = 0) -> UInt64 {
  unsafe bytes.withUnsafeBytes { unsafe sumOfWords($0, from: start) }
}

private func sumOfWords(_ memory: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
  var sum: UInt64 = 0
  var index = start
  while index <= memory.count &- 8 {
    sum &+= unsafe memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    index &+= 8
  }
  return sum
}

let summingWords = "summing the bytes as 64-bit words"

/// Copies all bytes into memory that is there already.
@safe
final class Copier {
  private let memory: UnsafeMutableRawBufferPointer

  init(capacity: Int) { unsafe memory = .allocate(byteCount: capacity, alignment: 16) }

  deinit { unsafe memory.deallocate() }

  func copy(_ bytes: ByteView) -> UInt64 {
    unsafe bytes.withUnsafeBytes { source in
      unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(memory.count)))
    }
    return UInt64(unsafe memory[bytes.count / 2])
  }
}
