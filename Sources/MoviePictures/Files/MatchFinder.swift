// swift-multiview · SPDX-License-Identifier: Apache-2.0

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

  private let bytes: [UInt8]
  private var head: [Int32]
  private var previous: [Int32]
  /// Where the next token begins.
  private(set) var position = 0
  /// The match that begins there, where it was found already.
  private var known: (length: Int, distance: Int)?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    head = [Int32](repeating: -1, count: 1 << Self.hashBits)
    previous = [Int32](repeating: -1, count: Self.window)
  }

  /// The next token; `nil` at the end.
  mutating func next() -> DeflateToken? {
    guard position < bytes.count else { return nil }
    let here = known ?? match(at: position, longerThan: Self.shortest - 1)
    known = nil
    guard here.length >= Self.shortest else { return step() }
    if here.length < Self.taken, position + 1 < bytes.count {
      insert(position)
      let later = match(at: position + 1, longerThan: here.length)
      if later.length > here.length {
        known = later
        position += 1
        return .literal(bytes[position - 1])
      }
      advance(to: position + here.length, from: position + 1)
    } else {
      advance(to: position + here.length, from: position)
    }
    return DeflateToken(
      value: UInt16(truncatingIfNeeded: here.length), distance: UInt16(truncatingIfNeeded: here.distance))
  }

  private mutating func step() -> DeflateToken {
    insert(position)
    position += 1
    return .literal(bytes[position - 1])
  }

  private mutating func advance(to end: Int, from start: Int) {
    for place in start..<end { insert(place) }
    position = end
  }

  private func hash(_ place: Int) -> Int {
    let word =
      UInt32(bytes[place]) | UInt32(bytes[place &+ 1]) &<< 8 | UInt32(bytes[place &+ 2]) &<< 16
    return Int((word &* 0x9E37_79B1) &>> (32 &- UInt32(Self.hashBits)))
  }

  private mutating func insert(_ place: Int) {
    guard place &+ 2 < bytes.count else { return }
    let hash = hash(place)
    previous[place & (Self.window - 1)] = head[hash]
    head[hash] = Int32(truncatingIfNeeded: place)
  }

  /// The longest match at a place that is longer than `minimum`; of length 0 where there is none.
  private func match(at place: Int, longerThan minimum: Int) -> (length: Int, distance: Int) {
    let limit = min(Self.longest, bytes.count - place)
    guard limit >= Self.shortest, limit > minimum else { return (0, 0) }
    var best = minimum, distance = 0
    var chances = minimum >= Self.good ? Self.patience / 4 : Self.patience
    var candidate = Int(head[hash(place)])
    let lowest = max(0, place - Self.window)
    while candidate >= lowest, candidate < place, chances > 0 {
      chances &-= 1
      if bytes[candidate &+ best] == bytes[place &+ best], bytes[candidate] == bytes[place] {
        var length = 0
        while length < limit, bytes[candidate &+ length] == bytes[place &+ length] { length &+= 1 }
        if length > best {
          best = length
          distance = place &- candidate
          if length >= Self.enough || length == limit { break }
        }
      }
      let next = Int(previous[candidate & (Self.window - 1)])
      // A link to a later place is left over from what has gone out of the window.
      guard next < candidate else { break }
      candidate = next
    }
    if distance == 0 || best == Self.shortest && distance > Self.farForShortest { return (0, 0) }
    return (best, distance)
  }
}
