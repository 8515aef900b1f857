// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The parameter sets in force, by layer and ID, as records and samples deliver them.
///
/// For a picture of layer L, the store returns the set with an ID that came with layer L itself; if there is none,
/// that of the nearest lower layer on which L depends. By the standard, all layers share the IDs (F.7.4.1.4.1), so
/// in conforming streams the result is the same set; if two layers deliver different sets with the same ID, each
/// layer keeps its own.
public struct ParameterSetStore: Sendable {
  /// A parameter set, and where it came from.
  public struct Entry<Content: FieldLayout>: Sendable, Hashable {
    @usableFromInline let reading: ParameterSetReading<Content>
    /// The NAL unit.
    public let unit: NALUnit
    /// Where the set came from, as described by the caller that inserted it.
    public let source: String

    /// The contents of the set; if `error` is set, as far as they could be read.
    @inlinable
    public var content: Content { reading.set }
    /// The error that stopped reading; `nil` if there was none.
    @inlinable
    public var error: ParseError? { reading.error }

    public static func == (left: Entry, right: Entry) -> Bool {
      left.unit == right.unit && left.source == right.source
        && (left.reading === right.reading || left.content == right.content && left.error == right.error)
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(unit)
      hasher.combine(source)
    }
  }

  /// The result of inserting a NAL unit.
  public enum Change: Hashable, Sendable {
    /// It is not a parameter set.
    case ignored
    /// The same set is already present.
    case same
    /// It is new.
    case added
    /// It replaces another one.
    case replaced
    /// It could not be read, and a valid one stays in its place.
    case refused(ParseError)
  }

  /// A layer and an ID as one number, which is hashed in a third of the time that a structure of two takes.
  private typealias Key = UInt64

  /// The sets of one kind.
  private struct Shelf<Content: FieldLayout>: Sendable {
    private(set) var entries: [Key: Entry<Content>] = [:]
    /// The layers whose NAL units brought sets with an ID: a look-up that finds nothing takes one step. No ID is above 63: one
    /// that is out of range is not read.
    private var layers: [LayerIDSet] = []
    private static var idCount: Int { 64 }

    /// How many came with layers other than 0.
    private(set) var countAboveBase = 0

    subscript(key: Key) -> Entry<Content>? { entries[key] }

    mutating func put(_ entry: Entry<Content>, at key: Key) {
      let old = entries.updateValue(entry, forKey: key)
      if old == nil, key.layerID > 0 { countAboveBase += 1 }
      guard key.id < Self.idCount else { return }
      if layers.isEmpty { layers = Array(repeating: [], count: Self.idCount) }
      layers[Int(key.id)].insert(key.layerID)
    }

    /// The set with the lowest ID of those that came with a layer.
    func first(ofLayer layerID: UInt8) -> Entry<Content>? {
      entries.keys.lazy.filter { $0.layerID == layerID }.min().flatMap { entries[$0] }
    }

    /// The set with the lowest ID in the lowest layer.
    var first: Entry<Content>? { entries.keys.min().flatMap { entries[$0] } }

    func layers(of id: UInt32) -> LayerIDSet {
      id < layers.count ? layers[Int(id)] : []
    }

    /// By layer and id.
    var sorted: [Entry<Content>] { entries.keys.sorted().compactMap { entries[$0] } }
  }

  private let readings: ParameterSetReadings
  private var videos = Shelf<VideoParameterSet>()
  private var sequences = Shelf<SequenceParameterSet>()
  private var pictures = Shelf<PictureParameterSet>()
  /// Combined parameters since the last change.
  ///
  /// A failure to combine is kept too, as `nil`.
  private var parameters: [Key: Shared<SliceParameters>?] = [:]
  /// What slices of a layer use from the video parameter set with an ID and from the sequence parameter sets:
  /// derived once, however often the picture parameter sets change.
  private var ofVideos: [Key: SliceParameters.OfVideo] = [:]
  private var ofSequences: [Key: [ReferencePictureDeltas]] = [:]
  /// Which layers depend on which, by video parameter set.
  private var dependencies: [Key: LayerDependencies] = [:]
  /// Which video parameter sets describe a layer. For each layer that brought sets, in ascending order, there is a word for
  /// each of the 64 layers; its bit i stands for the set with ID i. In conforming streams only layer 0 brings sets.
  private var knowing: [(bringing: UInt8, ids: [UInt16])] = []
  /// How many bytes of sets were inserted, and how many were read again because another set changed.
  private(set) var bytesRead = 0, bytesReread = 0

