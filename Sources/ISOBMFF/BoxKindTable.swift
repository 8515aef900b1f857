// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The kinds of boxes that were found so far, by type and surroundings.
///
/// A small movie has about forty kinds, of one or two boxes each, and a movie of many fragments looks up the same few kinds a
/// hundred thousand times: a dictionary would take longer than reading a box. The first kinds are found by an index derived
/// from the key; those that find no room there, as many kinds of a made-up file would, go into a dictionary.
struct BoxKindTable {
  /// A type and what matters of its surroundings, in three words.
  struct Key: Hashable {
    fileprivate let scope: UInt64
    fileprivate let type: UInt64
    fileprivate let versions: UInt64

    init(_ type: FourCC, _ around: BoxSurroundings, isQuickTime: Bool) {
      scope = around.scope.code
      self.type = UInt64(type.rawValue) << 32 | UInt64(around.handler?.rawValue ?? 0)
      versions =
        UInt64(around.sampleDescriptionVersion) << 16 | UInt64(around.parentVersion) << 8
        | (isQuickTime ? 1 : 0)
    }
  }

  /// There are 2 to the power of this many places.
  private static var bits: UInt64 { 8 }
  /// In how many of them a key may be, one after the other.
  private static var places: Int { 4 }

  /// The kinds that are found by an index, at most 255, with their keys.
  private var kinds: [BoxKind] = []
  /// All kinds; `nil` if there are more than are found by an index.
  var all: [BoxKind]? { others.isEmpty ? kinds : nil }
  private var keys: [Key] = []
  /// For each place, the position of a kind in `kinds`, plus 1; 0 if the place is free.
  private var numbers = [UInt8](repeating: 0, count: 1 << BoxKindTable.bits)
  /// The kinds for which there was no room.
  private var others: [Key: BoxKind] = [:]

  /// Starts without kinds.
  init() {
    kinds.reserveCapacity(64)
    keys.reserveCapacity(64)
  }

  private static func index(_ key: Key) -> Int {
    // Multiplicative hashing by odd constants: the upper bits depend on all bits of the key.
    let mixed =
      (key.scope ^ key.versions &<< 32) &* 0x9E37_79B9_7F4A_7C15 ^ key.type &* 0xC2B2_AE3D_27D4_EB4F
    return Int(mixed &>> (64 - bits))
  }

  /// The kind with this key; `nil` if there is none yet.
  subscript(key: Key) -> BoxKind? {
    let index = Self.index(key)
    for step in 0..<Self.places {
      let number = numbers[(index + step) % numbers.count]
      if number == 0 { break }
      if keys[Int(number) - 1] == key { return kinds[Int(number) - 1] }
    }
    return others.isEmpty ? nil : others[key]
  }

  /// Adds a kind that is not in the table.
  mutating func insert(_ kind: BoxKind, for key: Key) {
    let index = Self.index(key)
    for step in 0..<Self.places where kinds.count < UInt8.max {
      let place = (index + step) % numbers.count
      guard numbers[place] == 0 else { continue }
      kinds.append(kind)
      keys.append(key)
      numbers[place] = UInt8(kinds.count)
      return
    }
    others[key] = kind
  }
}
