// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A fragment of a movie: the boxes that describe its samples, and the ranges of their bytes.
struct MovieFragment {
  /// The `moof` and the header of the `mdat`.
  var header: [UInt8] = []
  /// The ranges of the samples in the source, in the order in which they are written.
  var media: [Range<UInt64>] = []
  /// The ranges of event messages in the source, which precede it.
  var messages: [Range<UInt64>] = []
  /// The number of bytes of the samples.
  var mediaSize: UInt64 = 0
  /// The decoding time at which it begins, and its duration in decoding time.
  var start = MediaTime.zero
  var duration = MediaTime.zero
  /// Its samples of the track that it begins with: the main one as long as that has samples.
  var lead: Lead
  /// The IDs of other video tracks that do not begin with a sync sample.
  var tracksWithoutSync: [UInt32] = []

  /// Properties of the samples of one track in the fragment.
  struct Lead {
    var track: Track
    var firstSample: Sample
    /// The decoding time at which its last sample ends.
    var decodeEnd: Int64
    /// The earliest composition time; `nil` if no sample is composed.
    var firstComposition: Int64?
    /// Samples that are decoded after the first one and composed before it, as many as determine the access point.
    var leadingSamples: [Sample] = []

    /// The earliest composition time of its samples.
    var start: MediaTime {
      MediaTime(value: firstComposition ?? firstSample.decodeTime, timescale: track.timescale)
    }

    init(_ track: Track, _ samples: [UniformSamples], first: Sample) {
      self.track = track
      firstSample = first
      decodeEnd = samples.last?.endTime ?? first.decodeTime
      for uniform in samples where !uniform.first.isNeverComposed {
        firstComposition = min(firstComposition ?? .max, uniform.first.compositionTime)
        guard !first.isNeverComposed else { continue }
        for position in 0..<uniform.count {
          let sample = uniform[position]
          guard sample.compositionTime < first.compositionTime,
            leadingSamples.count < Track.maximumLeadingSamples
          else { break }
          leadingSamples.append(sample)
        }
      }
    }
  }

  /// The number of bytes of the fragment, with the messages before it.
  var size: UInt64 { messages.reduce(UInt64(header.count) + mediaSize) { $0 &+ $1.length } }

  /// What is written for it, after its brands.
  func pieces(after segmentType: [UInt8], of source: any ByteSource) -> [WritePlan.Piece] {
    var pieces: [WritePlan.Piece] = messages.map { .range($0, of: source) }
    if pieces.isEmpty {
      pieces.append(.bytes(ByteView(segmentType + header)))
    } else {
      if !segmentType.isEmpty { pieces.insert(.bytes(ByteView(segmentType)), at: 0) }
      pieces.append(.bytes(ByteView(header)))
    }
    return pieces + media.map { .range($0, of: source) }
  }
}

/// Divides the samples of a movie into fragments, one at a time. Each begins with a sync sample of the main
/// track, or one that begins an open group of pictures, and has the samples of the other tracks that are decoded in the same time. While the main track has
/// no samples, times alone decide.
struct FragmentCutter {
  let movie: MovieFile
  private(set) var tracks: [FragmentedTrack]
  /// The event messages that precede the fragments; none by default.
  var events: EventMessages?
  /// The samples of the main track at which fragments may begin and rather do not, by their index, with the decoding time of
  /// the next one that is better; by default those that begin open groups of pictures, and sync samples are better.
  var betterAccessPoints: [Int: Int64]
  /// When media time 0 of each track is presented, as far as that was asked.
  private var delays: [UInt32: MediaTime] = [:]
  /// The index in `tracks` of the main track, whose sync samples begin fragments.
  let main: Int
  /// The least duration of a fragment, which ends at the next sync sample.
  private let duration: MediaTime
  private var sequenceNumber: UInt32 = 0
  private let end: UInt64
  /// The number of bytes of the samples of all fragments so far.
  private var mediaSize: UInt64 = 0
  /// The largest number of samples of a track in a fragment, since they are in memory.
  private static let maximumSamples = 1 << 20

  /// - Parameter hasEdits: whether edits take the place of negative composition offsets.
  init(
    _ movie: MovieFile, tracks chosen: [Track]? = nil, duration: MediaTime, hasEdits: Bool = false
  ) throws(EditError) {
    self.movie = movie
    self.duration = duration
    var tracks: [FragmentedTrack] = []
    for track in chosen ?? movie.tracks {
      tracks.append(try FragmentedTrack(track, of: movie, hasEdits: hasEdits))
    }
    self.tracks = tracks
    guard tracks.contains(where: { $0.queue.next != nil }) else {
      throw EditError(.nothingToDo, "the movie has no samples")
    }
    let mainID = movie.mainVideoTrack?.id
    let places = tracks.indices.filter { tracks[$0].queue.next != nil }
    main =
      places.first { tracks[$0].track.id == mainID }
      ?? places.first { tracks[$0].track.mediaType.isVisual }
      ?? places.first { tracks[$0].track.mediaType == .audio } ?? places[0]
    end = movie.source.size ?? .max
    betterAccessPoints = try reading(tracks[main].track.laterSyncSamples())
  }

