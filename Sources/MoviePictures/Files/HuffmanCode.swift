// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A prefix code in which frequent symbols have short codes, and no code is longer than a limit. RFC 1951, 3.2.2
struct HuffmanCode {
  /// The number of bits of each symbol; 0 for a symbol that does not occur.
  private(set) var lengths: [UInt8]
  /// The bits of each symbol, in the order in which they are written: least significant first.
  private(set) var codes: [UInt16]

  /// Makes the code of known lengths.
  init(lengths: [UInt8]) {
    self.lengths = lengths
    codes = Self.codes(lengths)
  }

  /// Makes the best code for symbols with these frequencies; with codes cut to the limit it may be slightly
  /// longer than the best. At least two symbols get a code, since some readers refuse a code with one symbol.
  init(frequencies: [Int], limit: Int) {
    var frequencies = frequencies
    var used = frequencies.indices.filter { frequencies[$0] > 0 }
    for symbol in frequencies.indices where used.count < 2 && frequencies[symbol] == 0 {
      frequencies[symbol] = 1
      used.append(symbol)
    }
    // Rare symbols first; those of equal frequency by number, so that the result is the same everywhere.
    used.sort { (frequencies[$0], $0) < (frequencies[$1], $1) }
    let counts = Self.lengthCounts(used.map { frequencies[$0] }, limit: limit)
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    var next = 0
    for length in stride(from: limit, to: 0, by: -1) {
      for _ in 0..<counts[length] where next < used.count {
        lengths[used[next]] = UInt8(length)
        next += 1
      }
    }
    self.init(lengths: lengths)
  }

  /// The number of symbols of each length, for weights in ascending order.
  private static func lengthCounts(_ weights: [Int], limit: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: limit + 1)
    for depth in depths(weights) { counts[min(depth, limit)] += 1 }
    // Codes that were cut to the limit take more than the code space: other codes become longer to make room.
    var taken = 0
    for length in 1...limit { taken += counts[length] << (limit - length) }
    while taken > 1 << limit {
      guard let length = (1..<limit).last(where: { counts[$0] > 0 }), counts[limit] > 0 else { break }
      // A leaf above the limit becomes the parent of itself and of a leaf at the limit.
      counts[length] -= 1
      counts[length + 1] += 2
      counts[limit] -= 1
      taken -= 1
    }
    return counts
  }

  /// The depth of each leaf of the Huffman tree, which is built by repeatedly joining the two lightest nodes.
  private static func depths(_ weights: [Int]) -> [Int] {
    let leaves = weights.count
    guard leaves > 1 else { return [Int](repeating: 1, count: leaves) }
    var sums = weights
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var leaf = 0, node = leaves
    func lightest() -> Int {
      if leaf < leaves, node >= sums.count || sums[leaf] <= sums[node] {
        leaf += 1
        return leaf - 1
      }
      node += 1
      return node - 1
    }
    while sums.count < 2 * leaves - 1 {
      let first = lightest(), second = lightest()
      parents[first] = sums.count
      parents[second] = sums.count
      sums.append(sums[first] + sums[second])
    }
    var depths = [Int](repeating: 0, count: sums.count)
    for index in stride(from: sums.count - 2, through: 0, by: -1) {
      depths[index] = depths[parents[index]] + 1
    }
    return Array(depths[..<leaves])
  }

  /// The codes of known lengths: those of one length are consecutive, and shorter codes precede longer ones.
  private static func codes(_ lengths: [UInt8]) -> [UInt16] {
    var counts = [Int](repeating: 0, count: 17)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 17)
    for length in 1...16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      let code = next[Int(length)]
      next[Int(length)] += 1
      var reversed = 0
      for bit in 0..<Int(length) where code >> bit & 1 == 1 { reversed |= 1 << (Int(length) - 1 - bit) }
      return UInt16(truncatingIfNeeded: reversed)
    }
  }

  /// The number of bits that symbols with these frequencies take.
  func cost(_ frequencies: [Int]) -> Int {
    var sum = 0
    for symbol in frequencies.indices { sum += frequencies[symbol] * Int(lengths[symbol]) }
    return sum
  }
}
