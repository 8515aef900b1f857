// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import Multiview
import Testing

@testable import MoviePictures

/// Planes of numbers that look like nothing, but reach all corners.
struct MadePlanes: PlaneRows {
  let width: Int
  let height: Int
  let chromaArrayType: Int
  let bitDepthLuma: Int
  let bitDepthChroma: Int
  let planes: [[Int32]]

  init(_ width: Int, _ height: Int, chroma: Int, luma: Int, chromaDepth: Int) {
    (self.width, self.height, chromaArrayType) = (width, height, chroma)
    (bitDepthLuma, bitDepthChroma) = (luma, chromaDepth)
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func number(_ depth: Int) -> Int32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Extremes are as frequent as all else.
      switch state >> 61 {
      case 0: return 0
      case 1: return Int32(1 << depth) - 1
      default: return Int32(truncatingIfNeeded: (state >> 33) & UInt64(1 << depth - 1))
      }
    }
    let isHalfWide = chroma == 1 || chroma == 2, isHalfHigh = chroma == 1
    let chromaCount = chroma == 0 ? 0 : (isHalfWide ? width / 2 : width) * (isHalfHigh ? height / 2 : height)
    planes = [
      (0..<width * height).map { _ in number(luma) }, (0..<chromaCount).map { _ in number(chromaDepth) },
      (0..<chromaCount).map { _ in number(chromaDepth) },
    ]
  }

  func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
    let count = component == 0 || chromaArrayType == 3 ? width : width / 2
    for x in 0..<count { row[start + x] = planes[component][y * count + x] }
  }
}

/// The conversion in floating point, by the formulas of ISO/IEC 23091-2 and the positions of ISO/IEC 23008-2, Figure E.1.
struct FloatingConversion {
  let planes: MadePlanes
  let code: Int
  let isFullRange: Bool
  let location: Int

  private func sample(_ component: Int, _ x: Int, _ y: Int) -> Double {
    let columns = planes.chromaArrayType == 3 ? planes.width : planes.width / 2
    let rows = planes.chromaArrayType == 1 ? planes.height / 2 : planes.height
    return Double(planes.planes[component][max(0, min(rows - 1, y)) * columns + max(0, min(columns - 1, x))])
  }

  private func chroma(_ component: Int, _ x: Int, _ y: Int) -> Double {
    var (u, v) = (Double(x), Double(y))
    if planes.chromaArrayType < 3 {
      let offset = planes.chromaArrayType == 1 && [1, 3, 5].contains(location) ? 0.5 : 0
      u = (u - offset) / 2
    }
    if planes.chromaArrayType == 1 {
      let offset: Double = [2, 3].contains(location) ? 0 : [4, 5].contains(location) ? 1 : 0.5
      v = (v - offset) / 2
    }
    let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (a, b) = (u - Double(left), v - Double(top))
    return (1 - a) * (1 - b) * sample(component, left, top) + a * (1 - b) * sample(component, left + 1, top)
      + (1 - a) * b * sample(component, left, top + 1) + a * b * sample(component, left + 1, top + 1)
  }

  /// Red, green and blue from 0 to 1.
  func colour(_ x: Int, _ y: Int) -> [Double] {
    let luma = Double(planes.planes[0][y * planes.width + x])
    func normalLuma(_ value: Double, _ depth: Int) -> Double {
      let unit = Double(1 << (depth - 8))
      return isFullRange ? value / Double(1 << depth - 1) : (value - 16 * unit) / (219 * unit)
    }
    func normalChroma(_ value: Double, _ depth: Int) -> Double {
      let unit = Double(1 << (depth - 8))
      return isFullRange
        ? (value - Double(1 << (depth - 1))) / Double(1 << depth - 1) : (value - 128 * unit) / (224 * unit)
    }
    let e = normalLuma(luma, planes.bitDepthLuma)
    guard planes.chromaArrayType != 0 else { return [e, e, e].map { max(0, min(1, $0)) } }
    let (first, second) = (chroma(1, x, y), chroma(2, x, y))
    let depth = planes.bitDepthChroma
    var rgb: [Double]
    if code == 0 {
      rgb = [normalLuma(second, depth), e, normalLuma(first, depth)]
    } else {
      let (cb, cr) = (normalChroma(first, depth), normalChroma(second, depth))
      if code == 8 {
        rgb = [e - cb + cr, e + cb, e - cb - cr]
      } else {
        let shares: [Int: (Double, Double)] = [
          1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114), 7: (0.212, 0.087),
          9: (0.2627, 0.0593),
        ]
        let (kr, kb) = shares[code] ?? (0, 0)
        let r = e + 2 * (1 - kr) * cr, b = e + 2 * (1 - kb) * cb
        rgb = [r, (e - kr * r - kb * b) / (1 - kr - kb), b]
      }
    }
    return rgb.map { max(0, min(1, $0)) }
  }
}

