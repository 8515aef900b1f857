// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Limits the bits of pictures so that the buffer of a decoder never runs dry: it is filled at a constant rate, up to its size, and each
/// picture is taken out of it at once.
///
/// Each picture gets a number of bits that it must not exceed, whatever it turns out to cost. Those of pictures whose bits are not known
/// yet are taken for used, so that the stream does not depend on threads.
struct BufferLimit: Sendable {
  /// A picture with what it may take.
  struct Limited: Hashable, Sendable {
    var qp: Int
    var bits: Int
  }

  /// How full the buffer is when the first picture is taken.
  static let start = 0.9

  private let size: Double
  /// How many bits come from one picture to the next.
  private let inflow: Double
  /// How full the buffer is before the first picture whose bits are not known.
  private var fullness: Double
  private var model: CostModel
  /// The pictures whose bits are not known yet, in coding order.
  private var pending: [(picture: PlannedPicture, limited: Limited)] = []

  /// - Parameters:
  ///   - bitRate: how many bits come in a second.
  ///   - size: how many bits the buffer holds.
  init(bitRate: Double, size: Double, frameRate: Double, model: CostModel) {
    self.size = size
    self.model = model
    inflow = bitRate / frameRate
    fullness = Self.start * size
  }

  /// What pictures that are planned together, in coding order, may take; their parameters are larger than those given if they
  /// are expected to take more.
  mutating func plan(_ pictures: [PlannedPicture], _ parameters: [Int]) -> [Limited] {
    var least = fullness
    for wait in pending { least = after(least, Double(wait.limited.bits)) }
    let expected = zip(pictures, parameters).map { model.bits($0, qp: Double($1)) }
    var rest = expected.reduce(0, +)
    var result: [Limited] = []
    for (index, picture) in pictures.enumerated() {
      // A share of all that comes until the last of them, as far as it has come.
      let all = least + Double(pictures.count - 1 - index) * inflow
      let share = min(least, all * expected[index] / max(rest, 1))
      rest -= expected[index]
      // More than a few times what is expected is left for others.
      let most = max(0, min(share, max(4 * expected[index], 2 * inflow)))
      let excess = 6 * PortableMath.log2(max(1, expected[index]) / max(1, most))
      let limited = Limited(
        qp: max(0, min(51, parameters[index] + Int(max(0, excess).rounded(.up)))), bits: Int(most))
      least = after(least, most)
      pending.append((picture, limited))
      result.append(limited)
    }
    return result
  }

  /// Adds what the next picture in coding order has taken, in all layers.
  mutating func add(bits: Int, qp: Int) {
    guard !pending.isEmpty else { return }
    let done = pending.removeFirst()
    fullness = after(fullness, Double(bits))
    model.add(done.picture, qp: qp, bits: bits)
  }

  /// How full the buffer is before the next picture, if one takes so many bits.
  private func after(_ fullness: Double, _ bits: Double) -> Double { min(size, fullness - bits + inflow) }
}
