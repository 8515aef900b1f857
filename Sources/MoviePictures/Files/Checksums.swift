// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The checksum of a PNG chunk: a cyclic redundancy check. ISO 3309, as RFC 2083, section 15, uses it
struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
  }

  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of the bytes added so far.
  var value: UInt32 { ~state }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    let table = Self.table
    var state = state
    for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    self.state = state
  }
}

/// The checksum at the end of a zlib stream: two sums. RFC 1950, 8.2
struct Adler32 {
  private static let base: UInt32 = 65_521
  /// The number of bytes that can be added before a sum needs more than 32 bits.
  private static let longestRun = 5_552

  private var low: UInt32 = 1
  private var high: UInt32 = 0

  /// The checksum of the bytes added so far.
  var value: UInt32 { high << 16 | low }

  mutating func add(_ bytes: [UInt8]) {
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + Self.longestRun)
      while place < end {
        low &+= UInt32(bytes[place])
        high &+= low
        place &+= 1
      }
      low %= Self.base
      high %= Self.base
    }
  }
}
