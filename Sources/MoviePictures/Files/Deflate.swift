// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Compresses bytes without loss, as PNG stores them. RFC 1950 and RFC 1951
package enum Deflate {
  /// The largest number of tokens in a block, which share a pair of codes.
  private static let tokensOfBlock = 1 << 14
  /// The order in which the lengths of the code for lengths are written. RFC 1951, 3.2.7
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  /// The fixed codes. RFC 1951, 3.2.6
  private static let fixed = (
    literals: HuffmanCode(
      lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
    distances: HuffmanCode(lengths: [UInt8](repeating: 5, count: 30))
  )

  /// Returns a zlib stream of `bytes`.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    // Method 8 with a window of 32 KiB, and the default compression level.
    var out = BitOutput([0x78, 0x9C])
    compress(bytes, &out)
    out.align()
    var check = Adler32()
    check.add(bytes)
    out.bytes += check.value.bigEndianBytes
    return out.bytes
  }

  private static func compress(_ bytes: [UInt8], _ out: inout BitOutput) {
    var finder = MatchFinder()
    var tokens: [DeflateToken] = []
    tokens.reserveCapacity(tokensOfBlock)
    // `Array` has no spans before macOS 26 and iOS 26; its slices do.
    let whole = bytes[...]
    var start = 0
    repeat {
      tokens.removeAll(keepingCapacity: true)
      finder.find(in: whole.span, atMost: tokensOfBlock, into: &tokens)
      let end = finder.position
      write(tokens, bytes[start..<end], isLast: end == bytes.count, &out)
      start = end
    } while start < bytes.count
  }

  /// Writes a block in its shortest form: stored, with the fixed codes, or with codes of its own.
  private static func write(
    _ tokens: [DeflateToken], _ bytes: ArraySlice<UInt8>, isLast: Bool, _ out: inout BitOutput
  ) {
    var literals = [Int](repeating: 0, count: 286), distances = [Int](repeating: 0, count: 30)
    var extraBits = 0
    for token in tokens {
      if token.distance == 0 {
        literals[Int(token.value)] += 1
      } else {
        let length = lengthSymbol(Int(token.value)), distance = distanceSymbol(Int(token.distance))
        literals[length.symbol] += 1
        distances[distance.symbol] += 1
        extraBits += length.bits + distance.bits
      }
    }
    literals[256] = 1
    let own = (
      literals: HuffmanCode(frequencies: literals, limit: 15),
      distances: HuffmanCode(frequencies: distances, limit: 15)
    )
    let description = CodeDescription(own.literals, own.distances)
    let ownCost =
      description.cost + own.literals.cost(literals) + own.distances.cost(distances) + extraBits
    let fixedCost = fixed.literals.cost(literals) + fixed.distances.cost(distances) + extraBits
    let storedCost = (bytes.count + 4 * (bytes.count / 65_535 + 1)) * 8 + 8
    if storedCost < min(ownCost, fixedCost) {
      store(bytes, isLast: isLast, &out)
      return
    }
    out.append(isLast ? 1 : 0, 1)
    if fixedCost <= ownCost {
      out.append(1, 2)
      write(tokens, fixed.literals, fixed.distances, &out)
    } else {
      out.append(2, 2)
      description.write(order: lengthOrder, &out)
      write(tokens, own.literals, own.distances, &out)
    }
  }

  private static func write(
    _ tokens: [DeflateToken], _ literals: HuffmanCode, _ distances: HuffmanCode, _ out: inout BitOutput
  ) {
    for token in tokens {
      if token.distance == 0 {
        out.append(Int(literals.codes[Int(token.value)]), Int(literals.lengths[Int(token.value)]))
      } else {
        let length = lengthSymbol(Int(token.value)), distance = distanceSymbol(Int(token.distance))
        out.append(Int(literals.codes[length.symbol]), Int(literals.lengths[length.symbol]))
        out.append(length.extra, length.bits)
        out.append(Int(distances.codes[distance.symbol]), Int(distances.lengths[distance.symbol]))
        out.append(distance.extra, distance.bits)
      }
    }
    out.append(Int(literals.codes[256]), Int(literals.lengths[256]))
  }

  /// Writes bytes uncompressed, at most 65 535 in a block.
  private static func store(_ bytes: ArraySlice<UInt8>, isLast: Bool, _ out: inout BitOutput) {
    var rest = bytes
    repeat {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      out.append(isLast && rest.isEmpty ? 1 : 0, 3)
      out.align()
      let count = UInt16(piece.count)
      out.bytes += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
      out.bytes += piece
    } while !rest.isEmpty
  }

  /// The symbol of a length, and the number and value of the extra bits that follow it. RFC 1951, 3.2.5
  private static func lengthSymbol(_ length: Int) -> (symbol: Int, bits: Int, extra: Int) {
    if length == MatchFinder.longest { return (285, 0, 0) }
    let value = length - MatchFinder.shortest
    if value < 8 { return (257 + value, 0, 0) }
    let bits = Int.bitWidth - 3 - value.leadingZeroBitCount
    return (257 + 4 * (bits + 1) + (value >> bits & 3), bits, value & (1 << bits - 1))
  }

  /// The symbol of a distance, and the number and value of the extra bits that follow it. RFC 1951, 3.2.5
  private static func distanceSymbol(_ distance: Int) -> (symbol: Int, bits: Int, extra: Int) {
    let value = distance - 1
    if value < 4 { return (value, 0, 0) }
    let bits = Int.bitWidth - 2 - value.leadingZeroBitCount
    return (2 * (bits + 1) + (value >> bits & 1), bits, value & (1 << bits - 1))
  }
}

