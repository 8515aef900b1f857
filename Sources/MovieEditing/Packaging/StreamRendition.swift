// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A track as it is streamed: an init segment, media segments, and their attributes in playlists.
struct StreamRendition {
  /// A media segment.
  struct Segment {
    /// The brands, event messages, the fragment, and its samples in the movie.
    var pieces: [WritePlan.Piece]
    var size: UInt64
    var duration: MediaTime
    /// The decoding time of its first sample.
    var start: MediaTime
    /// The number of bytes from its beginning to the end of its first picture.
    var firstPictureSize: UInt64
  }

  /// Its name, and that of the folder of its files.
  let name: String
  let movie: MovieFile
  /// The index of the movie that it is made from, among those that are streamed.
  var movieIndex = 0
  let track: Track
  let initSegment: [UInt8]
  private(set) var segments: [Segment] = []
  private(set) var notices: [FragmentReport.Notice] = []
  /// The number of samples in the segments that the edit list does not present, and how long they last.
  private(set) var hiddenSamples = 0
  private(set) var hiddenDuration = MediaTime.zero
  /// For how long the edit list presents nothing before the first segment.
  private(set) var emptyStart = MediaTime.zero
  /// The number of segments after the first that have pictures which need the segment before: those that are presented
  /// before the first picture (RASL).
  private(set) var dependentSegments = 0
  /// The target duration of its playlists in seconds: the least one that its segments allow, or more, since all variants have the same.
  /// RFC 8216, 6.2.4
  var targetDuration = 1
  /// Its attributes in the master playlist, without bit rates.
  private(set) var attributes = PlaylistAttributes()

  /// - Parameter hasEdits: whether an edit takes the place of negative composition offsets.
  init(
    _ track: Track, of movie: MovieFile, name: String, duration: MediaTime, hasEdits: Bool = false
  ) throws(EditError) {
    (self.name, self.movie, self.track) = (name, movie, track)
    let edit = try Self.onlyEdit(of: track, in: movie)
    var cutter = try FragmentCutter(movie, tracks: [track], duration: duration, hasEdits: hasEdits)
    // Players read them in the pictures, or in sound without any.
    if track.mediaType.isVisual || movie.mainVideoTrack == nil { cutter.events = EventMessages(of: movie) }
    if track.mediaType.isVisual {
      cutter.betterAccessPoints = try reading(track.betterAccessPoints())
    }
    let start = try InitSegment(movie)
    var moov = try start.movieBox(cutter.tracks, duration: start.duration, isPlain: true)
    moov.removeReferencesToOthers()
    try refusing(moov.enableTracks())
    // Sound of other codecs keeps the form of QuickTime, and so its brand.
    let isPlain = track.mediaType == .audio && !moov.hasSoundInQuickTimeForm
    let segmentType = try start.fileType(isSegment: true, tracks: 1, isPlain: isPlain)
    var report = FragmentReport(tracks: cutter.tracks)
    report.noteBoxes(of: movie)
    let type = try start.fileType(tracks: 1, isPlain: isPlain)
    initSegment = try type + refusing(moov.encodedWithoutFreeContents())
    while let fragment = try cutter.next() {
      guard segments.count < Limits.maximumFragments else {
        throw EditError(
          .exceedsLimit, "there are too many segments", advice: "Make them longer\(.changePartLength).")
      }
      let lead = fragment.lead
      if segments.isEmpty, !lead.firstSample.isSync {
        throw .refused(
          "the first sample of track \(track.id) is not a sync sample, and segments must begin with one",
          advice: "Begin at one\(.cutBeginning).")
      }
      if !segments.isEmpty, cutter.betterAccessPoints[lead.firstSample.index] != nil {
        dependentSegments += 1
      }
      try report.add(fragment, of: cutter, wanting: duration)
      let size = UInt64(segmentType.count) + fragment.size
      segments.append(
        Segment(
          pieces: fragment.pieces(after: segmentType, of: movie.source), size: size,
          duration: fragment.duration, start: fragment.start,
          firstPictureSize: size - fragment.mediaSize + UInt64(lead.firstSample.size)))
    }
    notices = report.notices
    targetDuration = leastTargetDuration
    if let edit { try countHidden(by: edit) }
    emptyStart = track.emptyStart(in: movie)
    try describe(cutter.shifts)
  }

  /// The plan of the whole rendition as one file.
  func plan() throws(EditError) -> WritePlan {
    var pieces: [WritePlan.Piece] = [.bytes(ByteView(initSegment))]
    for segment in segments { pieces += segment.pieces }
    return try refusing(WritePlan(pieces: pieces))
  }

  /// The plan of a segment as a file of its own.
  func plan(of segment: Segment) throws(EditError) -> WritePlan {
    try refusing(WritePlan(pieces: segment.pieces))
  }

