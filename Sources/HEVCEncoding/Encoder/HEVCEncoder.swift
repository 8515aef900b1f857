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
  /// The units that are complete and not returned yet.
  private var complete: [EncodedAccessUnit] = []
  /// How many pictures were planned, and of how many ``rate`` knows the bits.
  private var plannedCount = 0, toldCount = 0
  /// The bits of the complete pictures that ``rate`` does not know yet, in coding order.
  private var untold: ArraySlice<Int> = []

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
    rate = configuration.averageBitRate.map {
      RateControl(
        bitRate: Double($0), frameRate: configuration.expectedFrameRate ?? 30,
        keyInterval: configuration.keyInterval, groupSize: order.groupSize,
        samples: format.size.width * format.size.height * views)
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
    if rate != nil { untold += units.map { 8 * $0.layerBytes.reduce(0, +) } }
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
    let bases = try parameters(of: planned)
    for (index, picture) in planned.enumerated() {
      guard let pictures = sources.removeValue(forKey: picture.number) else { continue }
      let parameters = (0..<views).map { view in
        guard let offsets else { return PictureParameters(qp: bases[index]) }
        let base = bases[index] + configuration.viewOffset(picture, view: view)
        return PictureParameters(Double(base), offsets[index][view])
      }
      do throws(ParseError) { try schedule.add(picture, pictures, parameters) } catch {
        throw EncodingError(.failed, picture: picture.number, "\(error)")
      }
    }
    let last = planned.map(\.number).max() ?? 0
    worth?.forget(before: last - 2 * groupSize)
  }

  /// The quantisation parameters of pictures that are planned together, without what their blocks are worth.
  private func parameters(of planned: [PlannedPicture]) throws(EncodingError) -> [Int] {
    let configuration = configuration
    func offset(_ picture: PlannedPicture) -> Int {
      worth == nil ? configuration.qpOffset(picture) : configuration.worthOffset(picture)
    }
    guard let delay = rate?.delay else {
      return planned.map { max(0, min(51, configuration.baseQP + offset($0))) }
    }
    // Exactly those that are so far back are known, whatever else is complete.
    try collect(leavingAtMost: delay)
    while toldCount < plannedCount - delay, let bits = untold.popFirst() {
      rate?.add(bits: bits)
      toldCount += 1
    }
    plannedCount += planned.count
    return rate?.plan(planned, offset: offset) ?? []
  }
}