  /// Makes a store without sets.
  public init() { self.init(readings: ParameterSetReadings()) }

  /// Makes a store without sets, which looks up sets that have already been read in `readings`.
  package init(readings: ParameterSetReadings) { self.readings = readings }

  // MARK: Adding

  /// Inserts a NAL unit if it is a parameter set.
  @discardableResult
  public mutating func insert(_ unit: NALUnit, source: String = "") -> Change {
    guard unit.type.isParameterSet, unit.header.isValid else { return .ignored }
    if let error = unit.type.excess(unit.bytes.count, at: unit.bytes.fileOffset) { return .refused(error) }
    if let error = excess(unit) { return .refused(error) }
    bytesRead += unit.bytes.count
    let change: Change
    switch unit.type {
    case .videoParameterSet:
      change = put(video: readings.video(unit), unit, source)
    case .sequenceParameterSet:
      let reading = readings.sequence(unit, inherited(by: unit))
      change = Self.put(reading, reading.set.spsSeqParameterSetID, unit, source, &sequences)
    default:
      let reading = readings.picture(unit)
      change = Self.put(reading, reading.set.ppsPicParameterSetID, unit, source, &pictures)
    }
    if change == .added || change == .replaced { forget(unit.type) }
    return change
  }

  /// How many picture parameter sets may be in force at a time: 64 for each of 16 layers. A set may take a hundred
  /// times as many bytes in memory as in the stream.
  private static let maximumPictures = 1_024
  /// How many video parameter sets of layers other than 0 may be in force at a time; the standard does not allow
  /// any.
  private static let maximumVideosAbove = 16

  /// The error if the set would be one too many, determined before it is read. A set that replaces another one is
  /// not an additional one.
  private func excess(_ unit: NALUnit) -> ParseError? {
    let limit: Int
    switch unit.type {
    case .videoParameterSet where unit.layerID > 0:
      // Its ID is in the first four bits.
      let id = UInt32((unit.rbsp(prefix: 1)[0] ?? 0) &>> 4)
      guard videos[Key(layerID: unit.layerID, id: id)] == nil else { return nil }
      limit = Self.maximumVideosAbove
      guard videos.countAboveBase >= limit else { return nil }
    case .pictureParameterSet:
      limit = Self.maximumPictures
      guard pictures.entries.count >= limit else { return nil }
      let (start, _, _) = unit.rbsp(prefix: 16).decode(PictureParameterSet())
      let id = start.ppsPicParameterSetID
      guard pictures[Key(layerID: unit.layerID, id: id)] == nil else { return nil }
    default: return nil
    }
    return ParseError(
      .limitExceeded(limit: "\(limit) sets at a time", value: UInt64(limit) + 1),
      offset: unit.bytes.fileOffset, field: unit.type.name)
  }

  /// Discards combined parameters that depend on sets of a type.
  private mutating func forget(_ type: NALUnitType) {
    parameters.removeAll(keepingCapacity: true)
    if type == .videoParameterSet { ofVideos.removeAll(keepingCapacity: true) }
    // What was read of sequence parameter sets may depend on video parameter sets.
    if type != .pictureParameterSet { ofSequences.removeAll(keepingCapacity: true) }
  }

  private mutating func put(
    video reading: ParameterSetReading<VideoParameterSet>, _ unit: NALUnit, _ source: String
  ) -> Change {
    let key = Key(layerID: unit.layerID, id: UInt32(reading.set.vpsVideoParameterSetID))
    let change = Self.put(reading, key.id, unit, source, &videos)
    if change == .added || change == .replaced {
      note(LayerDependencies(reading.set), by: key)
      rereadSequences(of: key.id)
    }
    return change
  }

  private static func put<Content: FieldLayout>(
    _ reading: ParameterSetReading<Content>, _ id: UInt32, _ unit: NALUnit, _ source: String,
    _ shelf: inout Shelf<Content>
  ) -> Change {
    let key = Key(layerID: unit.layerID, id: id)
    let old = shelf[key]
    if let old, old.unit == unit { return .same }
    if let error = reading.error, let old, old.error == nil { return .refused(error) }
    shelf.put(Entry(reading: reading, unit: unit, source: source), at: key)
    return old == nil ? .added : .replaced
  }

