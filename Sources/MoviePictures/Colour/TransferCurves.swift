// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Transfer functions: from sample values to light and back.
enum TransferCurves {
  // MARK: Perceptual quantizer, BT.2100 table 4 and SMPTE ST 2084

  private static let m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32

  /// The light of a value from 0 to 1, in candelas per square metre.
  static func light(ofPQ number: Double) -> Double {
    let root = Exponentials.power(number, 1 / m2)
    return 10_000 * Exponentials.power(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
  }

  /// The value from 0 to 1 of light in candelas per square metre.
  static func pq(ofLight light: Double) -> Double {
    let power = Exponentials.power(light / 10_000, m1)
    return Exponentials.power((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  // MARK: Hybrid log-gamma, BT.2100 table 5

  /// The scene light, from 0 to 1, of a value from 0 to 1.
  static func scene(ofHLG number: Double) -> Double {
    let a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * Exponentials.log(4 * a)
    return number <= 0.5 ? number * number / 3 : (Exponentials.exp((number - c) / a) + b) / 12
  }

  // MARK: Ordinary displays, IEC 61966-2-1

  /// The value from 0 to 1 of light from 0 to 1.
  static func sRGB(ofLight light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * Exponentials.power(light, 1 / 2.4) - 0.055
  }
}
