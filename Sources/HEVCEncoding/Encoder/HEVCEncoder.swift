// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC

/// The units of all views at one time, in decoding order.
public struct EncodedAccessUnit: Sendable {
  /// The slices of each layer, lowest first, with their messages.
  public var units: [NALUnit]
  /// The number of the pictures in the order in which they were given, which is that of presentation.
  public var presentationIndex: Int
  /// Whether decoding may begin here.
  public var isSync: Bool
  /// How many bytes each layer takes.
  public var layerBytes: [Int]
  /// The sums of the squared differences of the samples of each layer from those of the source, by plane.
  public var squaredErrors: [[Int]] = []
  /// By how much the quantisation parameters were larger than planned, so that it does not exceed its limit.
  var shift = 0
}

/// Encodes HEVC of one view, or MV-HEVC of two.
///
/// ```swift
/// let encoder = try HEVCEncoder(SourceFormat(size: size), views: 2, configuration)
/// for pictures in source { units += try encoder.encode([pictures.left, pictures.right]) }
/// units += try encoder.finish()
/// ```
///
/// The first view is the base layer, which every decoder of HEVC understands. Use one encoder in one task.
public final class HEVCEncoder {
  /// The size and the sample format of all pictures.
  public let format: SourceFormat
  /// The parameter sets, and what tells the eyes apart: for configuration records, or before the first picture of a stream.
  public let parameterSets: [NALUnit]
  /// What was asked for.
  public let configuration: EncoderConfiguration

  private let views: Int
  private let groupSize: Int
  private let schedule: EncodingSchedule
  private var planner: GroupPlanner
  /// The pictures that are not planned yet, by number.
  private var sources: [Int: [SourcePicture]] = [:]
  private var count = 0
  /// What knows how much other pictures depend on blocks; `nil` if all are alike.
  private var worth: BlockWorth?
  /// The pictures that are planned together, and wait until it is known what depends on them.
  private var groups: [[PlannedPicture]] = []
  /// What chooses the quantisation of pictures; `nil` if it is given.
  private var rate: RateControl?
  /// What limits the bits of pictures; `nil` if nothing does.
  private var limit: BufferLimit?
  /// The units that are complete and not returned yet.
  private var complete: [EncodedAccessUnit] = []
  /// How many pictures were planned, and of how many ``rate`` and ``limit`` know the bits.
  private var plannedCount = 0, toldCount = 0
  /// The parameters of the others, and of those that are complete their bits, in coding order.
  private var plannedQPs: ArraySlice<Int> = []
  private var untold: ArraySlice<(bits: Int, shift: Int)> = []

  /// Makes an encoder.
  ///
  /// - Parameters:
  ///   - format: the size and the sample format of each view.
  ///   - views: how many views there are: 1 or 2.
  ///   - configuration: what the encoder is asked for.
  public init(
    _ format: SourceFormat, views: Int, _ configuration: EncoderConfiguration = EncoderConfiguration()
  ) throws(EncodingError) {
    self.format = format
    self.views = views
    self.configuration = configuration
    let plan = try CodingPlan(format, layers: views, configuration)
    let order = configuration.pictureOrder
    planner = GroupPlanner(order, keyInterval: configuration.keyInterval)
    groupSize = order.groupSize
    if configuration.weighsBlocks {
      worth = BlockWorth(ctbLog2Size: plan.ctbLog2Size)
    }
    let model = CostModel(
      levels: order.levels, samples: format.size.width * format.size.height * views)
    let frameRate = configuration.expectedFrameRate ?? 30
    rate = configuration.averageBitRate.map {
      RateControl(
        bitRate: Double($0), frameRate: frameRate, keyInterval: configuration.keyInterval, order: order,
        model: model)
    }
    limit = configuration.maximumBitRate.map {
      BufferLimit(
        bitRate: Double($0), size: Double(configuration.bufferSize ?? $0), frameRate: frameRate, model: model)
    }
    do {
      parameterSets = try plan.units()
      schedule = try EncodingSchedule(
        plan, effort: SearchEffort(level: configuration.effort), groupSize: order.groupSize,
        threads: configuration.threadCount, hasHashes: configuration.writesPictureHashes)
    } catch { throw EncodingError(.failed, "\(error)") }
  }

