// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Slices after the first of a picture, of which only the beginning is read.
@Suite struct LaterSliceTests {
  /// The slices of real streams, written again as if each were the fourth tree block's, with picture parameter sets that
  /// have more in front of the type.
  @Test(arguments: [false, true], [0, 1, 5])
  func typeOfLaterSlices(dependentEnabled: Bool, extraBits: Int) throws {
    var sets = ParameterSetStore(), changed = ParameterSetStore()
    var types: Set<SliceType> = [], quickTypes: Set<SliceType> = []
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
      let quick = start.sliceType(later.header, Self.word(later))
      #expect(quick == nil || quick == own.sliceType)
      if quick != nil { quickTypes.insert(own.sliceType) }
      types.insert(own.sliceType)

      guard dependentEnabled else { continue }
      header.dependentSliceSegmentFlag = true
      header.own = nil
      let dependent = try #require(start.reading(try NALUnit(unit.header, rbsp: header.encoded())))
      #expect(dependent.sliceType == nil)
    }
    #expect(types == [.i, .p, .b])
    #expect(quickTypes == types)
  }

  /// The eight bytes after the header; zeros where there are fewer.
  private static func word(_ unit: NALUnit) -> UInt64 {
    (0..<8).reduce(0) { $0 << 8 | UInt64(unit.payload[$1] ?? 0) }
  }

  /// Whatever the first eight bytes say of the type, the whole reading says too, and what they cannot tell is left to it.
  @Test(arguments: [false, true], [UInt32(0), 5, 63])
  func firstEightBytes(dependentEnabled: Bool, setID: UInt32) throws {
    var sets = ParameterSetStore()
    var generator = SeededGenerator(seed: UInt64(setID) + 1)
    var told: [SliceType: Int] = [:]
    var left = 0, wrong = 0
    for case .success(var unit) in AnnexBNALUnits(Fixtures.bytes("two-views.hevc")) {
      if unit.type == .pictureParameterSet {
        var (pps, _, _) = unit.rbsp.decode(PictureParameterSet())
        pps.dependentSliceSegmentsEnabledFlag = dependentEnabled
        pps.ppsPicParameterSetID = setID
        unit = try NALUnit(unit.header, pps)
      }
      sets.insert(unit)
      guard unit.type.isSliceSegment, !unit.type.isRandomAccessPoint,
        let parameters = sets.sliceParameters(pictureParameterSet: setID, layerID: unit.layerID)
      else { continue }
      var header = SliceSegmentHeader(in: unit.header, parameters)
      header.slicePicParameterSetID = setID
      let start = try #require(LaterSliceStart(after: header))
      let head = try unit.header.encoded()
      for _ in 0..<500 {
        var bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Such a beginning is most often one of this picture.
        if setID == 0 { bytes[0] = 0x40 | bytes[0] & 0x3F }
        if setID == 5 { bytes[0] = 0x18 | bytes[0] & 0x07 }
        if setID == 63 { (bytes[0], bytes[1]) = (0x01, bytes[1] & 0x03) }
        if Bool.random(using: &generator) { bytes[.random(in: 2..<8, using: &generator)] = 0 }
        guard let later = NALUnit(ByteView(head + bytes)) else { continue }
        let type = start.sliceType(later.header, Self.word(later))
        if let type {
          if start.reading(later)?.sliceType != type { wrong += 1 }
          told[type, default: 0] += 1
        } else if start.reading(later)?.sliceType != nil {
          left += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(told.count == 3 && told.values.allSatisfy { $0 > 5 } && left < 2 * told.values.reduce(0, +))
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
