// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC

/// The layers of a video, from all sources: the configuration records, the parameter sets in samples, and the
/// pictures that are present.
///
/// It is a class because rules ask for it hundreds of times for one property: to copy all of it took a tenth of the time of
/// a check.
public final class LayerAnalysis: Sendable {
  /// Parameter sets and SEI messages in the order in which a decoder gets them.
  public let units: [LocatedNALUnit]
  /// The video parameter set that describes the layers; `nil` if there is none, or it cannot be read.
  public var vps: VideoParameterSet? { video.map { readings.video($0).set } }
  /// The layers that this parameter set describes.
  public var structure: LayerStructure? {
    video.map { readings.structure($0, of: readings.video($0).set) }
  }
  /// The layers that this track carries, by their number.
  public let layers: [VideoLayer]
  /// A layer for each view: of those that show the same one, as layers of quality do, the first.
  let views: [VideoLayer]
  /// Layers that the video parameter set describes, but of which the track has nothing.
  public let missingLayers: [UInt8]
  /// Whether the first sample could be read to its end: only then a layer that was not seen in it is not there.
  public let knowsFirstSample: Bool
  /// Why the first sample was not read completely; `nil` if it was, and if there is none.
  public let firstSampleGap: ParseError?
  /// A message that may say which eye a layer shows, and cannot be read.
  let damagedEyeMessage: EyeMessages.Damage?
  /// The first assignment of views to the eyes in a message, and the first that differs; `nil` if none does.
  let differentDisplays: (EyeMessages.ReferenceDisplay, EyeMessages.ReferenceDisplay)?
  /// The kinds of the messages in ``units``.
  private let messageTypes: Set<SEIPayloadType>
  /// Which layer shows which eye, and why.
  public let eyeAssignment: EyeAssignment
  /// The problems that were found.
  public let diagnostics: DiagnosticList
  /// What was read of parameter sets, for all tracks of the movie.
  package let readings: ParameterSetReadings
  /// The unit of the video parameter set. Its content is read again when it is asked for: a set of some hundred bytes may be
  /// several hundred times as large when it is read, and thousands of tracks and descriptions may have one each.
  private let video: NALUnit?

  /// The analysis of a track that is not HEVC: it has no layers.
  static let ofOtherCodec = LayerAnalysis(Evidence())

  /// The facts that are analysed.
  struct Evidence {
    var records: [LocatedNALUnit] = []
    /// The units of the first sample; `nil` if none of it could be read.
    var firstSample: FirstSample?
    var stereo = StereoLayout()
    var path = ""
    /// Layers whose parameter sets are known from another track.
    var baseLayers: Set<UInt8> = []
    /// How many units of the records are looked into, the first; and how many layers are described, the lowest.
    /// Thousands of tracks may have them.
    var maximumKept = Int.max
    /// Whether other tracks hold layers of the same bitstream.
    var hasRelatives = false
    /// Whether these are too many, so that they are not joined.
    var isInLargeFamily = false
    /// What was read of parameter sets before.
    var readings = ParameterSetReadings()
  }

  /// The NAL units of the first sample; slices may be cut short.
  struct FirstSample {
    var units: [NALUnit] = []
    /// Why these are not all; `nil` if they are.
    var gap: ParseError?
  }

  /// How many diagnostics of a track on parameter sets that cannot be read are kept: thousands of tracks may have them.
  private static let maximumUnreadable = 8

