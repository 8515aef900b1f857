// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

/// A sample whose presentation time is not known yet.
struct MuxedSample {
  /// The number of bytes.
  var size: UInt32
  /// The offset in the output.
  var offset: UInt64
  /// The offset of its access unit in the stream.
  var place: Int
  /// The order count of its base picture (`PicOrderCntVal`).
  var orderCount: Int
  /// For how long its picture is shown, unless there is a timetable.
  var duration: Int64
  /// The type of the base picture.
  var type: NALUnitType
  /// The type of the picture of the highest layer.
  var highestType: NALUnitType
  /// Whether decoding can begin at the pictures of all its layers.
  var isRandomAccessPoint: Bool
  /// Whether it begins a coded video sequence: an IRAP picture with NoRaslOutputFlag equal to 1. ISO/IEC 23008-2, 8.1.3
  var startsSequence: Bool
  /// How it depends on other samples, as in `sdtp`.
  var dependency: SampleFlags
  /// The pictures that its pictures refer to, or that are kept for later ones.
  var references = SampleReferences()
  /// The sample entry, counted from 1.
  var description: UInt32
  /// Whether the sample begins a chunk.
  var startsChunk: Bool
}

/// The pictures that those of a sample refer to. ISO/IEC 23008-2, 8.3.2
struct SampleReferences {
  /// The order counts of the pictures that may be used for prediction.
  private(set) var used: Set<Int> = []
  /// The order counts of these, and of pictures that are kept for later ones.
  private(set) var kept: Set<Int> = []
  /// Whether there may be others.
  var isIncomplete = false

  /// Adds the references of one layer.
  mutating func add(_ set: ReferencePictureSet) {
    used.formUnion(set.shortTermBefore)
    used.formUnion(set.shortTermAfter)
    kept.formUnion(used)
    kept.formUnion(set.shortTermFollowing)
    // Only the low bits of the order counts of long-term references may be known.
    if !set.longTerm.isEmpty || !set.longTermFollowing.isEmpty { isIncomplete = true }
  }
}

/// Computes the times of samples: pictures are decoded in the order of the stream and presented in the order of
/// their order counts, sequence by sequence. ISO/IEC 23008-2, C.5.2
///
/// Differences of order counts are not times: a missing picture would leave a gap, and encoders count in steps
/// of one or two.
struct PictureTimes {
  /// The duration of most samples.
  let duration: Int64
  /// When each picture is shown, known at the end of the stream; `nil` if that follows from the durations of samples.
  private var timetable: Timetable?
  /// The sum of the durations of all samples so far.
  private(set) var length: Int64 = 0
  /// How long nothing is shown before the first picture, unless there is a timetable.
  private var ownDelay: Int64 = 0
  /// Whether every CRA picture is a sync sample.
  let listsOpenAccessPoints: Bool
  private(set) var table = SampleTableBuilder()
  /// The NAL unit types of sync samples, and the runs of samples with each. ISO/IEC 14496-15, 8.4.4
  private(set) var syncTypes: [UInt8] = []
  private(set) var syncRuns = SampleGroupRuns()
  /// The numbers of leading samples of open access points, and the runs of samples with each. ISO/IEC 14496-12, 10.4
  private(set) var leadingCounts: [Int] = []
  private(set) var accessRuns = SampleGroupRuns()
  /// The number of leading pictures that cannot be decoded because decoding begins at the picture that they lead.
  private(set) var undecodable = 0
  /// The number of samples that precede, in presentation order, the first one that can be decoded.
  private(set) var hiddenAtStart = 0
  /// For how long these would be shown.
  private(set) var hiddenDuration: Int64 = 0
  /// The number of coded video sequences that are complete.
  private(set) var sequences = 0

  private var pending: [MuxedSample] = []
  /// The number of samples before those that are pending.
  private var finished = 0
  /// When the last of them ends, unless there is a timetable.
  private var finishedEnd: Int64 = 0
  /// The last picture at which decoding can begin, and the number of leading pictures after it that need
  /// earlier ones.
  private var access: (index: Int, leading: Int)?
  private var leadingOf: [Int: Int] = [:]
  /// The samples that later ones may still refer to, by order count, and whether one does.
  private var alive: [Int: (index: Int, isUsed: Bool)] = [:]

