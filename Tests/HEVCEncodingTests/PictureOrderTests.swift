// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HEVCEncoding

/// Plans beside a model of what a decoder keeps and when it outputs, by C.5.2 of ISO/IEC 23008-2.
@Suite struct PictureOrderTests {
  /// The decoded picture buffer of a decoder that outputs as late as it may.
  private struct Buffer {
    var stored: [Int: (isReference: Bool, isWaiting: Bool)] = [:]
    var output: [Int] = []
    var largest = 0

    mutating func output(_ isOver: (Self) -> Bool) {
      while isOver(self), let next = stored.filter({ $0.value.isWaiting }).map(\.key).min() {
        output.append(next)
        stored[next]?.isWaiting = false
      }
    }

    mutating func decode(_ picture: PlannedPicture, reordered: Int) -> String? {
      let set = Set(picture.references)
      guard set.count == picture.references.count else { return "\(picture.number) names one twice" }
      guard !picture.isKey || set.isEmpty else { return "\(picture.number) is a key and keeps others" }
      for number in set where stored[number]?.isReference != true {
        return "\(picture.number) lacks \(number)"
      }
      for number in stored.keys where !set.contains(number) { stored[number]?.isReference = false }
      func remove(_ buffer: inout Self) {
        buffer.stored = buffer.stored.filter { $0.value.isReference || $0.value.isWaiting }
      }
      remove(&self)
      stored[picture.number] = (true, true)
      largest = max(largest, stored.count)
      if let last = output.last, last > picture.number { return "\(picture.number) comes after \(last)" }
      output { $0.stored.filter { $0.value.isWaiting }.count > reordered }
      return nil
    }
  }

  @Test(arguments: [1, 2, 4, 8, 16], [1, 2, 3]) func decodersHaveWhatTheyNeed(groupSize: Int, anchors: Int) {
    for inner in [(1, 1), (2, 1), (2, 2)] {
      for count in Set([1, 2, 3, groupSize, groupSize + 2, 2 * groupSize + 4, 2 * groupSize + 5]) {
        for keyInterval in [1, 2, 7, 100] {
          for cut in [0, 3, 8, 9] {
            let order = PictureOrder(groupSize: groupSize, anchorCount: anchors, innerReferences: inner)
            var planner = GroupPlanner(order, keyInterval: keyInterval)
            var planned: [PlannedPicture] = []
            for number in 0..<count { planned += planner.add(isCut: number > 0 && number == cut) }
            planned += planner.finish()
            let what =
              "groups of \(groupSize), \(anchors) anchors, \(inner), \(count) pictures, key \(keyInterval)"
            #expect(planned.map(\.number).sorted() == Array(0..<count), "\(what)")
            var buffer = Buffer(), used: Set<Int> = []
            for picture in planned {
              let problem = buffer.decode(picture, reordered: order.reorderedPictures)
              #expect(problem == nil, "\(what)")
              used.formUnion(picture.before + picture.after)
              #expect(picture.before.allSatisfy { $0 < picture.number }, "\(what)")
              #expect(picture.after.allSatisfy { $0 > picture.number }, "\(what)")
              #expect(picture.isKey || !picture.before.isEmpty, "\(what)")
            }
            buffer.output { _ in true }
            #expect(buffer.output == Array(0..<count) && buffer.largest <= order.pictureBuffers, "\(what)")
            // What is not marked as a reference is not one.
            #expect(planned.allSatisfy { $0.isReferenced || !used.contains($0.number) }, "\(what)")
            let keys = planned.filter(\.isKey).map(\.number)
            // A cut is one if none of the 8 pictures before it is.
            var wanted = [0]
            for number in 1..<max(1, count) {
              let distance = number - wanted[wanted.count - 1]
              if distance == keyInterval || number == cut && distance >= 8 { wanted.append(number) }
            }
            #expect(keys == wanted, "\(what), cut at \(cut)")
          }
        }
      }
    }
  }

  /// The order of a whole group of eight, by hand.
  @Test func groupOfEight() {
    var order = PictureOrder(groupSize: 8, anchorCount: 2)
    _ = order.key(0)
    let group = order.group(1...8)
    #expect(group.map(\.number) == [8, 4, 2, 1, 3, 6, 5, 7])
    #expect(group.map(\.level) == [0, 1, 2, 3, 3, 2, 3, 3])
    #expect(group.map(\.isReferenced) == [true, true, true, false, false, true, false, false])
    #expect(group[2].before == [0] && group[2].after == [4] && group[2].kept == [8])
    #expect(group[6].before == [4] && group[6].after == [6] && group[6].kept == [0, 8])
    let next = order.group(9...9)
    #expect(next[0].before == [8, 0] && next[0].after == [])
  }
}
