// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Writes boxes byte by byte, without the library: inputs must not come from what is measured.
struct BoxWriter {
  private(set) var bytes: [UInt8] = []

  mutating func u8(_ value: UInt8) { bytes.append(value) }
  mutating func u16(_ value: UInt16) { bigEndian(UInt64(value), 2) }
  mutating func u32(_ value: UInt32) { bigEndian(UInt64(value), 4) }
  mutating func u64(_ value: UInt64) { bigEndian(value, 8) }
  mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }
  mutating func words(_ values: UInt32...) { for value in values { u32(value) } }
  mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
  mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }
  mutating func code(_ type: FourCC) { u32(type.rawValue) }

  private mutating func bigEndian(_ value: UInt64, _ width: Int) {
    for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// A box: what `content` writes, after its header.
  mutating func box(_ type: FourCC, _ content: (inout BoxWriter) -> Void) {
    let start = bytes.count
    u32(0)
    code(type)
    content(&self)
    let size = UInt32(bytes.count - start)
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index)) }
  }

  /// A box that begins with a version and flags.
  mutating func fullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout BoxWriter) -> Void
  ) {
    box(type) { writer in
      writer.u32(UInt32(version) << 24 | flags)
      content(&writer)
    }
  }
}

/// The bytes that hexadecimal digits stand for.
func bytes(hexadecimal text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// SplitMix64, so that every run has the same input.
struct Generator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Bytes as entropy coding makes them: any value is as likely as any other.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      let word = next()
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
