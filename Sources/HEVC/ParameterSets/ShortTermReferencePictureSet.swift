// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `st_ref_pic_set( stRpsIdx )`: which earlier pictures are kept, and which of them the current picture uses.
public struct ShortTermReferencePictureSet: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.7"

  /// The place of the set, which determines its first fields. Set before coding.
  public enum Position: Hashable, Sendable {
    /// It is the first in a sequence parameter set.
    case first
    /// It is a later one in a sequence parameter set; the previous set is the reference.
    case later(reference: ReferencePictureDeltas)
    /// It is in a slice segment header; any set of the sequence parameter set may be the reference.
    case slice(candidates: [ReferencePictureDeltas])
  }

  /// A set that is predicted from another one.
  public struct Prediction: Hashable, Sendable {
    /// How many sets before this one the reference is, less 1; `nil` except in slice segment headers
    /// (`delta_idx_minus1`).
    public var deltaIdxMinus1: UInt32?
    /// Whether the difference to the reference is negative (`delta_rps_sign`).
    public var deltaRpsSign = false
    /// The absolute difference of order counts to the reference, less 1 (`abs_delta_rps_minus1`).
    public var absDeltaRpsMinus1: UInt32 = 0
    /// Whether the current picture uses each picture, in bit j (`used_by_curr_pic_flag[j]`).
    public var usedByCurrPicFlags: UInt32 = 0
    /// Whether each picture is in the set, in bit j; set where inferred (`use_delta_flag[j]`).
    public var useDeltaFlags: UInt32 = .max

    /// Makes a prediction that keeps no pictures.
    public init() {}

    /// The difference of order counts to the reference (`deltaRps`).
    var deltaRps: Int32 {
      let magnitude = Int32(clamping: absDeltaRpsMinus1) &+ 1
      return deltaRpsSign ? 0 &- magnitude : magnitude
    }
  }

  /// The place of the set.
  public var position = Position.first
  /// The set from which this one is predicted, if it is predicted.
  public private(set) var reference = ReferencePictureDeltas()

  /// How the set is predicted from another; `nil` if `inter_ref_pic_set_prediction_flag` is 0.
  public var prediction: Prediction?
  /// How many pictures precede this one in output order (`num_negative_pics`).
  public var numNegativePics: UInt32 = 0
  /// How many pictures follow this one in output order (`num_positive_pics`).
  public var numPositivePics: UInt32 = 0
  /// The coded distances: `delta_poc_s0_minus1` and then `delta_poc_s1_minus1`.
  private var deltaPocMinus1 = SIMD16<UInt16>(repeating: 0)
  /// `used_by_curr_pic_s0_flag` and then `used_by_curr_pic_s1_flag`, one bit each from bit 0.
  private var usedByCurrPic: UInt32 = 0

  public init() {}

  /// Makes a set for a slice segment header.
  public init(inSliceOf sets: [ShortTermReferencePictureSet]) {
    position = .slice(candidates: sets.map(\.deltas))
  }

  /// Makes a set for a slice segment header from the distances of its pictures, each nearer to the current one than the
  /// next: the preceding ones are less than 0. `nil` if there are more than 16, or they are in another order.
  package init?(
    before: [(delta: Int, isUsed: Bool)], after: [(delta: Int, isUsed: Bool)]
  ) {
    guard before.count + after.count <= 16 else { return nil }
    position = .slice(candidates: [])
    var index = 0
    for (pictures, sign) in [(before, -1), (after, 1)] {
      var last = 0
      for picture in pictures {
        guard let step = UInt16(exactly: sign * picture.delta - last - 1), step <= 32_767 else { return nil }
        last = sign * picture.delta
        deltaPocMinus1[index] = step
        if picture.isUsed { usedByCurrPic |= 1 &<< UInt32(index) }
        index += 1
      }
    }
    numNegativePics = UInt32(before.count)
    numPositivePics = UInt32(after.count)
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var isPredicted = prediction != nil
    switch position {
    case .first: isPredicted = false
    case .later(let previous):
      try c.flag("inter_ref_pic_set_prediction_flag", &isPredicted)
      reference = previous
    case .slice(let candidates):
      guard !candidates.isEmpty else {
        isPredicted = false
        break
      }
      try c.flag("inter_ref_pic_set_prediction_flag", &isPredicted)
    }
    if isPredicted {
      var predicted = prediction ?? Prediction()
      defer { prediction = predicted }
      try layout(&predicted, &c)
      guard !Self.predicted(predicted, from: reference).isOverfull else {
        throw c.failure(.invalid("has more than 16 pictures"), "st_ref_pic_set")
      }
    } else {
      prediction = nil
      try layoutPictures(&c)
    }
  }

  private mutating func layout(_ p: inout Prediction, _ c: inout some Coder) throws(ParseError) {
    if case .slice(let candidates) = position {
      try c.ue(
        "delta_idx_minus1", &p.deltaIdxMinus1, if: true, in: 0...UInt32(clamping: candidates.count - 1))
      let back = Int(clamping: p.deltaIdxMinus1 ?? 0) + 1
      reference = back <= candidates.count ? candidates[candidates.count - back] : .init()
    } else {
      p.deltaIdxMinus1 = nil
    }
    try c.flag("delta_rps_sign", &p.deltaRpsSign)
    try c.ue("abs_delta_rps_minus1", &p.absDeltaRpsMinus1, in: 0...32767)
    c.beginArray("pictures", count: reference.count + 1)
    for j in 0...reference.count {
      c.beginStructure("picture")
      try c.flag("used_by_curr_pic_flag", inBit: j, of: &p.usedByCurrPicFlags)
      if p.usedByCurrPicFlags &>> UInt32(j) & 1 == 0 {
        try c.flag("use_delta_flag", inBit: j, of: &p.useDeltaFlags)
      } else {
        p.useDeltaFlags |= 1 &<< UInt32(j)
      }
      c.endScope()
    }
    c.endScope()
  }

  private mutating func layoutPictures(_ c: inout some Coder) throws(ParseError) {
    try c.ue("num_negative_pics", &numNegativePics, in: 0...16)
    try c.ue("num_positive_pics", &numPositivePics, in: 0...(16 - min(numNegativePics, 16)))
    let negative = Int(numNegativePics), total = negative + Int(numPositivePics)
    c.beginArray("negative_pics", count: negative)
    for i in 0..<negative {
      try layoutPicture(i, "delta_poc_s0_minus1", "used_by_curr_pic_s0_flag", &c)
    }
    c.endScope()
    c.beginArray("positive_pics", count: total - negative)
    for i in negative..<total {
      try layoutPicture(i, "delta_poc_s1_minus1", "used_by_curr_pic_s1_flag", &c)
    }
    c.endScope()
  }

  private mutating func layoutPicture(
    _ i: Int, _ delta: StaticString, _ used: StaticString, _ c: inout some Coder
  ) throws(ParseError) {
    c.beginStructure("picture")
    var wide = UInt32(deltaPocMinus1[i])
    try c.ue(delta, &wide, in: 0...32767)
    deltaPocMinus1[i] = UInt16(truncatingIfNeeded: wide)
    try c.flag(used, inBit: i, of: &usedByCurrPic)
    c.endScope()
  }
}

