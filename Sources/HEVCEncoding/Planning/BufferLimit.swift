// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Limits the bits of pictures so that the buffer of a decoder never runs dry: it is filled at a constant rate, up to its size, and each
/// picture is taken out of it at once.
///
/// Each picture gets a number of bits that it must not exceed, whatever it turns out to cost. Those of pictures whose bits are not known
/// yet are taken for used, so that the stream does not depend on threads.
struct BufferLimit: Sendable {
  /// How full the buffer is when the first picture is taken.
  static let start = 0.9

  private let size: Double
  /// How many bits come from one picture to the next.
  private let inflow: Double
  /// How full the buffer is before the first picture whose bits are not known.
  private var fullness: Double

  /// - Parameters:
  ///   - bitRate: how many bits come in a second.
  ///   - size: how many bits the buffer holds.
  init(bitRate: Double, size: Double, frameRate: Double) {
    self.size = size
    inflow = bitRate / frameRate
    fullness = Self.start * size
  }

  /// Limits the bits of pictures that are planned together, in coding order; their parameters become larger if they are expected to
  /// take more.
  func limit(_ pictures: inout [BudgetedPicture], _ model: CostModel, _ pending: [BudgetedPicture]) {
    var least = fullness
    for wait in pending { least = after(least, Double(wait.bits)) }
    let expected = pictures.map { model.bits($0.picture, qp: Double($0.qp)) }
    var rest = expected.reduce(0, +)
    for index in pictures.indices {
      // A share of all that comes until the last of them, as far as it has come.
      let all = least + Double(pictures.count - 1 - index) * inflow
      let share = min(least, all * expected[index] / max(rest, 1))
      rest -= expected[index]
      // More than a few times what is expected is left for others.
      let most = max(0, min(share, max(4 * expected[index], 2 * inflow)))
      let excess = 6 * PortableMath.log2(max(1, expected[index]) / max(1, most))
      pictures[index].qp = min(51, pictures[index].qp + Int(max(0, excess).rounded(.up)))
      pictures[index].bits = Int(most)
      least = after(least, most)
    }
  }

  /// Adds what the next picture in coding order has taken.
  mutating func add(bits: Int) { fullness = after(fullness, Double(bits)) }

  /// How full the buffer is before the next picture, if one takes so many bits.
  private func after(_ fullness: Double, _ bits: Double) -> Double { min(size, fullness - bits + inflow) }
}
