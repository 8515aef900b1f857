// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@Suite struct AccessUnitTests {
  /// A unit by its type and layer: `1` a slice that starts a picture, `-1` one that continues it.
  static func unit(_ type: Int, _ layer: UInt8 = 0, temporalID: UInt8 = 0) -> NALUnit {
    let header = NALUnitHeader(
      type: NALUnitType(rawValue: UInt8(type.magnitude)), layerID: layer, temporalID: temporalID)
    let first = header.type.isVideoCodingLayer && type > 0 ? 0x80 : 0x40
    let bytes = ((try? header.encoded()) ?? []) + [UInt8(first)]
    return NALUnit(ByteView(bytes)) ?? unit(38)
  }

  static func types(_ groups: [AccessUnit<NALUnit>]) -> [[Int]] {
    groups.map { $0.units.map { Int($0.type.rawValue) + 100 * Int($0.layerID) } }
  }

  /// Types; from 100 on of layer 1, and so on; negative ones continue a picture.
  static func group(_ codes: [Int]) -> [AccessUnit<NALUnit>] {
    AccessUnitGrouper.group(
      codes.map { code in
        let layer = UInt8(code.magnitude / 100), type = Int(code.magnitude % 100)
        return unit(code < 0 ? -type : type, layer)
      })
  }

  @Test func oneLayer() {
    let groups = Self.group([32, 33, 34, 39, 20, -20, 40, 1, 35, 39, 1, -1, 36, 37, 32, 20])
    #expect(
      Self.types(groups) == [
        [32, 33, 34, 39, 20, 20, 40], [1], [35, 39, 1, 1, 36, 37], [32, 20],
      ])
    #expect(groups.allSatisfy { $0.issues.isEmpty })
    #expect(groups[0].pictures.map(\.slices) == [[4, 5]])
  }

  @Test func aPrefixMessageOfTheBaseLayerBetweenTheLayers() {
    // As cameras write it: the second message has layer 0, and belongs to the same access unit.
    let groups = Self.group([39, 20, 39, 121, 1, 101, 39, 20, 39, 121])
    #expect(Self.types(groups) == [[39, 20, 39, 121], [1, 101], [39, 20, 39, 121]])
    #expect(groups[0].pictures.map(\.layerID) == [0, 1])
    #expect(groups[0].pictures.map(\.type) == [.refreshWithoutLeading, .cleanRandomAccess])
    #expect(groups.allSatisfy { $0.issues.isEmpty })
  }

  @Test func parameterSetsBetweenTheLayers() {
    let groups = Self.group(
      [32, 33, 133, 34, 134, 20, 32, 33, 133, 34, 134, 120] + [1, 101] + [32, 33, 21, 32, 33, 121])
    #expect(groups.map(\.units.count) == [12, 2, 6])
    #expect(groups.map(\.pictures.count) == [2, 2, 2])
    #expect(groups.allSatisfy { $0.issues.isEmpty })
  }

  @Test func delimitersBetweenTheLayers() {
    // An encoder writes one in front of the picture of each layer.
    let groups = Self.group([35, 20, 40, 35, 120, 140, 35, 1, 35, 101])
    #expect(Self.types(groups) == [[35, 20, 40, 35, 120, 140], [35, 1, 35, 101]])
    #expect(groups.map { $0.issues.map(\.kind) } == [[.secondDelimiter], [.secondDelimiter]])
    #expect(groups.map { $0.pictures.map(\.layerID) } == [[0, 1], [0, 1]])
  }

  @Test func missingBasePictures() {
    let groups = Self.group([20, 120, 101, 1, 101])
    #expect(Self.types(groups) == [[20, 120], [101], [1, 101]])
    #expect(groups[1].issues.map(\.kind) == [.baseLayerMissing])
  }

  @Test func orderCountsTellPicturesApart() {
    var grouper = AccessUnitGrouper<NALUnit>()
    var groups: [AccessUnit<NALUnit>] = []
    for (code, order) in [(20, 0), (120, 0), (1, 1), (101, 2), (1, 3)] {
      let unit = Self.unit(code % 100, UInt8(code / 100))
      if let group = grouper.add(unit, pictureOrderCount: order) { groups.append(group) }
    }
    if let last = grouper.finish() { groups.append(last) }
    #expect(Self.types(groups) == [[20, 120], [1], [101], [1]])
  }

  @Test func aLostFirstSlice() {
    let groups = Self.group([20, 120, -1, 101])
    #expect(Self.types(groups) == [[20, 120], [1, 101]])
    #expect(groups[1].issues.map(\.kind) == [.firstSliceMissing])
    #expect(groups[1].pictures.map(\.hasFirstSlice) == [false, true])
  }

  @Test(arguments: [
    ([39, 35, 1], AccessUnitIssue.Kind.delimiterNotFirst, 1), ([35, 35, 1], .secondDelimiter, 1),
    ([1, 39], .behindLastSlice, 1), ([40, 1], .beforeFirstSlice, 0), ([1, 36, 1], .behindEndOfSequence, 2),
    ([1, 37, 38], .behindEndOfBitstream, 2), ([-1], .firstSliceMissing, 0), ([1, -20], .mixedTypes, 1),
    ([101, 1], .layersOutOfOrder, 1), ([101], .baseLayerMissing, 0), ([32], .noPicture, 0),
    ([1, 137], .endOfBitstreamInLayer, 1), ([2], .temporalID, 0), ([4], .temporalID, 0),
  ])
  func whatIsOutOfOrder(codes: [Int], kind: AccessUnitIssue.Kind, unit: Int) {
    let units = codes.map { Self.unit($0 % 100, UInt8($0.magnitude / 100)) }
    #expect(AccessUnit(units).issues.contains { $0.kind == kind && $0.unit == unit })
  }

  @Test func headersThatAreToBeIgnoredBeginNothing() throws {
    let reserved = try #require(NALUnit(ByteView([0x03, 0xF9, 0x80])))
    let groups = AccessUnitGrouper.group([Self.unit(20), reserved, Self.unit(20, 1)])
    #expect(groups.count == 1)
    #expect(groups[0].issues.map(\.kind) == [.invalidHeader])
  }

  @Test func anEndlessAccessUnitIsCut() {
    var grouper = AccessUnitGrouper<NALUnit>(maximumUnits: 100)
    var sizes: [Int] = []
    for _ in 0..<1_000 {
      if let group = grouper.add(Self.unit(39)) { sizes.append(group.units.count) }
    }
    #expect(sizes == [Int](repeating: 100, count: 9))
    #expect(grouper.finish()?.units.count == 100)
    #expect(grouper.finish() == nil)
  }

  /// Pictures and layers as their makers wrote them; see the notes beside the fixtures.
  @Test(arguments: [
    ("two-views.hevc", [0, 1]), ("two-views-cropped.hevc", [0, 1]), ("three-views.hevc", [0, 1, 2]),
    ("alpha-layer.hevc", [0, 1]),
  ])
  func accessUnitsOfTheFixtures(name: String, layers: [UInt8]) throws {
    let units = try AnnexBNALUnits(Fixtures.bytes(name)).map { try $0.get() }
    let groups = AccessUnitGrouper.group(units)
    #expect(groups.count > 1)
    for group in groups {
      #expect(group.pictures.map(\.layerID) == layers)
      #expect(group.issues.isEmpty)
    }
    #expect(groups.map(\.units.count).reduce(0, +) == units.count)
  }
}
