// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
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

  /// Changes the configuration record of the base layer in a sample entry, if it has one that can be read.
  mutating func changeBaseRecord<Failure: Error>(
    _ change: (inout DecoderConfigurationRecord) throws(Failure) -> Void
  ) throws(Failure) {
    guard let index = children.firstIndex(where: { $0.type == "hvcC" }),
      var box = children[index].payload(HEVCConfigurationBox.self)
    else { return }
    let old = box.record
    try change(&box.record)
    if box.record != old { children[index].replacePayload(box) }
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

extension [Box] {
  /// Inserts a box after the first one of a type; without one, at the beginning.
  mutating func insert(_ box: Box, after type: FourCC) {
    insert(box, at: firstIndex { $0.type == type }.map { $0 + 1 } ?? 0)
  }
}
