// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

extension Track {
  /// The layers of the track, from its boxes, its parameter sets and its first sample; computed once.
  public var layerAnalysis: LayerAnalysis {
    lazy.further.value(\.layers) { isHEVC ? LayerAnalysis(layerEvidence()) : .ofOtherCodec }
  }

  /// The layers that the track carries, by their number. Empty for codecs other than HEVC.
  public var layers: [VideoLayer] { isHEVC ? layerAnalysis.layers : [] }

  /// Which layer shows which eye, and how that is known.
  public var eyeAssignment: EyeAssignment { layerAnalysis.eyeAssignment }

  /// Whether samples are HEVC.
  public var isHEVC: Bool { isRawStream || formatDescriptions.contains { $0.isHEVC } }

  /// How many bytes precede each NAL unit of a sample for its length.
  public var lengthSize: Int { FormatDescription.lengthSize(of: formatDescriptions) }

  private func layerEvidence() -> LayerAnalysis.Evidence {
    var evidence = LayerAnalysis.Evidence()
    evidence.readings = context.parameterSetReadings
    evidence.path = path
    if isRawStream {
      evidence.firstSample = firstAccessUnit()
      return evidence
    }
    guard let description = mainDescription, description.isHEVC else { return evidence }
    evidence.path = description.path
    // Each description of many may be asked for.
    let share = describing == nil ? 1 : max(1, formatDescriptions.count)
    let budget = WorkBudget(context, sharedBy: share)
    evidence.maximumKept = max(8, context.maximumKeptOfTrack / share)
    evidence.stereo = joinedTracks.compactMap { $0.mainDescription?.stereo }.joined()
    var seen: Set<NALUnit> = []
    for track in joinedTracks {
      // Tracks that belong together may repeat what they share.
      let units = track.mainDescription?.configurationUnits ?? []
      evidence.records += isJoined ? units.filter { seen.insert($0.unit).inserted } : units
    }
    if !isJoined { noteRelatives(&evidence, description, budget) }
    if absence == nil, absence(of: description) == nil, !description.isProtected,
      !joinedTracks.contains(where: \.isProtected)
    {
      evidence.firstSample = firstSample(budget, evidence.maximumKept)
    }
    return evidence
  }

  /// Adds what another track knows of the layers of this one.
  private func noteRelatives(
    _ evidence: inout LayerAnalysis.Evidence, _ description: FormatDescription, _ budget: WorkBudget
  ) {
    evidence.isInLargeFamily = context.isInLargeFamily(id)
    evidence.hasRelatives = context.family(of: id).count > 1
    guard description.isEnhancementOnly,
      let base = references("sbas").lazy.compactMap({ context.track(id: $0) }).first,
      // Any number of tracks may have the same base, and that any number of units.
      budget.admits(.bytes(base.formatDescriptions.reduce(0) { $0 + $1.configurationCost }), at: 0)
    else { return }
    // The video parameter set, and often the message on eyes, are with the base layer.
    let units = base.formatDescriptions.flatMap(\.configurationUnits).map(\.unit)
    evidence.records = units.map { LocatedNALUnit($0, .hvcC) } + evidence.records
    evidence.baseLayers = Set(units.map(\.layerID))
  }

  /// Whether all samples are encrypted. If only some are, reading one of these reports it.
  public var isProtected: Bool {
    !formatDescriptions.isEmpty && formatDescriptions.allSatisfy(\.isProtected)
  }

  /// Whether some samples may be encrypted: a description says so, or there is information on how.
  package var mayBeEncrypted: Bool {
    formatDescriptions.contains(where: \.isProtected)
      || ["saiz", "saio"].contains { box?["mdia/minf/stbl"]?.first($0) != nil }
      || fragmentBoxes.contains { fragment in
        ["saiz", "saio", "senc"].contains { fragment.first($0) != nil }
      }
  }

