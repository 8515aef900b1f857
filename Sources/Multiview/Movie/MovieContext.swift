// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// What the tracks of a movie share.
final class MovieContext: Sendable {
  let tree: BoxTree?
  let source: any ByteSource
  let limits: Limits
  let fragmentsOnce = Lazy<Result<FragmentedSamplesBuilder, SourceError>>()

  init(tree: BoxTree?, source: any ByteSource, limits: Limits) {
    self.tree = tree
    self.source = source
    self.limits = limits
  }
}
