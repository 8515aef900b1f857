// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC
import HEVCCoding
import Threads

/// Decodes HEVC and every layer of MV-HEVC: takes access units, and returns pictures in output order.
///
/// Damage never stops it: whatever can be decoded is decoded, a picture lists what it lacks, and what cannot be
/// decoded at all is reported by ``takeFailures()``. Use one decoder in one task; it may run threads internally,
/// and its results are the same with any number of them.
public final class HEVCDecoder {
  /// What a decoder should decode, and how.
  public struct Options: Hashable, Sendable {
    /// The layers to output; `nil` for those of the output layer set with the most layers.
    public var layers: LayerIDSet?
    /// Whether to compare the samples with picture hash messages.
    public var checksHashes = true
    /// How many luma samples a picture may have; up to sixteen pictures of each layer are kept in memory. No level
    /// up to 6.3 allows more than the default. Levels 7 to 7.2 allow 142 606 336, more than which are not decoded.
    public var maximumLumaSamples = PictureGeometry.usualLumaSamples
    /// How many threads decode: several pictures at a time, whether of one layer or of several. With 1, the thread
    /// of the caller does all the work.
    ///
    /// With more, ``HEVCDecoder/decode(_:tag:)`` returns pictures later, by as many as there are threads. Together
    /// they keep at most as many pictures in memory as the level of the stream allows, and one more for each
    /// thread beyond the second.
    public var threads = 1
    /// Whether pictures are output though the stream says that those before a random access picture need not be
    /// (`no_output_of_prior_pics_flag`).
    package var outputsPriorPictures = false
    /// Whether pictures before the first at which decoding can start are failures. Whoever begins somewhere in a stream expects
    /// them; who has all of it has lost what they depend on.
    package var reportsUndecodableStart = false
    /// The value of samples before they are decoded; `nil` for 0, or the values of an earlier picture in the same memory.
    /// Decoded pictures do not depend on it, as tests show.
    package var undecodedSample: Int?

    /// Makes options that decode all layers and check hashes.
    public init() {}
  }

  /// Something that could not be decoded and does not belong to any picture in the output.
  public struct Failure: Hashable, Sendable {
    /// The layer (`nuh_layer_id`).
    public let layerID: UInt8
    /// The tag that the caller passed with the access unit.
    public let tag: Int
    /// What is wrong.
    public let problem: PictureProblem
  }

  private let options: Options
  private var sequencer: PictureSequencer
  private var buffer = DecodedPictureBuffer<Frame>()
  /// The schedule of the threads; `nil` without threads.
  let schedule: DecodingSchedule?
  private let pool: PicturePool
  let decoderMemory: CodingMemoryPool
  private var prepared: [UInt8: PictureDecoders] = [:]
  /// The picture whose slices are still arriving.
  private var current: PictureWork?
  private var currentReferences: PictureReferences<Frame>?
  private var threads: DecodingThreads?
  /// The level of the lowest layer, and how many pictures of each layer may be in memory.
  private var level: Level?
  private var capacities: [UInt8: Int] = [:]
  /// How many pictures have been passed to the threads.
  private var begun = 0
  /// The pictures of the access unit that are complete, by layer.
  private var complete: [UInt8: Frame] = [:]
  private var hashes: [UInt8: DecodedPictureHash] = [:]
  /// The messages on colour before the next picture of the base layer, and those that hold for its sequence; `nil` where
  /// that may have begun before decoding did.
  private var nextColourMessages = ColourMessages()
  private var colourMessages: ColourMessages?
  /// Whether there was a picture since decoding began.
  private var hasBegun = false
  /// The pictures to output, in order, those of one time together; they may still be in progress.
  private var outputs: [DecodedPictureBuffer<Frame>.Output] = []
  /// The number of the first pictures to output: earlier ones are skipped.
  private var wanted: Int?
  private var deferred = DeferredPictures()
  private let lostSubstitute = Monitor(false)
  private var tag = 0
  /// The picture of the access unit that began last.
  private var last: (layerID: UInt8, orderCount: Int)?
  /// Whether the access unit began in an earlier call: whether it continues is decided by the first picture.
  private var isHeld = false
  /// The layers that need unsupported features: none of their pictures is decoded until a new sequence begins.
  private var refused = LayerIDSet()
  private var failures: [Failure] = []
  /// The tags of pictures that the stream says are not output, the last ones.
  private var unshown: [Int] = []

