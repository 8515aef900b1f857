// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How the pictures of two eyes are combined into one.
public enum StereoArrangement: String, Hashable, Sendable, CaseIterable {
  /// The left eye's picture to the left of the right eye's.
  case sideBySide = "side-by-side"
  /// The left eye's picture above the right eye's.
  case overUnder = "over-under"
  /// Red from the left eye, green and blue from the right eye: for glasses with a red and a cyan filter.
  case anaglyph
}

/// The rows of two pictures of one size side by side: each row of the left one, and that of the right one after it.
func sideBySide<Sample>(_ left: [Sample], _ right: [Sample], row: Int) -> [Sample] {
  var joined: [Sample] = []
  joined.reserveCapacity(2 * left.count)
  for start in stride(from: 0, to: left.count, by: row) {
    joined += left[start..<(start + row)]
    joined += right[start..<(start + row)]
  }
  return joined
}

extension RGBPicture {
  /// Combines the pictures of both eyes into one.
  ///
  /// - Throws: ``PictureError/eyesDiffer(_:)`` if the pictures differ in size, depth, colours, or whether they
  ///   have an alpha channel.
  public static func combining(
    left: RGBPicture, right: RGBPicture, _ arrangement: StereoArrangement
  ) throws(PictureError) -> RGBPicture {
    guard left.width == right.width, left.height == right.height else {
      throw .eyesDiffer(
        "the left eye's picture is \(left.width)x\(left.height), the right eye's \(right.width)x\(right.height)"
      )
    }
    guard left.depth == right.depth, left.hasAlpha == right.hasAlpha, left.primaries == right.primaries,
      left.transfer == right.transfer, left.iccProfile == right.iccProfile
    else {
      throw .eyesDiffer("their colours are coded differently")
    }
    let width = left.width, height = left.height, channels = left.channels
    var samples: [UInt16] = []
    switch arrangement {
    case .overUnder:
      return left.replacing(width: width, height: 2 * height, left.samples + right.samples)
    case .sideBySide:
      samples = sideBySide(left.samples, right.samples, row: channels * width)
      return left.replacing(width: 2 * width, height: height, samples)
    case .anaglyph:
      samples = right.samples
      for place in stride(from: 0, to: samples.count, by: channels) {
        samples[place] = left.samples[place]
        // A pixel is as opaque as in the eye in which it is more opaque.
        if left.hasAlpha { samples[place + 3] = max(left.samples[place + 3], right.samples[place + 3]) }
      }
      return left.replacing(width: width, height: height, samples)
    }
  }
}
