// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import TestSupport
import Testing

@testable import HEVCCoding

struct PlaneTests {
  @Test(arguments: [false, true])
  func samplesKeepTheirPlaces(isWide: Bool) {
    let plane = Plane(width: 37, height: 5, bitDepth: isWide ? 10 : 8, isWide: isWide)
    defer { plane.free() }
    for y in 0..<5 {
      for x in 0..<37 { plane[x, y] = (x * 7 + y * 31) & 255 }
    }
    for y in 0..<5 {
      for x in 0..<37 { #expect(plane[x, y] == (x * 7 + y * 31) & 255) }
      let row: [UInt8]? = plane.withRow(y, from: 1, count: 30) { row in row.indices.map { row[$0] } }
      var expected: [UInt8] = []
      for x in 1..<31 {
        expected.append(UInt8((x * 7 + y * 31) & 255))
        if isWide { expected.append(0) }
      }
      #expect(row == expected)
    }
    #expect(plane.withRow(5, from: 0, count: 1) { _ in 0 } == nil)
    #expect(plane.withRow(0, from: 30, count: 8) { _ in 0 } == nil)
  }

  /// Samples of up to 8 bits become one byte each, wherever they are in memory, others two.
  @Test(arguments: [(8, false), (8, true), (10, true)])
  func blocksBecomeBytes(depth: Int, isWide: Bool) {
    let plane = Plane(width: 37, height: 9, bitDepth: depth, isWide: isWide)
    defer { plane.free() }
    for y in 0..<9 {
      for x in 0..<37 { plane[x, y] = (x * 29 + y * 131) & (depth > 8 ? 1_023 : 255) }
    }
    for (x, y, width, height) in [(0, 0, 37, 9), (3, 2, 20, 5), (36, 8, 1, 1), (5, 5, 0, 2)] {
      var expected: [UInt8] = [7]
      for row in y..<y + height {
        for column in x..<x + width {
          let value = (column * 29 + row * 131) & (depth > 8 ? 1_023 : 255)
          expected.append(UInt8(value & 255))
          if depth > 8 { expected.append(UInt8(value >> 8)) }
        }
      }
      var bytes: [UInt8] = [7]
      plane.append(x: x, y: y, width: width, height: height, to: &bytes)
      #expect(bytes == expected)
    }
    for (x, y, width, height) in [(30, 0, 8, 1), (0, 8, 1, 2), (-1, 0, 2, 1)] {
      var bytes: [UInt8] = []
      plane.append(x: x, y: y, width: width, height: height, to: &bytes)
      #expect(bytes.isEmpty)
    }
  }

  /// The rows of a picture are its blocks, also where samples of 8 bits take two bytes because chroma has more bits.
  @Test(arguments: [(8, 8), (8, 10), (10, 10)])
  func rowsAreBlocks(luma: UInt32, chroma: UInt32) {
    var format = PictureFormat()
    (format.picWidthInLumaSamples, format.picHeightInLumaSamples) = (40, 16)
    (format.bitDepthLumaMinus8, format.bitDepthChromaMinus8) = (luma - 8, chroma - 8)
    let picture = PictureBuffer(SampleFormat(format))
    picture.allocate()
    let plane = picture.planes[0]
    #expect(plane.isWide == (chroma > 8))
    for y in 0..<16 {
      for x in 0..<40 { plane[x, y] = (x * 29 + y * 131) & ((1 << plane.bitDepth) - 1) }
    }
    for (x, y, width, height) in [(0, 0, 40, 16), (3, 2, 20, 5), (39, 15, 1, 1), (33, 0, 8, 1)] {
      var expected: [UInt8] = [], found: [UInt8] = []
      plane.append(x: x, y: y, width: width, height: height, to: &expected)
      picture.forEachRow(0, x: x, y: y, width: width, height: height) { row in
        for place in row.indices { found.append(row[place]) }
      }
      #expect(found == expected && found.isEmpty == (x == 33))
    }
  }

  /// Blocks of any width are copied, and nothing beside them.
  @Test(arguments: [8, 10])
  func blocksAreCopied(depth: Int) {
    var source = TwinPlane(width: 150, height: 20, depth: depth)
    var target = TwinPlane(width: 160, height: 24, depth: depth)
    defer {
      source.free()
      target.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    source.fill(&random)
    target.fill(&random)
    for width in [1, 2, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64, 72, 128, 136, 150] {
      for _ in 0..<TwinRounds.count(3) {
        let height = random.next(1...20), x = random.next(0...(150 - width)),
          y = random.next(0...(20 - height))
        let toX = random.next(0...(160 - width)), toY = random.next(0...(24 - height))
        var expected = target.samples
        for row in 0..<height {
          for column in 0..<width {
            expected[(toY + row) * 160 + toX + column] = source[x + column, y + row]
          }
        }
        target.plane.copy(
          from: source.plane, x: x, y: y, width: width, height: height, toX: toX, toY: toY)
        #expect(target.hasSamples(expected))
        target.accept(expected)
      }
    }
  }

  @Test func blocksOfTablesAreFilledWithinBounds() {
    let table = Memory<UInt8>(count: 24, repeating: 0)
    defer { table.free() }
    table.fill(x: 4, y: 1, width: 2, height: 2, stride: 6, with: 9)
    #expect((0..<24).filter { table[$0] == 9 } == [10, 11, 16, 17])
    table.fill(x: 0, y: 3, width: 12, height: 2, stride: 6, with: 7)
    #expect((0..<24).filter { table[$0] == 7 } == [18, 19, 20, 21, 22, 23])
  }
}
