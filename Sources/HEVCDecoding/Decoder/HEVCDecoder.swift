// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import HEVC
import Threads

/// Decodes HEVC and every layer of MV-HEVC: access units in, pictures out in the order in which they are shown.
///
/// Damage never stops it: what can be decoded is, a picture says what it lacks, and what cannot be decoded at all is
/// reported by ``takeFailures()``. One decoder serves one task; it may have threads of its own, and answers the same with any
/// number of them.
public final class HEVCDecoder {
  /// What a decoder is asked for.
  public struct Options: Hashable, Sendable {
    /// The layers whose pictures are wanted; `nil` for those of the output layer set with the most layers.
    public var layers: LayerIDSet?
    /// Whether the samples are compared with picture hash messages.
    public var checksHashes = true
    /// How much memory parameter sets may cost.
    public var limits = Limits.standard
    /// How many luma samples a picture may have: up to sixteen pictures of each layer are kept. No level allows more than
    /// the default.
    public var maximumLumaSamples = PictureGeometry.maximumLumaSamples
    /// How many threads decode: several pictures at a time, of one layer as of all. 1 for that of the caller alone.
    ///
    /// With more, ``HEVCDecoder/decode(_:tag:)`` answers as many pictures later, and so many more are kept.
    public var threads = 1

    /// All layers, with hashes.
    public init() {}
  }

  /// Something that could not be decoded, and belongs to no picture that is output.
  public struct Failure: Hashable, Sendable {
    /// The layer.
    public let layerID: UInt8
    /// What the caller handed in with the access unit.
    public let tag: Int
    /// What is wrong.
    public let problem: PictureProblem
  }

  private let options: Options
  private var sequencer: PictureSequencer
  private var buffer = DecodedPictureBuffer<Frame>()
  private let pool = PicturePool()
  private var prepared: [UInt8: PictureDecoders] = [:]
  /// The picture of which slices are still to come.
  private var current: PictureWork?
  private var currentReferences: PictureReferences<Frame>?
  private var threads: DecodingThreads?
  /// How many pictures have been handed to them.
  private var begun = 0
  /// The pictures of the access unit that are complete, by layer.
  private var complete: [UInt8: Frame] = [:]
  private var hashes: [UInt8: DecodedPictureHash] = [:]
  /// What is to be output, in order, the pictures of a moment together: it may still be at work.
  private var outputs: [DecodedPictureBuffer<Frame>.Output] = []
  /// The pictures that come out next: those before are passed over.
  private var wanted: Int?
  private var deferred = DeferredPictures()
  private let lostSubstitute = Monitor(false)
  private var tag = 0
  /// The picture of the access unit that began last.
  private var last: (layerID: UInt8, orderCount: Int)?
  /// Whether the access unit came with an earlier call: it continues where the first picture shows that it does.
  private var isHeld = false
  /// The layers that need what is not supported: nothing of them is decoded until a sequence begins.
  private var refused = LayerIDSet()
  private var failures: [Failure] = []

  /// How many failures are kept until they are taken.
  private static let maximumFailures = 1_000
  /// How many bytes of pictures may be put off before those are decoded on which others may depend.
  private static let maximumDeferred = 24 << 20
  /// More threads than that wait for each other's rows only.
  private static let maximumThreads = 64

  /// A decoder before the first picture.
  public init(_ options: Options = Options()) {
    self.options = options
    sequencer = PictureSequencer(limits: options.limits, layers: options.layers)
    if options.threads > 1 { threads = DecodingThreads(count: min(options.threads, Self.maximumThreads)) }
  }

  deinit { pool.close() }

  /// The layers that are output: those of the sequence that is being decoded.
  public var outputLayers: LayerIDSet { sequencer.layers.output }

  // MARK: Access units

  /// Takes in parameter sets that come with a configuration record, before the first access unit.
  public func insert(parameterSets units: some Sequence<NALUnit>) {
    for unit in units { sequencer.accept(unit) }
  }

