// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding
import Threads

/// The memory that encoders of pictures use in turn, whichever layer they are of.
final class EncodingMemory: Sendable {
  /// The memory of coded pictures.
  let pictures = PicturePool(nil)
  /// What encoders need besides the picture.
  let coding: CodingMemoryPool
  private let trees = Monitor<[[CodedTree]]>([])

  /// Makes an empty store for as many encoders as there are threads.
  init(threads: Int = 1) { coding = CodingMemoryPool(capacity: threads) }

  deinit {
    pictures.close()
    for trees in trees.change({ $0 }) {
      for tree in trees { tree.free() }
    }
  }

  /// Memory for the decisions about all coding tree units of a picture; those of one store have the same number and size.
  func takeTrees(_ count: Int, ctbLog2Size: Int) -> [CodedTree] {
    trees.change { $0.popLast() } ?? (0..<count).map { _ in CodedTree(ctbLog2Size: ctbLog2Size) }
  }

  func takeBack(_ trees: [CodedTree]) { self.trees.change { $0.append(trees) } }
}
