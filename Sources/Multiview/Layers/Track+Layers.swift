// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Track {
  /// The layers of the track, from its boxes, its parameter sets and its first sample; worked out once.
  public var layerAnalysis: LayerAnalysis { lazy.layers.value { LayerAnalysis(layerEvidence()) } }

  /// The layers that the track carries, by their number. Empty for codecs other than HEVC.
  public var layers: [VideoLayer] { layerAnalysis.layers }

  /// Which layer shows which eye, and how that is known.
  public var eyes: EyeAssignment { layerAnalysis.eyes }

  /// Whether samples are HEVC.
  public var isHEVC: Bool { isRawStream || formatDescriptions.contains(where: \.isHEVC) }

  /// How many bytes stand in front of each NAL unit of a sample for its length.
  public var lengthSize: Int { formatDescriptions.lazy.compactMap(\.lengthSize).first ?? 4 }

  private func layerEvidence() -> LayerAnalysis.Evidence {
    var evidence = LayerAnalysis.Evidence()
    evidence.path = path
    if isRawStream {
      evidence.firstSample = firstAccessUnit()
      return evidence
    }
    guard let description = formatDescriptions.first, description.isHEVC else { return evidence }
    evidence.path = description.path
    evidence.stereo = description.stereo
    evidence.records =
      (description.hevcConfiguration?.nalUnits ?? []).map { LocatedNALUnit($0, .hvcC) }
      + (description.layeredConfiguration?.nalUnits ?? []).map { LocatedNALUnit($0, .lhvC) }
    if description.isEnhancementOnly, let base = context.tracks(["sbas"], of: self).first {
      // The video parameter set, and often the message on eyes, stand with the base layer.
      evidence.records = base.configurationUnits.map { LocatedNALUnit($0, .hvcC) } + evidence.records
      evidence.baseLayers = Set(base.configurationUnits.map(\.layerID))
    }
    if !description.isProtected { evidence.firstSample = unitsOfFirstSample() }
    return evidence
  }

  /// The first sample's units: parameter sets and SEI in whole, of slices the beginning.
  private func unitsOfFirstSample() -> [NALUnit]? {
    guard let sample = firstSample, sample.size > 0 else { return nil }
    let walker = SampleWalker(context.source, lengthSize: lengthSize)
    var places: [NALUnitPlace] = []
    do {
      _ = try walker.walk(sample) { if places.count < 4_096 { places.append($0) } }
      var units: [NALUnit] = []
      for place in places {
        let isWhole = place.header.type.isParameterSet || place.header.type.isSEI
        let limit = isWhole ? context.limits.maximumParameterSetBytes : 64
        if let unit = try walker.unit(place, limit: limit) { units.append(unit) }
      }
      return units.isEmpty ? nil : units
    } catch { return nil }
  }

  /// The units of the first access unit of a raw stream.
  private func firstAccessUnit() -> [NALUnit]? {
    var found: [NALUnit]?
    do {
      _ = try forEachAccessUnit { unit, walker in
        var units: [NALUnit] = []
        for place in unit.units {
          let isWhole = place.header.type.isParameterSet || place.header.type.isSEI
          let limit = isWhole ? context.limits.maximumParameterSetBytes : 64
          do {
            if let unit = try walker.unit(place, limit: limit) { units.append(unit) }
          } catch { return false }
        }
        found = units
        return false
      }
    } catch { return found }
    return found
  }
}

extension MovieContext {
  /// The configuration of the tracks that a track refers to.
  struct ReferencedTrack {
    let id: UInt32
    let descriptions: [FormatDescription]
    /// All units of its records.
    var configurationUnits: [NALUnit] {
      descriptions.flatMap {
        ($0.hevcConfiguration?.nalUnits ?? []) + ($0.layeredConfiguration?.nalUnits ?? [])
      }
    }
  }

  func tracks(_ types: [FourCC], of track: Track) -> [ReferencedTrack] {
    let wanted = types.flatMap { track.references($0) }
    guard !wanted.isEmpty, let moov = tree?.first("moov") else { return [] }
    var found: [ReferencedTrack] = []
    for trak in moov.all("trak") {
      guard let id = trak.first(TrackHeaderBox.self)?.trackID, wanted.contains(id),
        let stsd = trak.sampleTable?.first("stsd")
      else { continue }
      found.append(ReferencedTrack(id: id, descriptions: FormatDescription.all(in: stsd, .video, path: "")))
    }
    return found
  }
}
