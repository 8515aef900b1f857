// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF
import Multiview
import Testing

@testable import MoviePictures

@Suite struct CompositionTests {
  /// Two rows of three pixels, numbered in red; green and blue follow.
  static func numbered(_ first: UInt16 = 0) -> RGBPicture? {
    RGBPicture(
      width: 3, height: 2, samples: (0..<6).flatMap { [first + $0, first + $0 + 50, first + $0 + 100] })
  }

  static func reds(_ picture: RGBPicture) -> [[UInt16]] {
    (0..<picture.height).map { y in (0..<picture.width).map { picture[$0, y].red } }
  }

  /// All eight ways to place a picture, by hand: mirrored first, then turned clockwise.
  @Test func orientations() throws {
    let picture = try #require(Self.numbered())
    let expected: [(Int, Bool, [[UInt16]])] = [
      (0, false, [[0, 1, 2], [3, 4, 5]]), (90, false, [[3, 0], [4, 1], [5, 2]]),
      (180, false, [[5, 4, 3], [2, 1, 0]]), (270, false, [[2, 5], [1, 4], [0, 3]]),
      (0, true, [[2, 1, 0], [5, 4, 3]]), (90, true, [[5, 2], [4, 1], [3, 0]]),
      (180, true, [[3, 4, 5], [0, 1, 2]]), (270, true, [[0, 3], [1, 4], [2, 5]]),
    ]
    for (rotation, isMirrored, reds) in expected {
      let orientation = try #require(PictureOrientation(rotation: rotation, isMirrored: isMirrored))
      let turned = picture.oriented(orientation)
      #expect(Self.reds(turned) == reds, "\(orientation)")
      #expect(turned[0, 0].green == turned[0, 0].red + 50 && turned[0, 0].blue == turned[0, 0].red + 100)
    }
  }

  @Test func arrangements() throws {
    let left = try #require(Self.numbered()), right = try #require(Self.numbered(10))
    let side = try RGBPicture.combining(left: left, right: right, .sideBySide)
    #expect(Self.reds(side) == [[0, 1, 2, 10, 11, 12], [3, 4, 5, 13, 14, 15]])
    let over = try RGBPicture.combining(left: left, right: right, .overUnder)
    #expect(Self.reds(over) == [[0, 1, 2], [3, 4, 5], [10, 11, 12], [13, 14, 15]])
    let anaglyph = try RGBPicture.combining(left: left, right: right, .anaglyph)
    #expect(anaglyph[1, 1].red == 4 && anaglyph[1, 1].green == 64 && anaglyph[1, 1].blue == 114)
    let other = try #require(RGBPicture(width: 1, height: 1, samples: [0, 0, 0]))
    #expect(throws: PictureError.self) { try RGBPicture.combining(left: left, right: other, .sideBySide) }
  }

  @Test func apertures() {
    let size = PictureSize(width: 1_920, height: 1_088)
    var geometry = DisplayGeometry()
    #expect(geometry.region(of: size) == .init(x: 0, y: 0, width: 1_920, height: 1_088))
    var box = CleanApertureBox()
    (box.widthN, box.heightN, box.vertOffN) = (1_920, 1_080, -4)
    geometry.aperture = box
    #expect(geometry.region(of: size) == .init(x: 0, y: 0, width: 1_920, height: 1_080))
    (box.widthN, box.horizOffN, box.vertOffN) = (100, 10, 0)
    geometry.aperture = box
    #expect(geometry.region(of: size) == .init(x: 920, y: 4, width: 100, height: 1_080))
    // One that leaves the picture is not applied.
    for (width, offset, divisor) in [(2_000, 0, 1), (0, 0, 1), (1_900, 11, 1), (1_900, -11, 1), (100, 0, 0)] {
      box.widthN = UInt32(width)
      box.horizOffN = Int32(offset)
      box.horizOffD = UInt32(divisor)
      geometry.aperture = box
      #expect(geometry.region(of: size).width == 1_920)
    }
  }