@Suite struct ColourTests {
  struct Case: CustomStringConvertible, Sendable {
    let code: Int
    let isFullRange: Bool
    let chroma: Int
    let luma: Int
    let chromaDepth: Int
    let location: Int
    var description: String {
      "matrix \(code), \(isFullRange ? "full" : "limited"), chroma \(chroma), \(luma)/\(chromaDepth) bit, at \(location)"
    }
  }

  static let cases: [Case] = {
    var all: [Case] = []
    for code in [0, 1, 4, 5, 6, 7, 8, 9] {
      for isFullRange in [false, true] {
        for chroma in 0...3 {
          // Planes of green, blue and red are all of one size.
          if code == 0, chroma != 3 { continue }
          for (luma, other) in [(8, 8), (10, 10), (12, 12), (16, 16), (8, 10)] {
            for location in chroma == 1 ? 0...5 : 0...0 {
              all.append(
                Case(
                  code: code, isFullRange: isFullRange, chroma: chroma, luma: luma, chromaDepth: other,
                  location: location))
            }
          }
        }
      }
    }
    return all
  }()

  /// In integers and in floating point the same, within 1 of 255, and in 16 bits within 2 of 65 535.
  @Test func sameAsFloatingPoint() throws {
    #expect(Self.cases.count > 600)
    var worst: [RGBPicture.Depth: Double] = [.eight: 0, .sixteen: 0]
    for item in Self.cases {
      let planes = MadePlanes(12, 10, chroma: item.chroma, luma: item.luma, chromaDepth: item.chromaDepth)
      let reference = FloatingConversion(
        planes: planes, code: item.code, isFullRange: item.isFullRange, location: item.location)
      let colour = ColourInterpretation(
        matrix: try #require(ColourMatrix(code: item.code)), isFullRange: item.isFullRange,
        chromaLocation: item.location)
      for depth in [RGBPicture.Depth.eight, .sixteen] {
        let found = RGBConverter(colour, depth: depth).convert(planes)
        var difference = 0.0
        for y in 0..<planes.height {
          for x in 0..<planes.width {
            let expected = reference.colour(x, y), pixel = found[x, y]
            for (a, b) in zip(expected, [pixel.red, pixel.green, pixel.blue]) {
              difference = max(difference, abs(a * Double(depth.maximum) - Double(b)))
            }
          }
        }
        #expect(difference <= (depth == .eight ? 0.51 : 2), "\(item)")
        worst[depth] = max(worst[depth] ?? 0, difference)
      }
    }
    #expect((worst[.eight] ?? 9) <= 0.51 && (worst[.sixteen] ?? 9) <= 2)
  }

  /// The corners of BT.709 in limited range, computed by hand: black, white, grey, and red as an encoder writes it.
  @Test func knownColours() {
    func colour(_ y: Int32, _ cb: Int32, _ cr: Int32) -> [UInt16] {
      let rows = [[y], [cb], [cr]]
      struct One: PlaneRows {
        let rows: [[Int32]]
        let width = 1, height = 1, chromaArrayType = 3, bitDepthLuma = 8, bitDepthChroma = 8
        func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
          row[start] = rows[component][0]
        }
      }
      let found = RGBConverter(ColourInterpretation(matrix: .bt709), depth: .eight).convert(One(rows: rows))
      return found.samples
    }
    #expect(colour(16, 128, 128) == [0, 0, 0])
    #expect(colour(235, 128, 128) == [255, 255, 255])
    #expect(colour(126, 128, 128) == [128, 128, 128])
    #expect(colour(63, 102, 240) == [255, 1, 0])
    #expect(colour(0, 128, 128) == [0, 0, 0] && colour(255, 128, 128) == [255, 255, 255])
  }

  @Test func customFillsWhatIsLeftOpen() throws {
    let small = PictureSize(width: 720, height: 576), large = PictureSize(width: 1_280, height: 720)
    var colour = VideoColour()
    #expect(try ColourInterpretation(colour, size: small).matrix == .bt601)
    let assumed = try ColourInterpretation(colour, size: large)
    #expect(assumed.matrix == .bt709 && assumed.isMatrixAssumed && !assumed.isFullRange)
    colour.primaries = 9
    #expect(try ColourInterpretation(colour, size: small).matrix == .bt2020)
    colour.matrix = 6
    #expect(try ColourInterpretation(colour, size: large).isMatrixAssumed == false)
    for code in [2, 3, 10, 11, 12, 13, 14, 200] {
      colour.matrix = code
      #expect(throws: PictureError.unsupportedColour(code)) { try ColourInterpretation(colour, size: large) }
    }
  }
}
