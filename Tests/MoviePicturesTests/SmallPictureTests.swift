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

  /// Means of chroma samples are in the middle of their luma samples, in 4:2:2 too: a ramp of chroma stays where it was.
  @Test func colourStaysWhereItWas() throws {
    struct Ramp: PlaneRows {
      let width = 128, height = 8, chromaArrayType: Int
      let bitDepthLuma = 8, bitDepthChroma = 8
      func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
        let count = component == 0 ? width : chromaWidth
        // As bright at each place, by the position of a chroma sample among luma samples.
        let step: Int32 = component == 0 || chromaArrayType == 3 ? 1 : 2
        for x in 0..<count { row[start + x] = component == 0 ? 100 : 50 + Int32(x) * step }
      }
    }
    let colour = ColourInterpretation(matrix: .bt709, isFullRange: true)
    func small(_ chromaArrayType: Int) throws -> RGBPicture {
      RGBConverter(colour, depth: .sixteen).convert(
        try #require(ReducedPlanes(Ramp(chromaArrayType: chromaArrayType), factor: 4)))
    }
    let expected = try small(3), found = try small(2)
    let middle = 8..<(expected.width - 8)
    for x in middle {
      // Where planes of the full width are sampled at even positions, a mean is half a luma sample to the left.
      let (a, b) = (Int(expected.samples[3 * x]), Int(found.samples[3 * x]))
      #expect(abs(a - b) <= 500, "\(x): \(a) \(b)")
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
