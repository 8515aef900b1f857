// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// What the samples of a track hold: one walk over NAL unit headers and the beginnings of slices, for all rules.
///
/// One reference: rules ask some twenty times for one of its values, and copying them all retains fifty references.
@dynamicMemberLookup
final class SampleCensus: Sendable {
  private let counts: CensusCounts

  init(_ track: Track, _ analysis: LayerAnalysis, maximumSamples: Int) {
    counts = CensusCounts(track, analysis, maximumSamples: maximumSamples)
  }

  /// A value of the walk.
  subscript<Value>(dynamicMember member: KeyPath<CensusCounts, Value>) -> Value { counts[keyPath: member] }
}

/// The values of a ``SampleCensus``, filled in as the samples are walked.
struct CensusCounts: Sendable {
  /// Something that is the case in some samples.
  struct Occurrence: Sendable {
    /// In how many.
    var count = 0
    /// The first of them.
    var sample: Int
    /// Where in the file.
    var offset: Int?
    /// The details of the first one.
    var detail: String
  }

  /// What is known of one layer.
  struct Layer: Sendable {
    /// How many samples hold a picture of it.
    var samples = 0
    /// The first sample that does.
    var first: Occurrence?
  }

  /// How many samples were looked into.
  private(set) var lookedAt = 0
  /// How many there are.
  private(set) var total = 0
  /// The layers of which there are pictures.
  private(set) var layers: [UInt8: Layer] = [:]
  /// For layers that have pictures in some samples: those without.
  private(set) var withoutLayer: [UInt8: Occurrence] = [:]
  /// Samples whose NAL units do not fill them.
  private(set) var unframed: Occurrence?
  /// Samples that were not examined to their end because of a limit.
  private(set) var beyondLimits: Occurrence?
  /// Samples of a sample description that differs from the one that is examined: they are not examined.
  private(set) var otherDescriptions: Occurrence?
  /// Samples that begin with a start code where a length should be.
  private(set) var startCodes: Occurrence?
  /// Parameter sets between the pictures of two layers.
  private(set) var setsBetweenLayers: Occurrence?
  /// Pictures of a layer after those of a higher one.
  private(set) var layersOutOfOrder: Occurrence?
  /// Sync samples whose lowest picture is not a random access point.
  private(set) var syncWithoutAccess: Occurrence?
  /// Samples that lie beyond the end of the file.
  private(set) var outsideFile: Occurrence?
  /// Pictures shown in another order than their order counts say.
  private(set) var disorder: Occurrence?
  /// For layers: pictures that name parameter sets which are not there.
  private(set) var withoutSets: [UInt8: Occurrence] = [:]
  /// For layers: pictures whose headers cannot be read, though the parameter sets are there.
  private(set) var unreadableHeaders: [UInt8: Occurrence] = [:]
  /// Samples in which the layers have different order counts.
  private(set) var unequalOrderCounts: Occurrence?
  /// Why the walk ended early.
  private(set) var error: SourceError?

  /// The samples so far whose framing is sound.
  private var soundSoFar: Occurrence?
  /// In how many of those each layer has a picture, and which layers have one in all of them. Kept so that a sample costs no
  /// more than the layers it has: a thousand tracks may have thousands of empty samples each.
  private var soundSamples: [UInt8: Int] = [:]
  private var neverAbsent: Set<UInt8> = []
  /// The sample descriptions, counted from 1, that differ from the one that is examined.
  private var differing: Set<UInt32> = []
  private var store: ParameterSetStore
  /// Parameter sets that no picture has followed yet; these are not more than a sample of a camera has.
  private var waiting: [NALUnitPlace] = []
  private static let maximumWaiting = 4_096
  private var counter = PictureOrderCounter()
  private var sequence: [(order: Int, time: Int64, sample: Int)] = []
  /// Whether the base layer is in another track.
  private let hasOtherLayersOnly: Bool

