// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension FuzzTarget {
  static let slice = FuzzTarget(
    "FuzzSlice",
    "A byte stream: slice segment headers with the parameter sets before them, order counts, reference pictures.",
    seeds: { FuzzSeeds.streams(prefix: [], size: 900) + FuzzSeeds.streams(prefix: [], size: 3_000) },
    mutator: { mutation in mutateStream(&mutation, prefix: 0) }
  ) { bytes, findings in
    var store = ParameterSetStore()
    var counter = PictureOrderCounter()
    var previous: [UInt8: SliceSegmentHeader] = [:]
    for case .success(let unit) in AnnexBNALUnits(bytes) {
      if store.insert(unit) != .ignored { continue }
      if unit.type == .endOfSequence { counter.endOfSequence(layerID: unit.layerID) }
      if unit.type.isSEI {
        findings.checkMessages(unit.seiMessages().messages, store.seiContext(layerID: unit.layerID))
      }
      let before = previous[unit.layerID]
      guard let segment = store.sliceSegment(unit, after: before) else { continue }
      findings.checkSlice(segment, unit, after: before)
      guard segment.error == nil else { continue }
      previous[unit.layerID] = segment.header
      let order = counter.orderCount(of: segment.header) ?? 0
      if let slice = segment.header.slice { findings.checkReferences(slice, order) }
    }
    let sets =
      store.videoParameterSets.count + store.sequenceParameterSets.count + store.pictureParameterSets.count
    findings.expect(sets <= 64 * (16 + 16 + 64), "\(sets) parameter sets are kept")
  }
}

extension FuzzFindings {
  fileprivate mutating func checkSlice(
    _ segment: SliceSegment, _ unit: NALUnit, after before: SliceSegmentHeader?
  ) {
    if let error = segment.error { return checkPlace(error, unit.bytes, "slice") }
    guard let start = segment.dataOffset else {
      return note("a slice header was read, but not where it ends")
    }
    expect((2...unit.bytes.count).contains(start), "slice data at \(start) of \(unit.bytes.count)")
    var last = start
    for range in segment.substreams {
      expect(range.lowerBound == last && range.upperBound <= unit.bytes.count, "a substream at \(range)")
      last = range.upperBound
    }
    let rbsp = unit.bytes.prefix(start).suffix(from: 2).removingEmulationPrevention()
    let initial = SliceSegmentHeader(in: unit.header, segment.header.parameters, after: before)
    checkLayout(initial, rbsp, "slice header")
  }

  fileprivate mutating func checkReferences(_ slice: SliceHeader, _ order: Int) {
    let set = ReferencePictureSet(slice, orderCount: order)
    let count = set.shortTermBefore.count + set.shortTermAfter.count + set.longTerm.count
    expect(count <= 64, "\(count) reference pictures")
    let lists = slice.referencePictureLists(orderCount: order)
    expect(
      lists.l0.count <= 16 && lists.l1.count <= 16,
      "reference lists of \(lists.l0.count) and \(lists.l1.count)")
    _ = (slice.numPicTotalCurr, slice.refPicLayerIDs, slice.maxNumMergeCand, slice.sliceQpY)
  }
}
