// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Divides a sequence of pictures into groups as they come.
struct GroupPlanner: Sendable {
  private var order: PictureOrder
  /// How many pictures there are from one key picture to the next, at most.
  private let keyInterval: Int
  /// The same if pictures have times, which ``keySeconds`` limits.
  private let timedKeyInterval: Int
  /// After how many seconds a picture that has a time is a key picture.
  private let keySeconds: Double
  private var lastKey = 0
  /// When the last key picture is shown; `nil` if pictures have no times.
  private var lastKeyTime: Double?
  /// How many pictures there are at least from a key picture to one after a cut: flashes and fast motion look like many cuts.
  private static let nearest = 8
  /// The first picture that is not planned, and the one after the last.
  private var waiting = 0..<0

  /// - Parameters:
  ///   - keyInterval: how many pictures there are from one key picture to the next, at most.
  ///   - timedKeyInterval: the same if pictures have times; `nil` if only `keySeconds` limits it.
  ///   - keySeconds: after how many seconds a picture that has a time is a key picture.
  init(
    _ order: PictureOrder, keyInterval: Int, timedKeyInterval: Int? = nil, keySeconds: Double = .infinity
  ) {
    self.order = order
    self.keyInterval = max(1, keyInterval)
    // Groups are planned for key pictures alone, or for others between them.
    self.timedKeyInterval = keyInterval <= 1 ? 1 : max(1, timedKeyInterval ?? .max)
    self.keySeconds = keySeconds
  }

  /// Adds the next picture; returns those whose place is known now, in coding order.
  ///
  /// - Parameters:
  ///   - isCut: whether it shows something else than the one before; then it is a key picture, unless the last one is near.
  ///   - time: when it is shown, in seconds; `nil` if pictures have no times.
  mutating func add(isCut: Bool = false, time: Double? = nil) -> [PlannedPicture] {
    let number = waiting.upperBound
    let distance = number - lastKey
    var isDue = distance >= (time == nil ? keyInterval : timedKeyInterval)
    if let time, let lastKeyTime { isDue = isDue || time - lastKeyTime >= keySeconds }
    guard number > 0, !isDue, !isCut || distance < Self.nearest else {
      let planned = finish() + [order.key(number)]
      lastKey = number
      lastKeyTime = time
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
