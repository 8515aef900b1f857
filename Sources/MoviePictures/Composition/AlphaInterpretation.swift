// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// How samples of an alpha plane become opacity (`alpha_channel_info`). ISO/IEC 23008-2, F.14.3.7
struct AlphaInterpretation: Hashable, Sendable {
  /// How samples are clipped before use.
  enum Clipping: Hashable, Sendable {
    case none
    /// Samples above half of the difference of the two values become opaque, all others transparent.
    case toOneOfTwo
    /// Samples outside the range of the two values become the nearer one.
    case toRange
  }

  /// The sample value that is transparent.
  var transparent = 0
  /// The sample value that is opaque; `nil` for the largest value.
  var opaque: Int?
  var clipping = Clipping.none
  /// Whether samples above the smaller of the two values are incremented by 1 before use.
  var increments = false
  /// Whether colours were multiplied by the opacity before they were coded.
  var isPremultiplied = false

  /// Makes an interpretation in which 0 is transparent, the largest value is opaque, and colours are not multiplied.
  init() {}

  init(_ use: AlphaChannelInfo.Use) {
    isPremultiplied = use.use == 1
    transparent = Int(use.transparentValue)
    opaque = Int(use.opaqueValue)
    increments = use.increments
    if use.clips { clipping = use.clipType == true ? .toRange : .toOneOfTwo }
  }

  /// The opacity of each sample value of `bitDepth` bits, from 0 to the largest sample value.
  func table(bitDepth: Int) -> [Int32] {
    let maximum = (1 << bitDepth) - 1
    let opaque = opaque ?? maximum
    let lowest = min(transparent, opaque), highest = max(transparent, opaque)
    // With two equal values there is no range: samples are used as they are.
    guard lowest < highest else { return (0...maximum).map { Int32(truncatingIfNeeded: $0) } }
    return (0...maximum).map { sample in
      var value = sample
      switch clipping {
      case .none: break
      case .toOneOfTwo: value = value > (opaque - transparent) / 2 ? opaque : transparent
      case .toRange: value = max(lowest, min(highest, value))
      }
      if increments, value > lowest { value += 1 }
      let part = (value - transparent) * (opaque < transparent ? -1 : 1)
      let rounded = (max(0, part) * maximum + (highest - lowest) / 2) / (highest - lowest)
      return Int32(truncatingIfNeeded: min(maximum, rounded))
    }
  }
}
