// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Builds a movie fragment (`moof` with `traf`, `tfhd`, `tfdt`, `trun`) from the samples of one or several tracks,
/// as compactly as possible. Reading the fragment returns the same samples.
///
/// ```swift
/// var fragment = FragmentBuilder(sequenceNumber: 1, extends: [trex])
/// try fragment.begin(track: 1, at: 90_000)
/// for sample in samples { try fragment.append(sample, toTrack: 1) }
/// output += try fragment.header()        // `moof`, and the header of `mdat`
/// // … and the bytes of the samples, in the order in which they were appended.
/// ```
///
/// The bytes of the samples of all tracks follow the header in the order in which the samples were appended.
public struct FragmentBuilder: Sendable {
  /// The values of a sample that a `trun` stores.
  private struct Values: Equatable {
    var size: UInt32
    var duration: UInt32
    var compositionOffset: Int32
    var flags: SampleFlags

    var row: TrackRunBox.Row {
      TrackRunBox.Row(duration: duration, size: size, flags: flags, offset: compositionOffset)
    }
  }

  /// Consecutive samples with the same values.
  private struct Entry {
    var values: Values
    var count: Int
  }

  /// Samples whose bytes are contiguous: one `trun`.
  private struct Run {
    /// The position of the first sample in the media data of the fragment.
    var start: UInt64
    var entries: [Entry] = []

    mutating func append(_ values: Values, count: Int) {
      if let last = entries.indices.last, entries[last].values == values {
        entries[last].count += count
      } else {
        entries.append(Entry(values: values, count: count))
      }
    }
  }

  /// Samples of a track that have the same description: one `traf`.
  private struct Group {
    var track: UInt32
    var decodeTime: UInt64
    var description: UInt32
    var runs: [Run] = []
    /// Boxes that follow the runs.
    var attached: [Box] = []
  }

  /// The number of the fragment, which must increase from fragment to fragment.
  public var sequenceNumber: UInt32
  /// The total size of all samples in bytes.
  public private(set) var mediaByteCount: UInt64 = 0
  /// The number of samples in all tracks.
  public private(set) var count = 0
  private let extends: [UInt32: TrackExtendsBox]
  private var groups: [Group] = []
  /// For each track that has begun, its last group, and the decoding time after its last sample.
  private var open: [UInt32: (group: Int?, time: UInt64)] = [:]
  /// The group that the last sample was added to.
  private var last: Int?

  /// Starts a fragment without samples.
  ///
  /// - Parameters:
  ///   - sequenceNumber: the number of the fragment.
  ///   - extends: the `trex` boxes of the movie. Defaults in them are not repeated; for a track without one, all
  ///     values are written.
  public init(sequenceNumber: UInt32, extends: [TrackExtendsBox] = []) {
    self.sequenceNumber = sequenceNumber
    self.extends = Dictionary(extends.map { ($0.trackID, $0) }) { first, _ in first }
  }

  /// Whether there are no samples.
  public var isEmpty: Bool { count == 0 }

  /// Sets the decoding time of a track's next sample: required before its first sample, and allowed after a gap.
  ///
  /// - Parameters:
  ///   - track: the ID of the track.
  ///   - decodeTime: the decoding time of its next sample, in media time.
  public mutating func begin(track: UInt32, at decodeTime: UInt64) {
    open[track] = (open[track]?.time == decodeTime ? open[track]?.group : nil, decodeTime)
  }

  /// Appends a sample to its track, in decoding order.
  ///
  /// - Parameters:
  ///   - size: its size in bytes. The bytes follow those of the previously appended sample, of whichever track.
  ///   - duration: its duration in decoding time.
  ///   - compositionOffset: its composition time less its decoding time.
  ///   - flags: whether decoding can begin at it, and how it depends on others.
  ///   - descriptionIndex: the sample entry that describes it, counted from 1.
  ///   - track: the ID of the track, which must have begun.
  public mutating func append(
    size: UInt32, duration: Int64, compositionOffset: Int64 = 0, flags: SampleFlags = .sync,
    descriptionIndex: UInt32 = 1, toTrack track: UInt32
  ) throws(ParseError) {
    let sample = Sample(
      index: count, decodeTime: 0, compositionOffset: compositionOffset, duration: duration, offset: 0,
      size: size,
      flags: flags, descriptionIndex: descriptionIndex)
    try append(UniformSamples(sample), to: track, try begun(track))
  }

  /// Appends a sample from tables or other fragments. Its position in that file is ignored; its decoding time must
  /// be the end of the previous sample, or that at which the track began.
  ///
  /// - Parameters:
  ///   - sample: the sample.
  ///   - track: the ID of the track, which must have begun.
  public mutating func append(_ sample: Sample, toTrack track: UInt32) throws(ParseError) {
    try append(UniformSamples(sample), toTrack: track)
  }

