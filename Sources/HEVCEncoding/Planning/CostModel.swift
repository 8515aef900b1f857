// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What pictures have cost so far: key pictures, and those of each level, as the bits that they would take with a quantisation
/// parameter of 0.
struct CostModel: Sendable {
  private struct Cost {
    var bits: Double
    /// Whether it follows from what a picture shows, and not from what others cost.
    var isExpected = false
    var isMeasured = false
  }

  private var keyCost: Cost
  private var costs: [Cost]

  /// How many bits a sample of the first key picture may take with a parameter of 27, before anything is known.
  private static let firstGuess = 0.4

  /// - Parameters:
  ///   - levels: how many levels pictures have.
  ///   - samples: the number of luma samples of all views at one time.
  init(levels: Int, samples: Int) {
    let key = Self.firstGuess * Double(samples) * PortableMath.exp2(27.0 / 6)
    keyCost = Cost(bits: key)
    costs = (0..<levels).map { Cost(bits: key * PortableMath.exp2(-1.5 - Double($0))) }
  }

  /// Sets what pictures like one are expected to take with a parameter of 27, by what it shows, if none of them is known yet.
  mutating func expect(_ picture: PlannedPicture, bits: Double) {
    guard !cost(picture).isMeasured, !cost(picture).isExpected else { return }
    let new = Cost(bits: max(1, bits) * PortableMath.exp2(27.0 / 6), isExpected: true)
    guard !picture.isKey else {
      for index in costs.indices where !costs[index].isMeasured && !costs[index].isExpected {
        costs[index].bits *= new.bits / keyCost.bits
      }
      keyCost = new
      return
    }
    costs[min(picture.level, costs.count - 1)] = new
  }

  /// Whether any key picture is known.
  var knowsKeys: Bool { keyCost.isMeasured }

  /// How many bits a picture is expected to take with a parameter.
  func bits(_ picture: PlannedPicture, qp: Double) -> Double { cost(picture).bits * Self.scale(qp) }

  /// Adds what a picture has taken, in all layers.
  mutating func add(_ picture: PlannedPicture, qp: Int, bits: Int) {
    let measured = Double(max(bits, 1)) / Self.scale(Double(qp))
    let level = min(picture.level, costs.count - 1)
    let old = cost(picture)
    let weight = !old.isMeasured ? 1 : picture.isKey || level == 0 ? 0.5 : 0.35
    let new = Cost(bits: old.bits * (1 - weight) + measured * weight, isMeasured: true)
    // What is not measured yet is off by as much.
    if !old.isMeasured {
      let factor = new.bits / old.bits
      if !keyCost.isMeasured { keyCost.bits *= factor }
      for index in costs.indices where !costs[index].isMeasured { costs[index].bits *= factor }
    }
    if picture.isKey { keyCost = new } else { costs[level] = new }
  }

  private func cost(_ picture: PlannedPicture) -> Cost {
    picture.isKey ? keyCost : costs[min(picture.level, costs.count - 1)]
  }

  /// How much of the cost is left with a parameter: half for every 6.
  private static func scale(_ qp: Double) -> Double { PortableMath.exp2(-qp / 6) }
}
