// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Bits written down field by field, by nothing that the library uses: `4:3` is u(4) of 3, `e:5` is ue(v),
/// `s:-2` is se(v), `0` and `1` and strings of them are bits, `A` fills the byte with ones, `T` ends it with
/// trailing bits, `x256` repeats a token that follows.
public func composedBits(_ text: String) -> ByteView {
  var bits = bitArray(text)
  while bits.count % 8 != 0 { bits.append(0) }
  return ByteView(
    stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    })
}

/// Returns the number of bits that ``composedBits(_:)`` makes from a text, before it fills the last byte.
public func composedBitCount(_ text: String) -> Int { bitArray(text).count }

private func bitArray(_ text: String) -> [UInt8] {
  var bits: [UInt8] = []
  func append(_ value: UInt64, _ count: Int) {
    for index in (0..<count).reversed() { bits.append(UInt8(value >> UInt64(index) & 1)) }
  }
  func appendGolomb(_ value: UInt64) {
    let length = 64 - (value + 1).leadingZeroBitCount
    append(0, length - 1)
    append(value + 1, length)
  }
  var repetitions = 1
  for token in text.split(whereSeparator: \.isWhitespace) {
    if token.hasPrefix("x") {
      repetitions = Int(token.dropFirst()) ?? 1
      continue
    }
    for _ in 0..<repetitions {
      let parts = token.split(separator: ":")
      switch (parts[0], parts.count) {
      case ("A", 1): while bits.count % 8 != 0 { bits.append(1) }
      case ("T", 1):
        bits.append(1)
        while bits.count % 8 != 0 { bits.append(0) }
      case ("e", 2): appendGolomb(UInt64(parts[1]) ?? 0)
      case ("s", 2):
        let value = Int64(parts[1]) ?? 0
        appendGolomb(value > 0 ? UInt64(2 * value - 1) : UInt64(-2 * value))
      case (let width, 2): append(UInt64(parts[1]) ?? 0, Int(width) ?? 0)
      case (let flags, _): for flag in flags { bits.append(flag == "1" ? 1 : 0) }
      }
    }
    repetitions = 1
  }
  return bits
}
