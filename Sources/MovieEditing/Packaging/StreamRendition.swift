// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A track as it is streamed: an init segment, media segments, and what playlists say of them.
struct StreamRendition {
  /// A media segment.
  struct Segment {
    /// Brands, fragment, and header of the media data.
    var header: [UInt8]
    /// Where its samples are in the movie.
    var media: [Range<UInt64>]
    var size: UInt64
    var duration: MediaTime
    /// When it begins, in decoding.
    var start: MediaTime
    /// From its first byte to the end of its first picture.
    var firstPictureSize: UInt64
  }

  /// The folder of its files, and its name.
  let name: String
  let movie: MovieFile
  let track: Track
  let initSegment: [UInt8]
  private(set) var segments: [Segment] = []
  private(set) var notices: [FragmentReport.Notice] = []
  /// How many pictures are in segments that the edit list leaves out.
  private(set) var hiddenPictures = 0
  /// What a master playlist says of it, without rates of bits.
  private(set) var attributes = PlaylistAttributes()

  init(_ track: Track, of movie: MovieFile, name: String, duration: MediaTime) throws(EditError) {
    (self.name, self.movie, self.track) = (name, movie, track)
    let edit = try Self.onlyEdit(of: track, in: movie)
    var cutter = try FragmentCutter(movie, tracks: [track], duration: duration)
    let start = try InitSegment(movie)
    let segmentType = try start.fileType(isSegment: true, tracks: 1)
    var moov = try start.movieBox(cutter.tracks, duration: start.duration)
    moov.removeReferencesToOthers()
    var report = FragmentReport(tracks: cutter.tracks)
    report.noteBoxes(of: movie)
    let type = try start.fileType(tracks: 1)
    do throws(ParseError) {
      initSegment = try type + moov.encoded()
    } catch { throw .refused("\(error)") }
    while let fragment = try cutter.next() {
      guard segments.count < movie.limits.maximumFragments else {
        throw .refused("there are too many segments", advice: "Make them longer: --duration SECONDS.")
      }
      let lead = fragment.lead
      if segments.isEmpty, !lead.firstSample.isSync {
        throw .refused(
          "the first sample of track \(track.id) is not a sync sample, which a segment must begin with",
          advice: "Begin at one: mvedit trim --from TIME.")
      }
      try report.add(fragment, of: cutter, wanting: duration)
      let header = segmentType + fragment.header
      segments.append(
        Segment(
          header: header, media: fragment.media, size: UInt64(header.count) + fragment.mediaSize,
          duration: fragment.duration, start: fragment.start,
          firstPictureSize: UInt64(header.count) + UInt64(lead.firstSample.size)))
    }
    notices = report.notices
    if let edit, track.mediaType.isVisual { try countHidden(by: edit) }
    try describe()
  }

  /// The whole rendition as a file.
  func plan() throws(EditError) -> WritePlan {
    var pieces: [WritePlan.Piece] = [.bytes(ByteView(initSegment))]
    for segment in segments { pieces += self.pieces(of: segment) }
    do throws(ParseError) { return try WritePlan(pieces: pieces) } catch { throw .refused("\(error)") }
  }

  /// A segment as a file of its own.
  func plan(of segment: Segment) throws(EditError) -> WritePlan {
    do throws(ParseError) { return try WritePlan(pieces: pieces(of: segment)) } catch {
      throw .refused("\(error)")
    }
  }

  private func pieces(of segment: Segment) -> [WritePlan.Piece] {
    [.bytes(ByteView(segment.header))] + segment.media.map { .range($0, of: movie.source) }
  }

  /// Compares the samples of the rendition with those of the track, and asks it what playlists say.
  private mutating func describe() throws(EditError) {
    let made = try MovieEditor(draft: try plan(), of: [movie]).movie
    do throws(SourceError) {
      let old = try SampleDigest.tracks(of: movie).first { $0.trackID == track.id }
      guard let old, let new = try SampleDigest.tracks(of: made).first, new.hasSameSamples(as: old) else {
        throw SourceError(.other("the samples of track \(track.id) are not the same in segments"))
      }
      for (mine, other) in zip(new.probes, old.probes) {
        guard try SampleDigest.hasSameBytes(mine, of: made.source, as: other, of: movie.source) else {
          throw SourceError(
            .other("the bytes of sample \(other.index + 1) of track \(track.id) are not the same"))
        }
      }
    } catch { throw EditError(.failed, error) }
    if let found = made.playlistAttributes { attributes = found }
    if attributes.codecs.isEmpty, let codec = track.playlistCodec { attributes.codecs = [codec] }
  }

  /// The edit that presents media; `nil` where there is none. Edits that cannot be expressed by the times of segments are refused: players
  /// of HLS follow one edit at most.
  private static func onlyEdit(
    of track: Track, in movie: MovieFile
  ) throws(EditError) -> EditListBox.Entry? {
    guard let box = track.box?["edts/elst"] else { return nil }
    guard let list = movie.tree?.whole(box).payload(EditListBox.self) else {
      throw .refused("the edit list of track \(track.id) cannot be read")
    }
    let shown = list.entries.filter { $0.mediaTime >= 0 }
    guard shown.count <= 1, list.entries.count <= 2, shown.allSatisfy({ $0.mediaRateInteger == 1 }) else {
      throw .refused(
        "track \(track.id) is presented in \(list.entries.count) edits, which players of HLS do not follow",
        advice: "Make a movie of one edit first.")
    }
    return shown.first
  }

  /// Counts the pictures of which an edit presents nothing.
  private mutating func countHidden(by edit: EditListBox.Entry) throws(EditError) {
    let start = MediaTime(value: edit.mediaTime, timescale: track.timescale)
    let length = MediaTime(value: Int64(clamping: edit.editDuration), timescale: movie.movieTimescale)
    do throws(SourceError) {
      for sample in try track.samples() where !sample.isNeverComposed {
        let begin = MediaTime(value: sample.compositionTime, timescale: track.timescale)
        let end = begin + MediaTime(value: sample.duration, timescale: track.timescale)
        // An edit of no length lasts as long as the media. ISO/IEC 14496-12, 8.6.6.1
        if end <= start || (length.value > 0 && begin - start >= length) { hiddenPictures += 1 }
      }
    } catch { throw EditError(.unreadable, error) }
  }

  // MARK: Rates

  /// How long all segments last, in seconds.
  var seconds: Double { segments.reduce(0) { $0 + $1.duration.seconds } }

  /// The whole seconds that no segment is longer than. RFC 8216, 4.3.3.1
  var targetDuration: Int {
    segments.reduce(1) { max($0, Int(clamping: Int64($1.duration.seconds.rounded(.up)))) }
  }

  /// The rates of its segments.
  var rates: StreamRates { StreamRates(segments.map { ($0.size, $0.duration.seconds) }) }
  /// The rates of the pictures that segments begin with.
  var pictureRates: StreamRates { StreamRates(segments.map { ($0.firstPictureSize, $0.duration.seconds) }) }

  var averageBandwidth: Int { rates.average }
  var peakBandwidth: Int { rates.peak(target: targetDuration) }
}

extension Box {
  /// Removes from the only track what names others, and groups of tracks that it could be exchanged with.
  fileprivate mutating func removeReferencesToOthers() {
    for index in children.indices where children[index].type == "trak" {
      children[index].children.removeAll { $0.type == "tref" }
    }
  }
}
