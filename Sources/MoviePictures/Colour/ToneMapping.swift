// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Converts pictures of high dynamic range (PQ, HLG) to sRGB, for displays of standard dynamic range.
///
/// Light below the knee of the curve of BT.2390, 5.4.1, keeps its brightness; brighter light is compressed into
/// the rest of the range. The knee depends on the peak: it is about 90 candelas per square metre for a peak of
/// 1000. The curve is applied to the brightest of red, green and blue, and the two others are scaled with it,
/// which keeps the hue. Colours outside the primaries of BT.709 are clipped.
public struct ToneMapping: Sendable {
  /// The brightness of white on a display of standard dynamic range, in candelas per square metre: the
  /// reference white of BT.2408.
  public static let white = 203.0

  /// The display that HLG is rendered for: its peak, in candelas per square metre, and its system gamma.
  /// BT.2100, table 5
  private static let hlgPeak = 1_000.0, hlgGamma = 1.2

  /// The light of each value of 16 bits: for PQ in candelas per square metre, for HLG the scene light from 0 to 1.
  private let light: [Double]
  /// For PQ, the factor that a pixel's light is multiplied by, indexed by the largest value of the pixel; `nil`
  /// for HLG.
  private let gains: [Double]?
  /// The matrix from the primaries of the picture to those of BT.709, row by row.
  private let matrix: [Double]
  /// The value in sRGB of light in units of 1/65 535 of white.
  private let numbers: [UInt8]
  private let knee: Knee

  /// Makes the mapping for pictures of a transfer function; `nil` if the function is neither 16 (PQ) nor 18 (HLG).
  ///
  /// - Parameters:
  ///   - transfer: the transfer function, as a code point of ISO/IEC 23091-2.
  ///   - primaries: the primaries, as a code point of ISO/IEC 23091-2. 1, 5, 6, 7, 9 and 12 are converted to
  ///     those of BT.709; colours of all others keep their values.
  ///   - peak: for PQ, the brightest light of the picture in candelas per square metre; `nil` for 1000. HLG
  ///     does not use it.
  public init?(transfer: Int?, primaries: Int?, peak: Double? = nil) {
    let numbers = (0...65_535).map { Double($0) / 65_535 }
    switch transfer {
    case 16:
      let knee = Knee(from: peak.flatMap { $0 > 0 ? min($0, 10_000) : nil } ?? 1_000)
      let light = numbers.map { TransferCurves.light(ofPQ: $0) }
      (self.knee, self.light) = (knee, light)
      gains = light.map { knee.gain($0) }
    case 18:
      knee = Knee(from: Self.hlgPeak)
      light = numbers.map { TransferCurves.scene(ofHLG: $0) }
      gains = nil
    default: return nil
    }
    if let from = primaries.flatMap({ ColourPrimaries(code: $0) }), let to = ColourPrimaries(code: 1) {
      matrix = from.converted(to: to).flatMap { $0 }
    } else {
      matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    }
    self.numbers = numbers.map { UInt8((TransferCurves.sRGB(ofLight: $0) * 255).rounded()) }
  }

  /// The curve of BT.2390, 5.4.1, from black to a peak, in PQ values.
  private struct Knee: Sendable {
    let peak: Double
    let start: Double
    let top: Double

    init(from peak: Double) {
      self.peak = TransferCurves.pq(ofLight: max(peak, ToneMapping.white))
      top = TransferCurves.pq(ofLight: ToneMapping.white) / self.peak
      start = 1.5 * top - 0.5
    }

    /// Returns the factor that light is multiplied by, so that white becomes 1.
    func gain(_ light: Double) -> Double {
      light > 0 ? bent(light) / light / ToneMapping.white : 1 / ToneMapping.white
    }

    private func bent(_ light: Double) -> Double {
      let number = min(1, TransferCurves.pq(ofLight: light) / peak)
      guard number > start, start < 1 else { return min(light, ToneMapping.white) }
      let t = (number - start) / (1 - start), square = t * t, cube = square * t
      let bent =
        (2 * cube - 3 * square + 1) * start + (cube - 2 * square + t) * (1 - start)
        + (3 * square - 2 * cube) * top
      return TransferCurves.light(ofPQ: bent * peak)
    }
  }

  /// The values that a mapping was made from.
  private struct Key: Hashable {
    var transfer: Int?
    var primaries: Int?
    var peak: Double?
  }

  private static let last = Locked<(key: Key, mapping: ToneMapping)?>(nil)

  /// Returns the mapping of ``init(transfer:primaries:peak:)``. The last one is cached, because its tables are
  /// costly to compute and the pictures of a movie share it.
  static func shared(transfer: Int?, primaries: Int?, peak: Double?) -> ToneMapping? {
    let key = Key(transfer: transfer, primaries: primaries, peak: peak)
    if let known = last.withLock({ $0?.key == key ? $0?.mapping : nil }) { return known }
    guard let made = ToneMapping(transfer: transfer, primaries: primaries, peak: peak) else { return nil }
    last.withLock { $0 = (key, made) }
    return made
  }

  /// Converts a picture of the transfer function and primaries that the mapping was made for to sRGB with 8 bits.
  public func apply(to picture: RGBPicture) -> RGBPicture {
    let factor = RGBPicture.Depth.sixteen.maximum / picture.depth.maximum
    let channels = picture.channels
    var samples = picture.samples
    for pixel in stride(from: 0, to: samples.count, by: channels) {
      let (red, green, blue) = shown(
        Int(samples[pixel]) &* factor, Int(samples[pixel &+ 1]) &* factor, Int(samples[pixel &+ 2]) &* factor)
      samples[pixel] = red
      samples[pixel &+ 1] = green
      samples[pixel &+ 2] = blue
      if channels == 4 { samples[pixel &+ 3] = Self.narrow(samples[pixel &+ 3], factor: factor) }
    }
    return picture.inSRGB(samples)
  }

  /// Converts a pixel whose values have 16 bits.
  private func shown(_ red: Int, _ green: Int, _ blue: Int) -> (UInt16, UInt16, UInt16) {
    var r = light[red], g = light[green], b = light[blue]
    let gain: Double
    if let gains {
      gain = gains[max(red, green, blue)]
    } else {
      // The system gamma of a display of 1000 candelas per square metre. BT.2100, table 5
      let scene = 0.2627 * r + 0.6780 * g + 0.0593 * b
      let system = Self.hlgPeak * Exponentials.power(scene, Self.hlgGamma - 1)
      gain = system * knee.gain(max(r, g, b) * system)
    }
    (r, g, b) = (r * gain, g * gain, b * gain)
    return (number(0, r, g, b), number(1, r, g, b), number(2, r, g, b))
  }

  private func number(_ row: Int, _ r: Double, _ g: Double, _ b: Double) -> UInt16 {
    let value = matrix[3 &* row] * r + matrix[3 &* row &+ 1] * g + matrix[3 &* row &+ 2] * b
    return UInt16(numbers[Int(max(0, min(1, value)) * 65_535 + 0.5)])
  }

  private static func narrow(_ alpha: UInt16, factor: Int) -> UInt16 {
    factor > 1 ? alpha : UInt16((Int(alpha) + 128) / 257)
  }
}

extension RGBPicture {
  fileprivate func inSRGB(_ samples: [UInt16]) -> RGBPicture {
    var picture = replacing(width: width, height: height, depth: .eight, samples)
    picture.primaries = 1
    picture.transfer = 13
    picture.iccProfile = nil
    return picture
  }
}
