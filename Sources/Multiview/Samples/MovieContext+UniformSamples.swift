// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension MovieContext {
  /// How many samples of equal size, or with sizes of half a byte, each track may list, and last how many movie fragments
  /// may.
  ///
  /// A table can list billions of samples of equal size in a few bytes. But they all have bytes of their own in
  /// the file, unless they overlap or are in another file: so the length of the file bounds them, or a limit. Each
  /// track has as many as it asks for, in order, as long as there are any left.
  func uniformSampleShares() -> [Int] {
    var left = max(limits.maximumUniformSamples, Int(clamping: source.size ?? 0))
    let shares = trackBoxes.map { track in
      let share = min(left, Self.uniformSamples(in: track.sampleTable))
      left -= share
      return share
    }
    return shares + [left]
  }

  /// How many of them a sample table has.
  private static func uniformSamples(in table: Box?) -> Int {
    if let sizes = table?.first(SampleSizeBox.self) {
      return sizes.sampleSize == 0 ? 0 : Int(clamping: sizes.sampleCount)
    }
    // Of a large table the tree has the beginning; two samples take a byte.
    guard let box = table?.first("stz2"), box.payload(CompactSampleSizeBox.self)?.entries.format == 4 else {
      return 0
    }
    return 2 * min(box.size, Int.max / 2)
  }
}
