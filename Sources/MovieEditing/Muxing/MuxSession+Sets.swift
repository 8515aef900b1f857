// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

extension MuxSession {
  /// Returns the parameter sets of an access unit, divided into those that the current description lacks and
  /// those that it has.
  mutating func sets(_ units: [NALUnit]) throws(EditError) -> SetsOfPicture {
    var sets = SetsOfPicture()
    for unit in units where unit.type.isParameterSet {
      if unit.type == .videoParameterSet, unit.layerID > 0 {
        note(.videoSetInLayer, unit.bytes.fileOffset)
        continue
      }
      if times != nil, let key = descriptions[current].key(of: unit) {
        if entry != descriptions[current].entry { try insert(unit) }
        sets.repeated.append((key, unit))
        continue
      }
      try insert(unit)
      described.removeAll()
      guard let key = StreamDescription.key(of: unit) else { continue }
      if let other = sets.new.first(where: { $0.key == key }) {
        guard other.unit == unit else {
          throw EditError(
            .damaged,
            "the \(unit.type.name) \(key.id) at \(unit.bytes.fileOffset) differs from that at "
              + "\(other.unit.bytes.fileOffset) in the same access unit")
        }
        continue
      }
      sets.new.append((key, unit))
    }
    return sets
  }

  /// Reads a slice segment header. Sets that its sample entry lacks are taken from earlier sample entries.
  mutating func segment(_ unit: NALUnit) -> SliceSegment? {
    let segment = store.sliceSegment(unit)
    guard let earlier, let segment, case .missing = segment.error?.code else { return segment }
    let id = segment.header.slicePicParameterSetID
    guard
      let pps = store.pictureParameterSet(id, layerID: unit.layerID)
        ?? earlier.pictureParameterSet(id, layerID: unit.layerID)
    else { return segment }
    store.insert(pps.unit)
    let number = pps.content.ppsSeqParameterSetID
    if store.sequenceParameterSet(number, layerID: unit.layerID) == nil,
      let sps = earlier.sequenceParameterSet(number, layerID: unit.layerID)
    {
      let video = sps.content.spsVideoParameterSetID
      if store.videoParameterSet(video) == nil, let vps = earlier.videoParameterSet(video) {
        store.insert(vps.unit)
      }
      store.insert(sps.unit)
    }
    return store.sliceSegment(unit)
  }

  /// Makes a description the current one: an existing one if it matches, otherwise a new one.
  mutating func use(
    _ description: StreamDescription, orKnown isKnown: (StreamDescription) -> Bool
  ) {
    described.removeAll()
    overridden.removeAll()
    if let known = descriptions.firstIndex(where: isKnown) {
      current = known
    } else {
      descriptions.append(description)
      current = descriptions.count - 1
    }
  }

  /// Adds the sets that a picture refers to if only earlier descriptions have them: a set applies until another
  /// one replaces it, repeated or not, but a decoder has only those of the picture's own sample entry.
  mutating func addSets(of header: SliceSegmentHeader, at unit: NALUnit) throws(EditError) {
    let id = header.slicePicParameterSetID
    guard described[unit.layerID] != id else { return }
    guard let pps = store.pictureParameterSet(id, layerID: unit.layerID) else { return }
    let sps = store.sequenceParameterSet(pps.content.ppsSeqParameterSetID, layerID: unit.layerID)
    let video = sps.flatMap { store.videoParameterSet($0.content.spsVideoParameterSetID) }
    for set in [video?.unit, sps?.unit, pps.unit].compactMap({ $0 }) {
      guard descriptions[current].key(of: set) == nil, let key = StreamDescription.key(of: set) else {
        continue
      }
      guard descriptions[current][key] == nil else {
        throw .refused(
          "the picture at \(unit.bytes.fileOffset) refers to the \(set.type.name) \(key.id), but its sample entry has a different one"
        )
      }
      descriptions[current].add(key, set)
    }
    described[unit.layerID] = id
  }
}
