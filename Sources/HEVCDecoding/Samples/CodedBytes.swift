// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVCCoding

/// The bytes of the slice segment being decoded, in memory that does not move.
final class CodedBytes {
  private var memory = Memory<UInt8>(count: 4096, repeating: 0)

  deinit { memory.free() }

  /// Copies the bytes of a slice segment; readers of the previous one become invalid.
  func words(_ data: ByteView) -> CodedWords {
    if memory.count < data.count {
      memory.free()
      memory = Memory(count: data.count + data.count / 2, repeating: 0)
    }
    memory.copy(from: data)
    return CodedWords(memory, count: data.count, from: 0)
  }
}
