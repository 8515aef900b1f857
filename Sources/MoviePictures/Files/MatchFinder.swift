// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A literal byte, or a copy of preceding bytes. RFC 1951, 3.2.5
struct DeflateToken {
  /// The byte, or the number of bytes that are copied: 3 to 258.
  let value: UInt16
  /// The distance back to the bytes that are copied: 1 to 32 768; 0 for a literal.
  let distance: UInt16

  static func literal(_ byte: UInt8) -> DeflateToken { DeflateToken(value: UInt16(byte), distance: 0) }
}

/// Finds repetitions within the 32 KiB that precede each byte: positions whose next three bytes have the same
/// hash are chained, the latest first. A match is replaced by a literal if the next byte begins a longer match.
struct MatchFinder {
  private static let window = 1 << 15
  private static let hashBits = 15
  static let shortest = 3
  static let longest = 258
  /// The largest number of positions that are tried for a match.
  private static let patience = 16
  /// A match of at least this many bytes ends the search.
  private static let enough = 128
  /// If the preceding byte begins a match of at least this many bytes, a quarter of the positions are tried.
  private static let good = 8
  /// A match of at least this many bytes is used without trying the next byte.
  private static let taken = 32
  /// The largest distance of a match of three bytes; from farther away it costs more than it saves.
  private static let farForShortest = 4_096

  /// The latest position of each hash, followed by the previous position in the chain of each position in the window.
  private var chains: ContiguousArray<Int32>
  /// The position of the next token.
  private(set) var position = 0
  /// The match at that position, if it was already found.
  private var known: Match?

  private struct Match {
    var length = 0
    var distance = 0
  }

  init() {
    chains = ContiguousArray(repeating: -1, count: 1 << Self.hashBits + Self.window)
  }

  /// Appends the next tokens of `bytes`, until there are `count` of them or the bytes end. Every call passes
  /// the same bytes.
  mutating func find(in bytes: Span<UInt8>, atMost count: Int, into tokens: inout [DeflateToken]) {
    var position = position, known = known
    // With an array, every access would check whether it has other owners.
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

  /// The index in `chains` of the previous position in the chain of a position.
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

  /// The longest match at a position if it is longer than `minimum`; otherwise a match of length 0.
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
      // A link to a later position belongs to a position that has left the window.
      guard next < candidate else { break }
      candidate = next
    }
    if distance == 0 || best == shortest && distance > farForShortest { return Match() }
    return Match(length: best, distance: distance)
  }
}
