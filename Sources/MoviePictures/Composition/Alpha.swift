// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension RGBPicture {
  /// Returns the picture with an alpha channel from the luma samples of another picture, which is scaled to the
  /// size of this one.
  func withAlpha(
    _ source: some PlaneRows, _ interpretation: AlphaInterpretation
  ) throws(PictureError) -> RGBPicture {
    // Luma alone in full range: red equals the luma sample.
    let opaque = try RGBConverter(ColourInterpretation(matrix: .bt709, isFullRange: true), depth: depth)
      .convert(OpacityRows(source, interpretation)).scaled(width: width, height: height)
    var joined: [UInt16] = []
    joined.reserveCapacity(4 * width * height)
    for pixel in 0..<(width * height) {
      joined += samples[(3 * pixel)..<(3 * pixel + 3)]
      joined.append(opaque.samples[3 * pixel])
    }
    let picture = replacing(width: width, height: height, hasAlpha: true, joined)
    return interpretation.isPremultiplied ? picture.divided(to: depth) : picture
  }

  /// Returns the picture on a background of one colour, without an alpha channel.
  ///
  /// - Parameters:
  ///   - red: the red of the background, from 0 to the ``Depth/maximum`` of the picture's depth.
  ///   - green: the green of the background, in the same range.
  ///   - blue: the blue of the background, in the same range.
  public func composed(onRed red: UInt16, green: UInt16, blue: UInt16) -> RGBPicture {
    guard hasAlpha else { return self }
    let ground = [Int(red), Int(green), Int(blue)], maximum = depth.maximum
    var even: [UInt16] = []
    even.reserveCapacity(3 * width * height)
    for pixel in stride(from: 0, to: samples.count, by: 4) {
      let alpha = Int(samples[pixel + 3])
      for channel in 0..<3 {
        let sum = Int(samples[pixel + channel]) * alpha + min(ground[channel], maximum) * (maximum - alpha)
        even.append(UInt16(clamping: (sum + maximum / 2) / maximum))
      }
    }
    return replacing(width: width, height: height, hasAlpha: false, even)
  }

  /// Returns the picture with colours multiplied by their opacity, in 16 bits, so that colours of nearly
  /// transparent pixels are not lost.
  func multiplied() -> RGBPicture {
    let maximum = depth.maximum, factor = Depth.sixteen.maximum / maximum
    return changingPixels(to: .sixteen) { colour, alpha in
      (colour * alpha * factor + maximum / 2) / maximum
    } opacity: {
      $0 * factor
    }
  }

  /// Reverses the multiplication of colours by their opacity; transparent pixels become black.
  func divided(to depth: Depth) -> RGBPicture {
    let old = self.depth.maximum, maximum = depth.maximum
    return changingPixels(to: depth) { colour, alpha in
      alpha == 0 ? 0 : min(maximum, (colour * maximum + alpha / 2) / alpha)
    } opacity: {
      ($0 * maximum + old / 2) / old
    }
  }

  private func changingPixels(
    to depth: Depth, _ colour: (_ colour: Int, _ alpha: Int) -> Int, opacity: (Int) -> Int
  ) -> RGBPicture {
    guard hasAlpha else { return self }
    var changed = samples
    for pixel in stride(from: 0, to: samples.count, by: 4) {
      let alpha = Int(samples[pixel + 3])
      for place in pixel..<(pixel + 3) {
        changed[place] = UInt16(clamping: colour(Int(samples[place]), alpha))
      }
      changed[pixel + 3] = UInt16(clamping: opacity(alpha))
    }
    return replacing(width: width, height: height, depth: depth, changed)
  }
}

/// The opacity that the luma samples of a picture represent, as the luma of a picture without chroma.
private struct OpacityRows<Source: PlaneRows>: PlaneRows {
  private let source: Source
  private let opacities: [Int32]

  init(_ source: Source, _ interpretation: AlphaInterpretation) {
    self.source = source
    opacities = interpretation.table(bitDepth: source.bitDepthLuma)
  }

  var width: Int { source.width }
  var height: Int { source.height }
  var chromaArrayType: Int { 0 }
  var bitDepthLuma: Int { source.bitDepthLuma }
  var bitDepthChroma: Int { source.bitDepthLuma }

  func load(_ component: Int, row y: Int, into row: inout [Int32], from start: Int) {
    source.load(0, row: y, into: &row, from: start)
    for x in start..<(start + width) { row[x] = opacities[Int(row[x]) & (opacities.count - 1)] }
  }
}