  /// How many failures are kept until they are taken.
  private static let maximumFailures = 1_000
  /// How many tags of pictures that are not output are kept.
  private static let maximumUnshown = 1_024
  /// How many bytes of pictures may be deferred before those are decoded that others may depend on.
  private static let maximumDeferred = 24 << 20
  /// More threads than this would only wait for each other's rows.
  private static let maximumThreads = 64

  /// Makes a decoder.
  public init(_ options: Options = Options()) {
    self.options = options
    sequencer = PictureSequencer(layers: options.layers)
    let count = Self.threadCount(options)
    decoderMemory = CodingMemoryPool(capacity: count)
    schedule = count > 1 ? DecodingSchedule(threads: count) : nil
    pool = PicturePool(schedule?.memoryLimit, undecodedSample: options.undecodedSample)
    threads = schedule.flatMap { DecodingThreads(count: count, $0) }
  }

  deinit { pool.close() }

  private static func threadCount(_ options: Options) -> Int { max(1, min(options.threads, maximumThreads)) }

  /// The layers that are output from the sequence being decoded.
  public var outputLayers: LayerIDSet { sequencer.layers.output }

  // MARK: Access units

  /// Inserts parameter sets from a configuration record, before the first access unit.
  public func insert(parameterSets units: some Sequence<NALUnit>) {
    for unit in units { sequencer.accept(unit) }
  }

  /// Begins another stream, such as the next part of a joined movie, with the parameter sets of its configuration record.
  ///
  /// The previous stream ends as with ``finish()``, and nothing of it holds any longer: neither its pictures nor its
  /// parameter sets, which may have the same IDs in other layers.
  ///
  /// - Returns: all remaining pictures of the previous stream.
  public func beginStream(parameterSets units: some Sequence<NALUnit>) -> [DecodedPicture] {
    let pictures = finish()
    buffer.removeAll()
    refused = LayerIDSet()
    sequencer = PictureSequencer(layers: options.layers)
    forgetColourMessages()
    insert(parameterSets: units)
    return pictures
  }

  /// Decodes an access unit: the NAL units of all layers at one time, in decoding order.
  ///
  /// Muxers may put the layers of an access unit into separate samples. So if `units` have no picture of the
  /// highest layer, its picture with the same order count may come first in the next call; the access unit ends
  /// with the next picture that does not belong to it. If `units` hold several access units, they are separated by
  /// layers and order counts.
  ///
  /// - Parameters:
  ///   - units: the NAL units in decoding order.
  ///   - tag: a number that is returned with the pictures, such as that of the sample.
  /// - Returns: the pictures due for output, by time and then by ascending layer.
  public func decode(_ units: some Sequence<NALUnit>, tag: Int = 0) -> [DecodedPicture] {
    schedule?.beginCall()
    if wanted == nil { catchUp() }
    self.tag = tag
    isHeld = last != nil
    for unit in units { take(unit) }
    finishPicture()
    // A picture that was missing in these units may be in the next ones.
    let highest = sequencer.layers.decoded.highest ?? 0
    if last.map({ $0.layerID >= highest }) ?? true { endAccessUnit() }
    return takeOutputs()
  }

  /// Returns all remaining pictures. Call this after the last access unit.
  public func finish() -> [DecodedPicture] {
    schedule?.beginCall()
    if wanted == nil { catchUp() }
    endAccessUnit()
    output(buffer.flush())
    return takeOutputs(all: true)
  }

  /// Skips output up to the pictures with a tag: of those that precede them, only the ones they depend on are
  /// decoded.
  ///
  /// Until then ``decode(_:tag:)`` and ``finish()`` return nothing, and then only the pictures of that time: those
  /// that would have been output directly after them are returned by the next call.
  ///
  /// - Returns: the pictures, if they belong to the units of an earlier call.
  package func skip(to tag: Int) -> [DecodedPicture] {
    wanted = tag
    return takeOutputs()
  }

  /// Stops skipping: the next pictures are output again.
  package func stopSkipping() { wanted = nil }

  /// Whether pictures of units that were passed with a tag are still to be output.
  package func isHolding(tag: Int) -> Bool {
    outputs.contains { $0.contains { $0.picture.tag == tag } }
      || buffer.entries.contains { $0.isWaiting && $0.picture.tag == tag }
  }

  /// Whether the stream says that the pictures of units with a tag are not output: by a flag (`pic_output_flag`), or because
  /// they depend on pictures before the one at which decoding began (RASL). 8.3.1 and C.5.2.2
  package func isUnshown(tag: Int) -> Bool { unshown.contains(tag) }

  /// How many pictures were decoded, not counting skipped ones.
  package private(set) var decodedCount = 0

