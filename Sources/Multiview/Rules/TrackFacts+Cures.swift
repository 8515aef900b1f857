// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

// How the faults of a movie can be fixed, as far as the movie itself shows.

extension TrackFacts {
  /// How parameter sets get to the right place: by a repair if the track has all sets that pictures refer to;
  /// otherwise they must be restored from elsewhere.
  var cureOfSets: Cure { census.lookedAt > 0 && census.withoutSets.isEmpty ? .repair : .restore }

  /// The fix if the record lacks some types of base layer sets: they may be in the first sample.
  func cureOfSets(lacking kinds: [NALUnitType]) -> Cure {
    var lacking = Set(kinds)
    let units = analysis.units
    for index in units.indices where units[index].unit.layerID == 0 {
      if case .sample = units[index].source { lacking.remove(units[index].unit.type) }
    }
    return lacking.isEmpty ? cureOfSets : .restore
  }

  /// How a second view without pictures is fixed: if no sample has another layer, only the claims about it can
  /// be removed.
  var cureOfLostView: Cure {
    !census.layers.isEmpty && census.layers.keys.allSatisfy { $0 == 0 } ? .strip : cureOfSets
  }

  /// The type of an entry that has all parameter sets: of Dolby Vision its own.
  var entryTypeWithSets: String { description?.codec == "dvhe" ? "dvh1" : "hvc1" }

  /// How an entry becomes `hvc1` or `dvh1`; `nil` if it has such a type, or the track is encrypted.
  var cureOfEntryType: Cure? {
    ["hev1", "dvhe"].contains(description?.codec ?? "") && !track.isProtected ? cureOfSets : nil
  }

  /// Whether samples that hold single layers are halves of access units: each layer is absent from samples that have another.
  var hasHalvedAccessUnits: Bool {
    let gaps = views.map { census.withoutLayer[$0.layerID]?.detail }
    return gaps.count > 1 && Set(gaps).count == gaps.count && !gaps.contains(nil)
  }

  /// Whether all samples have the same duration, except for the rounding of tools: then a picture can get the
  /// time of another one.
  var hasOneDuration: Bool {
    do throws(SourceError) {
      let durations = SampleDurations(try track.samples())
      return durations.isEven || durations.isRounded
    } catch { return false }
  }

  /// How samples with wrong lengths are fixed; `nil` if no single fault explains all of them.
  var cureOfFraming: Cure? { framingFault == nil ? nil : .repair }
}