  /// The values that a sequence parameter set of the multilayer form takes from the video parameter set.
  private func inherited(by unit: NALUnit) -> SequenceParameterSet.Inherited? {
    // The ID of the video parameter set is in the first four bits.
    guard unit.layerID > 0, let first = unit.rbsp(prefix: 1)[0], let vps = videoParameterSet(first &>> 4)
    else {
      return nil
    }
    return SequenceParameterSet.Inherited(vps.reading.set, layerID: unit.layerID)
  }

  /// Reads the sequence parameter sets that refer to a video parameter set again.
  ///
  /// If a stream repeatedly changes a video parameter set just to cause this work, it is not done: the sets stay
  /// as they were read before.
  private mutating func rereadSequences(of id: UInt32) {
    for (key, entry) in sequences.entries
    where entry.unit.layerID > 0 && UInt32(entry.content.spsVideoParameterSetID) == id {
      guard bytesReread + entry.unit.bytes.count <= Self.maximumRereading * bytesRead else { return }
      bytesReread += entry.unit.bytes.count
      let reading = readings.sequence(entry.unit, inherited(by: entry.unit))
      sequences.put(Entry(reading: reading, unit: entry.unit, source: entry.source), at: key)
    }
  }

  /// How often, on average, sets may be read again.
  private static let maximumRereading = 16

  // MARK: Looking up

  /// The video parameter set with an ID. One of a layer other than 0 is used only if there is no other.
  public func videoParameterSet(_ id: UInt8) -> Entry<VideoParameterSet>? {
    let id = UInt32(id)
    return videos.layers(of: id).lowest.flatMap { videos[Key(layerID: $0, id: id)] }
  }

  /// The sequence parameter set with an ID, as used by pictures of a layer.
  public func sequenceParameterSet(_ id: UInt32, layerID: UInt8) -> Entry<SequenceParameterSet>? {
    guard let entry = visible(id, layerID, sequences) else { return nil }
    guard entry.reading.set.isMultilayerForm,
      let vps = videoParameterSet(entry.reading.set.spsVideoParameterSetID)
    else { return entry }
    let inherited = SequenceParameterSet.Inherited(vps.reading.set, layerID: layerID)
    // Nearly always it was read with these values.
    guard entry.reading.set.inherited != inherited else { return entry }
    var content = entry.content
    content.inherited = inherited
    return Entry(
      reading: ParameterSetReading(content, entry.error), unit: entry.unit, source: entry.source)
  }

  /// The picture parameter set with an ID, as used by pictures of a layer.
  public func pictureParameterSet(_ id: UInt32, layerID: UInt8) -> Entry<PictureParameterSet>? {
    visible(id, layerID, pictures)
  }

  private func visible<Content: FieldLayout>(
    _ id: UInt32, _ layerID: UInt8, _ shelf: Shelf<Content>
  ) -> Entry<Content>? {
    let layers = shelf.layers(of: id)
    if layers.contains(layerID) { return shelf[Key(layerID: layerID, id: id)] }
    let lower = layers.intersection(LayerIDSet(below: layerID))
    guard let nearest = lower.highest else { return nil }
    // A set from a layer that this one does not depend on is better than none.
    let best = lower.intersection(referenceLayers(of: layerID)).highest ?? nearest
    return shelf[Key(layerID: best, id: id)]
  }

  /// The layers that a layer depends on, according to all video parameter sets that describe it.
  private func referenceLayers(of layerID: UInt8) -> LayerIDSet {
    guard layerID < Self.layers else { return [] }
    for (bringing, ids) in knowing where ids[Int(layerID)] != 0 {
      let key = Key(
        layerID: bringing, id: UInt32(truncatingIfNeeded: ids[Int(layerID)].trailingZeroBitCount))
      return dependencies[key]?.references(of: layerID) ?? []
    }
    return []
  }

  /// The number of possible layers, and of possible IDs of video parameter sets.
  private static let layers = 64, videoIDs: UInt32 = 16

