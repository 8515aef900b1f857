// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension BoxTree {
  /// Removes what boxes outside `trak` have of some tracks: their fragments with the defaults for them, and the
  /// indexes of these.
  ///
  /// A fragment in which nothing is left stays, so that indexes of other tracks still find it.
  ///
  /// - Returns: whether there was anything.
  package mutating func removeFragments(ofTracks gone: Set<UInt32>) -> Bool {
    guard !gone.isEmpty else { return false }
    /// The numbers of the `traf` boxes that are removed from each `moof`, counted from 1, by its offset.
    var removed: [UInt64: [UInt32]] = [:]
    var isChanged = false
    for index in boxes.indices {
      switch boxes[index].type {
      case "moof":
        var numbers: [UInt32] = [], number: UInt32 = 0
        let kept = boxes[index].children.filter { box in
          guard box.type == "traf" else { return true }
          number &+= 1
          guard let id = box.first(TrackFragmentHeaderBox.self)?.trackID, gone.contains(id) else {
            return true
          }
          numbers.append(number)
          return false
        }
        guard !numbers.isEmpty else { continue }
        removed[UInt64(clamping: boxes[index].offset)] = numbers
        boxes[index].children = kept
        isChanged = true
      case "moov":
        for place in boxes[index].children.indices where boxes[index].children[place].type == "mvex" {
          let extends = boxes[index].children[place].children
          guard extends.contains(where: { isAbout($0, gone) }) else { continue }
          boxes[index].children[place].children = extends.filter { !isAbout($0, gone) }
          isChanged = true
        }
      default: break
      }
    }
    if removeIndexes(ofTracks: gone) { isChanged = true }
    for index in boxes.indices where boxes[index].type == "mfra" {
      for place in boxes[index].children.indices {
        let entries = whole(boxes[index].children[place]).payload(TrackFragmentRandomAccessBox.self)
        guard var entries, renumber(&entries, removed) else { continue }
        boxes[index].children[place].replacePayload(entries)
      }
    }
    return isChanged
  }

  /// Removes the indexes of some tracks, and producer's times of them. The levels of a subsegment index go with it.
  private mutating func removeIndexes(ofTracks gone: Set<UInt32>) -> Bool {
    var isChanged = false, followsRemoved = false
    var kept: [Box] = []
    for var box in boxes {
      if isAbout(box, gone) || followsRemoved && box.type == "ssix" {
        (isChanged, followsRemoved) = (true, box.type == "sidx")
        continue
      }
      followsRemoved = false
      if box.type == "mfra", box.children.contains(where: { isAbout($0, gone) }) {
        box.children = box.children.filter { !isAbout($0, gone) }
        isChanged = true
      }
      kept.append(box)
    }
    if isChanged { boxes = kept }
    return isChanged
  }

  /// Gives entries the numbers that their `traf` boxes have after others were removed; returns whether any changed.
  private func renumber(
    _ index: inout TrackFragmentRandomAccessBox, _ removed: [UInt64: [UInt32]]
  ) -> Bool {
    var entries = Array(index.entries)
    var isChanged = false
    for place in entries.indices {
      guard let numbers = removed[entries[place].moofOffset] else { continue }
      let before = numbers.partitionIndex { $0 < entries[place].trafNumber }
      guard before > 0 else { continue }
      entries[place].trafNumber -= UInt32(before)
      isChanged = true
    }
    guard isChanged, let table = try? FormattedTable(entries, as: index.entries.format) else { return false }
    index.entries = table
    return true
  }

  /// Whether a box has no meaning without one of some tracks.
  private func isAbout(_ box: Box, _ gone: Set<UInt32>) -> Bool {
    guard ["trex", "trep", "leva", "tfra", "sidx", "prft"].contains(box.type) else { return false }
    let id: UInt32? =
      switch whole(box).decodePayload()?.payload {
      case let box as TrackExtendsBox: box.trackID
      case let box as TrackExtensionPropertiesBox: box.trackID
      case let box as LevelAssignmentBox: box.levels.first { gone.contains($0.trackID) }?.trackID
      case let box as TrackFragmentRandomAccessBox: box.trackID
      case let box as SegmentIndexBox: box.referenceID
      case let box as ProducerReferenceTimeBox: box.referenceTrackID
      default: nil
      }
    return id.map(gone.contains) ?? false
  }
}
