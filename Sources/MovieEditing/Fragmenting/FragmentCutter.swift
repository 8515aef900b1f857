// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A fragment of a movie: what describes its samples, and where their bytes are.
struct MovieFragment {
  /// The `moof` and the header of the `mdat`.
  var header: [UInt8]
  /// Where the bytes of the samples are in the source, in the order in which they are written.
  var media: [Range<UInt64>] = []
  /// How many bytes the samples have.
  var mediaSize: UInt64
  /// When its first sample of the main track is decoded, in units of that track.
  var decodeTime: Int64
  /// The earliest composition time of the main track in it.
  var firstComposition: Int64?
  /// The first sample of the main track.
  var firstSample: Sample?
  /// The time after its last sample of the main track, in decoding.
  var decodeEnd: Int64
  /// Other video tracks that do not begin with a sync sample.
  var tracksWithoutSync: [UInt32] = []

  /// How many bytes it has.
  var size: UInt64 { UInt64(header.count) + mediaSize }
}

/// Cuts the samples of a movie into fragments, one after the other. Each begins with a sync sample of the main track, and has of the
/// other tracks what is decoded in the same time.
struct FragmentCutter {
  let movie: MovieFile
  private(set) var tracks: [FragmentedTrack]
  /// The place of the main track among these: the one whose sync samples fragments begin with.
  let main: Int
  /// How long a fragment lasts at least, if there is a sync sample then.
  private let duration: MediaTime
  private var sequenceNumber: UInt32 = 0
  private let end: UInt64
  /// How many bytes all fragments have so far.
  private var mediaSize: UInt64 = 0
  /// How many samples of a track a fragment has at most: they are in memory.
  private static let maximumSamples = 1 << 20

  init(_ movie: MovieFile, tracks chosen: [Track]? = nil, duration: MediaTime) throws(EditError) {
    self.movie = movie
    self.duration = duration
    var tracks: [FragmentedTrack] = []
    for track in chosen ?? movie.tracks { tracks.append(try FragmentedTrack(track, of: movie)) }
    self.tracks = tracks
    guard tracks.contains(where: { $0.nextSample != nil }) else {
      throw .refused("the movie has no samples")
    }
    let mainID = movie.mainVideoTrack?.id
    let places = tracks.indices.filter { tracks[$0].nextSample != nil }
    main =
      places.first { tracks[$0].track.id == mainID }
      ?? places.first { tracks[$0].track.mediaType.isVisual }
      ?? places.first { tracks[$0].track.mediaType == .audio } ?? places[0]
    end = movie.source.size ?? .max
  }

  /// The main track.
  var mainTrack: Track { tracks[main].track }

  /// The next fragment; `nil` after the last one.
  mutating func next() throws(EditError) -> MovieFragment? {
    guard tracks.contains(where: { $0.nextSample != nil }) else { return nil }
    sequenceNumber += 1
    var builder = FragmentBuilder(sequenceNumber: sequenceNumber, extends: tracks.map(\.extends))
    var fragment = MovieFragment(header: [], mediaSize: 0, decodeTime: 0, decodeEnd: 0)
    // The main track decides where the fragment ends.
    var taken: [[Sample]] = Array(repeating: [], count: tracks.count)
    taken[main] = try takeMain()
    let boundary = tracks[main].nextSample.map {
      MediaTime(value: $0.decodeTime, timescale: tracks[main].track.timescale)
    }
    for index in tracks.indices where index != main {
      let limit = boundary.map { Self.ticks(from: $0, to: tracks[index].track.timescale) } ?? .max
      while let sample = tracks[index].take(before: limit) {
        taken[index].append(sample)
        try checkCount(taken[index].count, index)
      }
      if boundary == nil, let sample = tracks[index].nextSample {
        throw .refused(
          "sample \(sample.index + 1) of track \(tracks[index].track.id) is decoded beyond all times")
      }
    }
    for index in tracks.indices {
      try append(taken[index], of: index, to: &builder, &fragment)
      if index != main, tracks[index].track.mediaType.isVisual, let first = taken[index].first, !first.isSync
      {
        fragment.tracksWithoutSync.append(tracks[index].track.id)
      }
    }
    let samples = taken[main]
    fragment.firstSample = samples.first
    fragment.decodeTime = samples.first?.decodeTime ?? 0
    fragment.decodeEnd = samples.last.map { $0.decodeTime &+ $0.duration } ?? 0
    fragment.firstComposition = samples.lazy.filter { !$0.isNeverComposed }.map(\.compositionTime).min()
    do throws(ParseError) {
      fragment.header = try builder.header()
    } catch {
      throw .refused(
        "fragment \(sequenceNumber): \(error)", advice: "Shorter fragments may fit: --duration SECONDS.")
    }
    fragment.mediaSize = builder.mediaByteCount
    mediaSize &+= fragment.mediaSize
    // Tables may list the same bytes any number of times.
    guard mediaSize / 4 <= end else {
      throw .refused("the samples have more than four times the bytes of the file")
    }
    return fragment
  }

