// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The planes of a picture, read row by row, without the parts that are cropped.
package protocol PlaneRows {
  /// The number of luma samples in a row.
  var width: Int { get }
  /// The number of rows of luma samples.
  var height: Int { get }
  /// The chroma format: 0 for luma alone, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`ChromaArrayType`).
  var chromaArrayType: Int { get }
  /// The number of bits of a luma sample.
  var bitDepthLuma: Int { get }
  /// The number of bits of a chroma sample.
  var bitDepthChroma: Int { get }

  /// Whether each chroma sample is in the middle of the luma samples that it belongs to, whatever the stream specifies.
  var hasCentredChroma: Bool { get }

  /// Writes the samples of a row to `row`, beginning at index `start`; `row` has room for them.
  func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int)

  /// Adds each sample of a row to the element of `sums` with the same index.
  func add(_ component: Int, row y: Int, to sums: inout [Int32])
}

extension PlaneRows {
  package var hasCentredChroma: Bool { false }
  var chromaWidth: Int { chromaArrayType == 1 || chromaArrayType == 2 ? (width + 1) / 2 : width }
  var chromaHeight: Int { chromaArrayType == 1 ? (height + 1) / 2 : height }

  package func add(_ component: Int, row y: Int, to sums: inout [Int32]) {
    var samples = [Int32](repeating: 0, count: sums.count)
    load(component, row: y, into: &samples, from: 0)
    for x in sums.indices { sums[x] &+= samples[x] }
  }
}

/// Converts planes to red, green and blue in integer arithmetic: chroma is interpolated linearly between the
/// positions of its samples, and the final sum is rounded once.
package struct RGBConverter {
  /// The number of fraction bits of the weights of luma; interpolated chroma has four fraction bits of its own,
  /// so its weights have four fewer. That is precise enough for samples of 16 bits, and no sum needs more than
  /// 50 bits.
  private static let shift = 28, chromaShift = 4

  private let colour: ColourInterpretation
  private let depth: RGBPicture.Depth

  package init(_ colour: ColourInterpretation, depth: RGBPicture.Depth) {
    self.colour = colour
    self.depth = depth
  }

  /// The nine weights, and the values that are subtracted from the samples before the weights are applied.
  private struct Weights {
    var rows: [[Int]] = []
    var blackLuma: Int
    var middleChroma: Int

    init(_ colour: ColourInterpretation, _ depth: RGBPicture.Depth, _ luma: Int, _ chroma: Int) {
      let isFull = colour.isFullRange, isIdentity = colour.matrix == .identity
      let lumaRange = isFull ? (1 << luma) - 1 : 219 << (luma - 8)
      let chromaRange =
        isFull ? (1 << chroma) - 1 : (isIdentity ? 219 : 224) << (chroma - 8)
      blackLuma = isFull ? 0 : 16 << (luma - 8)
      middleChroma =
        (isIdentity ? (isFull ? 0 : 16 << (chroma - 8)) : 1 << (chroma - 1)) << RGBConverter.chromaShift
      let factor = depth.maximum << RGBConverter.shift
      for row in colour.matrix.rows {
        rows.append([
          row[0].scaled(by: factor, over: lumaRange),
          row[1].scaled(by: factor >> RGBConverter.chromaShift, over: chromaRange),
          row[2].scaled(by: factor >> RGBConverter.chromaShift, over: chromaRange),
        ])
      }
    }
  }

  /// Converts the planes to a picture of red, green and blue.
  package func convert(_ source: some PlaneRows) -> RGBPicture {
    let width = source.width, height = source.height
    let hasChroma = source.chromaArrayType != 0
    var colour = colour
    // Luma alone is grey with every matrix.
    if !hasChroma { colour.matrix = .bt709 }
    let weights = Weights(
      colour, depth, source.bitDepthLuma, hasChroma ? source.bitDepthChroma : source.bitDepthLuma)
    var samples = [UInt16](repeating: 0, count: 3 * width * height)
    var luma = [Int32](repeating: 0, count: width)
    let neutral = Int32(weights.middleChroma)
    var first = [Int32](repeating: neutral, count: width), second = first
    var chroma1 = ChromaRows(1, source, colour.chromaLocation)
    var chroma2 = ChromaRows(2, source, colour.chromaLocation)
    for y in 0..<height {
      source.load(0, row: y, into: &luma, from: 0)
      if hasChroma {
        chroma1.interpolate(y, source, into: &first)
        chroma2.interpolate(y, source, into: &second)
      }
      write(luma, first, second, weights, to: &samples, at: 3 * y * width)
    }
    return RGBPicture(width: width, height: height, depth: depth, converted: samples, colour)
  }

  private func write(
    _ luma: [Int32], _ first: [Int32], _ second: [Int32], _ weights: Weights, to samples: inout [UInt16],
    at start: Int
  ) {
    let maximum = depth.maximum
    let half = 1 << (Self.shift - 1)
    var place = start
    let red = weights.rows[0], green = weights.rows[1], blue = weights.rows[2]
    let (r0, r1, r2) = (red[0], red[1], red[2])
    let (g0, g1, g2) = (green[0], green[1], green[2])
    let (b0, b1, b2) = (blue[0], blue[1], blue[2])
    for x in luma.indices {
      let l = Int(luma[x]) &- weights.blackLuma
      let c = Int(first[x]) &- weights.middleChroma, d = Int(second[x]) &- weights.middleChroma
      let r = (r0 &* l &+ r1 &* c &+ r2 &* d &+ half) &>> Self.shift
      let g = (g0 &* l &+ g1 &* c &+ g2 &* d &+ half) &>> Self.shift
      let b = (b0 &* l &+ b1 &* c &+ b2 &* d &+ half) &>> Self.shift
      samples[place] = UInt16(truncatingIfNeeded: max(0, min(maximum, r)))
      samples[place &+ 1] = UInt16(truncatingIfNeeded: max(0, min(maximum, g)))
      samples[place &+ 2] = UInt16(truncatingIfNeeded: max(0, min(maximum, b)))
      place &+= 3
    }
  }
}