  init(_ track: Track, _ analysis: LayerAnalysis, maximumSamples: Int) {
    store = analysis.parameterSetStore()
    let description = track.mainDescription
    hasOtherLayersOnly = description?.isEnhancementOnly == true
    guard track.isHEVC, !track.isProtected, description?.isProtected != true, track.absence == nil else {
      return
    }
    for located in analysis.units {
      if case .sample = located.source { continue }
      store.insert(located.unit)
    }
    differing = SampleCensus.differing(track.formatDescriptions, from: track.mainDescriptionNumber)
    let fileSize = track.context.source.size
    do {
      total = track.isRawStream ? 0 : try track.samples().count
      let first = track.describing?.first?.index ?? 0
      let (end, overflow) = first.addingReportingOverflow(max(0, maximumSamples))
      try track.forEachAccessUnit(first..<(overflow ? .max : end)) { unit, walker in
        take(unit, walker, fileSize)
        return true
      }
    } catch { self.error = error }
    if track.isRawStream { total = lookedAt }
    finishSequence()
    finishAbsence()
    sequence = []
    waiting = []
    store = ParameterSetStore()
  }

  private static func note(
    _ occurrence: inout Occurrence?, _ sample: Int, _ offset: Int?, _ detail: @autoclosure () -> String
  ) {
    if occurrence == nil { occurrence = Occurrence(sample: sample, offset: offset, detail: detail()) }
    occurrence?.count += 1
  }

  private mutating func take(_ unit: AccessUnitPlaces, _ walker: SampleWalker, _ fileSize: UInt64?) {
    lookedAt += 1
    let start = unit.sample.map { Int(clamping: $0.offset) }
    if let sample = unit.sample, let fileSize, sample.range.upperBound > fileSize {
      Self.note(&outsideFile, unit.index, start, "\(sample.size) bytes at \(sample.offset)")
      return
    }
    if !differing.isEmpty, let index = unit.sample?.descriptionIndex, differing.contains(index) {
      Self.note(&otherDescriptions, unit.index, start, "sample description \(index)")
      finishSequence()
      return
    }
    if let error = unit.error { noteFraming(error, unit, walker, start) }
    notePlaces(unit)
    noteSync(unit, start)
    noteOrder(unit, walker)
  }

  private mutating func noteFraming(
    _ error: ParseError, _ unit: AccessUnitPlaces, _ walker: SampleWalker, _ start: Int?
  ) {
    if case .limitExceeded = error.code {
      return Self.note(&beyondLimits, unit.index, error.offset, error.reason)
    }
    Self.note(&unframed, unit.index, error.offset, "\(error.field) \(error.reason)")
    guard let sample = unit.sample, let head = walker.head(of: sample, count: 4) else { return }
    // A length of one byte holds no NAL unit: what looks like it is the start code of a byte stream.
    if head == [0, 0, 0, 1] || head.starts(with: [0, 0, 1]) {
      Self.note(&startCodes, unit.index, start, "")
    }
  }

  /// Where parameter sets and the pictures of layers are in relation to one another.
  private mutating func notePlaces(_ unit: AccessUnitPlaces) {
    var present: LayerIDSet = []
    var highest: UInt8?
    var waiting: (NALUnitPlace, after: UInt8)?
    for place in unit.units where place.header.isValid {
      let layer = place.header.layerID
      if place.header.type.isParameterSet, let highest, waiting == nil {
        waiting = (place, after: highest)
      }
      guard place.header.type.isSliceSegment else { continue }
      if let highest, layer < highest {
        Self.note(
          &layersOutOfOrder, unit.index, Int(clamping: place.range.lowerBound),
          "layer \(layer) after layer \(highest)")
      }
      if let (set, after) = waiting, layer != after {
        Self.note(
          &setsBetweenLayers, unit.index, Int(clamping: set.range.lowerBound),
          "\(set.header.type.name) of layer \(set.header.layerID) between layers \(after) and \(layer)")
        waiting = nil
      }
      highest = max(highest ?? 0, layer)
      present.insert(layer)
    }
    for layer in present {
      var known = layers[layer] ?? Layer()
      if known.first == nil {
        let place = unit.units.first { $0.header.layerID == layer && $0.header.type.isSliceSegment }
        known.first = Occurrence(
          count: 1, sample: unit.index, offset: place.map { Int(clamping: $0.range.lowerBound) }, detail: "")
      }
      known.samples += 1
      layers[layer] = known
    }
    noteAbsence(unit, present)
  }