  init(_ evidence: Evidence) {
    var diagnostics = DiagnosticList()
    var units = Array(evidence.records.prefix(evidence.maximumKept))
    if units.count < evidence.records.count {
      diagnostics.append(
        .error, "limit-exceeded", path: evidence.path,
        "only the first \(units.count) of \(evidence.records.count) units of the records are examined")
    }
    if evidence.isInLargeFamily {
      diagnostics.append(
        .error, "limit-exceeded", path: evidence.path,
        "more than 63 tracks depend on one another for layers: they are not joined")
    }
    let sample = evidence.firstSample?.units ?? []
    knowsFirstSample = evidence.firstSample.map { $0.gap == nil && !$0.units.isEmpty } ?? false
    firstSampleGap = evidence.firstSample?.gap
    if let gap = firstSampleGap {
      diagnostics.append(
        .warning, gap.code.diagnosticCode, path: evidence.path, offset: gap.offset,
        "only part of the first sample was read; what else it signals about layers and eyes is unknown: "
          + (gap.field.isEmpty ? "" : gap.field + " ") + gap.reason)
    }
    units += sample.filter { $0.type.isParameterSet || $0.type.isSEI }.map {
      LocatedNALUnit($0, .sample(0))
    }
    self.units = units
    var unreadable = DiagnosticList(limit: Self.maximumUnreadable)
    readings = evidence.readings
    let sets = Self.store(units, evidence, &unreadable)
    diagnostics.append(unreadable)
    // The one that the sequence of the lowest layer names.
    let named = sets.firstSequenceParameterSet.flatMap {
      sets.videoParameterSet($0.content.spsVideoParameterSetID)
    }
    let video = named ?? sets.videoParameterSets.first
    self.video = video?.unit
    let vps = video?.content
    let structure = video.map { evidence.readings.structure($0.unit, of: $0.content) }

    var pictures: [UInt8: NALUnit] = [:]
    for unit in sample
    where unit.type.isSliceSegment && unit.header.isValid && pictures[unit.layerID] == nil {
      pictures[unit.layerID] = unit
    }
    var carried = Set(pictures.keys)
    for located in units
    where located.unit.type == .sequenceParameterSet || located.unit.type == .pictureParameterSet {
      if !evidence.baseLayers.contains(located.unit.layerID) { carried.insert(located.unit.layerID) }
    }
    var layers: [VideoLayer] = []
    let outputSets = structure?.outputLayerSets ?? []
    if carried.count > evidence.maximumKept {
      diagnostics.append(
        .error, "limit-exceeded", path: evidence.path,
        "only the lowest \(evidence.maximumKept) of \(carried.count) layers are described")
    }
    for id in carried.sorted().prefix(evidence.maximumKept) {
      layers.append(
        Self.layer(
          id, vps, structure, outputSets, sets, picture: pictures[id], knowsSample: knowsFirstSample))
    }
    let missing = structure?.layers.map(\.id).filter { !carried.contains($0) } ?? []
    missingLayers = missing
    // A message may name views of other tracks, and those that were left behind where one view was taken out of a stream.
    // Of several views that are here both eyes see one.
    let mayBeElsewhere = evidence.hasRelatives || layers.views.count < 2
    let elsewhere = mayBeElsewhere ? missing.compactMap { structure?.layer($0)?.viewID.map(UInt32.init) } : []
    let messages = EyeMessages(units)
    messageTypes = messages.types
    damagedEyeMessage = messages.damage
    differentDisplays = messages.differentDisplays
    if let damage = messages.damage {
      diagnostics.append(
        .warning, damage.error.code.diagnosticCode, path: evidence.path, offset: damage.error.offset,
        damage.words)
    }
    var facts = Self.facts(layers, messages, evidence.stereo, Set(elsewhere))
    facts.hasUnreadMessage = firstSampleGap != nil || messages.damage != nil
    eyeAssignment = EyeAssignment(facts)
    for index in layers.indices { layers[index].eye = eyeAssignment.eyes[layers[index].layerID] }
    self.layers = layers
    // Usually every layer is a view: then both are one array.
    let views = layers.views
    self.views = views.count == layers.count ? layers : views
    for var contradiction in eyeAssignment.contradictions {
      contradiction.path = evidence.path
      diagnostics.append(contradiction)
    }
    Self.reportAbsence(layers, missing, evidence, &diagnostics)
    self.diagnostics = diagnostics
  }
}

extension LayerAnalysis {
  /// Reports layers that are promised and not there, or there and not described.
  private static func reportAbsence(
    _ layers: [VideoLayer], _ missing: [UInt8], _ evidence: Evidence, _ diagnostics: inout DiagnosticList
  ) {
    for layer in layers where layer.isInSamples == false {
      diagnostics.append(
        .warning, "layer-not-in-samples", path: evidence.path,
        "layer \(layer.layerID) has parameter sets, but no picture in the first sample")
    }
    for layer in layers where layer.isInSamples == true && !layer.hasParameterSets {
      diagnostics.append(
        .warning, "layer-not-configured", path: evidence.path,
        "the samples hold pictures of layer \(layer.layerID), but its parameter sets are missing")
    }
    guard !evidence.hasRelatives, !missing.isEmpty else { return }
    let list = missing.map(String.init).joined(separator: ", ")
    diagnostics.append(
      .warning, "layer-missing", path: evidence.path,
      "the video parameter set describes layer \(list), which is missing")
  }

  /// A store without sets, which does not read again what was read for the analysis.
  package func parameterSetStore() -> ParameterSetStore { ParameterSetStore(readings: readings) }

  /// The first message of a kind in ``units``; `nil` if there is none, or it cannot be read. Most kinds are absent: then nothing
  /// is read again.
  package func firstMessage<Payload: SEIPayload>(_ kind: Payload.Type) -> Payload? {
    hasMessage(kind) ? units.lazy.map(\.unit).firstMessage(kind) : nil
  }