  /// What is added to the composition offsets of each track, by its ID.
  var shifts: [UInt32: Int64] {
    Dictionary(tracks.map { ($0.track.id, $0.shift) }) { first, _ in first }
  }

  /// The main track.
  var mainTrack: Track { tracks[main].track }

  // MARK: Times

  /// The decoding time of the next sample of a track; `nil` after the last one.
  private func time(of index: Int) -> MediaTime? {
    tracks[index].queue.next.map { MediaTime(value: $0.decodeTime, timescale: tracks[index].track.timescale) }
  }

  /// The track whose sync samples end the next fragment: the main one; if that begins much later, or has ended,
  /// another visual track; `nil` if there is none.
  private func leader(from start: MediaTime) -> Int? {
    let soon = start + duration
    func begins(_ index: Int) -> Bool { time(of: index).map { $0 <= soon } ?? false }
    if begins(main) { return main }
    return tracks.indices.first { index in
      tracks[index].track.mediaType.isVisual && begins(index)
        && (time(of: main).map { main in time(of: index).map { $0 < main } ?? false } ?? true)
    }
  }

  /// The time up to which a fragment has the samples of all tracks except its leader; `nil` if it has all
  /// remaining samples.
  private func boundary(from start: MediaTime, leader: Int?, _ taken: [UniformSamples]) -> MediaTime? {
    var wanted = start + duration
    if leader != main, let begin = time(of: main) {
      guard let leader else { return min(wanted, begin) }
      return min(time(of: leader) ?? begin, begin)
    }
    if let leader, let next = time(of: leader) { return next }
    if let leader, let last = taken.last {
      let scale = tracks[leader].track.timescale
      wanted = max(wanted, MediaTime(value: last.endTime, timescale: scale))
    }
    // A short rest does not become a fragment of its own.
    let rest = tracks.indices.compactMap { index in
      time(of: index).map { _ in
        MediaTime(value: tracks[index].samples.endTime, timescale: tracks[index].track.timescale)
      }
    }.max()
    guard let rest, rest.seconds - wanted.seconds > duration.seconds / 2 else { return nil }
    return wanted
  }

  // MARK: Fragments

  /// Returns the next fragment; `nil` after the last one.
  mutating func next() throws(EditError) -> MovieFragment? {
    let starts = tracks.indices.compactMap { index in time(of: index).map { (index: index, time: $0) } }
    guard let first = starts.min(by: { $0.time < $1.time }) else { return nil }
    sequenceNumber += 1
    var builder = FragmentBuilder(sequenceNumber: sequenceNumber, extends: tracks.map(\.extends))
    var taken: [[UniformSamples]] = Array(repeating: [], count: tracks.count)
    let leader = leader(from: first.time)
    let start = leader.flatMap { time(of: $0) } ?? first.time
    if let leader { taken[leader] = try takeLeading(leader) }
    let boundary = boundary(from: start, leader: leader, leader.map { taken[$0] } ?? [])
    for index in tracks.indices where index != leader {
      let limit = boundary.map { Self.ticks(from: $0, to: tracks[index].track.timescale) } ?? .max
      try take(of: index, before: limit, to: &taken[index])
      if boundary == nil, let sample = tracks[index].queue.next {
        throw EditError(
          .exceedsLimit,
          "sample \(sample.index + 1) of track \(tracks[index].track.id) has a decoding time that is too large"
        )
      }
    }
    let lead = leader ?? first.index
    guard let firstSample = taken[lead].first?.first else {
      throw EditError(
        .exceedsLimit, "a sample of track \(tracks[lead].track.id) has a decoding time that is too large")
    }
    var fragment = MovieFragment(lead: .init(tracks[lead].track, taken[lead], first: firstSample))
    for index in tracks.indices {
      try append(taken[index], of: index, to: &builder, &fragment)
      if index != leader, tracks[index].track.mediaType.isVisual, let first = taken[index].first?.first,
        !first.isSync
      {
        fragment.tracksWithoutSync.append(tracks[index].track.id)
      }
    }
    fragment.start = start
    let ends = zip(taken, tracks).compactMap { samples, track in
      samples.last.map { MediaTime(value: $0.endTime, timescale: track.track.timescale) }
    }
    fragment.duration = (boundary ?? ends.max() ?? start) - start
    if let messages = events, !messages.isEmpty {
      let isLast = tracks.allSatisfy { $0.queue.next == nil }
      let track = fragment.lead.track
      let delay = delays[track.id] ?? track.presentationDelay(in: movie)
      delays[track.id] = delay
      let end = fragment.lead.start + delay + fragment.duration
      fragment.messages = events?.take(before: isLast ? nil : end) ?? []
    }
    do throws(ParseError) {
      fragment.header = try builder.header()
    } catch {
      throw .refused(
        error, of: "fragment \(sequenceNumber)", advice: "Shorter fragments may fit\(.changePartLength).")
    }
    fragment.mediaSize = builder.mediaByteCount
    mediaSize &+= fragment.mediaSize
    // Damaged tables may list the same bytes any number of times.
    guard mediaSize / 4 <= end else {
      throw EditError(.damaged, "the samples have more than four times the bytes of the file")
    }
    return fragment
  }

