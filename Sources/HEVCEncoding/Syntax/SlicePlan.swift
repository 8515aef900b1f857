// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// The values of the slice header of a picture: the choices of planning, as plain numbers.
struct SlicePlan: Sendable {
  /// A picture that the current one refers to, or that is kept for later ones.
  struct Reference: Hashable, Sendable {
    /// Its order count.
    var orderCount: Int
    /// Whether the current picture may be predicted from it.
    var isUsed = true
  }

  var type: NALUnitType
  var layer = 0
  var temporalID: UInt8 = 0
  var sliceType = SliceType.i
  var orderCount = 0
  /// The pictures of the same layer that stay in the buffer, in any order.
  var references: [Reference] = []
  /// How many entries list 0 has.
  var count0 = 0
  /// How many entries list 1 has.
  var count1 = 0
  /// The entries of list 0 as indices into the default order; `nil` for that order.
  var entries0: [UInt8]?
  /// The same for list 1.
  var entries1: [UInt8]?
  /// The entry from which motion is predicted, in list 0 unless `isCollocatedInList1`; `nil` for no prediction.
  var collocated: Int?
  var isCollocatedInList1 = false
  /// MaxNumMergeCand
  var mergeCandidates = 5
  var isMvdL1Zero = false
  var qp = 26
  var isSaoLuma = false
  var isSaoChroma = false

  /// The pictures before and after the current one in output order, the nearest first: the order of a short-term set.
  private var sorted: (before: [Reference], after: [Reference]) {
    let before = references.filter { $0.orderCount < orderCount }.sorted { $0.orderCount > $1.orderCount }
    let after = references.filter { $0.orderCount > orderCount }.sorted { $0.orderCount < $1.orderCount }
    return (before, after)
  }

  /// The header of the slice, the only one of its picture.
  func header(
    _ plan: CodingPlan, _ parameters: SliceParameters
  ) throws(ParseError) -> SliceSegmentHeader {
    let unit = NALUnitHeader(type: type, layerID: UInt8(layer), temporalID: temporalID)
    var segment = SliceSegmentHeader(in: unit, parameters)
    segment.firstSliceSegmentInPicFlag = true
    if type.isRandomAccessPoint { segment.noOutputOfPriorPicsFlag = false }
    segment.slicePicParameterSetID = UInt32(layer)
    var slice = SliceHeader()
    slice.sliceType = sliceType
    slice.slicePicOrderCntLsb = UInt16(truncatingIfNeeded: orderCount & (1 << plan.orderCountBits - 1))
    if !type.isRefresh {
      let (before, after) = sorted
      func deltas(_ pictures: [Reference]) -> [(delta: Int, isUsed: Bool)] {
        pictures.map { ($0.orderCount - orderCount, $0.isUsed) }
      }
      slice.shortTermRefPicSetSpsFlag = false
      slice.stRefPicSet = ShortTermReferencePictureSet(before: deltas(before), after: deltas(after))
      if plan.isTemporalMotionEnabled { slice.sliceTemporalMvpEnabledFlag = collocated != nil }
    }
    if plan.isSaoEnabled {
      slice.sliceSaoLumaFlag = isSaoLuma
      slice.sliceSaoChromaFlag = isSaoChroma
    }
    if sliceType.isInter { setPrediction(&slice, plan) }
    slice.sliceQpDelta = Int32(clamping: qp - plan.initialQp)
    segment.own = slice
    if plan.isWavefront { segment.numEntryPointOffsets = 0 }
    // Writing it once gives its parts the values that they depend on.
    var trial = FieldEncoder()
    try segment.layout(&trial)
    return segment
  }

  private func setPrediction(_ slice: inout SliceHeader, _ plan: CodingPlan) {
    let isB = sliceType == .b
    let overrides = count0 != plan.defaultEntries.l0 || isB && count1 != plan.defaultEntries.l1
    slice.numRefIdxActiveOverrideFlag = overrides
    if overrides {
      slice.numRefIdxL0ActiveMinus1 = UInt32(count0 - 1)
      if isB { slice.numRefIdxL1ActiveMinus1 = UInt32(count1 - 1) }
    }
    if layer > 0 {
      var lists = ReferencePictureListsModification()
      lists.flagL0 = entries0 != nil
      lists.entriesL0 = entries0 ?? []
      if isB {
        lists.flagL1 = entries1 != nil
        lists.entriesL1 = entries1 ?? []
      }
      slice.refPicListsModification = lists
    }
    if isB { slice.mvdL1ZeroFlag = isMvdL1Zero }
    if let collocated, slice.sliceTemporalMvpEnabledFlag == true {
      if isB { slice.collocatedFromL0Flag = !isCollocatedInList1 }
      slice.collocatedRefIdx = UInt32(collocated)
    }
    slice.fiveMinusMaxNumMergeCand = UInt32(5 - mergeCandidates)
  }
}

/// Puts the parts of a slice together.
enum SliceAssembly {
  /// The unit of a slice: its header, with the sizes of its substreams, and these, which end with their alignment bits.
  static func unit(
    _ header: SliceSegmentHeader, _ substreams: [[UInt8]]
  ) throws(ParseError) -> NALUnit {
    // A substream begins with a byte of its own, after one that is not 0: no run of zeros crosses its edges.
    let escaped = substreams.map { $0.insertingEmulationPrevention() }
    var header = header
    if header.numEntryPointOffsets != nil {
      header.entryPointOffsetMinus1 = escaped.dropLast().map { UInt32(clamping: $0.count - 1) }
      header.numEntryPointOffsets = UInt32(header.entryPointOffsetMinus1.count)
      let largest = header.entryPointOffsetMinus1.max() ?? 0
      header.offsetLenMinus1 =
        escaped.count > 1 ? UInt32(max(1, UInt32.bitWidth - largest.leadingZeroBitCount) - 1) : nil
    }
    var bytes = try header.unit.encoded()
    bytes += try header.encoded().insertingEmulationPrevention()
    for part in escaped { bytes += part }
    guard let unit = NALUnit(ByteView(bytes)) else {
      throw ParseError(.invalid("has no header"), offset: 0, field: "nal_unit")
    }
    return unit
  }

  /// A suffix message with the MD5 sums of the planes of a picture. D.2.19
  static func hashUnit(_ sums: [[UInt8]], layer: Int, temporalID: UInt8) throws(ParseError) -> NALUnit {
    var hash = DecodedPictureHash()
    hash.md5 = sums.map { bytes in
      var sum = DecodedPictureHash.MD5()
      sum.bytes = ByteView(bytes)
      return sum
    }
    return try NALUnit(
      NALUnitHeader(type: .suffixSEI, layerID: UInt8(layer), temporalID: temporalID),
      SEIMessages([try SEIMessage(hash)]))
  }
}