extension ShortTermReferencePictureSet {
  /// The pictures of the set. ISO/IEC 23008-2, equations 7-61 to 7-66
  public var deltas: ReferencePictureDeltas {
    if let prediction { return Self.predicted(prediction, from: reference) }
    var result = ReferencePictureDeltas()
    let negative = Int(min(numNegativePics, 16))
    let total = min(16, negative + Int(min(numPositivePics, 16)))
    var delta: Int32 = 0
    for i in 0..<negative {
      delta &-= Int32(deltaPocMinus1[i]) + 1
      result.appendNegative(delta, used: usedByCurrPic &>> UInt32(i) & 1 == 1)
    }
    delta = 0
    for i in negative..<total {
      delta &+= Int32(deltaPocMinus1[i]) + 1
      result.appendPositive(delta, used: usedByCurrPic &>> UInt32(i) & 1 == 1)
    }
    return result
  }

  /// The pictures of a predicted set. ISO/IEC 23008-2, equations 7-61 and 7-62
  static func predicted(
    _ prediction: Prediction, from reference: ReferencePictureDeltas
  ) -> ReferencePictureDeltas {
    var result = ReferencePictureDeltas()
    let deltaRps = prediction.deltaRps
    let negative = reference.numNegativePics, total = reference.count
    func isKept(_ j: Int) -> Bool { prediction.useDeltaFlags &>> UInt32(j) & 1 == 1 }
    func isUsed(_ j: Int) -> Bool { prediction.usedByCurrPicFlags &>> UInt32(j) & 1 == 1 }

    for j in (negative..<total).reversed() {
      let delta = reference[j] &+ deltaRps
      if delta < 0, isKept(j) { result.appendNegative(delta, used: isUsed(j)) }
    }
    if deltaRps < 0, isKept(total) { result.appendNegative(deltaRps, used: isUsed(total)) }
    for j in 0..<negative {
      let delta = reference[j] &+ deltaRps
      if delta < 0, isKept(j) { result.appendNegative(delta, used: isUsed(j)) }
    }

    for j in (0..<negative).reversed() {
      let delta = reference[j] &+ deltaRps
      if delta > 0, isKept(j) { result.appendPositive(delta, used: isUsed(j)) }
    }
    if deltaRps > 0, isKept(total) { result.appendPositive(deltaRps, used: isUsed(total)) }
    for j in negative..<total {
      let delta = reference[j] &+ deltaRps
      if delta > 0, isKept(j) { result.appendPositive(delta, used: isUsed(j)) }
    }
    return result
  }
}
