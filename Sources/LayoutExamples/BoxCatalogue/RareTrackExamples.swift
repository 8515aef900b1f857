// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension TrackGroupTypeBox: ExampleProviding {
  package static var examples: [TrackGroupTypeBox] {
    var sample = TrackGroupTypeBox()
    sample.trackGroupID = 5
    var more = sample
    more.data = ByteView([0, 0, 0, 1])
    return [sample, more]
  }
}

extension StereoVideoGroupBox: ExampleProviding {
  package static var examples: [StereoVideoGroupBox] {
    var left = StereoVideoGroupBox()
    left.trackGroupID = 1
    left.isLeftView = true
    var right = left
    right.isLeftView = false
    return [left, right]
  }
}
