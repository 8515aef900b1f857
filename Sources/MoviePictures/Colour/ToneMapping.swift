// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Makes pictures of high dynamic range ones of standard range, for displays that show no more: sRGB.
///
/// What is darker than about half of the range stays as bright as it was meant; what is brighter is brought into the rest of it,
/// by the curve of BT.2390, 5.4.1. The brightest of red, green and blue goes by the curve and the two others with it, so that
/// hues remain. Colours that the narrower primaries cannot show become the nearest that they can.
public struct ToneMapping: Sendable {
  /// How bright white is on a display of standard range, in candelas per square metre: the reference white of BT.2408.
  public static let white = 203.0

  /// HLG is shown as on a display of that light, in candelas per square metre, with that system gamma. BT.2100, table 5
  private static let hlgPeak = 1_000.0, hlgGamma = 1.2

  /// The light of each number of 16 bits: of PQ in candelas per square metre, of HLG that of the scene.
  private let light: [Double]
  /// By what PQ's light is multiplied, by the largest number of a pixel; `nil` for HLG.
  private let gains: [Double]?
  /// What red, green and blue of BT.709 get of those of the picture, row by row.
  private let matrix: [Double]
  /// The number in sRGB of light in 65 535ths of white.
  private let numbers: [UInt8]
  private let knee: Knee

  /// What is done to pictures with that transfer function.
  ///
  /// - Parameters:
  ///   - transfer: a code point of ISO/IEC 23091-2; for all but 16 (PQ) and 18 (HLG) there is nothing to be done: `nil`.
  ///   - primaries: a code point of ISO/IEC 23091-2. Those that are not known, or whose white is not D65, stay as they are.
  ///   - peak: of PQ, the brightest light of the picture in candelas per square metre; 1000 where it is not known.
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

  /// The curve of BT.2390 from black to a peak, in PQ. 5.4.1
  private struct Knee: Sendable {
    let peak: Double
    let start: Double
    let top: Double

    init(from peak: Double) {
      self.peak = TransferCurves.pq(ofLight: max(peak, ToneMapping.white))
      top = TransferCurves.pq(ofLight: ToneMapping.white) / self.peak
      start = 1.5 * top - 0.5
    }

    /// By what light is multiplied, so that white is 1.
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

  /// What a mapping was made for.
  private struct Key: Hashable {
    var transfer: Int?
    var primaries: Int?
    var peak: Double?
  }

  private static let last = Locked<(key: Key, mapping: ToneMapping)?>(nil)

  /// The same as with ``init(transfer:primaries:peak:)``. The last one is kept: the pictures of a movie share it, and its tables
  /// take longer to make than a picture takes to be mapped.
  static func shared(transfer: Int?, primaries: Int?, peak: Double?) -> ToneMapping? {
    let key = Key(transfer: transfer, primaries: primaries, peak: peak)
    if let known = last.withLock({ $0?.key == key ? $0?.mapping : nil }) { return known }
    guard let made = ToneMapping(transfer: transfer, primaries: primaries, peak: peak) else { return nil }
    last.withLock { $0 = (key, made) }
    return made
  }

  /// A picture of the transfer function and primaries that this was made for, as one of 8 bits in sRGB.
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

  /// A pixel whose numbers have 16 bits.
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
    return picture
  }
}
