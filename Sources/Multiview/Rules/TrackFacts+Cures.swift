// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

// What a movie has itself to put right what is wrong with it.

extension TrackFacts {
  /// How parameter sets come to their places: all that pictures name are somewhere in the track, or some are gone.
  var cureOfSets: Cure { census.lookedAt > 0 && census.withoutSets.isEmpty ? .repair : .restore }

  /// The same, where some kinds of sets of the base layer are not in the record: they may be in the first sample.
  func cureOfSets(lacking kinds: [NALUnitType]) -> Cure {
    var lacking = Set(kinds)
    let units = analysis.units
    for index in units.indices where units[index].unit.layerID == 0 {
      if case .sample = units[index].source { lacking.remove(units[index].unit.type) }
    }
    return lacking.isEmpty ? cureOfSets : .restore
  }

  /// A second view of which neither pictures nor parameter sets are left can only be taken from what the movie claims.
  var cureOfLostView: Cure {
    census.lookedAt > 0 && census.layers.keys.allSatisfy { $0 == 0 } ? .strip : cureOfSets
  }

  /// An entry becomes `hvc1` where all sets can be in its records.
  var cureOfEntryType: Cure? {
    ["hev1", "dvhe"].contains(description?.codec ?? "") && !track.isProtected ? cureOfSets : nil
  }

  /// Whether samples that hold single layers are halves of access units: each layer is absent from samples that have another.
  var hasHalvedAccessUnits: Bool {
    let gaps = views.map { census.withoutLayer[$0.layerID]?.detail }
    return gaps.count > 1 && Set(gaps).count == gaps.count && !gaps.contains(nil)
  }

  /// Whether all samples last as long as one another, as far as a tool can: then times can be given to other pictures.
  var hasOneDuration: Bool {
    do throws(SourceError) {
      let durations = SampleDurations(try track.samples())
      return durations.isEven || durations.isRounded
    } catch { return false }
  }

  /// What makes samples whole that are not: one thing that explains all of them.
  var cureOfFraming: Cure? { framingFault == nil ? nil : .repair }
}
