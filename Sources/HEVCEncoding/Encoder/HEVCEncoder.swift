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
  /// The parameter sets, and the messages that signal the eyes: for configuration records, or before the first picture
  /// of a stream.
  public let parameterSets: [NALUnit]
  /// The requested configuration.
  public let configuration: EncoderConfiguration

  private let views: Int
  private let schedule: EncodingSchedule
  private var planner: GroupPlanner
  /// The pictures that are not planned yet, by number.
  private var sources: [Int: [SourcePicture]] = [:]
  private var count = 0
  /// When the last picture is shown, in seconds; `nil` if pictures have no times.
  private var lastTime: Double?
  /// How many seconds pictures that are not planned yet are shown after the previous ones, by number.
  private var spans: [Int: Double] = [:]
  /// Whether there are no more pictures.
  private var isEnd = false
  /// The importance of blocks for other pictures; `nil` if all blocks are treated alike.
  private var worth: BlockWorth?
  /// The pictures that are planned together, and wait until it is known what depends on them.
  private var groups: [[PlannedPicture]] = []
  /// The budget of bits for pictures; `nil` for no limit.
  private var budget: BitBudget?
  /// The units that are complete and not returned yet.
  private var complete: [EncodedAccessUnit] = []
  /// The bits of complete pictures that ``budget`` does not include yet, in coding order.
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
    let frameRate = configuration.expectedFrameRate ?? 30
    planner = GroupPlanner(
      order, keyInterval: configuration.keyInterval, timedKeyInterval: configuration.maxKeyFrameInterval,
      keySeconds: configuration.keySeconds)
    let rate = configuration.averageBitRate.map {
      RateControl(
        bitRate: Double($0), frameRate: frameRate, keyInterval: configuration.keyInterval, order: order)
    }
    let limit = configuration.maximumBitRate.map {
      BufferLimit(
        bitRate: Double($0), size: Double(configuration.bufferSize ?? $0), frameRate: frameRate)
    }
    if rate != nil || limit != nil {
      budget = BitBudget(
        CostModel(levels: order.levels, samples: format.size.width * format.size.height * views),
        rate: rate, limit: limit)
    }
    do {
      parameterSets = try plan.units()
      schedule = try EncodingSchedule(
        plan, effort: SearchEffort(level: configuration.effort), groupSize: order.groupSize,
        threads: configuration.threadCount, hasHashes: configuration.writesPictureHashes)
    } catch { throw EncodingError(.failed, "\(error)") }
    if configuration.weighsBlocks {
      worth = BlockWorth(
        ctbLog2Size: plan.ctbLog2Size, smoothness: configuration.smoothAreaStrength, pool: schedule.pictures)
    }
  }

  /// Encodes the pictures of all views at the next time, the base layer first.
  ///
  /// - Parameters:
  ///   - pictures: the picture of each view.
  ///   - time: when they are shown, in seconds, for the interval of key pictures and the average bit rate; `nil` if all are shown for
  ///     the same time. Either all pictures have times, or none; they do not descend.
  /// - Returns: the access units that are complete, in decoding order. That may be none, or those of several times.
  public func encode(
    _ pictures: [SourcePicture], at time: Double? = nil
  ) throws(EncodingError) -> [EncodedAccessUnit] {
    guard pictures.count == views else {
      throw EncodingError(
        .unlikePictures, picture: count, "\(pictures.count) pictures are given for \(views) views")
    }
    if let other = pictures.first(where: { $0.format != format }) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "it has \(other.format.size) samples of \(other.format.bitDepth) bits, the first one \(format.size) of "
          + "\(format.bitDepth)")
    }
    if count > 0, (time == nil) != (lastTime == nil) {
      throw EncodingError(.unlikePictures, picture: count, "some pictures have times, and others have none")
    }
    if let time, !(time >= lastTime ?? -.infinity) {
      throw EncodingError(.unlikePictures, picture: count, "it is shown before the previous one")
    }
    sources[count] = pictures
    worth?.add(count, pictures)
    let isCut = configuration.findsSceneCuts && worth?.isCut(count) ?? false
    // The first picture is shown after none.
    if let time, let lastTime { spans[count] = max(0, time - lastTime) }
    lastTime = time
    count += 1
    plan(planner.add(isCut: isCut, time: time))
    try addGroups()
    return try take()
  }

  /// Returns the remaining access units. Call this after the last pictures.
  public func finish() throws(EncodingError) -> [EncodedAccessUnit] {
    isEnd = true
    plan(planner.finish())
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
    if budget != nil { untold += units.map { ($0.units.bits, $0.shift) } }
  }

  /// Adds pictures that are planned together, in coding order.
  private func plan(_ planned: [PlannedPicture]) {
    // A key picture is a group of its own: what is before it says nothing of it.
    let keys = planned.firstIndex(where: \.isKey) ?? planned.endIndex
    for group in [planned[..<keys], planned[keys...]] where !group.isEmpty {
      groups.append(Array(group))
      worth?.look(at: Array(group))
    }
  }

  /// Encodes the groups after which enough is known.
  private func addGroups() throws(EncodingError) {
    while let group = groups.first, isEnoughKnown(after: group) { try addGroup() }
  }

  /// Whether enough pictures are known after those of a group.
  private func isEnoughKnown(after group: [PlannedPicture]) -> Bool {
    guard worth != nil else { return true }
    // Nothing is known yet of how others depend on a key picture. After others it is enough that something follows.
    guard group.first?.isKey == true || configuration.looksAhead else { return sources.count > group.count }
    return groups.dropFirst().reduce(0) { $0 + $1.count } >= BlockWorth.pictures
  }

  /// Encodes the first pictures that wait.
  private func addGroup() throws(EncodingError) {
    let waiting = groups.flatMap { $0 }, planned = groups.removeFirst()
    let offsets = worth?.offsets(waiting, first: planned.count, isEnd: isEnd)
    if budget != nil {
      for picture in waiting {
        if let bits = worth?.expectedBits(picture.number) { budget?.expect(picture, bits: bits) }
      }
    }
    let budgeted = try budgeted(planned)
    for (index, picture) in planned.enumerated() {
      guard let pictures = sources.removeValue(forKey: picture.number) else { continue }
      let parameters = (0..<views).map { view in
        guard let offsets else { return PictureParameters(qp: budgeted[index].qp) }
        let base = budgeted[index].qp + configuration.viewOffset(picture, view: view)
        return PictureParameters(Double(base), offsets[index][view])
      }
      do throws(ParseError) {
        try schedule.add(picture, pictures, parameters, limit: budgeted[index].bits)
      } catch {
        throw EncodingError(.failed, picture: picture.number, "\(error)")
      }
      // What is complete is taken at once, so that its pictures stay no longer than others refer to them.
      try collect(leavingAtMost: nil)
    }
    worth?.forget(planned)
    for picture in planned { spans[picture.number] = nil }
  }

  /// The bits that pictures that are planned together may take.
  private func budgeted(_ planned: [PlannedPicture]) throws(EncodingError) -> [BudgetedPicture] {
    let configuration = configuration, base = configuration.baseQP
    func offset(_ picture: PlannedPicture) -> Int {
      worth == nil ? configuration.qpOffset(picture) : configuration.worthOffset(picture)
    }
    guard let budget else {
      return planned.map { BudgetedPicture(picture: $0, qp: max(0, min(51, base + offset($0)))) }
    }
    // Exactly those that are so far back are known, whatever else is complete.
    let delay = configuration.pictureOrder.ratingDelay
    try collect(leavingAtMost: delay)
    for _ in 0..<max(0, budget.pending.count - delay) {
      if let done = untold.popFirst() { self.budget?.add(bits: done.bits, shift: done.shift) }
    }
    return self.budget?.plan(planned, base: base, seconds: { spans[$0.number] }, offset: offset) ?? []
  }
}

extension [NALUnit] {
  /// How many bits they take, with their lengths or start codes.
  var bits: Int { 8 * reduce(0) { $0 + $1.bytes.count + 4 } }
}
