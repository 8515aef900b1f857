// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// How samples of an alpha plane become opacity. ISO/IEC 23008-2, F.14.3.7
struct AlphaInterpretation: Hashable, Sendable {
  /// What happens to samples beyond the two values, or between them.
  enum Clipping: Hashable, Sendable {
    case none
    /// Each sample becomes whichever value is on its side of the middle.
    case toOneOfTwo
    case toRange
  }

  /// The sample of what cannot be seen.
  var transparent = 0
  /// The sample of what hides all below it; `nil` for the largest.
  var opaque: Int?
  var clipping = Clipping.none
  /// Whether samples above the smaller of the two values count for one more than they are.
  var increments = false
  /// Whether colours were multiplied by the opacity before they were coded.
  var isPremultiplied = false

  /// From 0 to the largest sample, of colours that are not multiplied.
  init() {}

  init(_ use: AlphaChannelInfo.Use) {
    isPremultiplied = use.use == 1
    transparent = Int(use.transparentValue)
    opaque = Int(use.opaqueValue)
    increments = use.increments
    if use.clips { clipping = use.clipType == true ? .toRange : .toOneOfTwo }
  }

  /// The opacity of each sample of so many bits, in parts of the largest sample.
  func table(bitDepth: Int) -> [Int32] {
    let maximum = (1 << bitDepth) - 1
    let opaque = opaque ?? maximum
    let lowest = min(transparent, opaque), highest = max(transparent, opaque)
    // Values that are the same tell nothing apart.
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