  /// Appends samples from tables or other fragments.
  ///
  /// - Parameters:
  ///   - samples: the samples.
  ///   - track: the ID of the track, which must have begun.
  package mutating func append(_ samples: UniformSamples, toTrack track: UInt32) throws(ParseError) {
    let (state, sample) = (try begun(track), samples.first)
    guard UInt64(exactly: sample.decodeTime) == state.time else {
      throw Self.refusal(
        "sample \(sample.index) of track \(track) is decoded at \(sample.decodeTime), not at \(state.time)")
    }
    try append(samples, to: track, state)
  }

  /// Returns the last group of a track that has begun, and the decoding time after its last sample.
  private func begun(_ track: UInt32) throws(ParseError) -> (group: Int?, time: UInt64) {
    guard let state = open[track] else {
      throw Self.refusal("track \(track) has not begun: the decoding time of its first sample is unknown")
    }
    return state
  }

  private mutating func append(
    _ samples: UniformSamples, to track: UInt32, _ state: (group: Int?, time: UInt64)
  ) throws(ParseError) {
    let sample = samples.first
    guard let delta = UInt32(exactly: sample.duration), let shift = Int32(exactly: sample.compositionOffset)
    else {
      throw Self.refusal("the duration or composition offset of sample \(count) exceeds 32 bits")
    }
    let (end, isTooLong) = mediaByteCount.addingReportingOverflow(samples.byteCount)
    let (time, isTooLate) = state.time.addingReportingOverflow(UInt64(delta) * UInt64(samples.count))
    guard !isTooLong, !isTooLate else { throw Self.refusal("the end of sample \(count) exceeds 64 bits") }
    let index: Int
    if let group = state.group, groups[group].description == sample.descriptionIndex {
      index = group
      if last != index { groups[index].runs.append(Run(start: mediaByteCount)) }
    } else {
      index = groups.count
      groups.append(
        Group(
          track: track, decodeTime: state.time, description: sample.descriptionIndex,
          runs: [Run(start: mediaByteCount)]))
    }
    let values = Values(size: sample.size, duration: delta, compositionOffset: shift, flags: sample.flags)
    groups[index].runs[groups[index].runs.count - 1].append(values, count: samples.count)
    open[track] = (index, time)
    last = index
    mediaByteCount = end
    count += samples.count
  }

  /// Attaches a box with further information about the last samples of a track: those that have the same
  /// description and directly follow one another, and so share a `traf`. It is written after their runs. Without
  /// samples, the box is ignored.
  ///
  /// - Parameters:
  ///   - box: the box, such as `sbgp`.
  ///   - track: the ID of the track.
  public mutating func attach(_ box: Box, toTrack track: UInt32) {
    guard let group = open[track]?.group else { return }
    groups[group].attached.append(box)
  }

  private static func refusal(_ reason: String) -> ParseError {
    ParseError(.invalid(reason), offset: 0, path: "moof")
  }

  // MARK: What is written

  /// The fragment as a box. Its offsets are those of media data that follows it in a separate `mdat`:
  /// ``header()``.
  ///
  /// Throws if a run begins more than 2 GiB after the fragment, which a `trun` cannot represent.
  public func movieFragment() throws(ParseError) -> Box {
    let groups = try groups.map { group throws(ParseError) in try GroupBoxes(group, extends[group.track]) }
    // The values of the offsets do not affect the size of the boxes.
    let size = try fragment(groups, dataStart: 0).encoded().count
    return try fragment(groups, dataStart: Int64(size + mediaHeader.count))
  }

  /// The bytes that precede those of the samples: the fragment, and the header of the `mdat` that contains the
  /// samples.
  public func header() throws(ParseError) -> [UInt8] { try movieFragment().encoded() + mediaHeader }

  private var mediaHeader: [UInt8] {
    MediaDataHeader.bytes(
      of: mediaByteCount, isLarge: MediaDataHeader.needsLargeSize(mediaByteCount))
  }

  private func fragment(_ groups: [GroupBoxes], dataStart: Int64) throws(ParseError) -> Box {
    var header = MovieFragmentHeaderBox()
    header.sequenceNumber = sequenceNumber
    var children = [Box("mfhd", header, in: .box("moof"))]
    for group in groups { children.append(try group.box(dataStart: dataStart)) }
    return Box("moof", children: children, in: .file)
  }

  /// The boxes of a group, of which only the offsets of the runs depend on where the media data begins.
  private struct GroupBoxes {
    let track: UInt32
    let headers: [Box]
    let runs: [(start: UInt64, box: TrackRunBox)]
    let attached: [Box]

