// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Chooses quantisation parameters so that the stream has a wanted number of bits per second, on average.
///
/// It knows what pictures of each level have cost, as the bits that they would take with a parameter of 0, and looks for the
/// parameter with which the pictures of a whole key interval cost what is wanted. What was spent too much or too little
/// is made good within a few seconds. It is told the bits of pictures in coding order, always the same number of
/// pictures late, so that the stream does not depend on threads.
struct RateControl: Sendable {
  /// How many pictures in coding order are planned before the bits of one are known.
  let delay: Int

  private let bitsPerPicture: Double
  /// How many pictures there are from one key picture to the next.
  private let interval: Double
  /// How many pictures of each level there are among those that are not key pictures.
  private let shares: [Double]
  /// How many pictures it takes to make good what was spent too much.
  private let window: Double

  /// What key pictures, and those of each level, cost with a parameter of 0.
  private var keyCost: Cost
  private var costs: [Cost]
  /// The pictures whose bits are not known yet, in coding order.
  private var pending: [Pending] = []
  /// The bits of the pictures that are known, less what they should have had.
  private var surplus = 0.0
  /// The parameter of the last pictures, before rounding.
  private var lastQP: Double?
  /// What rounding has left over.
  private var remainder = 0.0

  private struct Cost {
    var bits: Double
    var isMeasured = false
  }

  private struct Pending {
    var picture: PlannedPicture
    var qp: Int
  }

  /// How many bits a sample of the first key picture may take with a parameter of 27, before anything is known.
  private static let firstGuess = 0.4

  /// - Parameters:
  ///   - samples: the number of luma samples of all views at one time.
  init(bitRate: Double, frameRate: Double, keyInterval: Int, groupSize: Int, samples: Int) {
    bitsPerPicture = max(1, bitRate / frameRate)
    interval = Double(min(keyInterval, 1_000))
    delay = max(8, 2 * groupSize)
    window = max(frameRate, Double(2 * delay))
    let levels = Int.bitWidth - groupSize.leadingZeroBitCount
    // A group of 8 has one picture of level 0, one of level 1, two of level 2, and four of level 3.
    shares = (0..<levels).map { Double($0 == 0 ? 1 : 1 << ($0 - 1)) / Double(groupSize) }
    let key = Self.firstGuess * Double(samples) * PortableMath.exp2(27.0 / 6)
    keyCost = Cost(bits: key)
    costs = (0..<levels).map { Cost(bits: key * PortableMath.exp2(-1.5 - Double($0))) }
  }

  /// The parameters of pictures that are planned together, in coding order.
  ///
  /// - Parameter offset: by how much the parameter of a picture differs from that of others.
  mutating func plan(_ pictures: [PlannedPicture], offset: (PlannedPicture) -> Int) -> [Int] {
    // What is under way is expected to cost what the model says.
    var expected = surplus
    for wait in pending { expected += cost(wait.picture).bits * Self.scale(Double(wait.qp)) - bitsPerPicture }
    let correction = max(0.5, min(2, 1 - expected / (window * bitsPerPicture)))
    let keyOffset = Double(offset(PlannedPicture(number: 0, isKey: true)))
    var wanted = keyCost.bits * Self.scale(keyOffset)
    for (level, share) in shares.enumerated() {
      let levelOffset = Double(offset(PlannedPicture(number: 0, level: level)))
      wanted += (interval - 1) * share * costs[level].bits * Self.scale(levelOffset)
    }
    var base = 6 * PortableMath.log2(wanted / (interval * bitsPerPicture * correction))
    if let lastQP, keyCost.isMeasured { base = max(lastQP - 4, min(lastQP + 4, base)) }
    base = max(0, min(51, base))
    lastQP = base
    return pictures.map { picture in
      let exact = base + Double(offset(picture)) + remainder
      let qp = max(0, min(51, Int(exact.rounded())))
      remainder = max(-0.5, min(0.5, exact - Double(qp)))
      pending.append(Pending(picture: picture, qp: qp))
      return qp
    }
  }

  /// Adds what the next picture in coding order has taken, in all layers.
  mutating func add(bits: Int) {
    guard !pending.isEmpty else { return }
    let done = pending.removeFirst()
    surplus += Double(bits) - bitsPerPicture
    let measured = Double(max(bits, 1)) / Self.scale(Double(done.qp))
    let level = min(done.picture.level, costs.count - 1)
    let old = done.picture.isKey ? keyCost : costs[level]
    let weight = !old.isMeasured ? 1 : done.picture.isKey || level == 0 ? 0.5 : 0.35
    let new = Cost(bits: old.bits * (1 - weight) + measured * weight, isMeasured: true)
    // What is not measured yet is off by as much.
    if !old.isMeasured {
      let factor = new.bits / old.bits
      if !keyCost.isMeasured { keyCost.bits *= factor }
      for index in costs.indices where !costs[index].isMeasured { costs[index].bits *= factor }
    }
    if done.picture.isKey { keyCost = new } else { costs[level] = new }
  }

  private func cost(_ picture: PlannedPicture) -> Cost {
    picture.isKey ? keyCost : costs[min(picture.level, costs.count - 1)]
  }

  /// How much of the cost is left with a parameter: half for every 6.
  private static func scale(_ qp: Double) -> Double { PortableMath.exp2(-qp / 6) }
}