  /// Whether there is a message of a kind in ``units``.
  func hasMessage<Payload: SEIPayload>(_: Payload.Type) -> Bool {
    messageTypes.contains(Payload.payloadType)
  }

  /// Whether the track has something of each of these layers.
  func carries(_ wanted: Set<UInt8>) -> Bool { wanted.isSubset(of: layers.map(\.layerID)) }

  /// The parameter sets that hold after all of `units`.
  private static func store(
    _ units: [LocatedNALUnit], _ evidence: Evidence, _ diagnostics: inout DiagnosticList
  ) -> ParameterSetStore {
    let path = evidence.path
    func note(_ error: ParseError?, _ type: NALUnitType, _ source: String) {
      guard let error else { return }
      diagnostics.append(error.inField(type.name).inPath(path.isEmpty ? source : path + "/" + source))
    }
    var store = ParameterSetStore(readings: evidence.readings)
    for located in units where located.unit.type.isParameterSet {
      let source = "\(located.source)"
      if case .refused(let error) = store.insert(located.unit, source: source) {
        note(error, located.unit.type, source)
      }
    }
    for entry in store.videoParameterSets { note(entry.error, entry.unit.type, entry.source) }
    for entry in store.sequenceParameterSets { note(entry.error, entry.unit.type, entry.source) }
    for entry in store.pictureParameterSets { note(entry.error, entry.unit.type, entry.source) }
    return store
  }

  /// The sequence parameter set that the pictures of a layer use, which may be one of a lower layer: by the picture's own
  /// reference where a picture is at hand, otherwise by the layer that the sets belong to. ISO/IEC 23008-2, F.7.4.1.4.1
  private static func activeSPS(
    ofLayer id: UInt8, _ sets: ParameterSetStore, pictureParameterSet named: UInt32?
  ) -> SequenceParameterSet? {
    guard let named else {
      let own = sets.firstPictureParameterSet(ofLayer: id)
      let sps = own.flatMap { sets.sequenceParameterSet($0.content.ppsSeqParameterSetID, layerID: id) }
      return (sps ?? sets.firstSequenceParameterSet(ofLayer: id))?.content
    }
    let pps = sets.pictureParameterSet(named, layerID: id)
    return pps.flatMap { sets.sequenceParameterSet($0.content.ppsSeqParameterSetID, layerID: id) }?.content
  }

  private static func layer(
    _ id: UInt8, _ vps: VideoParameterSet?, _ structure: LayerStructure?,
    _ outputSets: [OutputLayers], _ sets: ParameterSetStore, picture: NALUnit?, knowsSample: Bool
  ) -> VideoLayer {
    var layer = VideoLayer(layerID: id)
    let active = activeSPS(ofLayer: id, sets, pictureParameterSet: picture?.slicePicParameterSetID)
    layer.hasParameterSets = active != nil
    layer.isInSamples = picture != nil ? true : knowsSample ? false : nil
    if let structure, let described = structure.layer(id) {
      layer.viewOrderIndex = Int(described.viewOrderIdx)
      layer.viewID = described.viewID.map(UInt32.init)
      layer.auxiliaryID = Int(described.auxID)
      layer.dependencyID = Int(described.dependencyID)
      layer.isDepth = described.depthLayerFlag
      layer.directReferences = Array(described.directReferenceLayers)
      layer.allReferences = Array(described.referenceLayers)
      layer.outputLayerSets = outputSets.indices.filter { outputSets[$0].outputLayers.contains(id) }
    }
    let sps = active ?? activeSPS(ofLayer: id, sets, pictureParameterSet: nil)
    let format =
      sps?.format ?? vps.flatMap { vps in vps.layerIndex(of: id).flatMap(vps.pictureFormat(at:)) }
    let described = structure.flatMap { vps?.profileTierLevel(ofLayer: id, in: $0) }
    let profile = (id == 0 ? sps?.profileTierLevel : nil) ?? described ?? sps?.profileTierLevel
    layer.describe(format, sps, profile)
    return layer
  }

  private static func facts(
    _ layers: [VideoLayer], _ messages: EyeMessages, _ stereo: StereoLayout,
    _ elsewhere: Set<UInt32>
  ) -> EyeAssignment.Facts {
    var facts = EyeAssignment.Facts()
    facts.views = layers.views
    facts.viewIDsElsewhere = elsewhere
    facts.displays = messages.referenceDisplays
    facts.replacedDisplays = messages.replacedDisplays
    facts.viewPositions = messages.viewPositions
    facts.stereoView = stereo.viewInformation
    facts.heroEye = stereo.heroEye?.rawValue
    return facts
  }
}