/// The code lengths of a block's two codes, themselves written with a code. RFC 1951, 3.2.7
private struct CodeDescription {
  private let literalCount: Int
  private let distanceCount: Int
  /// The symbols, with the number and value of the extra bits that follow each.
  private var symbols: [(symbol: Int, bits: Int, extra: Int)] = []
  private let code: HuffmanCode
  /// An upper bound of the number of bits that it takes.
  private(set) var cost = 0

  init(_ literals: HuffmanCode, _ distances: HuffmanCode) {
    func used(_ lengths: [UInt8], atLeast minimum: Int) -> Int {
      max(minimum, (lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    }
    literalCount = used(literals.lengths, atLeast: 257)
    distanceCount = used(distances.lengths, atLeast: 1)
    let lengths = literals.lengths.prefix(literalCount) + distances.lengths.prefix(distanceCount)
    symbols = Self.runs(Array(lengths))
    var frequencies = [Int](repeating: 0, count: 19)
    for symbol in symbols { frequencies[symbol.symbol] += 1 }
    code = HuffmanCode(frequencies: frequencies, limit: 7)
    cost = 14 + 19 * 3 + code.cost(frequencies) + symbols.reduce(0) { $0 + $1.bits }
  }

  private static func runs(_ lengths: [UInt8]) -> [(symbol: Int, bits: Int, extra: Int)] {
    var found: [(symbol: Int, bits: Int, extra: Int)] = []
    var place = 0
    while place < lengths.count {
      let length = lengths[place]
      var count = 1
      while place + count < lengths.count, lengths[place + count] == length { count += 1 }
      place += count
      if length != 0 {
        found.append((Int(length), 0, 0))
        count -= 1
      }
      while count >= 3 {
        if length == 0, count >= 11 {
          let run = min(count, 138)
          found.append((18, 7, run - 11))
          count -= run
        } else if length == 0 {
          let run = min(count, 10)
          found.append((17, 3, run - 3))
          count -= run
        } else {
          let run = min(count, 6)
          found.append((16, 2, run - 3))
          count -= run
        }
      }
      for _ in 0..<count { found.append((Int(length), 0, 0)) }
    }
    return found
  }

  func write(order: [Int], _ out: inout BitOutput) {
    let written = max(4, (order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    out.append(literalCount - 257, 5)
    out.append(distanceCount - 1, 5)
    out.append(written - 4, 4)
    for symbol in order.prefix(written) { out.append(Int(code.lengths[symbol]), 3) }
    for symbol in symbols {
      out.append(Int(code.codes[symbol.symbol]), Int(code.lengths[symbol.symbol]))
      out.append(symbol.extra, symbol.bits)
    }
  }
}

/// An output of bits, which fills each byte from its least significant bit.
struct BitOutput {
  var bytes: [UInt8]
  private var pending: UInt64 = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Appends up to 16 bits.
  mutating func append(_ value: Int, _ bits: Int) {
    pending |= UInt64(truncatingIfNeeded: value) &<< UInt64(count)
    count &+= bits
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending &>>= 8
      count &-= 8
    }
  }

  /// Fills the current byte with zero bits and continues at the next one.
  mutating func align() {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    (pending, count) = (0, 0)
  }
}
