// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Chooses quantisation parameters so that the stream has a wanted number of bits per second, on average.
///
/// It looks for the parameter with which the pictures of a whole key interval cost what is wanted, by what pictures of each level have
/// cost. What was spent too much or too little is made good within a few seconds.
struct RateControl: Sendable {
  private let bitRate: Double
  /// How long pictures are shown on average, in seconds: that of the frame rate, unless times of pictures differ from it.
  private var pictureSeconds: Double
  /// How many pictures there are from one key picture to the next: at most as many as are allowed, and fewer where cuts are.
  private var interval: Double
  private var lastKey: Int?
  /// How many pictures of each level there are among those that are not key pictures.
  private let shares: [Double]
  /// How many seconds it takes to make good what was spent too much.
  private let window: Double

  /// The bits of the pictures that are known, less what they should have had.
  private var surplus = 0.0
  /// The parameter of the last pictures, before rounding.
  private var lastQP: Double?
  /// What rounding has left over.
  private var remainder = 0.0
  /// How long pictures without times are shown.
  private let nominalSeconds: Double
  /// Over how many pictures ``pictureSeconds`` is an average.
  private static let memory = 16.0
  /// A picture that is shown more than this many times as long as the others is a pause, and no measure for the pictures after it.
  private static let longest = 4.0

  init(bitRate: Double, frameRate: Double, keyInterval: Int, order: PictureOrder) {
    self.bitRate = max(frameRate, bitRate)
    nominalSeconds = 1 / frameRate
    pictureSeconds = nominalSeconds
    interval = Double(min(keyInterval, 1_000))
    window = max(1, Double(2 * order.ratingDelay) / frameRate)
    // A group of 8 has one picture of level 0, one of level 1, two of level 2, and four of level 3.
    shares = (0..<order.levels).map { Double($0 == 0 ? 1 : 1 << ($0 - 1)) / Double(order.groupSize) }
  }

  /// Plans pictures, in coding order, after those whose bits are not known yet.
  ///
  /// - Parameters:
  ///   - seconds: how long after the previous picture one is shown; `nil` for as long as the frame rate says.
  ///   - offset: by how much the parameter of a picture differs from that of others.
  mutating func plan(
    _ pictures: [PlannedPicture], _ model: CostModel, _ pending: [BudgetedPicture],
    seconds: (PlannedPicture) -> Double?, offset: (PlannedPicture) -> Int
  ) -> [BudgetedPicture] {
    for picture in pictures {
      guard let own = seconds(picture) else { continue }
      let most = max(nominalSeconds, Self.longest * pictureSeconds)
      pictureSeconds += (min(own, most) - pictureSeconds) / Self.memory
    }
    for picture in pictures where picture.isKey {
      if let lastKey { interval = (interval + Double(picture.number - lastKey)) / 2 }
      lastKey = picture.number
    }
    // What is under way is expected to cost what the model says.
    var expected = surplus
    for wait in pending {
      expected += model.bits(wait.picture, qp: Double(wait.qp)) - share(of: wait.seconds)
    }
    let correction = max(0.5, min(2, 1 - expected / (window * bitRate)))
    let key = PlannedPicture(number: 0, isKey: true)
    var wanted = model.bits(key, qp: Double(offset(key)))
    for (level, share) in shares.enumerated() {
      let picture = PlannedPicture(number: 0, level: level)
      wanted += (interval - 1) * share * model.bits(picture, qp: Double(offset(picture)))
    }
    var base = 6 * PortableMath.log2(wanted / (interval * pictureSeconds * bitRate * correction))
    if let lastQP, model.knowsKeys { base = max(lastQP - 4, min(lastQP + 4, base)) }
    base = max(0, min(51, base))
    lastQP = base
    return pictures.map { picture in
      let exact = base + Double(offset(picture)) + remainder
      let qp = max(0, min(51, Int(exact.rounded())))
      remainder = max(-0.5, min(0.5, exact - Double(qp)))
      return BudgetedPicture(picture: picture, qp: qp, seconds: seconds(picture))
    }
  }

  /// Adds what the next picture in coding order has taken.
  ///
  /// - Parameter seconds: how long after the previous picture it is shown; `nil` for as long as the frame rate says.
  mutating func add(bits: Int, seconds: Double? = nil) { surplus += Double(bits) - share(of: seconds) }

  /// How many bits a picture should have. After a pause, it has no more than can be made good in the usual time: the bits of a long
  /// one would else be spent on the pictures that follow.
  private func share(of seconds: Double?) -> Double {
    bitRate * min(seconds ?? nominalSeconds, max(window, nominalSeconds, Self.longest * pictureSeconds))
  }
}
