// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension RGBPicture {
  /// Returns the picture in another size, by the Catmull-Rom filter. If it becomes smaller, each pixel is a
  /// weighted mean of all pixels that it covers.
  ///
  /// - Throws: ``PictureError/tooLarge(width:height:)`` if the new size is larger than allowed, or not positive.
  public func scaled(width newWidth: Int, height newHeight: Int) throws(PictureError) -> RGBPicture {
    if newWidth == width, newHeight == height { return self }
    let (pixels, overflow) = newWidth.multipliedReportingOverflow(by: newHeight)
    let (between, overflowBetween) = newWidth.multipliedReportingOverflow(by: height)
    guard newWidth > 0, newHeight > 0, !overflow, !overflowBetween,
      max(pixels, between) <= max(Self.maximumPixels, width * height),
      max(newWidth, newHeight) <= Self.maximumSide
    else { throw .tooLarge(width: newWidth, height: newHeight) }
    // A transparent pixel must not colour its neighbours.
    guard !hasAlpha else {
      return multiplied().scaledEvenly(width: newWidth, height: newHeight).divided(to: depth)
    }
    return scaledEvenly(width: newWidth, height: newHeight)
  }

  /// Scales all channels in the same way.
  private func scaledEvenly(width newWidth: Int, height newHeight: Int) -> RGBPicture {
    let columns = ScalingFilter(from: width, to: newWidth), channels = channels
    var wide = [UInt16](repeating: 0, count: channels * newWidth * height)
    for y in 0..<height {
      columns.apply(
        to: samples, start: channels * y * width, step: channels, count: channels, maximum: depth.maximum,
        into: &wide, at: channels * y * newWidth)
    }
    guard newHeight != height else { return replacing(width: newWidth, height: newHeight, wide) }
    let rows = ScalingFilter(from: height, to: newHeight)
    var result = [UInt16](repeating: 0, count: channels * newWidth * newHeight)
    rows.apply(
      to: wide, start: 0, step: channels * newWidth, count: channels * newWidth, maximum: depth.maximum,
      into: &result, at: 0)
    return replacing(width: newWidth, height: newHeight, result)
  }

  /// Returns the picture with another width, and the height that keeps its proportions.
  ///
  /// - Throws: ``PictureError/tooLarge(width:height:)`` as ``scaled(width:height:)`` does.
  public func scaled(width newWidth: Int) throws(PictureError) -> RGBPicture {
    let (area, overflow) = height.multipliedReportingOverflow(by: newWidth)
    guard !overflow else { throw .tooLarge(width: newWidth, height: height) }
    return try scaled(width: newWidth, height: max(1, (area + width / 2) / width))
  }
}

/// The weights of the samples that each sample of a scaled line is computed from, in units of 1/16 384.
private struct ScalingFilter {
  private static let shift = 14

  private struct Tap {
    var first: Int
    var weights: [Int]
  }

  private let taps: [Tap]

  init(from old: Int, to new: Int) {
    let ratio = Double(old) / Double(new)
    let width = max(1, ratio)
    taps = (0..<new).map { index in
      let centre = (Double(index) + 0.5) * ratio - 0.5
      let first = Int((centre - 2 * width).rounded(.up)), last = Int((centre + 2 * width).rounded(.down))
      // The outermost samples are repeated beyond the ends.
      let inside = max(0, min(old - 1, first))...max(0, min(old - 1, last))
      var values = [Double](repeating: 0, count: inside.count)
      for place in first...max(first, last) {
        let target = max(inside.lowerBound, min(inside.upperBound, place)) - inside.lowerBound
        values[target] += Self.kernel((Double(place) - centre) / width)
      }
      return Tap(first: inside.lowerBound, weights: Self.whole(values))
    }
  }

  /// The Catmull-Rom cubic: 1 at 0, and 0 at all other integers.
  private static func kernel(_ x: Double) -> Double {
    let x = abs(x)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
    return 0
  }

  /// The weights as integers whose sum is exactly 1 in their unit, so that an area of one colour does not change.
  private static func whole(_ values: [Double]) -> [Int] {
    let sum = values.reduce(0, +), one = 1 << shift
    guard sum > 0 else { return [one] + [Int](repeating: 0, count: values.count - 1) }
    var weights = values.map { Int(($0 / sum * Double(one)).rounded()) }
    if let largest = weights.indices.max(by: { weights[$0] < weights[$1] }) {
      weights[largest] += one - weights.reduce(0, +)
    }
    return weights
  }

  /// Computes all samples of a line. A sample has `count` values, and the next sample begins `step` values after it.
  func apply(
    to samples: [UInt16], start: Int, step: Int, count: Int, maximum: Int,
    into result: inout [UInt16], at place: Int
  ) {
    let half = 1 << (Self.shift - 1)
    var place = place
    for tap in taps {
      for part in 0..<count {
        var sum = half
        var from = start &+ tap.first &* step &+ part
        for weight in tap.weights {
          sum &+= weight &* Int(samples[from])
          from &+= step
        }
        result[place] = UInt16(truncatingIfNeeded: max(0, min(maximum, sum &>> Self.shift)))
        place &+= 1
      }
    }
  }
}