  /// Records which layers depend on which according to a video parameter set.
  private mutating func note(_ new: LayerDependencies, by key: Key) {
    let old = dependencies.updateValue(new, forKey: key)
    guard key.id < Self.videoIDs, key.layerID < Self.layers else { return }
    let place = knowing.firstIndex { $0.bringing >= key.layerID } ?? knowing.count
    if place == knowing.count || knowing[place].bringing != key.layerID {
      knowing.insert((key.layerID, Array(repeating: 0, count: Self.layers)), at: place)
    }
    let bit: UInt16 = 1 &<< UInt16(key.id)
    for id in old?.ids ?? [] { knowing[place].ids[Int(id)] &= ~bit }
    for id in new.ids { knowing[place].ids[Int(id)] |= bit }
  }

  /// The entry that holds a NAL unit; `nil` if it is not a sequence parameter set in force.
  public func sequenceParameterSet(of unit: NALUnit) -> Entry<SequenceParameterSet>? {
    guard unit.type == .sequenceParameterSet, unit.header.isValid else { return nil }
    let id = readings.sequence(unit, inherited(by: unit)).set.spsSeqParameterSetID
    guard let entry = sequences[Key(layerID: unit.layerID, id: id)], entry.unit == unit else { return nil }
    return entry
  }

  /// Describes the elements of a parameter set after the header of its unit, as used by pictures that follow it.
  ///
  /// - Returns: the error that stopped reading; `nil` if there was none.
  package func describe(_ unit: NALUnit, into sink: any FieldSink) -> ParseError? {
    switch unit.type {
    case .videoParameterSet:
      return describe(unit, readings.video(unit), startingWith: VideoParameterSet(), into: sink)
    case .sequenceParameterSet:
      var initial = SequenceParameterSet()
      initial.nuhLayerID = unit.layerID
      initial.inherited = sequenceParameterSet(of: unit)?.content.inherited
      let reading = readings.sequence(unit, initial.inherited)
      return describe(unit, reading, startingWith: initial, into: sink)
    case .pictureParameterSet:
      return describe(unit, readings.picture(unit), startingWith: PictureParameterSet(), into: sink)
    default: return nil
    }
  }

  private func describe<Content: FieldLayout>(
    _ unit: NALUnit, _ reading: ParameterSetReading<Content>, startingWith initial: Content,
    into sink: any FieldSink
  ) -> ParseError? {
    guard reading.error != nil else {
      sink.describeOne(reading.set)
      return nil
    }
    // For a damaged set, the elements before the damage.
    return unit.rbsp.traceOne(initial, into: sink)
  }

  /// Every video parameter set, by layer and ID.
  public var videoParameterSets: [Entry<VideoParameterSet>] { videos.sorted }
  /// Every sequence parameter set, by layer and ID.
  public var sequenceParameterSets: [Entry<SequenceParameterSet>] { sequences.sorted }
  /// Every picture parameter set, by layer and ID.
  public var pictureParameterSets: [Entry<PictureParameterSet>] { pictures.sorted }

  /// The first of ``sequenceParameterSets``; `nil` if there are none.
  package var firstSequenceParameterSet: Entry<SequenceParameterSet>? { sequences.first }
  /// The first of ``sequenceParameterSets`` that came with a layer; `nil` if there are none.
  package func firstSequenceParameterSet(ofLayer layerID: UInt8) -> Entry<SequenceParameterSet>? {
    sequences.first(ofLayer: layerID)
  }
  /// The first of ``pictureParameterSets`` that came with a layer; `nil` if there are none.
  package func firstPictureParameterSet(ofLayer layerID: UInt8) -> Entry<PictureParameterSet>? {
    pictures.first(ofLayer: layerID)
  }

  // MARK: What depends on them

  /// What determines the syntax of slices of a layer that refer to a picture parameter set; `nil` if a set is
  /// missing.
  public mutating func sliceParameters(pictureParameterSet id: UInt32, layerID: UInt8) -> SliceParameters? {
    sharedSliceParameters(pictureParameterSet: id, layerID: layerID)?.value
  }

