// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Makes a fragmented movie from an ordinary one, or divides a fragmented movie into other fragments, without
/// re-encoding.
///
/// ```swift
/// var fragmenter = try MovieFragmenter(movie)
/// fragmenter.duration = MediaTime(value: 4, timescale: 1)
/// try fragmenter.write(to: "fragmented.mp4")
/// ```
///
/// Each fragment begins with a sync sample of the main track, as long as that has any, so that it can be
/// decoded by itself; or with a sample that begins an open group of pictures (group `rap `, `stps`), if the next sync
/// sample is too far away. Sample entries with their layers and tags, edit lists, sample groups, dependencies and
/// metadata are kept.
public struct MovieFragmenter: MovieConversion {
  /// The original movie.
  public let movie: MovieFile
  /// The least duration of a fragment, which ends at the next sample that can begin another; 2 seconds by default.
  public var duration = MediaTime(value: 2, timescale: 1)
  /// Whether an index of all fragments precedes them (`sidx`).
  public var writesIndex = false
  /// Whether composition offsets have no signs, and an edit begins later by the same time. Some readers, FFmpeg's
  /// among them, present pictures late if offsets in fragments are negative.
  public var writesEditsForOffsets = false
  /// Whether each fragment begins with its brands (`styp`), as a segment in a file of its own does.
  public var writesSegmentTypes = false

  /// The brands of a fragmented movie that becomes fragmented again; `nil` for those that follow from ``movie``.
  var oldFileType: [UInt8]?

  /// Makes a fragmenter of all tracks of a movie.
  ///
  /// - Throws: ``EditError`` if the movie cannot be fragmented.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    self.movie = movie
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the fragmented movie.
  public func plan() throws(EditError) -> ConversionPlan<FragmentReport> {
    guard duration.value > 0 else {
      throw EditError(.outOfRange, "the duration of a fragment must be greater than 0")
    }
    var cutter = try FragmentCutter(movie, duration: duration, hasEdits: writesEditsForOffsets)
    cutter.events = EventMessages(of: movie)
    let start = try InitSegment(movie)
    var report = FragmentReport(tracks: cutter.tracks)
    report.noteBoxes(of: movie)
    var index = FragmentIndex(cutter.mainTrack, of: movie)
    let segmentType =
      writesSegmentTypes ? try start.fileType(isSegment: true, tracks: cutter.tracks.count) : []
    var fragments: [WritePlan.Piece] = []
    let moov = try start.movieBox(cutter.tracks, duration: start.duration)
    while let fragment = try cutter.next() {
      guard report.fragments < Limits.maximumFragments else {
        throw EditError(
          .exceedsLimit, "there are more than \(Limits.maximumFragments) fragments",
          advice: "Make them longer\(.changePartLength).")
      }
      try report.add(fragment, of: cutter, wanting: duration)
      if writesIndex { try index.add(fragment, size: fragment.size + UInt64(segmentType.count)) }
      fragments += fragment.pieces(after: segmentType, of: movie.source)
    }
    let (before, after) = start.others
    let fileType =
      if let oldFileType { oldFileType } else { try start.fileType(tracks: cutter.tracks.count) }
    var pieces = [WritePlan.Piece.bytes(ByteView(fileType))] + before
    let draft: WritePlan
    do throws(ParseError) {
      pieces.append(.bytes(ByteView(try moov.encoded())))
      if writesIndex { pieces.append(.bytes(ByteView(try index.box().encoded()))) }
      draft = try WritePlan(pieces: pieces + fragments + after)
    } catch { throw .refused(error) }
    let editor = try MovieEditor(draft: draft, of: [movie])
    try verify(editor.movie, cutter.shifts)
    return ConversionPlan(editor, report, of: movies, written: \.written)
  }

  /// Compares the samples of the new movie with those of the old one: all their properties, and the bytes of
  /// some samples.
  private func verify(_ made: MovieFile, _ shifts: [UInt32: Int64]) throws(EditError) {
    do throws(SourceError) {
      let (old, new) = (
        try SampleDigest.tracks(of: movie, adding: shifts, inFragments: true),
        try SampleDigest.tracks(of: made)
      )
      for (here, there) in zip(new, old) {
        guard
          let difference = try here.difference(from: there, made.source, movie.source, endsWithSamples: true)
        else { continue }
        throw SourceError(.other("\(difference) of track \(there.trackID) differ in the fragments"))
      }
    } catch { throw EditError(.failed, error) }
  }
}

