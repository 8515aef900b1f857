// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Processes the NAL units of a stream in decoding order, and determines which pictures are decoded, in which
/// order they are output, and what they refer to. It reads only headers. ISO/IEC 23008-2, 8.1.3, 8.3.1, F.8.1 and
/// F.8.3.1
package struct PictureSequencer: Sendable {
  private struct Layer: Sendable {
    /// Whether decoding of the layer has started (`LayerInitializedFlag`).
    var isInitialized = false
    /// Whether there has been no picture of the layer since the start of the stream, or of a sequence.
    var isFresh = true
    /// Whether decoding started at the last IRAP picture, so that its RASL pictures are skipped.
    var skipsLeading = false
    /// The picture that slice segments belong to, with its last header; `nil` between pictures.
    var current: Current?
  }

  private struct Current: Sendable {
    var header: SliceSegmentHeader
    var isSkipped: SkippedPicture?
    /// Why the picture cannot be decoded; `nil` if it can.
    var problem: PictureProblem?
  }

  /// The parameter sets in force.
  package private(set) var store: ParameterSetStore
  /// The layers that are decoded and output. They change with video parameter sets, at the start of a sequence.
  package private(set) var layers = DecodedLayers.base
  /// The only layers to be output; `nil` for those of the output layer set with the most layers.
  private let wanted: LayerIDSet?
  private var states: [UInt8: Layer] = [:]
  private var counter = PictureOrderCounter()
  private var isFirstPicture = true
  /// The video parameter set from which `layers` was derived, with the limits of each layer.
  private var video: NALUnit?
  private var hasSelectedLayers = false
  private var videoLimits: [UInt8: BufferLimits] = [:]

  /// Starts before the first unit of a stream. Parameter sets from a configuration record are to be passed first.
  package init(layers wanted: LayerIDSet? = nil) {
    store = ParameterSetStore()
    self.wanted = wanted
  }

  /// Continues at another place in the stream, as if the stream were cut there; parameter sets are kept.
  package mutating func restart() {
    states = [:]
    counter = PictureOrderCounter()
    isFirstPicture = true
  }

  /// Processes a unit that is not a slice segment: a parameter set, or the end of a sequence.
  package mutating func accept(_ unit: NALUnit) {
    guard unit.header.isValid else { return }
    switch unit.type {
    case .videoParameterSet, .sequenceParameterSet, .pictureParameterSet: store.insert(unit)
    case .endOfSequence: endSequence(unit.layerID)
    case .endOfBitstream: endSequence(0)
    default: break
    }
  }

  private mutating func endSequence(_ layerID: UInt8) {
    counter.endOfSequence(layerID: layerID)
    states[layerID, default: Layer()].isFresh = true
    states[layerID, default: Layer()].current = nil
  }

  /// Completes the pictures of the access unit. `next` is the layer of a picture that has already begun and
  /// belongs to the following one.
  package mutating func endAccessUnit(next: UInt8? = nil) {
    for id in states.keys where id != next { states[id]?.current = nil }
  }

  /// Processes a slice segment; returns `nil` for other units.
  package mutating func slice(_ unit: NALUnit) -> SliceEvent? {
    guard unit.type.isSliceSegment, unit.header.isValid else { return nil }
    let id = unit.layerID
    if id > 0, !layers.decoded.contains(id) {
      return hasSelectedLayers || hasBaseLayer ? .skipped(.layer) : .failed(.unsupported(Self.otherBase))
    }
    let before = unit.startsPicture ? nil : states[id]?.current
    guard let segment = store.sliceSegment(unit, after: before?.header) else { return nil }
    if let error = segment.error {
      if unit.startsPicture { states[id]?.current = nil }
      return .failed(Self.problem(error))
    }
    if let before, segment.header.firstSliceSegmentInPicFlag == false {
      if let reason = before.isSkipped { return .skipped(reason) }
      if let problem = before.problem { return .failed(problem) }
      guard segment.header.slicePicParameterSetID == before.header.slicePicParameterSetID,
        before.header.unit.type == unit.type
      else { return .failed(.invalid("a slice segment does not belong to the picture before it")) }
      states[id]?.current?.header = segment.header
      return .continues(segment)
    }
    return start(segment)
  }

  private static let otherBase = "a base layer that is not in the stream"

  /// Whether the base layer is in the stream itself, as far as known (`vps_base_layer_internal_flag`).
  private var hasBaseLayer: Bool { store.videoParameterSets.allSatisfy(\.content.vpsBaseLayerInternalFlag) }

  private static func problem(_ error: ParseError) -> PictureProblem {
    switch error.code {
    case .missing(let what): .missing(what)
    case .invalid("belongs to a layer of 3D-HEVC"): .unsupported("3D-HEVC")
    default: .invalid("\(error)")
    }
  }

  // MARK: The start of a picture

  private mutating func start(_ segment: SliceSegment) -> SliceEvent {
    let id = segment.unit.layerID
    var header = segment.header
    // The first slice segment may be lost: every independent one has all the necessary fields.
    header.firstSliceSegmentInPicFlag = true
    guard let slice = header.slice, let parameters = slice.parameters else {
      return .failed(.missing("the first slice segment of the picture"))
    }
    let state = begin(header, parameters)
    var current = Current(header: segment.header)
    defer { states[id]?.current = current }
    if let reason = state.skipped {
      current.isSkipped = reason
      return .skipped(reason)
    }
    do throws(PictureProblem) {
      let plan = try plan(header, slice, state)
      isFirstPicture = false
      return .starts(plan, segment)
    } catch {
      current.problem = error
      return .failed(error)
    }
  }

  private struct Start {
    var startsSequence = false
    var restartsLayers = false
    var skipped: SkippedPicture?
  }

  /// Determines whether the picture is decoded, and whether decoding starts with it. 8.1.3 and F.8.1.3
  private mutating func begin(_ header: SliceSegmentHeader, _ parameters: SliceParameters) -> Start {
    let id = header.unit.layerID, type = header.unit.type
    var layer = states[id] ?? Layer()
    var start = Start()
    let references = parameters.video.referenceLayers
    let canStart = references.allSatisfy {
      states[$0.id]?.isInitialized == true || !layers.decoded.contains($0.id)
    }
    if type.isRandomAccessPoint {
      start.startsSequence =
        type.isRefresh || type.isBrokenLink || layer.isFresh || (!layer.isInitialized && canStart)
      if start.startsSequence, id == 0 {
        start.restartsLayers =
          layer.isFresh || type.isBrokenLink || (type.isRefresh && header.slice?.crossLayerBlaFlag == true)
        let changed = selectLayers(header, parameters)
        start.restartsLayers = start.restartsLayers || changed
        if start.restartsLayers { restartHigherLayers() }
      }
      if start.startsSequence { layer.isInitialized = id == 0 || canStart }
      layer.skipsLeading = start.startsSequence
    }
    if !layer.isInitialized {
      start.skipped = .beforeRandomAccess
    } else if type.isSkippedLeading, layer.skipsLeading {
      start.skipped = .leading
    } else {
      layer.isFresh = false
      if !layers.decoded.contains(id) { start.skipped = .layer }
    }
    states[id] = layer
    return start
  }

  private mutating func restartHigherLayers() {
    for id in states.keys where id > 0 {
      states[id]?.isInitialized = false
      states[id]?.isFresh = true
      counter.endOfSequence(layerID: id)
    }
  }

  /// Selects the layers by the video parameter set of the picture; returns whether that set has changed.
  private mutating func selectLayers(_ header: SliceSegmentHeader, _ parameters: SliceParameters) -> Bool {
    let sets = sets(header)
    let vps = sets.flatMap { store.videoParameterSet($0.sps.spsVideoParameterSetID) }
    guard vps?.unit != video || !hasSelectedLayers else { return false }
    let isFirst = !hasSelectedLayers
    hasSelectedLayers = true
    video = vps?.unit
    videoLimits = [:]
    if let wanted {
      layers = DecodedLayers(of: vps?.content, only: wanted)
    } else {
      layers = vps.map { DecodedLayers(of: $0.content) } ?? .base
    }
    return !isFirst
  }

  private func sets(_ header: SliceSegmentHeader) -> (sps: SequenceParameterSet, pps: PictureParameterSet)? {
    let id = header.unit.layerID
    guard let pps = store.pictureParameterSet(header.slicePicParameterSetID, layerID: id)?.content,
      let sps = store.sequenceParameterSet(pps.ppsSeqParameterSetID, layerID: id)?.content
    else { return nil }
    return (sps, pps)
  }

  private mutating func plan(
    _ header: SliceSegmentHeader, _ slice: SliceHeader, _ start: Start
  ) throws(PictureProblem) -> PicturePlan {
    let id = header.unit.layerID, type = header.unit.type
    guard let count = counter.orderCount(of: header) else {
      throw .unsupported("resetting of picture order counts")
    }
    guard let (sps, pps) = sets(header) else { throw .missing("a parameter set") }
    var resolved = pps
    try resolveScalingLists(&resolved, sps, id)
    let discards =
      start.startsSequence && !isFirstPicture
      && (type.isCleanRandomAccess || header.noOutputOfPriorPicsFlag == true)
    return PicturePlan(
      layerID: id, isLowestLayer: id == layers.decoded.lowest, type: type, orderCount: count,
      startsSequence: start.startsSequence,
      restartsLayers: start.restartsLayers, discardsPriorPictures: discards,
      isOutput: layers.output.contains(id) && slice.isOutput,
      references: ReferencePictureSet(slice, orderCount: count), limits: bufferLimits(sps, id), sps: sps,
      pps: resolved)
  }

  /// Copies scaling lists from another layer if a set says so. F.7.4.3.2.1 and F.7.4.3.3.1
  private func resolveScalingLists(
    _ pps: inout PictureParameterSet, _ sps: SequenceParameterSet, _ id: UInt8
  ) throws(PictureProblem) {
    guard sps.scalingListEnabledFlag, pps.scalingListData == nil else { return }
    guard let other = pps.extensions?.multilayer?.ppsScalingListRefLayerID ?? sps.spsScalingListRefLayerID
    else {
      return
    }
    let isOfPicture = pps.extensions?.multilayer?.ppsScalingListRefLayerID != nil
    guard let header = states[other]?.current?.header, other < id, let sets = sets(header) else {
      throw .missing("the picture of layer \(other) with the scaling lists of layer \(id)")
    }
    pps.scalingListData = (isOfPicture ? sets.pps.scalingListData : nil) ?? sets.sps.scalingListData
  }

  private mutating func bufferLimits(_ sps: SequenceParameterSet, _ id: UInt8) -> BufferLimits {
    if let known = videoLimits[id] { return known }
    if let index = layers.outputLayerSet, let vps = store.videoParameterSet(sps.spsVideoParameterSetID),
      let limits = BufferLimits(vps.content, outputLayerSet: index, layerID: id)
    {
      videoLimits[id] = limits
      return limits
    }
    return BufferLimits(sps) ?? BufferLimits(reorder: 16, capacity: 16)
  }
}