  /// Which of the layers that have pictures somewhere have none in this sample. Those that come later for the first
  /// time were absent from all samples before.
  private mutating func noteAbsence(_ unit: AccessUnitPlaces, _ present: LayerIDSet) {
    guard unit.error == nil else { return }
    let offset = unit.sample.map { Int(clamping: $0.offset) }
    func detail() -> String {
      present.isEmpty ? "no picture" : present.map { "layer \($0)" }.joined(separator: ", ")
    }
    for layer in present {
      if let count = soundSamples[layer] {
        soundSamples[layer] = count + 1
      } else {
        soundSamples[layer] = 1
        withoutLayer[layer] = soundSoFar
        if soundSoFar == nil { neverAbsent.insert(layer) }
      }
    }
    for layer in neverAbsent where !present.contains(layer) {
      Self.note(&withoutLayer[layer], unit.index, offset, detail())
      neverAbsent.remove(layer)
    }
    Self.note(&soundSoFar, unit.index, offset, detail())
  }

  /// How many samples are without a layer is known when all have been seen.
  private mutating func finishAbsence() {
    for layer in layers.keys {
      guard let count = soundSamples[layer] else {
        withoutLayer[layer] = soundSoFar
        continue
      }
      withoutLayer[layer]?.count = (soundSoFar?.count ?? 0) - count
    }
  }

  private mutating func noteSync(_ unit: AccessUnitPlaces, _ start: Int?) {
    guard unit.sample?.isSync == true, unit.error == nil else { return }
    let pictures = unit.units.filter { $0.header.type.isSliceSegment }
    guard let lowest = pictures.map(\.header.layerID).min() else { return }
    let types = pictures.filter { $0.header.layerID == lowest }.map(\.header.type)
    if !types.contains(where: \.isRandomAccessPoint), let type = types.first {
      Self.note(&syncWithoutAccess, unit.index, start, type.name)
    }
  }
}

// MARK: - Order

extension CensusCounts {
  private mutating func noteOrder(_ unit: AccessUnitPlaces, _ walker: SampleWalker) {
    var counts: [(layer: UInt8, order: Int)] = []
    for place in unit.units where place.header.isValid {
      let type = place.header.type
      if type.isParameterSet {
        waiting.append(place)
        // What an extractor composes has memory of its own.
        if place.composed != nil || waiting.count == Self.maximumWaiting { readWaiting(walker) }
      } else if type == .endOfSequence {
        counter.endOfSequence(layerID: place.header.layerID)
        if place.header.layerID == 0 || hasOtherLayersOnly { finishSequence() }
      } else if type.isSliceSegment, place.startsPicture {
        readWaiting(walker)
        guard let slice = read(place, walker, limit: 512), let segment = store.sliceSegment(slice) else {
          continue
        }
        guard segment.header.hasParameters || !noteAbsentSets(of: slice, place, unit) else { continue }
        // The end of a long header may lie after what was loaded.
        if let error = segment.error, !error.isShortage || slice.bytes.count >= place.byteCount {
          Self.note(
            &unreadableHeaders[slice.layerID], unit.index, Int(clamping: place.range.lowerBound),
            "\(slice.type.name): \(error.field) \(error.reason)")
          continue
        }
        guard segment.header.hasSlice else { continue }
        // The base layer, where a sequence begins, may be in another track.
        let isLowest = place.header.layerID == 0 || hasOtherLayersOnly && counts.isEmpty
        if isLowest, type.isRefresh || type.isBrokenLink { finishSequence() }
        if let order = counter.orderCount(of: segment.header) {
          counts.append((place.header.layerID, order))
        }
      }
    }
    guard let first = counts.first else { return }
    if let other = counts.first(where: { $0.order != first.order && $0.layer != first.layer }) {
      Self.note(
        &unequalOrderCounts, unit.index, unit.sample.map { Int(clamping: $0.offset) },
        "layer \(first.layer) has \(first.order), layer \(other.layer) has \(other.order)")
    }
    if let sample = unit.sample, !sample.isNeverComposed {
      sequence.append((first.order, sample.compositionTime, unit.index))
    }
  }

