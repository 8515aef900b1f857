// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Reads what deflate writes, bit by bit and without any care for speed: the other side of RFC 1950 and RFC 1951.
struct Inflation {
  private let bytes: [UInt8]
  private var place: Int
  private var bit = 0
  private(set) var output: [UInt8] = []
  /// The kinds of blocks that were met: 0 stored, 1 fixed, 2 dynamic.
  private(set) var kinds: [Int] = []

  /// The content of a zlib stream; `nil` where it is not one.
  static func zlib(_ bytes: [UInt8]) -> Inflation? {
    guard bytes.count >= 6, bytes[0] == 0x78, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 else {
      return nil
    }
    var reader = Inflation(bytes, at: 2)
    guard reader.readBlocks() else { return nil }
    var (low, high) = (1, 0)
    for byte in reader.output {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    if reader.bit > 0 { reader.place += 1 }
    let check = (0..<4).reduce(0) { $0 << 8 | Int(bytes[reader.place + $1]) }
    return check == high << 16 | low && reader.place + 4 == bytes.count ? reader : nil
  }

  private init(_ bytes: [UInt8], at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  private mutating func take(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count {
      guard place < bytes.count else { return value }
      value |= Int(bytes[place] >> UInt8(bit) & 1) << index
      bit += 1
      if bit == 8 { (place, bit) = (place + 1, 0) }
    }
    return value
  }

  /// The symbols of each length, in the order of their codes.
  private func table(_ lengths: [Int]) -> [[Int]] {
    (0...15).map { length in length == 0 ? [] : lengths.indices.filter { lengths[$0] == length } }
  }

  private mutating func symbol(_ table: [[Int]]) -> Int? {
    var code = 0, first = 0
    for length in 1...15 {
      code |= take(1)
      let count = table[length].count
      if code - first < count { return table[length][code - first] }
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }

  private mutating func readBlocks() -> Bool {
    var isLast = false
    while !isLast {
      isLast = take(1) == 1
      let kind = take(2)
      kinds.append(kind)
      switch kind {
      case 0:
        if bit > 0 { (place, bit) = (place + 1, 0) }
        let count = take(16), inverse = take(16)
        guard count == ~inverse & 0xFFFF, place + count <= bytes.count else { return false }
        output += bytes[place..<place + count]
        place += count
      case 1:
        let literals = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
        guard readSymbols(table(literals), table([Int](repeating: 5, count: 30))) else { return false }
      case 2:
        guard let (literals, distances) = readTables(), readSymbols(literals, distances) else { return false }
      default: return false
      }
    }
    return true
  }

  private mutating func readTables() -> ([[Int]], [[Int]])? {
    let literals = take(5) + 257, distances = take(5) + 1, count = take(4) + 4
    var own = [Int](repeating: 0, count: 19)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
      own[place] = take(3)
    }
    let code = table(own)
    var lengths: [Int] = []
    while lengths.count < literals + distances {
      guard let symbol = symbol(code) else { return nil }
      switch symbol {
      case 16:
        guard let last = lengths.last else { return nil }
        lengths += [Int](repeating: last, count: take(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: take(3) + 3)
      case 18: lengths += [Int](repeating: 0, count: take(7) + 11)
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == literals + distances, isComplete(own),
      isComplete(Array(lengths[..<literals])), isComplete(Array(lengths[literals...]))
    else { return nil }
    return (table(Array(lengths[..<literals])), table(Array(lengths[literals...])))
  }

  /// Whether every string of bits has a meaning, as strict readers demand.
  private func isComplete(_ lengths: [Int]) -> Bool {
    lengths.filter { $0 > 0 }.reduce(0) { $0 + 1 << (15 - $1) } == 1 << 15
  }

  private mutating func readSymbols(_ literals: [[Int]], _ distances: [[Int]]) -> Bool {
    let lengthBase = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
      227,
      258,
    ]
    let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    let distanceBase = [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
      4097,
      6145, 8193, 12289, 16385, 24577,
    ]
    while let symbol = symbol(literals) {
      if symbol == 256 { return true }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < 29 else { return false }
      let length = lengthBase[symbol - 257] + take(lengthBits[symbol - 257])
      guard let far = self.symbol(distances), far < 30 else { return false }
      let distance = distanceBase[far] + take(far < 4 ? 0 : far / 2 - 1)
      guard distance <= output.count else { return false }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }
}