  @Test func pixelShapes() throws {
    var geometry = DisplayGeometry()
    geometry.pixelShape = try #require(.init(width: 4, height: 3))
    let size = PictureSize(width: 1_440, height: 1_080)
    #expect(geometry.displaySize(of: size) == PictureSize(width: 1_920, height: 1_080))
    geometry.orientation = try #require(PictureOrientation(rotation: 90))
    #expect(geometry.displaySize(of: size) == PictureSize(width: 1_080, height: 1_920))
    geometry.pixelShape = try #require(.init(width: 2, height: 1))
    let shown = try #require(Self.numbered()).shown(by: geometry)
    #expect(shown.width == 2 && shown.height == 6)
    geometry.pixelShape = try #require(.init(width: 4_000_000_000, height: 1))
    #expect(throws: PictureError.self) { try #require(Self.numbered()).shown(by: geometry) }
  }

  /// Even areas stay even, a straight slope stays straight away from its ends, and no size is refused that fits.
  @Test func scaling() throws {
    let flat = try #require(
      RGBPicture(width: 7, height: 5, samples: [UInt16](repeating: 201, count: 3 * 35)))
    for (width, height) in [(1, 1), (3, 9), (14, 10), (100, 2)] {
      let scaled = try flat.scaled(width: width, height: height)
      #expect(scaled.samples == [UInt16](repeating: 201, count: 3 * width * height))
    }
    let slope = try #require(
      RGBPicture(width: 32, height: 1, samples: (0..<32).flatMap { [UInt16](repeating: 4 * $0, count: 3) }))
    let half = try slope.scaled(width: 16, height: 1)
    // The middle of pixels 2n and 2n+1 is at 4 · (2n + 1/2).
    for x in 4..<12 { #expect(abs(Int(half[x, 0].red) - (8 * x + 2)) <= 1) }
    let twice = try slope.scaled(width: 64, height: 1)
    for x in 8..<56 { #expect(abs(Int(twice[x, 0].red) - (2 * x - 1)) <= 1) }
    #expect(try flat.scaled(width: 14).height == 10)
    #expect(throws: PictureError.self) { try flat.scaled(width: 70_000, height: 1) }
    #expect(throws: PictureError.self) { try flat.scaled(width: 0, height: 1) }
    #expect(throws: PictureError.self) { try flat.scaled(width: .max) }
  }

  /// The first lines of Y4M files and the order of samples.
  @Test func planesAreFiles() throws {
    let group = try #require(try Track.picturesOfFixture("spatial.mov").first)
    let left = try PlanarFrame(try #require(group[.left])),
      right = try PlanarFrame(try #require(group[.right]))
    let header = String(decoding: try left.y4mHeader(rate: (30_000, 1_001)), as: UTF8.self)
    #expect(header.hasPrefix("YUV4MPEG2 W\(left.width) H\(left.height) F30000:1001 Ip A1:1 C420mpeg2"))
    #expect(header.hasSuffix("\n"))
    #expect(left.bytes == (0..<3).flatMap { group[.left]?.bytes(ofPlane: $0) ?? [] })
    #expect(left.y4mFrame.count == 6 + left.width * left.height * 3 / 2)
    let over = try PlanarFrame.combining(left: left, right: right, .overUnder)
    #expect(over.planes[1] == left.planes[1] + right.planes[1] && over.height == 2 * left.height)
    let side = try PlanarFrame.combining(left: left, right: right, .sideBySide)
    let half = left.width / 2
    let row: [UInt8] = Array(left.planes[2].prefix(half)) + Array(right.planes[2].prefix(half))
    #expect(Array(side.planes[2].prefix(2 * half)) == row)
    #expect(side.bytes.count == 2 * left.bytes.count)
    #expect(throws: PictureError.self) { try PlanarFrame.combining(left: left, right: right, .anaglyph) }
  }
}