/// The report on a movie that was fragmented or flattened.
public struct FragmentReport: Sendable {
  /// Something remarkable. New kinds may be added: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// A fragment, counted from 1, is more than twice as long as requested, because no earlier sample can begin the next one.
    case longFragment(number: Int, duration: MediaTime)
    /// The first sample is not a sync sample: players may not be able to begin with it.
    case startsWithoutSync(trackID: UInt32)
    /// A fragment begins with a sample in which a layer has no picture at which decoding can begin.
    case layersMissing(trackID: UInt32, fragment: Int)
    /// In a fragment, another video track does not begin with a sync sample.
    case trackWithoutSync(trackID: UInt32, fragment: Int)
    /// Nothing is presented for this time at first, more than a second, because the samples of the fragments
    /// begin late.
    case startsLate(MediaTime)
    /// Fragments seem to be missing after a fragment, counted from 1: nothing is there for this time.
    case fragmentMissing(after: Int, duration: MediaTime)
    /// Boxes that apply only to the original fragments are left out.
    case boxesLeftOut([FourCC])
    /// The degradation priorities and padding bits of the samples of a track are left out.
    case sampleFlagsLeftOut(trackID: UInt32)
  }

  /// A track of the movie.
  public struct Track: Hashable, Sendable {
    /// The track ID.
    public let id: UInt32
    /// The media type of the track.
    public let mediaType: MediaType
    /// The number of samples.
    public let samples: Int
  }

  /// The number of fragments: of the new movie, or of the original one if it is flattened.
  public internal(set) var fragments = 0
  /// The duration of the longest fragment; zero if the movie is flattened.
  public internal(set) var longest = MediaTime.zero
  /// The tracks.
  public internal(set) var tracks: [Track] = []
  /// The notices, the first of each kind and track.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension FragmentReport {
  init(tracks: [FragmentedTrack]) {
    self.tracks = tracks.map {
      Track(id: $0.track.id, mediaType: $0.track.mediaType, samples: $0.samples.count)
    }
  }

  /// Adds a notice with the boxes in the fragments of a movie that are left out.
  mutating func noteBoxes(of movie: MovieFile) {
    var left = LeftOutBoxes()
    left.add(movie, keepsTimes: true)
    note(left.types)
  }

  /// Adds a notice with boxes that are left out, if there are any.
  mutating func note(_ types: [FourCC]) { if !types.isEmpty { notices.append(.boxesLeftOut(types)) } }

  /// Counts a fragment, and adds notices on its duration and its first samples.
  mutating func add(
    _ fragment: MovieFragment, of cutter: FragmentCutter, wanting duration: MediaTime
  ) throws(EditError) {
    fragments += 1
    let (lead, main) = (fragment.lead, cutter.mainTrack)
    let length = fragment.duration
    if length.seconds > 2 * duration.seconds, longest.seconds <= 2 * duration.seconds {
      notices.append(.longFragment(number: fragments, duration: length))
    }
    longest = max(longest, length)
    if lead.track.id == main.id {
      if lead.firstSample.index == 0, !lead.firstSample.isSync {
        notices.append(.startsWithoutSync(trackID: main.id))
      }
      if !notices.contains(where: { if case .layersMissing = $0 { true } else { false } }) {
        if try reading(main.lacksLayers(lead.firstSample)) {
          notices.append(.layersMissing(trackID: main.id, fragment: fragments))
        }
      }
    }
    for id in fragment.tracksWithoutSync
    where !notices.contains(where: { if case .trackWithoutSync(id, _) = $0 { true } else { false } }) {
      notices.append(.trackWithoutSync(trackID: id, fragment: fragments))
    }
  }
}

extension FragmentReport.Notice {
  /// The kind of the notice, as it is called in JSON.
  public var kind: String {
    switch self {
    case .longFragment: "longFragment"
    case .startsWithoutSync: "startsWithoutSync"
    case .layersMissing: "layersMissing"
    case .trackWithoutSync: "trackWithoutSync"
    case .startsLate: "startsLate"
    case .fragmentMissing: "fragmentMissing"
    case .boxesLeftOut: "boxesLeftOut"
    case .sampleFlagsLeftOut: "sampleFlagsLeftOut"
    }
  }

  /// The notice in words.
  public var message: String {
    switch self {
    case .longFragment(let number, let duration):
      "fragment \(number) lasts \(duration.words), because no earlier sample can begin the next one"
    case .startsWithoutSync(let id):
      "the first sample of track \(id) is not a sync sample: players may not be able to begin there"
    case .layersMissing(let id, let fragment):
      "fragment \(fragment) begins with a sample of track \(id) in which not every layer can be decoded by itself"
    case .trackWithoutSync(let id, let fragment):
      "track \(id) does not begin with a sync sample in fragment \(fragment)"
    case .startsLate(let time):
      "nothing is presented for the first \(time.words), as specified by the fragments"
    case .fragmentMissing(let number, let duration):
      "a fragment seems to be missing after fragment \(number): the next one begins \(duration.words) later"
    case .boxesLeftOut(let types):
      LeftOutBoxes.message(types)
    case .sampleFlagsLeftOut(let id): LeftOutBoxes.message(flagsOf: id)
    }
  }
}
