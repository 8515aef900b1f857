// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// What does not change from the first picture of a stream to the last: all that its parameter sets say.
package struct CodingPlan: Sendable {
  /// The size of the pictures in luma samples, before they are padded to whole coding blocks.
  package var size: PictureSize
  /// The number of bits of a sample: 8, or 10 with one layer.
  package var bitDepth = 8
  /// The number of layers: one for each view.
  package var layerCount = 1
  /// The view for the left eye, by its ViewId, which is the index of its layer; the other one is for the right eye.
  package var leftViewID = 0
  /// The level, of each layer as of the whole.
  package var level = Level(rawValue: 123)
  /// Whether the level is that of the High tier.
  package var isHighTier = false
  /// What samples mean.
  package var meaning = SampleMeaning()
  /// The clock of the stream; `nil` if it has none.
  package var timing: VUITiming?

  // Blocks.
  /// Log2 of the size of coding tree blocks: 4 to 6.
  package var ctbLog2Size = 5
  /// Log2 of the size of the smallest coding blocks: 3 to `ctbLog2Size`.
  package var minCbLog2Size = 3
  /// Log2 of the size of the largest transform blocks: up to 5.
  package var maxTbLog2Size = 5
  package var transformDepthInter = 0
  package var transformDepthIntra = 0

  // Tools.
  package var isAmpEnabled = false
  package var isSaoEnabled = false
  package var isTemporalMotionEnabled = false
  package var isStrongSmoothing = false
  package var isSignHiding = false
  package var isWavefront = true
  package var isDeblocked = true
  /// How often a coding tree block may be split down to quantisation groups; `nil` for one QP in each slice.
  package var qpGroupDepth: Int?
  package var initialQp = 26
  /// Log2 of the size of regions whose merge candidates are independent of each other.
  package var parallelMergeLog2Size = 2

  // Pictures.
  /// Log2 of the range of the low bits of order counts.
  package var orderCountBits = 11
  /// How many pictures of a layer a decoder keeps, the current one among them.
  package var pictureBuffers = 1
  /// How many pictures may precede one in decoding order and follow it in output order.
  package var reorderedPictures = 0
  /// How many entries the lists have unless slice headers say otherwise.
  package var defaultEntries = (l0: 1, l1: 1)

  /// A plan with the smallest values.
  package init(size: PictureSize) { self.size = size }

  /// The size of coded pictures: whole coding blocks.
  package var codedSize: PictureSize {
    let mask = 1 << minCbLog2Size - 1
    return PictureSize(width: (size.width + mask) & ~mask, height: (size.height + mask) & ~mask)
  }
}
