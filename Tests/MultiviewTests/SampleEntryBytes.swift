// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport

/// The boxes of a sample entry in a tree of their own: what surrounds a sample entry is left out.
struct SampleEntryBytes {
  static let registry = BoxRegistry.standard.joined([
    BoxRegistration(
      container: "test", name: "TestSampleEntry", in: [.file], "", "", childScope: .visualSampleEntry)
  ])

  let tree: BoxTree

  init(_ children: [UInt8]) {
    tree = BoxTree(ByteView(box("test", children)), registry: Self.registry)
  }

  var entry: Box { tree.boxes[0] }
  var layout: StereoLayout { StereoLayout(sampleEntry: entry, path: "hvc1") }
}

/// `vexu` and `hfov` as AVAssetWriter wrote them into a real movie.
let realStereoBoxes = ByteView(
  hex: """
    0000005a 76657875 00000052 65796573 0000000d 73747269 00000000 03 0000000d 6865726f 00000000 01
    00000018 63616d73 00000010 626c696e 00000000 00004b28
    00000018 636d6679 00000010 6461646a 00000000 000000c8
    0000000c 68666f76 0000f7a8
    """
).array