  /// Whether a damaged picture would have been filled from one that was skipped. If so, the output may differ
  /// slightly from that without ``skip(to:)``, until ``restart()``.
  package var hasLostSubstitute: Bool { lostSubstitute.change { $0 } }

  /// Discards all pictures, to continue at another random access point. Parameter sets are kept.
  public func restart() {
    current = nil
    last = nil
    complete = [:]
    hashes = [:]
    outputs = []
    wanted = nil
    deferred.removeAll()
    threads?.discardHeld()
    lostSubstitute.change { $0 = false }
    buffer.removeAll()
    refused = LayerIDSet()
    unshown = []
    sequencer.restart()
    forgetColourMessages()
  }

  /// Returns what could not be decoded since the last call.
  public func takeFailures() -> [Failure] {
    defer { failures = [] }
    return failures
  }

  /// The pictures due for output. With threads, those after which as many more pictures were started as there are
  /// threads, so that the result does not depend on timing.
  private func takeOutputs(all: Bool = false) -> [DecodedPicture] {
    if let wanted {
      let place = outputs.firstIndex { $0.first?.picture.tag == wanted }
      defer { outputs.removeFirst(place.map { $0 + 1 } ?? outputs.count) }
      guard let place else { return [] }
      self.wanted = nil
      decode(deferred.take(outputs[place].compactMap(\.picture.number)))
      return pictures(outputs[place])
    }
    let lag = threads == nil || all ? 0 : Self.threadCount(options)
    let isDue = { [begun] (entry: DecodedPictureBuffer<Frame>.Entry) in
      lag == 0 || begun - (entry.picture.number ?? 0) > lag
    }
    let count = outputs.firstIndex { !$0.allSatisfy(isDue) } ?? outputs.count
    defer { outputs.removeFirst(count) }
    return pictures(outputs.prefix(count).joined())
  }

  /// The pictures of entries, once they are decoded.
  private func pictures(_ entries: some Sequence<DecodedPictureBuffer<Frame>.Entry>) -> [DecodedPicture] {
    for entry in entries { threads?.start(entry.picture) }
    return entries.compactMap { entry in
      threads?.wait(for: entry.picture)
      return DecodedPicture(entry, schedule)
    }
  }

  private func output(_ moments: [DecodedPictureBuffer<Frame>.Output]) {
    for moment in moments {
      let pictures = moment.filter { $0.picture.format != nil }
      if !pictures.isEmpty { outputs.append(pictures) }
    }
  }

  /// The numbers of the pictures that later ones may refer to, or that are still to be output.
  private var reachable: [Int] {
    (buffer.entries + outputs.joined()).compactMap(\.picture.number)
  }

  /// Decodes deferred pictures as far as later ones may need them.
  private func catchUp() {
    guard !deferred.isEmpty else { return }
    decode(deferred.take(reachable))
    deferred.removeAll()
  }

  private func decode(_ works: [PictureWork]) {
    for work in works {
      decodedCount += 1
      if let threads { threads.add(work) } else { work.run() }
    }
  }

  /// Defers a picture, and limits the memory that deferred pictures keep alive.
  private func postpone(_ work: PictureWork) {
    var work = work
    // It would keep the previous picture alive, and that one the picture before it.
    if work.substitute != nil { work.lostSubstitute = lostSubstitute }
    work.substitute = nil
    deferred.add(work)
    guard deferred.cost > Self.maximumDeferred else { return }
    deferred.keep(reachable)
    if deferred.cost > Self.maximumDeferred / 2 { catchUp() }
  }

  private func fail(_ layerID: UInt8, _ problem: PictureProblem) {
    let failure = Failure(layerID: layerID, tag: tag, problem: problem)
    guard failures.count < Self.maximumFailures, failures.last != failure else { return }
    failures.append(failure)
  }

  private func noteUnshown(_ layerID: UInt8) {
    guard sequencer.layers.output.contains(layerID), unshown.last != tag else { return }
    if unshown.count >= Self.maximumUnshown { unshown.removeFirst(Self.maximumUnshown / 2) }
    unshown.append(tag)
  }

  private func take(_ unit: NALUnit) {
    guard unit.header.isValid else { return }
    if unit.type.isSliceSegment {
      takeSlice(unit)
    } else if unit.type.isSEI {
      takeMessages(unit)
    } else {
      switch unit.type {
      case .endOfSequence, .endOfBitstream: finishPicture()
      case .accessUnitDelimiter where unit.layerID == 0 && isHeld: endAccessUnit()
      default: break
      }
      sequencer.accept(unit)
    }
  }

