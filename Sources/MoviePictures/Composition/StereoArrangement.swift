// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How the pictures of two eyes become one.
public enum StereoArrangement: String, Hashable, Sendable, CaseIterable {
  /// The left eye's picture left of the right eye's.
  case sideBySide = "side-by-side"
  /// The left eye's picture above the right eye's.
  case overUnder = "over-under"
  /// Red from the left eye, green and blue from the right one: for glasses with a red and a cyan filter.
  case anaglyph
}

extension RGBPicture {
  /// Both eyes in one picture.
  ///
  /// - Throws: ``PictureError/eyesDiffer(_:)`` where the pictures differ in size, depth or colours.
  public static func combining(
    left: RGBPicture, right: RGBPicture, _ arrangement: StereoArrangement
  ) throws(PictureError) -> RGBPicture {
    guard left.width == right.width, left.height == right.height else {
      throw .eyesDiffer(
        "the left eye's picture is \(left.width)x\(left.height), the right eye's \(right.width)x\(right.height)"
      )
    }
    guard left.depth == right.depth, left.hasAlpha == right.hasAlpha, left.primaries == right.primaries,
      left.transfer == right.transfer
    else {
      throw .eyesDiffer("their colours are coded in different ways")
    }
    let width = left.width, height = left.height, channels = left.channels
    var samples: [UInt16] = []
    switch arrangement {
    case .overUnder:
      return left.replacing(width: width, height: 2 * height, left.samples + right.samples)
    case .sideBySide:
      samples.reserveCapacity(2 * left.samples.count)
      for y in 0..<height {
        let row = (channels * y * width)..<(channels * (y + 1) * width)
        samples += left.samples[row]
        samples += right.samples[row]
      }
      return left.replacing(width: 2 * width, height: height, samples)
    case .anaglyph:
      samples = right.samples
      for place in stride(from: 0, to: samples.count, by: channels) {
        samples[place] = left.samples[place]
        // What one eye sees is there.
        if left.hasAlpha { samples[place + 3] = max(left.samples[place + 3], right.samples[place + 3]) }
      }
      return left.replacing(width: width, height: height, samples)
    }
  }
}
