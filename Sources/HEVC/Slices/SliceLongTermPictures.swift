// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The long-term reference pictures of a slice segment header. ISO/IEC 23008-2, 7.3.6.1
public struct SliceLongTermPictures: FieldLayout {
  /// A long-term reference picture.
  public struct Picture: FieldLayout {
    /// The index of the picture among those of the sequence parameter set; 0 if that has only one; `nil` for other
    /// pictures (`lt_idx_sps`).
    public var ltIdxSps: UInt8?
    /// The low bits of the order count; `nil` for pictures of the sequence parameter set (`poc_lsb_lt`).
    public var pocLsbLt: UInt16?
    /// Whether the current picture may refer to it; `nil` for pictures of the sequence parameter set
    /// (`used_by_curr_pic_lt_flag`).
    public var usedByCurrPicLtFlag: Bool?
    /// Whether the high bits of the order count are given (`delta_poc_msb_present_flag`).
    public var deltaPocMsbPresentFlag = false
    /// The difference of the high bits of the order count; `nil` if not given (`delta_poc_msb_cycle_lt`).
    public var deltaPocMsbCycleLt: UInt32?

    var isOfSequence = false
    var candidates = 0
    var pocLsbBits = 4

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u(
        "lt_idx_sps", &ltIdxSps, ceilLog2(candidates), if: isOfSequence && candidates > 1,
        in: 0...UInt8(clamping: max(1, candidates) - 1))
      try c.u("poc_lsb_lt", &pocLsbLt, pocLsbBits, if: !isOfSequence)
      try c.flag("used_by_curr_pic_lt_flag", &usedByCurrPicLtFlag, if: !isOfSequence)
      try c.flag("delta_poc_msb_present_flag", &deltaPocMsbPresentFlag)
      try c.ue(
        "delta_poc_msb_cycle_lt", &deltaPocMsbCycleLt, if: deltaPocMsbPresentFlag,
        in: 0...UInt32(clamping: UInt64(1) << UInt64(32 - pocLsbBits)))
    }
  }

  /// How many pictures are from the sequence parameter set; `nil` if absent (`num_long_term_sps`).
  public var numLongTermSps: UInt32?
  /// How many pictures are described here (`num_long_term_pics`).
  public var numLongTermPics: UInt32 = 0
  /// The pictures: first those of the sequence parameter set, then those described here.
  public var pictures: [Picture] = []

  var candidates: [LongTermRefPic] = []
  var pocLsbBits = 4

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let known = candidates.count, bits = pocLsbBits
    try c.ue(
      "num_long_term_sps", &numLongTermSps, if: known > 0, in: 0...UInt32(clamping: min(known, 32)))
    let fromSequence = Int(clamping: numLongTermSps ?? 0)
    try c.ue("num_long_term_pics", &numLongTermPics, in: 0...UInt32(clamping: 33 - fromSequence - 1))
    try c.elements(
      "long_term_pics", &pictures, at: 0..<(fromSequence + Int(clamping: numLongTermPics)), minimumBits: 1,
      new: Picture()
    ) { c, index, picture throws(ParseError) in
      picture.isOfSequence = index < fromSequence
      picture.candidates = known
      picture.pocLsbBits = bits
      c.beginStructure("long_term_pic")
      try picture.layout(&c)
      c.endScope()
    }
  }

  /// The low bits of the order count of a picture (`PocLsbLt`), and whether the current picture may refer to it
  /// (`UsedByCurrPicLt`). ISO/IEC 23008-2, 7.4.7.1
  func resolved(_ index: Int) -> (pocLsb: Int, isUsed: Bool) {
    guard pictures.indices.contains(index) else { return (0, false) }
    let picture = pictures[index]
    guard picture.isOfSequence else {
      return (Int(picture.pocLsbLt ?? 0), picture.usedByCurrPicLtFlag ?? false)
    }
    let candidate = Int(picture.ltIdxSps ?? 0)
    guard candidates.indices.contains(candidate) else { return (0, false) }
    return (Int(candidates[candidate].pocLsb), candidates[candidate].usedByCurrPicFlag)
  }

  /// How many of the pictures the current one may refer to.
  var numUsed: Int { pictures.indices.reduce(0) { $0 + (resolved($1).isUsed ? 1 : 0) } }

  /// The accumulated difference of the high bits for each picture (`DeltaPocMsbCycleLt`). Equation 7-52
  var deltaPocMsbCycles: [Int] {
    var cycles: [Int] = []
    let first = Int(clamping: numLongTermSps ?? 0)
    for (index, picture) in pictures.enumerated() {
      let own = Int(picture.deltaPocMsbCycleLt ?? 0)
      cycles.append(index == 0 || index == first ? own : own &+ (cycles.last ?? 0))
    }
    return cycles
  }
}