  /// Decodes an access unit: the NAL units of all layers of one moment, in the order of decoding.
  ///
  /// Muxers may put the layers of an access unit into samples of their own. So where the highest layer has no picture in
  /// `units`, its picture of the same order count may come first in those of the next call; the access unit ends with the
  /// next picture that does not belong to it. Where `units` hold several access units, they are told apart by layers and
  /// order counts.
  ///
  /// - Parameters:
  ///   - units: the NAL units.
  ///   - tag: a number that comes back with the pictures: that of a sample, say.
  /// - Returns: the pictures whose turn to be shown has come, by time and then by ascending layer.
  public func decode(_ units: some Sequence<NALUnit>, tag: Int = 0) -> [DecodedPicture] {
    if wanted == nil { catchUp() }
    self.tag = tag
    isHeld = last != nil
    for unit in units { take(unit) }
    finishPicture()
    // What was looked for in vain in these units may be in the next ones.
    let highest = sequencer.layers.decoded.highest ?? 0
    if last.map({ $0.layerID >= highest }) ?? true { endAccessUnit() }
    return takeOutputs()
  }

  /// Answers all pictures that wait: there are no more access units.
  public func finish() -> [DecodedPicture] {
    if wanted == nil { catchUp() }
    endAccessUnit()
    output(buffer.flush())
    return takeOutputs(all: true)
  }

  /// Passes over pictures until those of a tag come out: of what precedes them only that is decoded on which they depend.
  ///
  /// Until then ``decode(_:tag:)`` and ``finish()`` answer nothing, and then the pictures of that moment alone: what would have
  /// come out after them at once comes with the next call.
  ///
  /// - Returns: the pictures, where these are the units of an earlier call.
  package func skip(to tag: Int) -> [DecodedPicture] {
    wanted = tag
    return takeOutputs()
  }

  /// Stops passing over pictures: the next ones to come out do.
  package func stopSkipping() { wanted = nil }

  /// How many pictures were decoded: those that were passed over are not.
  package private(set) var decodedCount = 0

  /// Whether a damaged picture would have been filled from one that was passed over. What comes out is not quite what it would be
  /// without ``skip(to:)`` then, until ``restart()``.
  package var hasLostSubstitute: Bool { lostSubstitute.change { $0 } }

  /// Forgets all pictures, to continue at another random access point. Parameter sets stay.
  public func restart() {
    current = nil
    last = nil
    complete = [:]
    hashes = [:]
    outputs = []
    wanted = nil
    deferred.removeAll()
    lostSubstitute.change { $0 = false }
    buffer.removeAll()
    refused = LayerIDSet()
    sequencer.restart()
  }

  /// What could not be decoded since the last call.
  public func takeFailures() -> [Failure] {
    defer { failures = [] }
    return failures
  }

  /// The pictures whose turn it is; with threads, those after which as many more were begun: so it does not depend on how fast
  /// they are.
  private func takeOutputs(all: Bool = false) -> [DecodedPicture] {
    if let wanted {
      let place = outputs.firstIndex { $0.first?.picture.tag == wanted }
      defer { outputs.removeFirst(place.map { $0 + 1 } ?? outputs.count) }
      guard let place else { return [] }
      self.wanted = nil
      decode(deferred.take(outputs[place].compactMap(\.picture.number)))
      return outputs[place].compactMap { DecodedPicture($0) }
    }
    let lag = threads == nil || all ? 0 : min(options.threads, Self.maximumThreads)
    let isDue = { [begun] (entry: DecodedPictureBuffer<Frame>.Entry) in
      lag == 0 || begun - (entry.picture.number ?? 0) > lag
    }
    let count = outputs.firstIndex { !$0.allSatisfy(isDue) } ?? outputs.count
    defer { outputs.removeFirst(count) }
    return outputs.prefix(count).joined().compactMap { DecodedPicture($0) }
  }

  private func output(_ moments: [DecodedPictureBuffer<Frame>.Output]) {
    for moment in moments {
      let pictures = moment.filter { $0.picture.format != nil }
      if !pictures.isEmpty { outputs.append(pictures) }
    }
  }

  /// The numbers of the pictures to which later ones may refer, or which are still to come out.
  private var reachable: [Int] {
    (buffer.entries + outputs.joined()).compactMap(\.picture.number)
  }

  /// Decodes what was put off, as far as anything to come may need it.
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

  /// Puts a picture off, and bounds what that keeps.
  private func postpone(_ work: PictureWork, number: Int) {
    var work = work
    // It would keep the picture before it, and that the one before.
    if work.substitute != nil { work.lostSubstitute = lostSubstitute }
    work.substitute = nil
    deferred.add(work, number: number)
    guard deferred.cost > Self.maximumDeferred else { return }
    deferred.keep(reachable)
    if deferred.cost > Self.maximumDeferred / 2 { catchUp() }
  }