  /// The first sample's units: parameter sets and SEI in whole, of slices the beginning.
  private func firstSample(_ budget: WorkBudget, _ limit: Int) -> LayerAnalysis.FirstSample? {
    // Of a description that no sample has nothing is known but itself.
    if let describing, describing.first == nil { return nil }
    do {
      if isJoined || hasExtractors {
        let given = describing?.first
        guard let sample = given != nil ? given : try samples().sample(at: 0) else { return nil }
        let reader = try AccessUnitReader(self, budget)
        guard let walker = reader.walker else { return nil }
        return load(try reader.accessUnit(of: sample), walker, limit)
      }
      guard let sample = describing?.first ?? firstSample, sample.size > 0 else { return nil }
      let walker = SampleWalker(self, budget)
      var places: [NALUnitPlace] = []
      let error = try walker.walk(sample) { places.append($0) }
      return load(AccessUnitPlaces(index: 0, sample: sample, units: places, error: error), walker, limit)
    } catch { return .init(gap: Self.gap(error)) }
  }

  private static func gap(_ error: SourceError) -> ParseError {
    ParseError(.invalid(error.reason), offset: error.offset.map { Int(clamping: $0) } ?? 0, field: "")
  }

  /// Loads what is needed of the first units of an access unit; `nil` if it has nothing. The walk that found them has
  /// paid for that.
  private func load(
    _ places: AccessUnitPlaces, _ walker: SampleWalker, _ limit: Int
  ) -> LayerAnalysis.FirstSample? {
    var sample = LayerAnalysis.FirstSample(gap: places.error)
    if sample.gap == nil, places.units.count > limit {
      sample.gap = ParseError(
        .limitExceeded(limit: "\(limit) NAL units", value: UInt64(clamping: places.units.count)),
        offset: Int(clamping: places.units[limit].range.lowerBound), field: "first sample")
    }
    for place in places.units.prefix(limit) {
      let isWhole = place.header.type.isParameterSet || place.header.type.isSEI
      if isWhole,
        let excess = place.header.type.excess(place.byteCount, at: Int(clamping: place.range.lowerBound))
      {
        sample.gap = sample.gap ?? excess
        continue
      }
      let limit = isWhole ? place.byteCount : 64
      do {
        if let unit = try walker.unit(place, limit: limit) { sample.units.append(unit) }
      } catch {
        sample.gap = Self.gap(error)
        break
      }
    }
    return sample.units.isEmpty && sample.gap == nil ? nil : sample
  }

  /// The units of the first access unit of a raw stream.
  private func firstAccessUnit() -> LayerAnalysis.FirstSample? {
    var found: LayerAnalysis.FirstSample?
    do {
      _ = try forEachAccessUnit { places, walker in
        found = load(places, walker, context.maximumKeptOfTrack)
        return false
      }
    } catch {
      var sample = found ?? .init()
      sample.gap = sample.gap ?? Self.gap(error)
      found = sample
    }
    return found
  }
}

extension FormatDescription {
  /// The NAL units of the configuration records: parameter sets and messages, those of the base layer (`hvcC`) first. Empty for
  /// codecs other than HEVC.
  public var configurationUnits: [LocatedNALUnit] {
    (hevcConfiguration?.nalUnits ?? []).map { LocatedNALUnit($0, .hvcC) }
      + (layeredConfiguration?.nalUnits ?? []).map { LocatedNALUnit($0, .lhvC) }
  }
}

extension [StereoLayout] {
  /// Joins the layouts of several tracks of one video: the first value of each property, and the eyes of all.
  fileprivate func joined() -> StereoLayout {
    guard var layout = first(where: { $0.viewInformation != nil }) ?? first else { return StereoLayout() }
    for other in self {
      if other.hasLeftEyeView == true { layout.viewInformation?.hasLeftEyeView = true }
      if other.hasRightEyeView == true { layout.viewInformation?.hasRightEyeView = true }
    }
    return layout
  }
}
