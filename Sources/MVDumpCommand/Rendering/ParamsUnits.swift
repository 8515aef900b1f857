// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// The NAL units that `params` shows of a track, in the order in which a decoder gets them: those of the records, of the
/// first sample, and parameter sets of later samples where they are new.
struct ParamsUnits {
  let track: Track
  /// The one layer that is wanted.
  let layer: Int?
  /// Samples of which every parameter set and message is shown, instead of the first one and what is new.
  let samples: Range<Int>?

  /// Hands each unit to `body`, with the parameter sets that hold there; `body` answers whether to go on.
  func forEach(_ body: (DescribableUnit) -> Bool) throws(SourceError) {
    var store = ParameterSetStore()
    for located in track.layerAnalysis.units {
      if case .sample = located.source { continue }
      store.insert(located.unit, source: "\(located.source)")
      if isWanted(located.unit.header), !body(DescribableUnit(located: located, store: store)) { return }
    }
    if track.formatDescriptions.first?.isProtected == true { return }
    var failure: SourceError?
    try track.forEachAccessUnit(0..<(samples?.upperBound ?? .max)) { places, walker in
      let isShown = samples?.contains(places.index) ?? (places.index == 0)
      for place in places.units {
        let type = place.header.type
        guard type.isParameterSet || (type.isSEI && isShown) else { continue }
        do throws(SourceError) {
          guard let unit = try walker.unit(place, limit: Limits.standard.maximumParameterSetBytes) else {
            continue
          }
          let located = LocatedNALUnit(unit, .sample(places.index))
          let change = store.insert(unit, source: "\(located.source)")
          let isNews = samples == nil && change != .same && change != .none
          guard isShown || isNews, isWanted(unit.header) else { continue }
          if !body(DescribableUnit(located: located, store: store)) { return false }
        } catch {
          failure = error
          return false
        }
      }
      return true
    }
    if let failure { throw failure }
  }

  private func isWanted(_ header: NALUnitHeader) -> Bool { layer == nil || Int(header.layerID) == layer }
}

/// A NAL unit of the kinds that `params` shows, ready to be described.
struct DescribableUnit {
  let located: LocatedNALUnit
  /// The parameter sets that hold where it stands, itself among them.
  let store: ParameterSetStore

  var unit: NALUnit { located.unit }

  /// Describes the elements of a parameter set behind its header; answers what stopped the reading.
  func describeSet(into sink: inout some FieldSink) -> ParseError? {
    let rbsp = unit.rbsp
    switch unit.type {
    case .videoParameterSet:
      var set = VideoParameterSet()
      return rbsp.trace(&set, into: &sink).error
    case .sequenceParameterSet:
      var set = SequenceParameterSet()
      set.nuhLayerID = unit.layerID
      set.inherited = store.sequenceParameterSets.first { $0.unit == unit }?.content.inherited
      return rbsp.trace(&set, into: &sink).error
    case .pictureParameterSet:
      var set = PictureParameterSet()
      return rbsp.trace(&set, into: &sink).error
    default: return nil
    }
  }

  /// The messages of an SEI unit as far as they can be read, and what stopped the reading.
  func messages() -> (content: SEIMessages, error: ParseError?) {
    let (content, _, error) = unit.rbsp.decode(SEIMessages())
    return (content, error)
  }

  /// What the payloads of messages depend on.
  var context: SEIContext { store.seiContext(layerID: unit.layerID) }
}
