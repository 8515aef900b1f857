// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import TestSupport

/// Bytes on their way to become other bytes.
struct FuzzMutation {
  /// The bytes.
  var bytes: [UInt8]
  /// How many there may be.
  let maximumSize: Int
  /// Where chance comes from.
  var random: SeededGenerator
  /// Changes some bytes without knowing what they mean.
  let plain: (inout [UInt8], inout SeededGenerator) -> Void

  /// True once in `count` times.
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// A number from 0 up to `count`, exclusive; 0 where that is 0.
  mutating func below(_ count: Int) -> Int { count > 0 ? Int.random(in: 0..<count, using: &random) : 0 }

  /// Changes the bytes without knowing what they mean.
  mutating func mutatePlainly() { plain(&bytes, &random) }

  /// A number at which things go wrong.
  mutating func edgeValue() -> UInt64 {
    let edges: [UInt64] = [
      0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000,
      0xFF_FFFF,
      0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF,
      0x8000_0000_0000_0000, .max,
    ]
    return chance(3) ? UInt64(below(24)) : edges[below(edges.count)]
  }
}

extension FuzzTarget {
  /// Other bytes of the same kind, at most `maximumSize` of them. `plain` changes bytes without knowing what they mean.
  public func mutated(
    _ bytes: [UInt8], maximumSize: Int, seed: UInt64,
    plain: @escaping (inout [UInt8], inout SeededGenerator) -> Void = FuzzTarget.flip
  ) -> [UInt8] {
    var mutation = FuzzMutation(
      bytes: bytes, maximumSize: maximumSize, random: SeededGenerator(seed: seed), plain: plain)
    if mutation.chance(3) {
      mutation.mutatePlainly()
    } else {
      mutator(&mutation)
      if mutation.bytes == bytes || mutation.bytes.count > maximumSize {
        mutation.bytes = bytes
        mutation.mutatePlainly()
      }
    }
    return Array(mutation.bytes.prefix(maximumSize))
  }

  /// Changes a few bytes, cuts some out, doubles some.
  @Sendable
  public static func flip(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      let length = min(Int.random(in: 1...16, using: &random), bytes.count - index)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeSubrange(index..<(index + length))
      case 1: bytes.insert(contentsOf: bytes[index..<(index + length)], at: index)
      case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
      case 3: for position in index..<min(bytes.count, index + 4) { bytes[position] = 0xFF }
      case 4: for position in index..<min(bytes.count, index + 4) { bytes[position] = 0 }
      case 5: bytes[index] = bytes[index] &+ 1
      case 6: bytes[index] = UInt8.random(in: 0...255, using: &random)
      default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
  }
}