  /// The same, shared by all slices that it applies to.
  mutating func sharedSliceParameters(
    pictureParameterSet id: UInt32, layerID: UInt8
  ) -> Shared<SliceParameters>? {
    let key = Key(layerID: layerID, id: id)
    if let known = parameters[key] { return known }
    var new: Shared<SliceParameters>?
    if let pps = pictureParameterSet(id, layerID: layerID),
      let sps = sequenceParameterSet(pps.reading.set.ppsSeqParameterSetID, layerID: layerID)
    {
      new = Shared(
        SliceParameters(
          layerID: layerID, pps: pps.reading.set, sps: sps.reading.set, pictures: pictures(of: sps),
          video: parameters(ofVideo: sps.reading.set.spsVideoParameterSetID, layerID: layerID)))
    }
    parameters.updateValue(new, forKey: key)
    return new
  }

  private mutating func pictures(of sps: Entry<SequenceParameterSet>) -> [ReferencePictureDeltas] {
    let key = Key(layerID: sps.unit.layerID, id: sps.reading.set.spsSeqParameterSetID)
    if let known = ofSequences[key] { return known }
    let new = sps.reading.set.shortTermRefPicSets.map(\.deltas)
    ofSequences[key] = new
    return new
  }

  private mutating func parameters(ofVideo id: UInt8, layerID: UInt8) -> SliceParameters.OfVideo {
    let key = Key(layerID: layerID, id: UInt32(id))
    if let known = ofVideos[key] { return known }
    let entry = videoParameterSet(id)
    let new = SliceParameters.OfVideo(
      entry?.reading.set, entry.map { readings.structure($0.unit, of: $0.reading.set) }, layerID: layerID)
    ofVideos[key] = new
    return new
  }

  /// What is known about the context of the SEI messages of a layer.
  ///
  /// - Parameters:
  ///   - layerID: the layer.
  ///   - id: the picture parameter set that the picture of the messages refers to, if already known. Otherwise the
  ///     only sequence parameter set of the layer is used, if it has just one.
  public func seiContext(layerID: UInt8, pictureParameterSet id: UInt32? = nil) -> SEIContext {
    var context = SEIContext()
    var visible: [UInt32: SequenceParameterSet] = [:]
    for number: UInt32 in 0...15 {
      guard let entry = sequenceParameterSet(number, layerID: layerID) else { continue }
      visible[number] = entry.content
      context.sequences[number] = sequence(entry.content)
    }
    var active: SequenceParameterSet?
    if let id, let pps = pictureParameterSet(id, layerID: layerID) {
      active = visible[pps.content.ppsSeqParameterSetID]
    } else {
      let own = visible.filter { $0.value.nuhLayerID == layerID }
      active = own.count == 1 ? own.first?.value : visible.count == 1 ? visible.first?.value : nil
    }
    context.activeSequence = active.map(sequence)
    let vps = videoParameterSet(
      active?.spsVideoParameterSetID ?? videos.first.map(\.content.vpsVideoParameterSetID) ?? 0)
    context.video = vps.map { SEIContext.Video($0.content) }
    return context
  }

  /// The buffers of a sequence may be described in the video parameter set alone, for layer set 0. E.3.2
  private func sequence(_ sps: SequenceParameterSet) -> SEIContext.Sequence {
    var sequence = SEIContext.Sequence(sps)
    if sequence.timing == nil, let vps = videoParameterSet(sps.spsVideoParameterSetID)?.content {
      sequence.timing = vps.timing?.hrds.first { $0.layerSetIdx == 0 }.map {
        SEIContext.Timing($0.parameters)
      }
    }
    return sequence
  }
}

extension NALUnitType {
  /// The error if a parameter set or message at an offset has more bytes than are read.
  package func excess(_ byteCount: Int, at offset: Int) -> ParseError? {
    let limit = Limits.maximumParameterSetBytes
    guard byteCount > limit else { return nil }
    return ParseError(
      .limitExceeded(
        limit: "\(limit) bytes of a parameter set or message", value: UInt64(clamping: byteCount)),
      offset: offset, field: name)
  }
}

extension UInt64 {
  fileprivate init(layerID: UInt8, id: UInt32) { self = UInt64(layerID) &<< 32 | UInt64(id) }

  fileprivate var layerID: UInt8 { UInt8(truncatingIfNeeded: self &>> 32) }
  fileprivate var id: UInt32 { UInt32(truncatingIfNeeded: self) }
}
