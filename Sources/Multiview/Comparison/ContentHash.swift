// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC

/// A number by which equal bytes are known to be equal, with a doubt of one in 2^64. It does not resist forgery: it
/// shows whether a tool has kept a sample.
struct ContentHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0

  /// The hash of nothing.
  init() {}

  init(_ bytes: ByteView) { add(bytes) }

  /// The hash of a NAL unit. Zeros at its end, which some tools leave there from a byte stream, are not part of it.
  /// ISO/IEC 23008-2, 7.4.2.1
  init(_ unit: NALUnit) { add(unit) }

  /// The hash of a range of a file, which is read in pieces; of what is beyond its end there is nothing.
  init(bytesIn range: Range<UInt64>, of source: any ByteSource) throws(SourceError) {
    self.init()
    var position = range.lowerBound
    while position < range.upperBound {
      let piece = try source.read(position..<min(range.upperBound, position + Self.pieceBytes))
      guard !piece.isEmpty else { return }
      add(piece)
      position += UInt64(piece.count)
    }
  }

  private static let pieceBytes: UInt64 = 1 << 20

  /// Adds a NAL unit without zeros at its end.
  mutating func add(_ unit: NALUnit) { add(unit.withoutTrailingZeros) }

  /// Adds a piece; pieces in other order, or cut otherwise, give another hash.
  mutating func add(_ bytes: ByteView) {
    // Eight bytes a step; multiplication spreads each over all bits, and the fold brings the upper half down.
    var state = value ^ UInt64(clamping: bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    let count = bytes.count
    while index &+ 8 <= count, let word = bytes.bigEndian(at: index, width: 8) {
      state = Self.mixed(state ^ word)
      index &+= 8
    }
    if index < count, let rest = bytes.bigEndian(at: index, width: count &- index) {
      state = Self.mixed(state ^ rest)
    }
    value = Self.mixed(state)
  }

  /// Adds a number.
  mutating func add(_ number: UInt64) { value = Self.mixed(value ^ number) }

  private static func mixed(_ word: UInt64) -> UInt64 {
    let wide = (word ^ 0x2545_F491_4F6C_DD1D).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return wide.high ^ wide.low
  }
}

extension ContentHash: CustomStringConvertible {
  /// In sixteen digits.
  var description: String { hexadecimal(value, digits: 16) }
}