  /// Compares the samples of the rendition with those of the track, and derives the attributes for playlists from it.
  private mutating func describe(_ shifts: [UInt32: Int64]) throws(EditError) {
    let made = try MovieEditor(draft: try plan(), of: [movie]).movie
    do throws(SourceError) {
      let old = try SampleDigest.tracks(of: movie, adding: shifts, inFragments: true).first {
        $0.trackID == track.id
      }
      let new = try SampleDigest.tracks(of: made).first
      let difference =
        if let old, let new {
          try new.difference(from: old, made.source, movie.source, endsWithSamples: true)
        } else {
          "the samples"
        }
      if let difference {
        throw SourceError(.other("\(difference) of track \(track.id) differ in the segments"))
      }
    } catch { throw EditError(.failed, error) }
    if let found = made.playlistAttributes { attributes = found }
    if attributes.codecs.isEmpty, let codec = track.playlistCodec { attributes.codecs = [codec] }
  }

  /// The edit that presents media; `nil` if there is none. Edit lists that the times of segments cannot express
  /// are refused: HLS players follow at most one edit.
  private static func onlyEdit(
    of track: Track, in movie: MovieFile
  ) throws(EditError) -> EditListBox.Entry? {
    guard track.box?["edts/elst"] != nil else { return nil }
    guard let list = track.editListBox else {
      throw EditError(.damaged, "the edit list of track \(track.id) cannot be read")
    }
    let shown = list.entries.filter { $0.mediaTime >= 0 }
    guard shown.count <= 1, list.entries.count <= 2, shown.allSatisfy({ $0.mediaRateInteger == 1 }) else {
      throw .refused(
        "the edit list of track \(track.id) has \(list.entries.count) edits, which HLS players do not support",
        advice: "Make a movie with one edit first.")
    }
    return shown.first
  }

  /// Counts the samples that an edit does not present.
  private mutating func countHidden(by edit: EditListBox.Entry) throws(EditError) {
    let start = MediaTime(value: edit.mediaTime, timescale: track.timescale)
    let length = MediaTime(value: Int64(clamping: edit.editDuration), timescale: movie.movieTimescale)
    var ticks: Int64 = 0
    do throws(SourceError) {
      for sample in try track.samples() where !sample.isNeverComposed {
        let begin = MediaTime(value: sample.compositionTime, timescale: track.timescale)
        let end = begin + MediaTime(value: sample.duration, timescale: track.timescale)
        // An edit with a duration of 0 lasts as long as the media. ISO/IEC 14496-12, 8.6.6.1
        guard end <= start || (length.value > 0 && begin - start >= length) else { continue }
        hiddenSamples += 1
        ticks = ticks.addingReportingOverflow(sample.duration).partialValue
      }
    } catch { throw EditError(.unreadable, error) }
    hiddenDuration = MediaTime(value: ticks, timescale: track.timescale)
  }

  /// The time at which its last segment is presented up to.
  var presentationEnd: MediaTime {
    guard let last = segments.last else { return .zero }
    return last.start + last.duration + track.presentationDelay(in: movie)
  }

  /// Whether each segment can be decoded on its own.
  var isIndependent: Bool { dependentSegments == 0 }

  // MARK: Rates

  /// The total duration of the segments, in seconds.
  var seconds: Double { segments.reduce(0) { $0 + $1.duration.seconds } }

  /// The duration of the longest segment in seconds, as its playlist has it, rounded to the nearest; at least 1. RFC 8216, 4.3.3.1
  var leastTargetDuration: Int {
    segments.reduce(1) { max($0, Int(clamping: (PlaylistText.microseconds($1.duration) / 100_000 + 5) / 10)) }
  }

  /// The bit rates of its segments.
  var rates: StreamRates { StreamRates(segments.map { ($0.size, $0.duration.seconds) }) }
  /// The bit rates of the first pictures of its segments.
  var pictureRates: StreamRates { StreamRates(segments.map { ($0.firstPictureSize, $0.duration.seconds) }) }

  var averageBandwidth: Int { rates.average }
  var peakBandwidth: Int { rates.peak(target: targetDuration) }
}

extension Box {
  /// Removes the references of the only track to other tracks (`tref`).
  fileprivate mutating func removeReferencesToOthers() {
    editAll("trak") { trak in trak.children.removeAll { $0.type == "tref" } }
  }

  /// Enables the only track: one that a player chose is to be played.
  fileprivate mutating func enableTracks() throws(ParseError) {
    try editAll(TrackHeaderBox.self, in: "trak") { $0.flags |= 1 }
  }

  /// Whether a sample entry of sound has the form of QuickTime movies.
  fileprivate var hasSoundInQuickTimeForm: Bool {
    all("trak").contains { trak in
      trak["mdia/minf/stbl/stsd"]?.children.contains {
        $0.payload(AudioSampleEntry.self).map { $0.form != .basic } ?? false
      } ?? false
    }
  }
}