  /// Takes the samples of a track up to the sync sample that begins the next fragment; if it is not the main
  /// track, at most up to the beginning of the main track.
  private mutating func takeLeading(_ leader: Int) throws(EditError) -> [UniformSamples] {
    guard let first = tracks[leader].queue.next else { return [] }
    let scale = tracks[leader].track.timescale
    let length = Self.ticks(from: duration, to: scale)
    let (wanted, overflow) = first.decodeTime.addingReportingOverflow(length)
    let limit = leader == main ? nil : self.time(of: main).map { Self.ticks(from: $0, to: scale) }
    var samples: [UniformSamples] = []
    try take(of: leader, before: limit ?? .max, beforeSyncAt: overflow ? .max : wanted, to: &samples)
    return samples
  }

  /// Takes the samples of a track that are decoded before a time.
  ///
  /// - Parameter syncTime: the time from which on the next access point is not taken any more.
  private mutating func take(
    of index: Int, before end: Int64, beforeSyncAt syncTime: Int64 = .max, to samples: inout [UniformSamples]
  ) throws(EditError) {
    var count = 0
    while let next = tracks[index].queue.next {
      let isAccessPoint = next.isSync || tracks[index].track.isOpenAccessPoint(next)
      let mayEnd = isAccessPoint && !(index == main && hasBetterPlace(than: next, from: syncTime))
      let limit = mayEnd ? min(end, syncTime) : end
      guard let taken = tracks[index].queue.take(before: limit) else { break }
      samples.append(taken)
      count += taken.count
      guard count <= Self.maximumSamples else {
        throw EditError(
          .exceedsLimit,
          "a fragment would have more than \(Self.maximumSamples) samples of track \(tracks[index].track.id)",
          advice: "Shorter fragments may do, where there are sync samples\(.changePartLength).")
      }
    }
  }

  /// Returns a time in the timescale of a track, rounded up.
  static func ticks(from time: MediaTime, to timescale: UInt32) -> Int64 {
    let nearest = time.converted(to: timescale)
    return nearest < time ? nearest.value &+ 1 : nearest.value
  }

  /// Returns whether a fragment of the main track ends better at a later access point than at this one, and then is not
  /// longer than twice the duration.
  ///
  /// - Parameter syncTime: the time at which it has that duration.
  private func hasBetterPlace(than sample: Sample, from syncTime: Int64) -> Bool {
    guard sample.decodeTime >= syncTime, let time = betterAccessPoints[sample.index] else { return false }
    let length = Self.ticks(from: duration, to: tracks[main].track.timescale)
    let (last, overflow) = syncTime.addingReportingOverflow(length)
    return time < .max && (overflow || time <= last)
  }

  private mutating func append(
    _ taken: [UniformSamples], of index: Int, to builder: inout FragmentBuilder,
    _ fragment: inout MovieFragment
  ) throws(EditError) {
    let id = tracks[index].track.id
    var pending = 0
    var last: UniformSamples?
    for samples in taken {
      let sample = samples.first
      let range = samples.range
      guard range.upperBound <= end, range.length == samples.byteCount else {
        let whole = sample.size > 0 && sample.offset < end ? (end - sample.offset) / UInt64(sample.size) : 0
        let cut = samples[Int(whole)]
        throw EditError(
          .damaged,
          "sample \(cut.index + 1) of track \(id) is at byte \(cut.offset), and ends after the end of the file",
          advice: "The file may be cut off: see what is missing\(.check).")
      }
      if last?.endTime != sample.decodeTime || last?.first.descriptionIndex != sample.descriptionIndex {
        // Another `traf` begins after a gap in time, or with another sample description.
        try attachGroupBoxes(pending, of: index, to: &builder)
        pending = 0
        builder.begin(track: id, at: UInt64(clamping: sample.decodeTime))
      }
      let written = samples.composed(later: tracks[index].shift)
      do throws(ParseError) { try builder.append(written, toTrack: id) } catch {
        throw .refused(error, of: "track \(id)")
      }
      pending += samples.count
      last = samples
      guard !range.isEmpty else { continue }
      fragment.media.appendJoining(range)
    }
    try attachGroupBoxes(pending, of: index, to: &builder)
  }

  private mutating func attachGroupBoxes(
    _ count: Int, of index: Int, to builder: inout FragmentBuilder
  ) throws(EditError) {
    guard count > 0 else { return }
    for box in try tracks[index].takeGroupBoxes(count) {
      builder.attach(box, toTrack: tracks[index].track.id)
    }
  }
}