  init(duration: Int64, listsOpenAccessPoints: Bool) {
    self.duration = duration
    self.listsOpenAccessPoints = listsOpenAccessPoints
  }

  /// The number of samples so far.
  var count: Int { finished + pending.count }

  /// Sets the times of all pictures. Nothing has got a time before.
  mutating func setTimetable(_ timetable: Timetable) throws(EditError) {
    guard finished == 0, timetable.bounds.count == pending.count + 1 else {
      throw EditError(.failed, "\(timetable.bounds.count - 1) times are known for \(count) pictures")
    }
    self.timetable = timetable
  }

  /// How long nothing is shown before the first picture.
  var delay: Int64 { timetable?.delay ?? ownDelay }

  /// Begins to show the pictures later. A timetable has its own delay.
  mutating func setDelay(_ delay: Int64) { ownDelay = max(0, delay) }

  /// When the pictures of a sequence begin, and when the last one ends.
  ///
  /// - Parameter order: the pending samples in the order of presentation.
  private func bounds(_ order: [Int]) -> [Int64] {
    if let timetable {
      return (0...order.count).map { timetable.bounds[min(finished + $0, timetable.bounds.count - 1)] }
    }
    var end = finishedEnd
    return [end]
      + order.map { index in
        end &+= pending[index].duration
        return end
      }
  }

  mutating func append(_ sample: MuxedSample) throws(EditError) {
    if sample.startsSequence {
      // Nothing refers to pictures before it.
      for last in alive.values where !last.isUsed { markDisposable(last.index) }
      try finishSequence()
    }
    noteReferences(sample.references)
    if sample.type.isRandomAccessPoint {
      access = (pending.count, 0)
    } else if sample.type.isSkippedLeading, let last = access {
      access = (last.index, last.leading + 1)
      leadingOf[last.index] = last.leading + 1
      if last.index == 0 { undecodable += 1 }
    }
    alive[sample.orderCount] = (pending.count, false)
    length &+= sample.duration
    pending.append(sample)
  }

  /// Marks pictures as disposable that are no longer kept, and that no other picture has referred to.
  private mutating func noteReferences(_ references: SampleReferences) {
    if references.isIncomplete {
      // Any picture may have been referred to, so none is known to be disposable: they need not be checked again.
      alive.removeAll(keepingCapacity: true)
      return
    }
    for (orderCount, last) in alive {
      if references.used.contains(orderCount) {
        alive[orderCount]?.isUsed = true
      } else if !references.kept.contains(orderCount) {
        alive[orderCount] = nil
        if !last.isUsed { markDisposable(last.index) }
      }
    }
  }

  private mutating func markDisposable(_ index: Int) {
    guard pending.indices.contains(index) else { return }
    pending[index].dependency = SampleFlags(rawValue: pending[index].dependency.rawValue | 2 << 22)
  }

  /// Ends a sequence: its pictures get their presentation times.
  mutating func finishSequence() throws(EditError) {
    guard !pending.isEmpty else { return }
    let order = pending.indices.sorted { pending[$0].orderCount < pending[$1].orderCount }
    var places = [Int](repeating: 0, count: pending.count)
    for (place, index) in order.enumerated() {
      places[index] = place
      guard place > 0 else { continue }
      let before = pending[order[place - 1]], here = pending[index]
      guard before.orderCount != here.orderCount else {
        throw EditError(
          .damaged,
          "the pictures at \(min(before.place, here.place)) and \(max(before.place, here.place)) have the same position in "
            + "output order (\(here.orderCount))",
          advice: "The stream is damaged there: pictures between them may be missing.")
      }
    }
    let bounds = bounds(order)
    if sequences == 0 {
      hiddenAtStart = order.firstIndex { !pending[$0].type.isSkippedLeading } ?? 0
      hiddenDuration = bounds[hiddenAtStart] &- bounds[0]
    }
    sequences += 1
    for (index, sample) in pending.enumerated() {
      // Each sample has the duration for which its picture is shown, and they follow each other.
      let shown = bounds[places[index]]
      try emit(
        sample, duration: bounds[places[index] + 1] &- shown,
        compositionOffset: shown &- table.decodeEndTime, index)
    }
    finished += pending.count
    finishedEnd = bounds[order.count]
    pending.removeAll(keepingCapacity: true)
    leadingOf.removeAll(keepingCapacity: true)
    alive.removeAll(keepingCapacity: true)
    access = nil
  }