  private func fail(_ layerID: UInt8, _ problem: PictureProblem) {
    let failure = Failure(layerID: layerID, tag: tag, problem: problem)
    guard failures.count < Self.maximumFailures, failures.last != failure else { return }
    failures.append(failure)
  }

  private func take(_ unit: NALUnit) {
    guard unit.header.isValid else { return }
    if unit.type.isSliceSegment {
      takeSlice(unit)
    } else if unit.type.isSEI {
      if options.checksHashes { takeHash(unit) }
    } else {
      switch unit.type {
      case .endOfSequence, .endOfBitstream: finishPicture()
      case .accessUnitDelimiter where unit.layerID == 0 && isHeld: endAccessUnit()
      default: break
      }
      sequencer.accept(unit)
    }
  }

  private func takeHash(_ unit: NALUnit) {
    guard sequencer.layers.decoded.contains(unit.layerID) else { return }
    for message in unit.seiMessages().messages where message.payloadType == DecodedPictureHash.payloadType {
      let (hash, _, error) = message.payload.decode(DecodedPictureHash())
      if error == nil { hashes[unit.layerID] = hash }
    }
  }

  /// The access unit is complete: `next` is the layer of a picture of the following one that has begun already.
  private func endAccessUnit(next: UInt8? = nil) {
    finishPicture()
    last = nil
    isHeld = false
    // The message of a picture follows it at once, but for one that comes with the next units of a muxer.
    for (layerID, frame) in complete where frame.expectedHash == nil {
      guard let hash = hashes[layerID] else { continue }
      if let number = frame.number, deferred.contains(number) {
        frame.expectedHash = hash
        continue
      }
      frame.waitUntilDone()
      frame.hash = frame.buffer.verdict(hash)
    }
    complete = [:]
    hashes = [:]
    output(buffer.endAccessUnit())
    sequencer.endAccessUnit(next: next)
  }

  /// Whether a picture belongs to another access unit than the one before it. F.7.4.2.4.4
  private func beginsAccessUnit(_ plan: PicturePlan) -> Bool {
    guard let last else { return false }
    if plan.layerID > last.layerID { return isHeld && plan.orderCount != last.orderCount }
    // Within the units of a call, a layer may come twice where slices are lost: that is the same picture again.
    return isHeld || plan.orderCount != last.orderCount
  }

  // MARK: Pictures

  private func takeSlice(_ unit: NALUnit) {
    guard let event = sequencer.slice(unit) else { return }
    switch event {
    case .starts(let plan, let segment):
      finishPicture()
      if beginsAccessUnit(plan) { endAccessUnit(next: plan.layerID) }
      isHeld = false
      last = (plan.layerID, plan.orderCount)
      // Its message follows it: D.3.19.
      hashes[plan.layerID] = nil
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
    case .skipped: break
    }
  }

  private func start(_ plan: PicturePlan) throws(PictureProblem) {
    if plan.startsSequence {
      if plan.isLowestLayer, plan.restartsLayers { refused = LayerIDSet() }
      refused = refused.subtracting(LayerIDSet(rawValue: 1 << UInt64(plan.layerID & 63)))
    }
    output(buffer.begin(plan))
    guard !refused.contains(plan.layerID) else { return }
    let decoders = try prepare(plan)
    let frame = Frame(
      PictureBuffer(decoders.format, pool), type: plan.type, tag: tag, format: plan.sps.format)
    frame.buffer.orderCount = plan.orderCount
    frame.buffer.layerID = plan.layerID
    let substitute = buffer.nearest(to: plan.orderCount, layerID: plan.layerID)?.picture.buffer
    currentReferences = try findReferences(plan, decoders.format, frame)
    buffer.insert(frame, plan)
    current = PictureWork(
      frame: frame, decoders: decoders,
      substitute: substitute?.format == decoders.format ? substitute : nil)
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
      let new = try PictureDecoders(plan.sps, plan.pps, geometry)
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
      let made = PictureBuffer(format, pool)
      if let nearest, nearest.picture.buffer.format == format {
        made.copy(from: nearest.picture.buffer)
      } else {
        made.makeGrey()
      }
      made.orderCount = wanted.orderCount
      made.layerID = wanted.layerID
      return Frame(made, type: plan.type, tag: tag, format: nil)
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
    let number = begun
    work.frame.number = number
    begun += 1
    complete[layerID] = work.frame
    if wanted == nil { decode([work]) } else { postpone(work, number: number) }
  }
}
