// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A literal byte, or a copy of bytes that came before. RFC 1951, 3.2.5
struct DeflateToken {
  /// The byte, or how many are copied: 3 to 258.
  let value: UInt16
  /// How far back they are: 1 to 32 768; 0 for a literal.
  let distance: UInt16

  static func literal(_ byte: UInt8) -> DeflateToken { DeflateToken(value: UInt16(byte), distance: 0) }
}

/// Finds repetitions within the 32 KiB before each byte: the places where the same three bytes begin are chained, the latest
/// first. A match is given up for a literal where the next byte begins a longer one.
struct MatchFinder {
  private static let window = 1 << 15
  private static let hashBits = 15
  static let shortest = 3
  static let longest = 258
  /// How many places are looked at.
  private static let patience = 128
  /// A match of so many bytes is not improved any more.
  private static let enough = 128
  /// After a match of so many bytes a quarter of the patience will do.
  private static let good = 8
  /// A match of so many bytes is taken without a look at the next byte.
  private static let taken = 32
  /// Three bytes from farther away cost more than they save.
  private static let farForShortest = 4_096

  /// The latest place of each hash, and after those the place before of each place in the window.
  private var chains: [Int32]
  /// Where the next token begins.
  private(set) var position = 0
  /// The match that begins there, where it was found already.
  private var known: Match?

  private struct Match {
    var length = 0
    var distance = 0
  }

  init() {
    chains = [Int32](repeating: -1, count: 1 << Self.hashBits + Self.window)
  }

  /// Appends the next tokens of `bytes`, which are the same at every call, until there are `count` of them or the bytes end.
  mutating func find(in bytes: Span<UInt8>, atMost count: Int, into tokens: inout [DeflateToken]) {
    var position = position, known = known
    // Of an array it would be asked with every byte whether it has other owners.
    var chains = chains.mutableSpan
    while tokens.count < count, position < bytes.count {
      let here = known ?? Self.match(at: position, longerThan: Self.shortest - 1, bytes, chains)
      known = nil
      guard here.length >= Self.shortest else {
        Self.insert(position, bytes, &chains)
        tokens.append(.literal(bytes[position]))
        position += 1
        continue
      }
      var next = position
      if here.length < Self.taken, position + 1 < bytes.count {
        Self.insert(position, bytes, &chains)
        let later = Self.match(at: position + 1, longerThan: here.length, bytes, chains)
        if later.length > here.length {
          known = later
          tokens.append(.literal(bytes[position]))
          position += 1
          continue
        }
        next += 1
      }
      position += here.length
      while next < position {
        Self.insert(next, bytes, &chains)
        next &+= 1
      }
      tokens.append(
        DeflateToken(
          value: UInt16(truncatingIfNeeded: here.length), distance: UInt16(truncatingIfNeeded: here.distance))
      )
    }
    self.position = position
    self.known = known
  }

  /// Where the place before a place is kept.
  @inline(__always)
  private static func link(_ place: Int) -> Int { 1 << hashBits + place & (window - 1) }

  @inline(__always)
  private static func hash(_ place: Int, _ bytes: Span<UInt8>) -> Int {
    let word =
      UInt32(bytes[place]) | UInt32(bytes[place &+ 1]) &<< 8 | UInt32(bytes[place &+ 2]) &<< 16
    return Int((word &* 0x9E37_79B1) &>> (32 &- UInt32(hashBits)))
  }

  @inline(__always)
  private static func insert(
    _ place: Int, _ bytes: Span<UInt8>, _ chains: inout MutableSpan<Int32>
  ) {
    guard place &+ 2 < bytes.count else { return }
    let hash = hash(place, bytes)
    chains[link(place)] = chains[hash]
    chains[hash] = Int32(truncatingIfNeeded: place)
  }

  /// The longest match at a place that is longer than `minimum`; of length 0 where there is none.
  private static func match(
    at place: Int, longerThan minimum: Int, _ bytes: Span<UInt8>, _ chains: borrowing MutableSpan<Int32>
  ) -> Match {
    let limit = min(longest, bytes.count - place)
    guard limit >= shortest, limit > minimum else { return Match() }
    var best = minimum, distance = 0
    var chances = minimum >= good ? patience / 4 : patience
    var candidate = Int(chains[hash(place, bytes)])
    let lowest = max(0, place - window)
    let first = bytes[place]
    var last = bytes[place &+ best]
    while candidate >= lowest, candidate < place, chances > 0 {
      chances &-= 1
      if bytes[candidate &+ best] == last, bytes[candidate] == first {
        let length = bytes.countSame(candidate, place, limit: limit)
        if length > best {
          best = length
          distance = place &- candidate
          if length >= enough || length == limit { break }
          last = bytes[place &+ best]
        }
      }
      let next = Int(chains[link(candidate)])
      // A link to a later place is left over from what has gone out of the window.
      guard next < candidate else { break }
      candidate = next
    }
    if distance == 0 || best == shortest && distance > farForShortest { return Match() }
    return Match(length: best, distance: distance)
  }
}
