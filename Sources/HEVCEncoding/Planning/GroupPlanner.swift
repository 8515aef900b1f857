// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Divides a sequence of pictures into groups as they come.
struct GroupPlanner: Sendable {
  private var order: PictureOrder
  /// How many pictures there are from one key picture to the next, at most.
  private let keyInterval: Int
  private var lastKey = 0
  /// How many pictures there are at least from a key picture to one after a cut: flashes and fast motion look like many cuts.
  private static let nearest = 8
  /// The first picture that is not planned, and the one after the last.
  private var waiting = 0..<0

  init(_ order: PictureOrder, keyInterval: Int) {
    self.order = order
    self.keyInterval = max(1, keyInterval)
  }

  /// Adds the next picture; returns those whose place is known now, in coding order.
  ///
  /// - Parameter isCut: whether it shows something else than the one before; then it is a key picture, unless the last one is near.
  mutating func add(isCut: Bool = false) -> [PlannedPicture] {
    let number = waiting.upperBound
    let distance = number - lastKey
    guard number > 0, distance < keyInterval, !isCut || distance < Self.nearest else {
      let planned = finish() + [order.key(number)]
      lastKey = number
      waiting = (number + 1)..<(number + 1)
      return planned
    }
    waiting = waiting.lowerBound..<(number + 1)
    return waiting.count < order.groupSize ? [] : finish()
  }

  /// Plans the pictures that wait for more.
  mutating func finish() -> [PlannedPicture] {
    guard !waiting.isEmpty else { return [] }
    let planned = order.group(waiting.lowerBound...(waiting.upperBound - 1))
    waiting = waiting.upperBound..<waiting.upperBound
    return planned
  }
}
