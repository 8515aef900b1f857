// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Pictures that are decoded only if a wanted one depends on them: only their headers have been read.
///
/// They refer to one another by number, in decoding order, so that a long series of them does not become a chain
/// of references.
struct DeferredPictures {
  private struct Entry {
    let work: PictureWork
    let cost: Int
  }

  private var entries: [Int: Entry] = [:]
  /// How many bytes they keep alive, approximately.
  private(set) var cost = 0

  var isEmpty: Bool { entries.isEmpty }

  func contains(_ number: Int) -> Bool { entries[number] != nil }

  /// Defers a picture.
  mutating func add(_ work: PictureWork) {
    // A picture takes a few hundred bytes besides its data.
    let entry = Entry(work: work, cost: work.segments.reduce(1_024) { $0 + $1.data.count + 512 })
    cost += entry.cost - (entries[work.number]?.cost ?? 0)
    entries[work.number] = entry
  }

  /// Removes pictures and all those they depend on, and returns them in decoding order.
  mutating func take(_ numbers: some Sequence<Int>) -> [PictureWork] {
    closure(of: numbers).sorted().compactMap { number in
      guard let entry = entries.removeValue(forKey: number) else { return nil }
      cost -= entry.cost
      return entry.work
    }
  }

  /// Discards all pictures on which none of these depends.
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