  private mutating func emit(
    _ sample: MuxedSample, duration: Int64, compositionOffset: Int64, _ index: Int
  ) throws(EditError) {
    let leading = leadingOf[index] ?? 0
    // Pictures that lead the first picture of a sequence are never decoded: decoding always begins there.
    let isOpen = sample.type.isRandomAccessPoint && leading > 0 && !sample.startsSequence
    let isSync = sample.isRandomAccessPoint && (!isOpen || listsOpenAccessPoints)
    var flags = sample.dependency
    if !isSync { flags = SampleFlags(rawValue: flags.rawValue | 0x1_0000) }
    if sample.startsChunk { table.endChunk() }
    do {
      try table.append(
        size: sample.size, offset: sample.offset, duration: duration, compositionOffset: compositionOffset,
        flags: flags, descriptionIndex: sample.description)
    } catch { throw .refused(error) }
    syncRuns.append(1, of: isSync ? Self.number(of: sample.highestType.rawValue, in: &syncTypes) : 0)
    let isGrouped = isOpen && sample.isRandomAccessPoint && !isSync
    accessRuns.append(1, of: isGrouped ? Self.number(of: leading, in: &leadingCounts) : 0)
  }

  private static func number<Value: Equatable>(of value: Value, in values: inout [Value]) -> UInt32 {
    if let index = values.firstIndex(of: value) { return UInt32(clamping: index + 1) }
    values.append(value)
    return UInt32(clamping: values.count)
  }

  /// Returns the boxes of the groups, in the order of Apple's writers.
  func groupBoxes() throws(ParseError) -> [Box] {
    var boxes: [Box] = []
    if syncRuns.hasGroups(beside: 0) {
      let entries = syncTypes.map { type in
        var entry = SyncSampleEntry()
        entry.nalUnitType = type
        return entry
      }
      boxes += try SampleGroups("sync", entries, syncRuns).boxes()
    }
    if accessRuns.hasGroups(beside: 0) {
      let entries = leadingCounts.map { count in
        var entry = VisualRandomAccessEntry()
        entry.isNumberKnown = count < 128
        entry.leadingSamples = count < 128 ? UInt8(count) : 0
        return entry
      }
      boxes += try SampleGroups("rap ", entries, accessRuns).boxes()
    }
    return boxes
  }

  /// Whether decoding can begin at all sync samples of a track with the same samples.
  func includesSyncSamples(_ samples: TrackSamples) -> Bool {
    var (sync, access) = (0, 0)
    for sample in samples {
      while sync < syncRuns.runs.count, syncRuns.runs[sync].end <= sample.index { sync += 1 }
      while access < accessRuns.runs.count, accessRuns.runs[access].end <= sample.index { access += 1 }
      guard sample.isSync else { continue }
      let isSync = sync < syncRuns.runs.count && syncRuns.runs[sync].group != 0
      // Decoding can begin there, too, although not at the pictures that it leads.
      guard isSync || access < accessRuns.runs.count && accessRuns.runs[access].group != 0 else {
        return false
      }
    }
    return true
  }

  /// The number of samples that are not sync samples only because their leading pictures need earlier ones.
  var openAccessPoints: Int {
    var (start, count) = (0, 0)
    for run in accessRuns.runs {
      if run.group != 0 { count += run.end - start }
      start = run.end
    }
    return count
  }

  /// Shifts all offsets so that none is negative, and returns the shift.
  mutating func shiftToUnsigned() throws(EditError) -> Int64 {
    let shift = max(0, -table.leastCompositionOffset)
    try refusing(table.shiftCompositionOffsets(by: shift))
    return shift
  }
}