    init(_ group: Group, _ extends: TrackExtendsBox?) throws(ParseError) {
      let durations = Default({ $0.duration }, of: group.runs, extends?.defaultSampleDuration)
      let sizes = Default({ $0.size }, of: group.runs, extends?.defaultSampleSize)
      let flags = Default(
        { $0.flags.rawValue }, of: group.runs, extends?.defaultSampleFlags.rawValue, exceptFirst: true)
      var header = TrackFragmentHeaderBox()
      // Offsets are relative to the start of the `moof`. ISO/IEC 14496-12, 8.8.7.1
      header.flags = 0x02_0000
      header.trackID = group.track
      if group.description != extends?.defaultSampleDescriptionIndex {
        header.sampleDescriptionIndex = group.description
      }
      header.defaultSampleDuration = durations.inHeader
      header.defaultSampleSize = sizes.inHeader
      header.defaultSampleFlags = flags.inHeader.map { SampleFlags(rawValue: $0) }
      var time = TrackFragmentDecodeTimeBox()
      time.baseMediaDecodeTime = group.decodeTime
      time.version = group.decodeTime > UInt64(UInt32.max) ? 1 : 0
      track = group.track
      headers = [Box("tfhd", header, in: .box("traf")), Box("tfdt", time, in: .box("traf"))]
      runs = try group.runs.map { run throws(ParseError) in
        (run.start, try Self.box(run.entries, durations, sizes, flags))
      }
      attached = group.attached
    }

    private static func box(
      _ entries: [Entry], _ durations: Default, _ sizes: Default, _ flags: Default
    ) throws(ParseError) -> TrackRunBox {
      var box = TrackRunBox()
      var fields: TrackRunBox.RowFields = []
      if !durations.covers(entries) { fields.insert(.duration) }
      if !sizes.covers(entries) { fields.insert(.size) }
      if !flags.covers(entries) {
        if let first = entries.first, first.count == 1, flags.covers(entries.dropFirst()) {
          box.firstSampleFlags = first.values.flags
        } else {
          fields.insert(.flags)
        }
      }
      if entries.contains(where: { $0.values.compositionOffset != 0 }) {
        fields.insert(.compositionTimeOffset)
      }
      // Negative offsets require version 1. ISO/IEC 14496-12, 8.8.8
      if entries.contains(where: { $0.values.compositionOffset < 0 }) { box.version = 1 }
      box.rows = try FormattedTable(
        entries.lazy.flatMap { repeatElement($0.values.row, count: $0.count) },
        count: entries.reduce(0) { $0 + $1.count }, as: fields)
      return box
    }

    func box(dataStart: Int64) throws(ParseError) -> Box {
      var children = headers
      for (start, box) in runs {
        guard let start = Int64(exactly: start), let offset = Int32(exactly: dataStart + start) else {
          throw refusal(
            "the data of track \(track) begins more than 2 GiB after the fragment: use fewer samples")
        }
        var box = box
        box.dataOffset = offset
        children.append(Box("trun", box, in: .box("traf")))
      }
      return Box("traf", children: children + attached, in: .box("moof"))
    }
  }

  /// The value of a field for samples that do not state it.
  private struct Default {
    /// The value in `tfhd`; `nil` if the value in `trex` is used, or none.
    let inHeader: UInt32?
    private let value: UInt32?

    private let field: @Sendable (Values) -> UInt32

    /// Chooses the value that saves the most bytes.
    ///
    /// - Parameters:
    ///   - field: the value of a sample.
    ///   - runs: the samples.
    ///   - inherited: the value in `trex`.
    ///   - exceptFirst: whether the first sample of a run can have a different value without rows for all samples.
    init(
      _ field: @escaping @Sendable (Values) -> UInt32, of runs: [Run], _ inherited: UInt32?,
      exceptFirst: Bool = false
    ) {
      var savings: [UInt32: Int] = [:]
      for entries in runs.lazy.map(\.entries) {
        guard let first = entries.first, let last = entries.last.map({ field($0.values) }),
          entries.dropFirst().allSatisfy({ field($0.values) == last })
        else { continue }
        let isFirstOther = field(first.values) != last
        if isFirstOther, !exceptFirst || first.count > 1 { continue }
        let count = entries.reduce(0) { $0 + $1.count }
        savings[last, default: 0] += (isFirstOther ? count - 1 : count) * 4
      }
      let best = savings.max { ($0.value, $1.key) < ($1.value, $0.key) }
      if let best, best.key != inherited, best.value - 4 > inherited.map({ savings[$0] ?? 0 }) ?? 0 {
        inHeader = best.key
      } else {
        inHeader = nil
      }
      value = inHeader ?? inherited
      self.field = field
    }

    /// Whether no sample needs to state its value.
    func covers(_ entries: some Sequence<Entry>) -> Bool { entries.allSatisfy { field($0.values) == value } }
  }
}