  /// Notes the parameter sets that a picture names and that are not there; returns whether it can be read which it names.
  private mutating func noteAbsentSets(
    of slice: NALUnit, _ place: NALUnitPlace, _ unit: AccessUnitPlaces
  ) -> Bool {
    guard let id = slice.slicePicParameterSetID else { return false }
    let isPresent = store.pictureParameterSet(id, layerID: slice.layerID) != nil
    Self.note(
      &withoutSets[slice.layerID], unit.index, Int(clamping: place.range.lowerBound),
      isPresent ? "no SPS for PPS \(id)" : "no PPS \(id)")
    return true
  }

  /// Reads the parameter sets before a picture. Without one they apply to nothing.
  private mutating func readWaiting(_ walker: SampleWalker) {
    for place in waiting { if let set = readParameterSet(place, walker) { store.insert(set) } }
    waiting.removeAll(keepingCapacity: true)
  }

  private func read(_ place: NALUnitPlace, _ walker: SampleWalker, limit: Int) -> NALUnit? {
    do { return try walker.unit(place, limit: limit) } catch { return nil }
  }

  private func readParameterSet(_ place: NALUnitPlace, _ walker: SampleWalker) -> NALUnit? {
    do { return try walker.parameterSet(place) } catch { return nil }
  }

  /// Within a sequence pictures are shown in the order of their order counts. ISO/IEC 23008-2, 8.3.1
  private mutating func finishSequence() {
    sequence.sort { $0.order < $1.order }
    for (earlier, later) in zip(sequence, sequence.dropFirst())
    where earlier.order != later.order && earlier.time >= later.time {
      let sample = max(earlier.sample, later.sample)
      Self.note(
        &disorder, sample, nil,
        "the picture with order count \(later.order) is composed at \(later.time), not after order count "
          + "\(earlier.order) at \(earlier.time)")
    }
    sequence.removeAll(keepingCapacity: true)
  }
}

extension SampleWalker {
  /// The first bytes of a sample; `nil` if they cannot be read.
  func head(of sample: Sample, count: Int) -> [UInt8]? {
    do {
      return try bytes(at: Int(clamping: sample.offset), count: min(count, Int(sample.size))).array
    } catch { return nil }
  }
}

// MARK: - Descriptions

extension SampleCensus {
  private static let saysNothing: Set<FourCC> = ["free", "skip", "btrt"]

  /// The boxes of a description, but for those that say nothing of how samples are read and shown.
  private static func telling(_ description: FormatDescription) -> [Box] {
    description.box.children.filter { !saysNothing.contains($0.type) }
  }

  /// The descriptions, counted from 1, that say something else than that of a number.
  static func differing(_ descriptions: [FormatDescription], from number: UInt32) -> Set<UInt32> {
    let place = Int(clamping: number) - 1
    guard descriptions.count > 1, descriptions.indices.contains(place) else { return [] }
    let first = descriptions[place]
    let wanted = telling(first)
    var found: Set<UInt32> = []
    for (index, description) in descriptions.enumerated() where index != place {
      let isSame =
        description.box.type == first.box.type && description.visual?.width == first.visual?.width
        && description.visual?.height == first.visual?.height
        && telling(description).elementsEqual(wanted) { $0.bytes == $1.bytes }
      if !isSame { found.insert(UInt32(clamping: index) + 1) }
    }
    return found
  }
}