  /// Encodes the pictures of all views at the next time, the base layer first.
  ///
  /// - Returns: the access units that are complete, in decoding order. That may be none, or those of several times.
  public func encode(_ pictures: [SourcePicture]) throws(EncodingError) -> [EncodedAccessUnit] {
    guard pictures.count == views else {
      throw EncodingError(
        .unlikePictures, picture: count, "there are \(pictures.count) pictures for \(views) views")
    }
    if let other = pictures.first(where: { $0.format != format }) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "it has \(other.format.size) samples of \(other.format.bitDepth) bits, the first one \(format.size) of "
          + "\(format.bitDepth)")
    }
    sources[count] = pictures
    worth?.add(count, pictures)
    let isCut = configuration.findsSceneCuts && worth?.isCut(count) ?? false
    count += 1
    try plan(planner.add(isCut: isCut))
    return try take()
  }

  /// Returns the remaining access units. Call this after the last pictures.
  public func finish() throws(EncodingError) -> [EncodedAccessUnit] {
    try plan(planner.finish())
    while !groups.isEmpty { try addGroup() }
    return try take(leavingAtMost: 0)
  }

  /// Returns what is complete.
  private func take(leavingAtMost most: Int? = nil) throws(EncodingError) -> [EncodedAccessUnit] {
    try collect(leavingAtMost: most)
    defer { complete = [] }
    return complete
  }

  private func collect(leavingAtMost most: Int?) throws(EncodingError) {
    let units = try schedule.take(leavingAtMost: most)
    complete += units
    if rate != nil || limit != nil { untold += units.map { ($0.bits, $0.shift) } }
  }

  /// Adds pictures that are planned together, in coding order.
  private func plan(_ planned: [PlannedPicture]) throws(EncodingError) {
    guard !planned.isEmpty else { return }
    groups.append(planned)
    worth?.look(at: planned)
    // As many pictures are looked ahead as a few groups have.
    let ahead = worth == nil ? 0 : BlockWorth.pictures
    while groups.dropFirst().reduce(0, { $0 + $1.count }) >= ahead, !groups.isEmpty { try addGroup() }
  }

  /// Encodes the first pictures that wait.
  private func addGroup() throws(EncodingError) {
    let waiting = groups.flatMap { $0 }, planned = groups.removeFirst()
    let offsets = worth?.offsets(waiting, first: planned.count)
    let limited = try parameters(of: planned)
    for (index, picture) in planned.enumerated() {
      guard let pictures = sources.removeValue(forKey: picture.number) else { continue }
      let parameters = (0..<views).map { view in
        guard let offsets else { return PictureParameters(qp: limited[index].qp) }
        let base = limited[index].qp + configuration.viewOffset(picture, view: view)
        return PictureParameters(Double(base), offsets[index][view])
      }
      do throws(ParseError) {
        try schedule.add(picture, pictures, parameters, limit: limited[index].bits)
      } catch {
        throw EncodingError(.failed, picture: picture.number, "\(error)")
      }
    }
    let last = planned.map(\.number).max() ?? 0
    worth?.forget(before: last - 2 * groupSize)
  }

  /// The quantisation parameters of pictures that are planned together, without what their blocks are worth, and how many bits each
  /// may take.
  private func parameters(of planned: [PlannedPicture]) throws(EncodingError) -> [BufferLimit.Limited] {
    let configuration = configuration
    func offset(_ picture: PlannedPicture) -> Int {
      worth == nil ? configuration.qpOffset(picture) : configuration.worthOffset(picture)
    }
    if rate != nil || limit != nil {
      // Exactly those that are so far back are known, whatever else is complete.
      let delay = configuration.pictureOrder.ratingDelay
      try collect(leavingAtMost: delay)
      while toldCount < plannedCount - delay, let done = untold.popFirst(), let qp = plannedQPs.popFirst() {
        rate?.add(bits: done.bits, qp: qp + done.shift)
        limit?.add(bits: done.bits, qp: qp + done.shift)
        toldCount += 1
      }
      plannedCount += planned.count
    }
    let parameters =
      rate?.plan(planned, offset: offset)
      ?? planned.map { max(0, min(51, configuration.baseQP + offset($0))) }
    let limited =
      limit?.plan(planned, parameters) ?? parameters.map { BufferLimit.Limited(qp: $0, bits: .max) }
    if rate != nil || limit != nil { plannedQPs += limited.map(\.qp) }
    return limited
  }
}

extension EncodedAccessUnit {
  /// How many bits it takes, with the lengths or start codes of its units.
  var bits: Int { 8 * units.reduce(0) { $0 + $1.bytes.count + 4 } }
}
