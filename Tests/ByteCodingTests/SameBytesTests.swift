// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct SameBytesTests {
  /// Views of every length at every place in their memory, with one bit of one byte changed: what arrays of the same bytes say.
  @Test func viewsAreEqualWhereTheirBytesAre() {
    var generator = SeededGenerator(seed: 3)
    for count in 0...100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for (first, second) in [(0, 0), (1, 0), (3, 6), (7, 1)] {
        let one = ByteView([UInt8](repeating: 1, count: first) + bytes).suffix(from: first)
        let same = ByteView([UInt8](repeating: 2, count: second) + bytes + [9]).suffix(from: second).prefix(
          count)
        #expect(one == same && one.array == same.array)
        #expect(count == 0 || one != same.prefix(count - 1))
        let missed = bytes.indices.filter { place in
          var others = bytes
          others[place] ^= 1 << UInt8(place % 8)
          let other = ByteView([UInt8](repeating: 2, count: second) + others).suffix(from: second)
          return one == other || other == one
        }
        #expect(missed.isEmpty, "\(count) bytes")
      }
    }
  }

  @Test func viewsOfTheSameMemoryKnowTheirPlace() {
    let all = ByteView([1, 2, 3, 1, 2, 3])
    #expect(all.prefix(3) == all.suffix(from: 3))
    #expect(all.prefix(3).place.memory == all.place.memory && all.suffix(from: 3).place.range == 3..<6)
    #expect(all.copy().place.memory != all.place.memory)
  }
}
