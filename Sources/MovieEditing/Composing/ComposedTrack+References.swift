// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension ComposedTrack {
  /// Sets the references of the track to those of the tracks that it is made from, as far as their targets are
  /// in the new movie.
  ///
  /// - Parameters:
  ///   - trak: the box of the track.
  ///   - ids: the new IDs of the tracks of each part, by their old IDs.
  func setReferences(of trak: inout Box, _ ids: [[UInt32: UInt32]]) throws(EditError) {
    var lists: [(type: FourCC, ids: [UInt32])] = []
    for inserted in cuts {
      let boxes = inserted.cut.track.box?.first("tref")?.children ?? []
      for box in boxes {
        guard let own = box.payload(TrackReferenceTypeBox.self)?.trackIDs else { continue }
        let new = own.compactMap { $0 == 0 ? 0 : ids[inserted.part][$0] }
        guard !new.isEmpty else { continue }
        guard let index = lists.firstIndex(where: { $0.type == box.type }) else {
          lists.append((box.type, new))
          continue
        }
        // Extractors refer to tracks by their index in this list. ISO/IEC 14496-15, A.3
        guard box.type != "scal" || lists[index].ids == new else {
          throw .refused(
            "the extractors of track \(id) would have to name other tracks in each movie",
            advice: "Make one track of each movie's first\(.mergeTracks).")
        }
        lists[index].ids += new.filter { !lists[index].ids.contains($0) }
      }
    }
    let place = trak.children.firstIndex { $0.type == "tref" }
    var references =
      place.map { trak.children[$0] } ?? Box("tref", nil, children: [], in: .box("trak"), registry: .standard)
    func named(_ box: Box) -> [UInt32]? { box.payload(TrackReferenceTypeBox.self)?.trackIDs }
    let isSame =
      references.children.count == lists.count
      && zip(references.children, lists).allSatisfy { $0.type == $1.type && named($0) == $1.ids }
    guard !isSame else { return }
    references.children = lists.map { list in
      if let same = references.children.first(where: { $0.type == list.type && named($0) == list.ids }) {
        return same
      }
      var reference = TrackReferenceTypeBox()
      reference.trackIDs = list.ids
      return Box(list.type, reference, in: .box("tref"), registry: .standard)
    }
    trak.children.removeAll { $0.type == "tref" }
    guard !lists.isEmpty else { return }
    let first = trak.children.firstIndex { $0.type == "tkhd" }.map { $0 + 1 } ?? 0
    trak.children.insert(references, at: min(place ?? first, trak.children.count))
  }
}
