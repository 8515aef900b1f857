// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// The parameter sets and recorded messages of a track, wherever they are, and what is wrong with its samples.
final class UnitCensus {
  /// A parameter set, or a message of a configuration record.
  struct Unit: Hashable {
    let type: NALUnitType
    let layerID: UInt8
    /// The type of the first message; `nil` for a parameter set.
    let message: SEIPayloadType?
    let hash: ContentHash

    init(_ unit: NALUnit) {
      type = unit.type
      layerID = unit.layerID
      message = unit.type.isSEI ? unit.seiMessages().messages.first?.payloadType : nil
      hash = ContentHash(unit)
    }

    /// `SPS of layer 1`, `message 176 of layer 0`
    var name: String {
      let kind =
        switch type {
        case .videoParameterSet: "VPS"
        case .sequenceParameterSet: "SPS"
        case .pictureParameterSet: "PPS"
        default: message.map { "message \($0.rawValue)" } ?? "\(type)"
        }
      return "\(kind) of layer \(layerID)"
    }
  }

  /// How many different units of samples are kept, so that no file makes the memory grow.
  private static let maximumUnits = 4_096

  /// The units of configuration records, each with its record.
  let recorded: [Unit: LocatedNALUnit.Source]
  /// The units of samples.
  private(set) var inSamples: Set<Unit> = []
  /// How many samples had nothing of the base layer, and were added to the sample before.
  var splitSamples = 0
  /// How many of those are listed as sync samples.
  var splitSyncSamples = 0
  /// The damage of the first sample that could not be read completely.
  var damage: String?

  /// Collects the units of the configuration records of a track.
  init(_ track: Track, _ budget: WorkBudget) {
    var recorded: [Unit: LocatedNALUnit.Source] = [:]
    for part in track.joined.joinedTracks {
      for description in part.formatDescriptions
      where budget.admits(.bytes(description.configurationCost), at: UInt64(clamping: description.box.offset))
      {
        for located in description.configurationUnits where recorded.count < Self.maximumUnits {
          recorded[Unit(located.unit)] = located.source
        }
      }
    }
    self.recorded = recorded
  }

  /// The hashes of messages in configuration records.
  var recordedMessages: Set<ContentHash> { Set(recorded.keys.filter { $0.message != nil }.map(\.hash)) }

  /// All, wherever they are.
  var all: Set<Unit> { inSamples.union(recorded.keys) }

  func addFromSample(_ unit: NALUnit) {
    if inSamples.count < Self.maximumUnits { inSamples.insert(Unit(unit)) }
  }

  /// Where a unit is, in a word.
  func place(of unit: Unit) -> String { recorded[unit].map { "\($0)" } ?? "samples" }
}
