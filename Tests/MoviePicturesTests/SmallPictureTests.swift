// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCDecoding
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Pictures that are made smaller before they are converted.
@Suite struct SmallPictureTests {
  /// Planes whose samples are a function of their place.
  private struct Planes: PlaneRows {
    var width: Int
    var height: Int
    var chromaArrayType = 1
    var bitDepthLuma = 8
    var bitDepthChroma = 8

    static func sample(_ component: Int, _ x: Int, _ y: Int) -> Int {
      (x * 31 + y * 17 + component * 77 + x * y) % 251
    }

    func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
      for x in 0..<(component == 0 ? width : chromaWidth) {
        row[start + x] = Int32(Self.sample(component, x, y))
      }
    }
  }

  @Test(arguments: [(1, 2), (1, 3), (2, 4), (3, 5), (0, 6)])
  func eachSampleIsTheMeanOfASquare(chromaArrayType: Int, factor: Int) throws {
    let planes = Planes(width: 120, height: 120, chromaArrayType: chromaArrayType)
    let small = try #require(ReducedPlanes(planes, factor: factor))
    #expect(small.width == 120 / factor && small.height == 120 / factor)
    for component in 0..<(chromaArrayType == 0 ? 1 : 3) {
      let width = component == 0 ? small.width : small.chromaWidth
      let height = component == 0 ? small.height : small.chromaHeight
      var row = [Int32](repeating: -1, count: width + 2)
      for y in 0..<height {
        small.load(component, row: y, into: &row, from: 1)
        for x in 0..<width {
          var sum = 0
          for dy in 0..<factor {
            for dx in 0..<factor { sum += Planes.sample(component, x * factor + dx, y * factor + dy) }
          }
          #expect(abs(Double(row[1 + x]) - Double(sum) / Double(factor * factor)) <= 0.5)
        }
      }
      #expect(row.first == -1 && row.last == -1)
    }
  }

  @Test func whatCannotBeDividedIsNot() {
    #expect(ReducedPlanes(Planes(width: 120, height: 120), factor: 1) == nil)
    #expect(ReducedPlanes(Planes(width: 121, height: 120), factor: 2) == nil)
    // Chroma has 15 rows.
    #expect(ReducedPlanes(Planes(width: 60, height: 30), factor: 2) == nil)
    #expect(ReducedPlanes(Planes(width: 60, height: 30, chromaArrayType: 0), factor: 2) != nil)
  }

  /// It looks as if the whole picture had been scaled.
  @Test func theyLookTheSame() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    let group = try #require(try track.pictures().next())
    for picture in group.layers {
      let whole = try picture.rgb()
      for divisor in [4, 6, 8] {
        let width = whole.width / divisor
        let small = try picture.rgb(width: width), scaled = try whole.scaled(width: width)
        #expect((small.width, small.height) == (scaled.width, scaled.height))
        let distance = zip(small.samples, scaled.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(distance) / Double(small.samples.count) < 3, "a mean of 3 of 255 at most")
      }
      #expect(try picture.rgb(width: whole.width) == whole)
    }
  }
}
