// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Parameter sets and messages that a repair takes from another movie or from a stream.
struct RepairDonor {
  /// The parameter sets.
  let units: [NALUnit]
  /// The messages that belong in configuration records.
  let messages: [NALUnit]
  /// The configuration records of a movie; empty for a stream.
  let records: [(base: DecoderConfigurationRecord, layered: LayeredConfigurationRecord?)]

  /// The number of units of a stream that are read: its sets precede its first pictures.
  private static let lookedAt = 4_096

  init(_ movie: MovieFile) throws(EditError) {
    let name = movie.source.name ?? "the donor movie"
    if movie.tree == nil {
      var reader = ByteStreamReader(movie.source, limits: movie.limits)
      var found: [NALUnit] = [], first: [NALUnit] = []
      var isFirst = true
      for _ in 0..<Self.lookedAt {
        guard let unit = try reader.nextUnit() else { break }
        isFirst = isFirst && !unit.type.isVideoCodingLayer
        if isFirst, unit.type.isSEI, unit.header.isValid, let own = NALUnit(unit.bytes.copy()) {
          first.append(own)
        }
        if unit.type.isParameterSet, unit.header.isValid, let own = NALUnit(unit.bytes.copy()),
          !found.contains(own)
        {
          found.append(own)
        }
      }
      units = found
      messages = MuxSession.configurationMessages(first[...]).messages
      records = []
    } else {
      guard let track = movie.tracks.first(where: { $0.isHEVC }) else {
        throw EditError(.missingTrack, "\(name) has no HEVC track to take parameter sets from")
      }
      var found: [NALUnit] = []
      for unit in track.formatDescriptions.flatMap(\.configurationUnits).map(\.unit)
      where !found.contains(unit) {
        if unit.type.isParameterSet { found.append(unit) }
      }
      units = found
      messages =
        track.formatDescriptions.lazy
        .map { MuxSession.configurationMessages(($0.hevcConfiguration?.nalUnits ?? [])[...]).messages }
        .first { !$0.isEmpty } ?? []
      records = track.formatDescriptions.compactMap { description in
        description.hevcConfiguration.map { ($0, description.layeredConfiguration) }
      }
    }
    guard !units.isEmpty else { throw .refused("\(name) has no parameter sets to take") }
  }

  /// Returns the sets of the donor that a track lacks, if the donor is of the same kind: its video parameter
  /// sets, and the sets of the base layer that both have, must be the same, byte for byte.
  func missing(from own: [NALUnit]) throws(EditError) -> [NALUnit] {
    var keys: [StreamDescription.Key: NALUnit] = [:]
    for unit in own { if let key = StreamDescription.key(of: unit) { keys[key] = unit } }
    var missing: [NALUnit] = []
    var isSame = false
    let hasVideo = own.contains { $0.type == .videoParameterSet }
    for unit in units {
      guard let key = StreamDescription.key(of: unit) else { continue }
      guard let known = keys[key] else {
        missing.append(unit)
        continue
      }
      guard known == unit else {
        throw .refused(
          "the donor movie has a different \(unit.type.name) \(key.id) of layer \(key.layerID)",
          advice: "Use the original, or another movie of the same camera in the same mode.")
      }
      // Without a video parameter set, sequence parameter sets are compared; the pictures are tested, too.
      if unit.type == .videoParameterSet || !hasVideo && unit.type == .sequenceParameterSet {
        isSame = true
      }
    }
    guard isSame || own.isEmpty else {
      throw .refused(
        "the donor movie may be of another kind: the two movies have no parameter set of the whole stream in common"
      )
    }
    return missing
  }

  /// Tests the sets on every picture of their layers: each picture must refer to sets that are present, its
  /// header must end at the right bit, and its entry points must fit into its unit.
  ///
  /// - Returns: the layers that have pictures.
  static func test(
    _ track: Track, of movie: MovieFile, with added: [NALUnit]
  ) throws(EditError) -> Set<UInt8> {
    var store = ParameterSetStore()
    var reader = try TrackUnitReader(track, of: movie, adding: added)
    var previous: [UInt8: SliceSegmentHeader] = [:]
    let layers = Set(added.filter { $0.type != .videoParameterSet }.map(\.layerID))
    var found: Set<UInt8> = []
    while let unit = try reader.nextUnit() {
      if unit.type.isParameterSet { store.insert(unit) }
      guard unit.type.isSliceSegment else { continue }
      found.insert(unit.layerID)
      guard layers.contains(unit.layerID) else { continue }
      let before = unit.startsPicture ? nil : previous[unit.layerID]
      guard let segment = store.sliceSegment(unit, after: before) else { continue }
      previous[unit.layerID] = segment.header
      guard segment.error == nil, segment.header.endsProperly, !segment.substreams.isEmpty else {
        throw .refused(
          "the parameter sets of the donor movie do not fit the slice segment at \(unit.bytes.fileOffset)",
          advice: "Use the original, or another movie of the same camera in the same mode.")
      }
    }
    return found
  }
}
