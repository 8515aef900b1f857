// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Planes that wait in less memory.
@Suite struct PackedPlaneTests {
  /// Whatever the samples are, they come back: widths that are no multiple of what is packed at a time, one row, noise, the ends of
  /// the range, slopes.
  @Test(arguments: [8, 10, 12])
  func samplesComeBack(depth: Int) {
    var random = SplitMix(seed: UInt64(depth))
    for _ in 0..<TwinRounds.count(60) {
      var plane = TwinPlane(width: random.next(1...70), height: random.next(1...20), depth: depth)
      let other = Plane(width: plane.width, height: plane.height, bitDepth: depth, isWide: depth > 8)
      defer {
        plane.free()
        other.free()
      }
      plane.fill(&random)
      // All steps between neighbours, also the largest ones.
      for x in 0..<plane.width where random.next(0...3) == 0 {
        plane.set(x, random.next(0...(plane.height - 1)), random.next(0...1) * (1 << depth - 1))
      }
      PackedPlane(plane.plane).unpack(into: other)
      for y in 0..<plane.height {
        for x in 0..<plane.width { #expect(other[x, y] == plane[x, y], "\(x), \(y) of \(plane.width)") }
      }
    }
  }

  /// A plane of another form stays as it is.
  @Test func otherFormsAreLeft() {
    var plane = TwinPlane(width: 24, height: 8, depth: 8)
    var random = SplitMix(seed: 1)
    plane.fill(&random)
    let packed = PackedPlane(plane.plane)
    defer { plane.free() }
    for (width, height, depth) in [(25, 8, 8), (24, 7, 8), (24, 8, 10)] {
      let other = Plane(width: width, height: height, bitDepth: depth, isWide: depth > 8)
      defer { other.free() }
      other.fill(with: 77)
      packed.unpack(into: other)
      #expect((0..<height).allSatisfy { y in (0..<width).allSatisfy { other[$0, y] == 77 } })
    }
  }
}
