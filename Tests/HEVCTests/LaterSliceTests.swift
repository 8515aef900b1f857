// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Slices behind the first of a picture, of which only the beginning is read.
@Suite struct LaterSliceTests {
  /// The slices of real streams, written again as if each were the fourth tree block's, with picture parameter sets that
  /// have more in front of the type.
  @Test(arguments: [false, true], [0, 1, 5])
  func typeOfLaterSlices(dependentEnabled: Bool, extraBits: Int) throws {
    var sets = ParameterSetStore(), changed = ParameterSetStore()
    var types: Set<SliceType> = []
    let streams = Fixtures.bytes("two-views.hevc").array + Fixtures.bytes("alpha-layer.hevc").array
    for case .success(let unit) in AnnexBNALUnits(ByteView(streams)) {
      if unit.type == .pictureParameterSet {
        var (pps, _, error) = unit.rbsp.decode(PictureParameterSet())
        try #require(error == nil)
        pps.dependentSliceSegmentsEnabledFlag = dependentEnabled
        pps.numExtraSliceHeaderBits = UInt8(extraBits)
        changed.insert(try NALUnit(unit.header, pps))
      } else if unit.type.isParameterSet {
        changed.insert(unit)
      }
      if unit.type.isParameterSet { sets.insert(unit) }
      guard var header = sets.sliceSegment(unit)?.header, var own = header.own else { continue }
      header.parameters = changed.sliceParameters(
        pictureParameterSet: header.slicePicParameterSetID, layerID: unit.layerID)
      own.discardableFlag = extraBits > 0 ? false : nil
      own.crossLayerBlaFlag = extraBits > 1 ? false : nil
      own.sliceReservedFlags = Array(repeating: true, count: max(0, extraBits - 2))
      header.own = own
      header.firstSliceSegmentInPicFlag = false
      header.sliceSegmentAddress = 3
      header.dependentSliceSegmentFlag = dependentEnabled ? false : nil
      let start = try #require(LaterSliceStart(after: header))
      let later = try NALUnit(unit.header, rbsp: header.encoded())
      #expect(start.reading(later)?.sliceType == own.sliceType)
      #expect(changed.sliceSegment(later)?.header.own?.sliceType == own.sliceType)
      types.insert(own.sliceType)

      guard dependentEnabled else { continue }
      header.dependentSliceSegmentFlag = true
      header.own = nil
      let dependent = try #require(start.reading(try NALUnit(unit.header, rbsp: header.encoded())))
      #expect(dependent.sliceType == nil)
    }
    #expect(types == [.i, .p, .b])
  }

  /// Damaged: the beginning of another picture, of another layer, and nothing at all.
  @Test func whatDoesNotGoWithThePicture() throws {
    var sets = ParameterSetStore()
    var headers: [(NALUnit, SliceSegmentHeader)] = []
    for case .success(let unit) in AnnexBNALUnits(Fixtures.bytes("two-views.hevc")) {
      if unit.type.isParameterSet { sets.insert(unit) }
      if let segment = sets.sliceSegment(unit) { headers.append((unit, segment.header)) }
    }
    try #require(headers.count > 1)
    let start = try #require(LaterSliceStart(after: headers[0].1))
    // The first slice segment of a picture says so itself.
    #expect(start.reading(headers[0].0) == nil)
    #expect(start.reading(headers[1].0) == nil)
    #expect(start.reading(NALUnit(ByteView(headers[0].0.bytes.prefix(2).array)) ?? headers[0].0) == nil)
    #expect(LaterSliceStart(after: SliceSegmentHeader(in: headers[0].0.header, nil)) == nil)
  }
}
