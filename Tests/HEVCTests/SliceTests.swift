// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Slice segment headers composed bit by bit: what real streams at hand lack.
@Suite struct SliceTests {
  /// Bits written as digits; spaces are passed over, and the last byte is filled with a stop bit and zeros.
  static func bytes(_ bits: String, stop: Bool = true) -> [UInt8] {
    var digits = bits.filter { $0 == "0" || $0 == "1" }
    if stop { digits += "1" }
    while digits.count % 8 != 0 { digits += "0" }
    let all = Array(digits)
    return stride(from: 0, to: all.count, by: 8).map { start in
      all[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 == "1" ? 1 : 0) }
    }
  }

  /// `ue(v)`
  static func ue(_ value: Int) -> String {
    let binary = String(value + 1, radix: 2)
    return String(repeating: "0", count: binary.count - 1) + binary
  }

  /// `se(v)`
  static func se(_ value: Int) -> String { ue(value > 0 ? 2 * value - 1 : -2 * value) }

  /// `u(n)`
  static func u(_ value: Int, _ bits: Int) -> String {
    let binary = String(value, radix: 2)
    return String(repeating: "0", count: bits - binary.count) + binary
  }

  /// A sequence of 128x128 luma samples in tree blocks of 16: 64 of them.
  static func sequence() -> SequenceParameterSet {
    var sps = SequenceParameterSet()
    var format = PictureFormat()
    format.picWidthInLumaSamples = 128
    format.picHeightInLumaSamples = 128
    sps.pictureFormat = format
    sps.log2DiffMaxMinLumaCodingBlockSize = 1
    return sps
  }

  /// Reads a header, checks that it is written back to the bit, and that every truncation is an error.
  static func read(
    _ bits: String, type: NALUnitType = .trailing, _ pps: PictureParameterSet, _ sps: SequenceParameterSet,
    after previous: SliceSegmentHeader? = nil
  ) throws -> SliceSegmentHeader {
    let raw = bytes(bits)
    let initial = SliceSegmentHeader(
      in: NALUnitHeader(type: type), SliceParameters(layerID: 0, pps: pps, sps: sps), after: previous)
    let result = ByteView(raw).decode(initial)
    if let error = result.error { throw error }
    #expect(result.value.endsProperly)
    #expect(result.unread.isEmpty)
    #expect(try result.value.encoded() == raw)
    for count in 0..<raw.count { #expect(ByteView(raw.prefix(count)).decode(initial).error != nil) }
    return result.value
  }

  @Test func aDependentSliceSegmentTakesOver() throws {
    var pps = PictureParameterSet()
    pps.dependentSliceSegmentsEnabledFlag = true
    let sps = Self.sequence()
    // first, no_output 0, pps 0, slice_type I, qp delta -3
    let first = try Self.read(
      "1 0" + Self.ue(0) + Self.ue(2) + Self.se(-3), type: .refreshWithoutLeading, pps, sps)
    #expect(first.own?.sliceType == .i && first.slice?.sliceQpY == 23)
    #expect(first.sliceSegmentAddress == nil && first.dependentSliceSegmentFlag == nil)
    // not first, no_output 0, pps 0, dependent, address 37 of 64
    let second = try Self.read(
      "0 0" + Self.ue(0) + "1" + Self.u(37, 6), type: .refreshWithoutLeading, pps, sps, after: first)
    #expect(second.isDependent && second.own == nil && second.sliceSegmentAddress == 37)
    #expect(second.slice == first.slice)
    // not first and independent again
    let third = try Self.read(
      "0 0" + Self.ue(0) + "0" + Self.u(40, 6) + Self.ue(2) + Self.se(1), type: .refreshWithoutLeading, pps,
      sps, after: second)
    #expect(third.inherited == nil && third.slice?.sliceQpY == 27)
  }

  @Test func longTermPictures() throws {
    var sps = Self.sequence()
    var a = LongTermRefPic(), b = LongTermRefPic()
    (a.pocLsb, a.usedByCurrPicFlag) = (3, true)
    (b.pocLsb, b.usedByCurrPicFlag) = (9, false)
    sps.longTermRefPics = [a, b, a]
    // 16 order counts in the low bits; the picture is 5 + 3 * 16 = 53.
    let header = try Self.read(
      "1" + Self.ue(0) + Self.ue(1) + Self.u(5, 4)
        // its own set: one picture at -2, used
        + "0" + Self.ue(1) + Self.ue(0) + Self.ue(1) + "1"
        // two of the sequence: index 1 without and index 0 with high bits, 1 cycle; two others
        + Self.ue(2) + Self.ue(2)
        + Self.u(1, 2) + "0" + Self.u(0, 2) + "1" + Self.ue(1)
        + Self.u(7, 4) + "1" + "1" + Self.ue(1)
        + Self.u(8, 4) + "0" + "1" + Self.ue(1)
        // P: override with 4 entries, merge candidates, qp
        + "1" + Self.ue(3) + Self.ue(0) + Self.se(0), PictureParameterSet(), sps)
    let slice = try #require(header.slice)
    #expect(slice.numPicTotalCurr == 3)
    let set = ReferencePictureSet(slice, orderCount: 53)
    #expect(set.shortTermBefore == [51] && set.shortTermAfter.isEmpty)
    // 3 + 53 - 1 * 16 - 5 = 35, and 7 + 53 - 16 - 5 = 39. The cycles of the second group begin anew.
    #expect(set.longTerm.map(\.orderCount) == [35, 39])
    // Index 1 of the sequence is not used: its low bits alone are known. The last one has 2 cycles: 8 + 53 - 32 - 5.
    #expect(set.longTermFollowing.map(\.orderCount) == [9, 24])
    #expect(set.longTermFollowing.map(\.isLowBitsOnly) == [true, false])
    let list = slice.referencePictureLists(orderCount: 53).l0
    #expect(list.map(\.orderCount) == [51, 35, 39, 51])
    #expect(list.map(\.isLongTerm) == [false, true, true, false])
  }

  @Test func weightsAndListsOfABSlice() throws {
    var pps = PictureParameterSet()
    pps.weightedBipredFlag = true
    pps.listsModificationPresentFlag = true
    pps.cabacInitPresentFlag = true
    var sps = Self.sequence()
    sps.spsTemporalMvpEnabledFlag = true
    let header = try Self.read(
      "1" + Self.ue(0) + Self.ue(0) + Self.u(8, 4)
        // -1 and -4 used, -6 not; +2 used
        + "0" + Self.ue(3) + Self.ue(1) + Self.ue(0) + "1" + Self.ue(2) + "1" + Self.ue(1) + "0"
        + Self.ue(1) + "1"
        + "1"  // slice_temporal_mvp_enabled_flag
        + "1" + Self.ue(1) + Self.ue(2)  // 2 entries, 3 entries
        + "1" + Self.u(2, 2) + Self.u(0, 2) + "0"  // list 0: third, first; list 1 as it is
        + "1" + "1" + "0" + Self.ue(2)  // mvd_l1_zero, cabac_init, collocated from list 1, entry 2
        + Self.ue(5) + Self.se(-1)  // denominators
        + "10" + "01" + Self.se(-3) + Self.se(12) + Self.se(1) + Self.se(-2) + Self.se(3) + Self.se(-4)
        + "000" + "100" + Self.se(5) + Self.se(6) + Self.se(7) + Self.se(8)
        + Self.ue(0) + Self.se(4), pps, sps)
    let slice = try #require(header.slice)
    #expect(slice.collocatedFromL0Flag == false && slice.collocatedRefIdx == 2)
    let table = try #require(slice.predWeightTable)
    #expect(table.lumaLog2WeightDenom == 5 && table.deltaChromaLog2WeightDenom == -1)
    #expect(table.l0.map(\.lumaFlag) == [true, false] && table.l0.map(\.chromaFlag) == [false, true])
    #expect(table.l0[0].deltaLumaWeight == -3 && table.l0[0].lumaOffset == 12)
    #expect(table.l0[1].deltaChromaWeights == [1, 3] && table.l0[1].deltaChromaOffsets == [-2, -4])
    #expect(table.l1[0].deltaChromaWeights == [5, 7] && table.l1.count == 3)
    // Order count 24: before 23, 20; after 26; kept 18.
    let lists = slice.referencePictureLists(orderCount: 24)
    #expect(lists.l0.map(\.orderCount) == [26, 23])
    #expect(lists.l1.map(\.orderCount) == [26, 23, 20])
    #expect(ReferencePictureSet(slice, orderCount: 24).shortTermFollowing == [18])
    #expect(slice.maxNumMergeCand == 5)
  }

  @Test func everyFilterField() throws {
    var pps = PictureParameterSet()
    var control = PictureParameterSet.DeblockingFilterControl()
    control.overrideEnabledFlag = true
    pps.deblockingFilterControl = control
    pps.ppsSliceChromaQpOffsetsPresentFlag = true
    pps.ppsLoopFilterAcrossSlicesEnabledFlag = true
    pps.outputFlagPresentFlag = true
    pps.numExtraSliceHeaderBits = 4
    var sps = Self.sequence()
    sps.sampleAdaptiveOffsetEnabledFlag = true
    let header = try Self.read(
      "1 0" + Self.ue(0) + "1 0 1 1" + Self.ue(2) + "0" + "0 0" + Self.se(3) + Self.se(-12) + Self.se(12)
        + "1" + "0" + Self.se(-6) + Self.se(6) + "1", type: .refreshWithDecodableLeading, pps, sps)
    let slice = try #require(header.slice)
    #expect(slice.discardableFlag == true && slice.crossLayerBlaFlag == false)
    #expect(slice.sliceReservedFlags == [true, true] && !slice.isOutput)
    #expect(slice.sliceBetaOffsetDiv2 == -6 && slice.sliceTcOffsetDiv2 == 6)
    #expect(slice.sliceLoopFilterAcrossSlicesEnabledFlag == true)
    // With the filter off, and no offsets, nothing says whether it crosses slices.
    let off = try Self.read(
      "1 0" + Self.ue(0) + "0 0 0 0" + Self.ue(2) + "1" + "0 0" + Self.se(0) + Self.se(0) + Self.se(0)
        + "1 1",
      type: .refreshWithDecodableLeading, pps, sps)
    #expect(off.slice?.sliceLoopFilterAcrossSlicesEnabledFlag == nil && off.slice?.sliceBetaOffsetDiv2 == nil)
  }

  @Test func entryPointsAndExtension() throws {
    var pps = PictureParameterSet()
    pps.entropyCodingSyncEnabledFlag = true
    pps.sliceSegmentHeaderExtensionPresentFlag = true
    let sps = Self.sequence()
    let header = try Self.read(
      "1 0" + Self.ue(0) + Self.ue(2) + Self.se(0) + Self.ue(7) + Self.ue(31)
        + (0..<7).map { Self.u($0 * 1_000, 32) }.joined() + Self.ue(2) + "1010101111001101",
      type: .refreshWithoutLeading, pps, sps)
    #expect(header.entryPointOffsetMinus1 == (0..<7).map { UInt32($0 * 1_000) })
    // In a stream of one layer the extension is data, whatever it looks like.
    #expect(header.headerExtension?.data.bytes == [0xAB, 0xCD])
    // Eight rows have seven points between them.
    #expect(throws: ParseError.self) {
      try Self.read(
        "1 0" + Self.ue(0) + Self.ue(2) + Self.se(0) + Self.ue(8) + Self.ue(0) + "00000000" + Self.ue(0),
        type: .refreshWithoutLeading, pps, sps)
    }
  }

  @Test func whatIsForbiddenIsNamed() throws {
    let sps = Self.sequence()
    func failure(_ bits: String, _ pps: PictureParameterSet = PictureParameterSet()) -> ParseError? {
      let initial = SliceSegmentHeader(
        in: NALUnitHeader(type: .trailing), SliceParameters(layerID: 0, pps: pps, sps: sps))
      return ByteView(Self.bytes(bits) + [0, 0, 0], fileOffset: 70).decode(initial).error
    }
    #expect(failure("1" + Self.ue(0) + Self.ue(3))?.field == "slice_type")
    #expect(failure("1" + Self.ue(64))?.field == "slice_pic_parameter_set_id")
    #expect(failure("1" + Self.ue(5))?.code == .missing("picture parameter set 5"))
    // A set of the sequence that has none.
    #expect(
      failure("1" + Self.ue(0) + Self.ue(1) + "0000" + "1")?.field == "short_term_ref_pic_set_sps_flag")
    // More entries than a list has.
    #expect(
      failure(
        "1" + Self.ue(0) + Self.ue(1) + "0000" + "0" + Self.ue(1) + Self.ue(0) + Self.ue(0) + "1" + "1"
          + Self.ue(15))?
        .field == "num_ref_idx_l0_active_minus1")
    let error = failure("1" + String(repeating: "0", count: 60))
    #expect(error?.field == "slice_pic_parameter_set_id" && error?.offset == 70)
  }

  // MARK: Order counts

  /// The order counts of pictures of one layer with four low bits, given as type, temporal id and low bits.
  static func orderCounts(_ pictures: [(NALUnitType, UInt8, Int)]) throws -> [Int?] {
    var counter = PictureOrderCounter()
    let parameters = SliceParameters(layerID: 0, pps: PictureParameterSet(), sps: sequence())
    return try pictures.map { type, temporalID, low in
      let order = type.isRefresh ? "" : u(low, 4) + "0" + ue(0) + ue(0)
      let bits = "1" + (type.isRandomAccessPoint ? "0" : "") + ue(0) + ue(2) + order + se(0)
      let initial = SliceSegmentHeader(in: NALUnitHeader(type: type, temporalID: temporalID), parameters)
      return counter.orderCount(of: try ByteView(bytes(bits)).decoded(initial))
    }
  }

  @Test func orderCountsGoOnFromTheLowBits() throws {
    let t = NALUnitType.trailing, n = NALUnitType.trailingNonReference
    #expect(
      try Self.orderCounts([
        (.refreshWithoutLeading, 0, 0), (t, 0, 7), (t, 0, 14), (t, 0, 5), (n, 0, 15), (t, 0, 12),
        (.cleanRandomAccess, 0, 4), (.skippedLeading, 0, 2), (t, 0, 8),
      ]) == [0, 7, 14, 21, 15, 28, 36, 34, 40])
    // Half the range away: down counts as on, up as the same round. Pictures of higher sub-layers are not counted
    // from: from 31 the last one would be 34.
    #expect(
      try Self.orderCounts([(.cleanRandomAccess, 0, 9), (t, 0, 1), (t, 0, 9), (t, 1, 15), (t, 0, 2)]) == [
        9, 17, 25, 31, 18,
      ])
    // Before the first picture of all: below zero. An IDR and a BLA picture begin anew.
    #expect(
      try Self.orderCounts([
        (.refreshWithDecodableLeading, 0, 0), (.decodableLeading, 0, 14), (t, 0, 3),
        (.brokenLinkWithLeading, 0, 11),
        (.refreshWithoutLeading, 0, 0),
      ]) == [0, -2, 3, 11, 0])
  }

  @Test func anEndedSequenceBeginsAnew() throws {
    var counter = PictureOrderCounter()
    let parameters = SliceParameters(layerID: 0, pps: PictureParameterSet(), sps: Self.sequence())
    func count(_ low: Int, first: Bool = true) throws -> Int? {
      let bits =
        first
        ? "1 0" + Self.ue(0) + Self.ue(2) + Self.u(low, 4) + "0" + Self.ue(0) + Self.ue(0) + Self.se(0)
        : "0 0" + Self.ue(0) + Self.u(3, 6) + Self.ue(2) + Self.u(low, 4) + "0" + Self.ue(0) + Self.ue(0)
          + Self.se(0)
      let initial = SliceSegmentHeader(in: NALUnitHeader(type: .cleanRandomAccess), parameters)
      return counter.orderCount(of: try ByteView(Self.bytes(bits)).decoded(initial))
    }
    #expect(try count(3, first: false) == nil)
    #expect(try count(12) == 12)
    #expect(try count(4) == 20)
    #expect(try count(4, first: false) == 20)
    counter.endOfSequence(layerID: 1)
    #expect(try count(6) == 22)
    counter.endOfSequence(layerID: 0)
    #expect(try count(6) == 6)
  }
}