  private func takeMessages(_ unit: NALUnit) {
    let hasColours = unit.type == .prefixSEI && unit.layerID == 0
    let hasHashes = options.checksHashes && sequencer.layers.decoded.contains(unit.layerID)
    guard hasColours || hasHashes else { return }
    for message in unit.seiMessages().messages {
      if hasColours { nextColourMessages.note(message) }
      guard hasHashes, message.payloadType == DecodedPictureHash.payloadType else { continue }
      let (hash, _, error) = message.payload.decode(DecodedPictureHash())
      if error == nil { hashes[unit.layerID] = hash }
    }
  }

  private func forgetColourMessages() {
    (nextColourMessages, colourMessages, hasBegun) = (ColourMessages(), nil, false)
  }

  /// Messages hold from the first picture of a sequence to the last. A CRA picture at which decoding begins may be within a
  /// sequence, whose messages are not repeated. D.3.28, D.3.35 and D.3.38
  private func beginSequence(_ plan: PicturePlan) {
    let mayContinue = !hasBegun && plan.type.isCleanRandomAccess && nextColourMessages == ColourMessages()
    colourMessages = mayContinue ? nil : nextColourMessages
  }

  /// Completes the access unit: `next` is the layer of a picture of the following one that has already begun.
  private func endAccessUnit(next: UInt8? = nil) {
    finishPicture()
    last = nil
    isHeld = false
    // The hash message of a picture follows it directly, unless a muxer put it with the next units.
    for (layerID, frame) in complete where frame.expectedHash == nil {
      guard let hash = hashes[layerID] else { continue }
      if let number = frame.number, deferred.contains(number) {
        frame.expectedHash = hash
        continue
      }
      threads?.wait(for: frame)
      frame.compare(with: hash)
    }
    complete = [:]
    hashes = [:]
    output(buffer.endAccessUnit())
    sequencer.endAccessUnit(next: next)
  }

  /// Whether a picture belongs to a different access unit than the previous one. F.7.4.2.4.4
  private func beginsAccessUnit(_ plan: PicturePlan) -> Bool {
    guard let last else { return false }
    if plan.layerID > last.layerID { return isHeld && plan.orderCount != last.orderCount }
    // Within one call, a layer may occur twice if slices are lost: that is the same picture again.
    return isHeld || plan.orderCount != last.orderCount
  }

  // MARK: Pictures

  private func takeSlice(_ unit: NALUnit) {
    guard let event = sequencer.slice(unit) else { return }
    defer { if unit.layerID == 0 { nextColourMessages = ColourMessages() } }
    switch event {
    case .starts(let plan, let segment):
      finishPicture()
      if beginsAccessUnit(plan) { endAccessUnit(next: plan.layerID) }
      isHeld = false
      last = (plan.layerID, plan.orderCount)
      // Its message follows it (D.3.19).
      hashes[plan.layerID] = nil
      if plan.startsSequence, plan.layerID == 0 { beginSequence(plan) }
      hasBegun = true
      if !plan.isOutput { noteUnshown(plan.layerID) }
      do throws(PictureProblem) {
        try start(plan)
        add(segment)
      } catch {
        if case .unsupported = error { refused.insert(plan.layerID) }
        fail(plan.layerID, error)
      }
    case .continues(let segment):
      if current?.frame.buffer.layerID == unit.layerID { add(segment) }
    case .failed(let problem):
      if let current, current.frame.buffer.layerID == unit.layerID {
        current.frame.record(problem)
      } else if !refused.contains(unit.layerID) {
        fail(unit.layerID, problem)
      }
    case .skipped(.leading): noteUnshown(unit.layerID)
    case .skipped(.beforeRandomAccess):
      guard options.reportsUndecodableStart, sequencer.layers.decoded.contains(unit.layerID) else { break }
      fail(unit.layerID, .missing("a random access picture before it, from which decoding could start,"))
    case .skipped(.layer): break
    }
  }