  /// The samples of the main track up to the sync sample that begins the next fragment.
  private mutating func takeMain() throws(EditError) -> [Sample] {
    guard let first = tracks[main].nextSample else { return [] }
    let scale = tracks[main].track.timescale
    let length = Self.ticks(from: duration, to: scale)
    let (wanted, overflow) = first.decodeTime.addingReportingOverflow(length)
    let time = overflow ? Int64.max : wanted
    var samples: [Sample] = []
    while let sample = tracks[main].nextSample {
      if !samples.isEmpty, sample.isSync, sample.decodeTime >= time { break }
      guard let next = tracks[main].take(before: .max) else { break }
      samples.append(next)
      try checkCount(samples.count, main)
    }
    return samples
  }

  private func checkCount(_ count: Int, _ index: Int) throws(EditError) {
    guard count <= Self.maximumSamples else {
      throw .refused(
        "a fragment would have more than \(Self.maximumSamples) samples of track \(tracks[index].track.id)",
        advice: "Shorter fragments may do, where there are sync samples: --duration SECONDS.")
    }
  }

  /// A time in the units of a track, or the next one after it.
  static func ticks(from time: MediaTime, to timescale: UInt32) -> Int64 {
    let nearest = time.converted(to: timescale)
    return nearest < time ? nearest.value &+ 1 : nearest.value
  }

  private mutating func append(
    _ samples: [Sample], of index: Int, to builder: inout FragmentBuilder, _ fragment: inout MovieFragment
  ) throws(EditError) {
    let id = tracks[index].track.id
    var pending = 0
    var last: Sample?
    for sample in samples {
      guard sample.range.upperBound <= end, sample.range.count == Int(sample.size) else {
        throw .refused(
          "sample \(sample.index + 1) of track \(id) is at byte \(sample.offset), and ends after the end of the file",
          advice: "The file may be cut off: mvdump check says what is missing.")
      }
      let time = UInt64(clamping: sample.decodeTime)
      let follows = last.map {
        $0.decodeTime &+ $0.duration == sample.decodeTime && $0.descriptionIndex == sample.descriptionIndex
      }
      if follows != true {
        // Another `traf` begins: after a gap, or with another description.
        try attachGroups(pending, of: index, to: &builder)
        pending = 0
        builder.begin(track: id, at: time)
      }
      do throws(ParseError) { try builder.append(sample, toTrack: id) } catch {
        throw .refused("track \(id): \(error)")
      }
      pending += 1
      last = sample
      guard !sample.range.isEmpty else { continue }
      if let range = fragment.media.indices.last, fragment.media[range].upperBound == sample.range.lowerBound
      {
        fragment.media[range] = fragment.media[range].lowerBound..<sample.range.upperBound
      } else {
        fragment.media.append(sample.range)
      }
    }
    try attachGroups(pending, of: index, to: &builder)
  }

  private mutating func attachGroups(
    _ count: Int, of index: Int, to builder: inout FragmentBuilder
  ) throws(EditError) {
    guard count > 0 else { return }
    for box in try tracks[index].takeGroups(count) {
      builder.attach(box, toTrack: tracks[index].track.id)
    }
  }
}
