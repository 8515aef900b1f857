// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Pictures that are decoded only if one that is wanted depends on them: nothing but their headers has been read.
///
/// They name one another by number, in the order of decoding, so that a long row of them is no chain of references.
struct DeferredPictures {
  private struct Entry {
    let work: PictureWork
    let cost: Int
  }

  private var entries: [Int: Entry] = [:]
  /// How many bytes they keep, about.
  private(set) var cost = 0

  var isEmpty: Bool { entries.isEmpty }

  func contains(_ number: Int) -> Bool { entries[number] != nil }

  /// Puts a picture off.
  mutating func add(_ work: PictureWork, number: Int) {
    // A picture takes a few hundred bytes besides its data.
    let entry = Entry(work: work, cost: work.segments.reduce(1_024) { $0 + $1.data.count + 512 })
    cost += entry.cost - (entries[number]?.cost ?? 0)
    entries[number] = entry
  }

  /// Takes out pictures and all that they depend on, in the order of decoding.
  mutating func take(_ numbers: some Sequence<Int>) -> [PictureWork] {
    closure(of: numbers).sorted().compactMap { number in
      guard let entry = entries.removeValue(forKey: number) else { return nil }
      cost -= entry.cost
      return entry.work
    }
  }

  /// Forgets the pictures on which none of these depends.
  mutating func keep(_ numbers: some Sequence<Int>) {
    let needed = closure(of: numbers)
    entries = entries.filter { needed.contains($0.key) }
    cost = entries.values.reduce(0) { $0 + $1.cost }
  }

  mutating func removeAll() { self = DeferredPictures() }

  private func closure(of numbers: some Sequence<Int>) -> Set<Int> {
    var found: Set<Int> = []
    var open = Array(numbers)
    while let number = open.popLast() {
      guard let entry = entries[number], found.insert(number).inserted else { continue }
      open += entry.work.references
    }
    return found
  }
}