  private func start(_ plan: PicturePlan) throws(PictureProblem) {
    var plan = plan
    if options.outputsPriorPictures { plan.discardsPriorPictures = false }
    if plan.startsSequence {
      setCapacity(plan)
      if plan.isLowestLayer, plan.restartsLayers { refused = LayerIDSet() }
      refused = refused.subtracting(LayerIDSet(rawValue: 1 << UInt64(plan.layerID & 63)))
    }
    output(buffer.begin(plan))
    guard !refused.contains(plan.layerID) else { return }
    let decoders = try prepare(plan)
    let frame = Frame(
      PictureBuffer(decoders.format, pool), number: begun, type: plan.type, tag: tag, format: plan.sps.format,
      vui: plan.sps.vui, base: plan.layerID > 0 ? buffer.interLayerReference(0)?.picture : nil, colourMessages
    )
    frame.buffer.orderCount = plan.orderCount
    frame.buffer.layerID = plan.layerID
    let substitute = buffer.nearest(to: plan.orderCount, layerID: plan.layerID)?.picture.buffer
    currentReferences = try findReferences(plan, decoders.format, frame)
    buffer.insert(frame, plan)
    current = PictureWork(
      frame: frame, number: begun, decoders: decoders,
      substitute: substitute?.format == decoders.format ? substitute : nil)
  }

  /// Limits how many pictures are in memory at a time while threads decode the sequence that `plan` starts: as many
  /// as the buffers of the level hold, and one more for each thread beyond the second.
  private func setCapacity(_ plan: PicturePlan) {
    guard let schedule else { return }
    if plan.isLowestLayer, plan.restartsLayers { capacities = [:] }
    if let level = plan.sps.profileTierLevel?.generalLevelIdc { self.level = level }
    let size = plan.sps.format?.codedSize
    let allowed = size.flatMap { level?.maximumDPBSize(lumaPictureSize: UInt64($0.width * $0.height)) }
    // Where the level has no limits, as many as the least that any other one holds.
    let least = level == .withoutLimits ? 6 : 0
    capacities[plan.layerID] = max(allowed ?? least, BufferLimits(plan.sps)?.capacity ?? 6)
    schedule.setCapacity(capacities.values.reduce(Self.threadCount(options) - 2, +))
  }

  private func prepare(_ plan: PicturePlan) throws(PictureProblem) -> PictureDecoders {
    if let known = prepared[plan.layerID], known.sps == plan.sps, known.pps == plan.pps { return known }
    if plan.pps.extensions?.multilayer?.colourMapping != nil {
      throw .unsupported("colour mapping between layers")
    }
    if plan.sps.extensions?.threeDimensional != nil, plan.layerID > 0 { throw .unsupported("3D-HEVC") }
    if let size = plan.sps.format?.codedSize, size.width * size.height > options.maximumLumaSamples {
      throw .unsupported("a picture of \(size)")
    }
    let geometry = try PictureGeometry(plan.sps, plan.pps)
    do {
      let new = try PictureDecoders(plan.sps, plan.pps, geometry, decoderMemory)
      prepared[plan.layerID] = new
      return new
    } catch { throw .unsupported(error.reason) }
  }

  private func findReferences(
    _ plan: PicturePlan, _ format: SampleFormat, _ frame: Frame
  ) throws(PictureProblem) -> PictureReferences<Frame> {
    for id in plan.references.interLayer0 + plan.references.interLayer1 {
      if refused.contains(id) {
        throw .unsupported("layer \(id), from which layer \(plan.layerID) is predicted,")
      }
      if let other = buffer.interLayerReference(id)?.picture.buffer.format, other != format {
        throw .unsupported("prediction between layers of different sizes or sample formats")
      }
    }
    let references = PictureReferences(plan, in: &buffer) { wanted, nearest in
      if let number = nearest?.picture.number { decode(deferred.take([number])) }
      if let nearest { threads?.wait(for: nearest.picture) }
      let made = PictureBuffer(format, pool)
      if let nearest, nearest.picture.buffer.format == format {
        made.copy(from: nearest.picture.buffer)
      } else {
        made.makeGrey()
      }
      made.orderCount = wanted.orderCount
      made.layerID = wanted.layerID
      return Frame(made, number: nil, type: plan.type, tag: tag, format: nil)
    }
    for wanted in references.missing {
      frame.record(.missing("picture \(wanted.orderCount) of layer \(wanted.layerID), to which it refers,"))
    }
    return references
  }

  private func add(_ segment: SliceSegment) {
    guard current != nil, let slice = segment.header.slice, let start = segment.dataOffset else { return }
    do throws(PictureProblem) {
      guard let lists = try currentReferences?.lists(of: slice) else { return }
      current?.add(segment, from: start, lists)
    } catch {
      current?.frame.record(error)
    }
  }

  private func finishPicture() {
    guard let work = current else { return }
    current = nil
    currentReferences = nil
    let layerID = work.frame.buffer.layerID
    work.frame.expectedHash = hashes[layerID]
    begun += 1
    complete[layerID] = work.frame
    if wanted == nil { decode([work]) } else { postpone(work) }
  }
}
