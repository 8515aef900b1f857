// swift-multiview · SPDX-License-Identifier: Apache-2.0

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

  @Test func blocksOfTablesAreFilledWithinBounds() {
    let table = Memory<UInt8>(count: 24, repeating: 0)
    defer { table.free() }
    table.fill(x: 4, y: 1, width: 2, height: 2, stride: 6, with: 9)
    #expect((0..<24).filter { table[$0] == 9 } == [10, 11, 16, 17])
    table.fill(x: 0, y: 3, width: 12, height: 2, stride: 6, with: 7)
    #expect((0..<24).filter { table[$0] == 7 } == [18, 19, 20, 21, 22, 23])
  }
}
