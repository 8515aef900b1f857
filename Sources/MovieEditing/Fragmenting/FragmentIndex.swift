// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The index of the fragments of a movie (`sidx`), by presentation times. ISO/IEC 14496-12, 8.16.3
struct FragmentIndex {
  private let movie: MovieFile
  private let trackID: UInt32
  private let timescale: UInt32
  private var references: [SegmentIndexBox.Reference] = []
  private var first: MediaTime?
  /// The presentation time of the last fragment, and its duration in decoding time.
  private var last: (start: MediaTime, length: MediaTime)?
  /// The presentation time of media time 0 of each track.
  private var delays: [UInt32: MediaTime] = [:]

  init(_ track: Track, of movie: MovieFile) {
    self.movie = movie
    trackID = track.id
    timescale = track.timescale
  }

  /// Adds a fragment.
  mutating func add(_ fragment: MovieFragment, size: UInt64) throws(EditError) {
    let lead = fragment.lead
    let composition = lead.firstComposition ?? lead.firstSample.decodeTime
    // What edits hide before the beginning is never presented.
    let start = max(.zero, presentationTime(of: composition, in: lead.track))
    finishLast(at: start)
    guard let size = UInt32(exactly: size), size < 1 << 31 else {
      throw EditError(
        .exceedsLimit, "fragment \(references.count + 1) has more than 2 GiB, too much for an index",
        advice: "Make fragments shorter\(.changePartLength).")
    }
    guard references.count < Int(UInt16.max) else {
      throw EditError(
        .exceedsLimit, "there are more than 65535 fragments, too many for an index",
        advice: "Make fragments longer\(.changePartLength).")
    }
    if first == nil { first = start }
    last = (start, fragment.duration)
    var reference = SegmentIndexBox.Reference(size: size, duration: 0)
    // A fragment without samples of the track has no access point.
    if lead.track.id == trackID {
      reference.sapType = try reading(lead.accessPointType())
      reference.startsWithSAP = reference.sapType != 0
      if reference.sapType == 3 {
        // From this time on, all pictures are decoded correctly.
        let delay = presentationTime(of: lead.firstSample.compositionTime, in: lead.track) - start
        reference.sapDeltaTime = UInt32(clamping: min(delay.converted(to: timescale).value, 1 << 28 - 1))
      }
    }
    references.append(reference)
  }

  private mutating func finishLast(at time: MediaTime?) {
    guard let last, let index = references.indices.last else { return }
    let length = time.map { $0 - last.start } ?? last.length
    references[index].subsegmentDuration = UInt32(clamping: length.converted(to: timescale).value)
  }

  /// The presentation time of a media time, by the first edit that has media.
  private mutating func presentationTime(of time: Int64, in track: Track) -> MediaTime {
    let delay = delays[track.id] ?? track.presentationDelay(in: movie)
    delays[track.id] = delay
    return MediaTime(value: time, timescale: track.timescale) + delay
  }

  /// Returns the box of the index.
  mutating func box() throws(ParseError) -> Box {
    finishLast(at: nil)
    var index = SegmentIndexBox()
    index.referenceID = trackID
    index.timescale = timescale
    index.earliestPresentationTime = UInt64(
      clamping: (first ?? .zero).converted(to: timescale).value)
    index.version = index.earliestPresentationTime > UInt64(UInt32.max) ? 1 : 0
    index.references = try PackedTable(references)
    return Box("sidx", index, in: .file)
  }
}

extension Track {
  /// The presentation time of media time 0: the duration of the empty edits before its first edit with media, minus
  /// the media time of that edit.
  func presentationDelay(in movie: MovieFile) -> MediaTime {
    guard let first = editListBox?.entries.first(where: { $0.mediaTime >= 0 }) else { return .zero }
    return emptyStart(in: movie) - MediaTime(value: first.mediaTime, timescale: timescale)
  }

  /// The duration of the empty edits before its first edit with media.
  func emptyStart(in movie: MovieFile) -> MediaTime {
    guard let list = editListBox, let place = list.entries.firstIndex(where: { $0.mediaTime >= 0 })
    else { return .zero }
    let empty = list.entries[..<place].reduce(UInt64(0)) { sum, entry in
      sum.addingReportingOverflow(entry.editDuration).partialValue
    }
    return MediaTime(value: Int64(clamping: empty), timescale: movie.movieTimescale)
  }
}

extension MovieFragment.Lead {
  /// The type of the access point that the fragment begins with; 0 if it is not one. ISO/IEC 14496-12, Annex I
  ///
  /// 1: no sample is presented before the first one. 2: some are, and all of them can be decoded. 3: some of
  /// these need preceding samples.
  fileprivate func accessPointType() throws(SourceError) -> UInt8 {
    guard firstSample.isSync, !firstSample.isPartialSync else {
      return track.isOpenAccessPoint(firstSample) ? 3 : 0
    }
    guard !leadingSamples.isEmpty else { return 1 }
    return try track.hasSkippedPictures(in: leadingSamples) ? 3 : 2
  }
}
