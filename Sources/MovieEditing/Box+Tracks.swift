// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

// Changes of the box of a track that are made in several ways of editing.

extension Box {
  /// Changes the boxes of the sample table of a track.
  mutating func editSampleTable<Failure: Error>(
    _ change: (inout [Box]) throws(Failure) -> Void
  ) throws(Failure) {
    try editFirst("mdia", "minf", "stbl") { (stbl) throws(Failure) in try change(&stbl.children) }
  }

  /// Replaces the edit list of a track, or adds one before the media.
  mutating func setEdits(_ list: EditListBox) {
    let edits = Box("edts", nil, children: [Box("elst", list, registry: .standard)], registry: .standard)
    if let place = children.firstIndex(where: { $0.type == "edts" }) {
      children[place] = edits
    } else {
      children.insert(edits, at: children.firstIndex { $0.type == "mdia" } ?? 0)
    }
  }
}
