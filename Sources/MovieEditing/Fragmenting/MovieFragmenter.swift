// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Makes a fragmented movie of an ordinary one, or cuts one into other fragments, without encoding anything.
///
/// ```swift
/// var fragmenter = try MovieFragmenter(movie)
/// fragmenter.duration = MediaTime(value: 4, timescale: 1)
/// try fragmenter.write(to: "fragmented.mp4")
/// ```
///
/// Each fragment begins with a sync sample of the main track, and can be decoded by itself. Sample entries with their layers and tags,
/// edit lists, groups of samples, dependencies and metadata stay.
public struct MovieFragmenter: MovieConversion {
  /// The movie as it is.
  public let movie: MovieFile
  /// How long a fragment lasts at least: it ends where the next sync sample comes.
  public var duration = MediaTime(value: 2, timescale: 1)
  /// Whether an index of all fragments precedes them (`sidx`).
  public var writesIndex = false
  /// Whether each fragment begins with its brands, as a segment in a file of its own does (`styp`).
  public var writesSegmentTypes = false

  /// A fragmenter of all tracks of a movie.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    self.movie = movie
  }

  /// The movie that it is made of.
  public var movies: [MovieFile] { [movie] }

  /// The fragmented movie as it would be.
  public func plan() throws(EditError) -> ConversionPlan<FragmentReport> {
    guard duration.value > 0 else { throw .refused("a fragment must last longer than no time") }
    try movie.checkEventMessages()
    var cutter = try FragmentCutter(movie, duration: duration)
    let start = try InitSegment(movie)
    var report = FragmentReport(tracks: cutter.tracks)
    report.noteBoxes(of: movie)
    var index = FragmentIndex(cutter.mainTrack, of: movie)
    let segmentType =
      writesSegmentTypes ? try start.fileType(isSegment: true, tracks: cutter.tracks.count) : []
    var fragments: [WritePlan.Piece] = []
    let moov = try start.movieBox(cutter.tracks, duration: start.duration)
    while let fragment = try cutter.next() {
      guard report.fragments < movie.limits.maximumFragments else {
        throw .refused(
          "there are more than \(movie.limits.maximumFragments) fragments",
          advice: "Make them longer: --duration SECONDS.")
      }
      try report.add(fragment, of: cutter, wanting: duration)
      if writesIndex { try index.add(fragment, size: fragment.size + UInt64(segmentType.count)) }
      fragments.append(.bytes(ByteView(segmentType + fragment.header)))
      fragments += fragment.media.map { .range($0, of: movie.source) }
    }
    let (before, after) = start.others
    var pieces = [WritePlan.Piece.bytes(ByteView(try start.fileType(tracks: cutter.tracks.count)))] + before
    let draft: WritePlan
    do throws(ParseError) {
      pieces.append(.bytes(ByteView(try moov.encoded())))
      if writesIndex { pieces.append(.bytes(ByteView(try index.box().encoded()))) }
      draft = try WritePlan(pieces: pieces + fragments + after)
    } catch { throw .refused("\(error)") }
    let editor = try MovieEditor(draft: draft, of: [movie])
    try verify(editor.movie)
    return ConversionPlan(editor, report, of: movies, written: \.written)
  }

  /// Compares the samples of the new movie with those of the old one: all that tables say of them, and the bytes of some.
  private func verify(_ made: MovieFile) throws(EditError) {
    do throws(SourceError) {
      let (old, new) = (try SampleDigest.tracks(of: movie), try SampleDigest.tracks(of: made))
      for (here, there) in zip(new, old) {
        guard here.hasSameSamples(as: there) else {
          throw SourceError(.other("the samples of track \(there.trackID) are not the same in fragments"))
        }
        for (mine, other) in zip(here.probes, there.probes) {
          guard try SampleDigest.hasSameBytes(mine, of: made.source, as: other, of: movie.source) else {
            throw SourceError(
              .other("the bytes of sample \(other.index + 1) of track \(there.trackID) are not the same"))
          }
        }
      }
    } catch { throw EditError(.failed, error) }
  }
}

