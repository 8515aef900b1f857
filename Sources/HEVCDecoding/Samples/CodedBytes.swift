// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The bytes of the slice segment that is being decoded, in memory that stays where it is.
final class CodedBytes {
  private var memory = Memory<UInt8>(count: 4096, repeating: 0)

  deinit { memory.free() }

  /// Takes the bytes of a slice segment; what was read from the one before is void.
  func words(_ data: ByteView) -> CodedWords {
    if memory.count < data.count {
      memory.free()
      memory = Memory(count: data.count + data.count / 2, repeating: 0)
    }
    memory.copy(from: data)
    return CodedWords(memory, count: data.count, from: 0)
  }
}