/// What is in a movie that was fragmented.
public struct FragmentReport: Sendable {
  /// What is remarkable. New kinds may come: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// A fragment is much longer than asked, because no sync sample comes before.
    case longFragment(number: Int, duration: MediaTime)
    /// The first sample is not a sync sample: players may not be able to begin with it.
    case startsWithoutSync(trackID: UInt32)
    /// Fragments begin with a sample that lacks pictures of layers that the track has.
    case layersMissing(trackID: UInt32, fragment: Int)
    /// Fragments in which another video track does not begin with a sync sample.
    case trackWithoutSync(trackID: UInt32, fragment: Int)
    /// Nothing is presented for so long at first: the samples of fragments begin as late.
    case startsLate(MediaTime)
    /// Boxes that belong to the fragments there were, with what they mean for those alone.
    case boxesLeftOut([FourCC])
  }

  /// A track of the movie.
  public struct Track: Hashable, Sendable {
    /// Its ID.
    public let id: UInt32
    /// What it holds.
    public let mediaType: MediaType
    /// How many samples it has.
    public let samples: Int
  }

  /// How many fragments there are; of a movie that was flattened, how many there were.
  public internal(set) var fragments = 0
  /// How long the longest one is.
  public internal(set) var longest = MediaTime.zero
  /// The tracks.
  public internal(set) var tracks: [Track] = []
  /// What is remarkable; of each kind and track the first is reported.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` where nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension FragmentReport {
  init(tracks: [FragmentedTrack]) {
    self.tracks = tracks.map {
      Track(id: $0.track.id, mediaType: $0.track.mediaType, samples: $0.samples.count)
    }
  }

  /// Boxes of fragments, and beside them, that are made anew, or say nothing where fragments are others.
  private static let madeAnew: Set<FourCC> = [
    "mfhd", "traf", "tfhd", "tfdt", "trun", "sbgp", "csgp", "sgpd", "subs", "free", "skip",
  ]

  /// Names what is in the fragments of a movie and is not carried over.
  mutating func noteBoxes(of movie: MovieFile) {
    var types: [FourCC] = []
    func note(_ boxes: [Box]) {
      for box in boxes where !Self.madeAnew.contains(box.type) && !types.contains(box.type) {
        types.append(box.type)
      }
    }
    for box in movie.tree?.boxes ?? [] {
      switch box.type {
      case "prft": note([box])
      case "moof":
        note(box.children)
        for traf in box.children where traf.type == "traf" { note(traf.children) }
      default: break
      }
    }
    if !types.isEmpty { notices.append(.boxesLeftOut(types)) }
  }

  /// Counts a fragment, and looks at what it begins with.
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
        do throws(SourceError) {
          if try main.lacksLayers(lead.firstSample) {
            notices.append(.layersMissing(trackID: main.id, fragment: fragments))
          }
        } catch { throw EditError(.unreadable, error) }
      }
    }
    for id in fragment.tracksWithoutSync
    where !notices.contains(where: { if case .trackWithoutSync(id, _) = $0 { true } else { false } }) {
      notices.append(.trackWithoutSync(trackID: id, fragment: fragments))
    }
  }
}

extension FragmentReport.Notice {
  /// What kind of notice it is, as JSON names it.
  public var kind: String {
    switch self {
    case .longFragment: "longFragment"
    case .startsWithoutSync: "startsWithoutSync"
    case .layersMissing: "layersMissing"
    case .trackWithoutSync: "trackWithoutSync"
    case .startsLate: "startsLate"
    case .boxesLeftOut: "boxesLeftOut"
    }
  }

  /// What is the matter, in words.
  public var message: String {
    switch self {
    case .longFragment(let number, let duration):
      "fragment \(number) lasts \((duration.seconds * 1_000).rounded() / 1_000) s, because no sync sample comes before"
    case .startsWithoutSync(let id):
      "the first sample of track \(id) is not a sync sample: players may not be able to begin with it"
    case .layersMissing(let id, let fragment):
      "fragment \(fragment) begins with a sample of track \(id) in which not every layer can be decoded by itself"
    case .trackWithoutSync(let id, let fragment):
      "track \(id) does not begin with a sync sample in fragment \(fragment)"
    case .startsLate(let time):
      "nothing is presented for the first \((time.seconds * 1_000).rounded() / 1_000) s, as the fragments have it"
    case .boxesLeftOut(let types):
      "boxes of the old fragments are left out: \(types.map { "\($0)" }.joined(separator: ", "))"
    }
  }
}
