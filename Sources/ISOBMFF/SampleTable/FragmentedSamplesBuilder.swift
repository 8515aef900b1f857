// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import FileAccess

/// Collects the samples of all tracks from movie fragments, in file order.
///
/// All tracks share one builder, because the data of a track may be placed relative to that of another.
package struct FragmentedSamplesBuilder: Sendable {
  private struct Track {
    let id: UInt32
    /// Its defaults (`trex`); `nil` if it has none.
    var extends: TrackExtendsBox?
    var samples = FragmentedSamples()
    var hasFragments = false
    var gaps = 0
    var overlaps = 0
    var firstBreak: (offset: Int, expected: Int64, found: Int64)?

    /// Begins a fragment and returns the decoding time of its first sample: the one in the fragment, or else the time at which the
    /// previous fragment ends. If the two differ, there is a gap or an overlap.
    ///
    /// - Parameters:
    ///   - offset: where the fragment is in the file.
    ///   - told: the decoding time that the fragment states; `nil` if it states none.
    mutating func beginFragment(at offset: Int, told: UInt64?) -> Int64 {
      let expected = samples.endTime
      let isFirst = !hasFragments && expected <= 0
      hasFragments = true
      guard let told else { return expected }
      let found = Int64(clamping: told)
      if found != expected, !isFirst {
        if firstBreak == nil { firstBreak = (offset, expected, found) }
        if found > expected { gaps += 1 } else { overlaps += 1 }
      }
      return found
    }
  }

  private let limits: Limits
  private var tracks: [Track] = []
  /// The index in `tracks` of each track, by its ID.
  private var places: [UInt32: Int] = [:]
  /// The place of the last fragment's track; the next fragment usually belongs to the same track.
  private var lastPlace = 0
  /// The file offset of the `moof` whose fragments are added.
  private var moof: UInt64 = 0
  /// Where the data of its last fragment ends.
  private var endOfPrevious: UInt64 = 0
  /// How many more samples whose rows take no bytes may follow, in all tracks together.
  private var uniformSamplesLeft: Int
  private var list: DiagnosticList
  /// Errors that make samples missing, by track; `nil` for those that concern all tracks.
  private var losses: [UInt32?: DiagnosticList] = [:]
  /// How many errors are kept for each track, because any number of tracks may have some.
  private static let maximumLosses = 8
  /// How many errors of runs are kept for each `traf`, which may have any number of them.
  private static let maximumRunErrors = 8

  /// Starts after the samples of the `moov`.
  ///
  /// - Parameters:
  ///   - extends: the `trex` of each track; of several of one track, the first counts.
  ///   - startTimes: the decoding time at which the samples of the `moov` end, by track ID.
  ///   - limits: the limits that apply to the work.
  package init(extends: [TrackExtendsBox], startTimes: [UInt32: Int64] = [:], limits: Limits = .standard) {
    self.limits = limits
    uniformSamplesLeft = limits.maximumUniformSamples
    list = DiagnosticList()
    for box in extends {
      let place = place(ofTrack: box.trackID)
      if tracks[place].extends == nil { tracks[place].extends = box }
    }
    for (id, time) in startTimes { tracks[place(ofTrack: id)].samples = FragmentedSamples(startTime: time) }
  }

  /// The index of a track, which is added if it is new.
  private mutating func place(ofTrack id: UInt32) -> Int {
    if lastPlace < tracks.count, tracks[lastPlace].id == id { return lastPlace }
    if let known = places[id] {
      lastPlace = known
    } else {
      lastPlace = tracks.count
      places[id] = lastPlace
      tracks.append(Track(id: id))
    }
    return lastPlace
  }

  /// Begins with the fragments of a `moof`, which is at the file offset `offset`.
  package mutating func beginMovieFragment(at offset: UInt64) {
    moof = offset
    endOfPrevious = offset
  }

  /// Adds the samples of the next `traf` of the `moof`: those of one track. Large runs are loaded now.
  ///
  /// - Parameters:
  ///   - boxes: the boxes in the `traf`.
  ///   - offset: the file offset of the `traf`.
  ///   - tree: the tree that the boxes are from.
  package mutating func append(
    trackFragment boxes: [Box], at offset: Int, in tree: borrowing BoxTree
  ) throws(SourceError) {
    guard let header = Self.first(TrackFragmentHeaderBox.self, in: boxes) else {
      note(
        Diagnostic(
          .error, "missing-structure", path: "moof/traf", offset: offset,
          "has no tfhd: its samples are lost"), ofTrack: nil)
      return
    }
    let place = place(ofTrack: header.trackID)
    if tracks[place].extends == nil, !tracks[place].hasFragments {
      list.append(
        .warning, "missing-track-extends", path: "moof/traf", offset: offset,
        "track \(header.trackID) has fragments but no trex: its defaults are treated as 0")
    }
    let defaults = SampleDefaults(header, tracks[place].extends)
    let told = Self.first(TrackFragmentDecodeTimeBox.self, in: boxes)?.baseMediaDecodeTime
    var time = tracks[place].beginFragment(at: offset, told: told)
    // What offsets are relative to. ISO/IEC 14496-12, 8.8.7.1
    let base = header.baseDataOffset ?? (header.isDefaultBaseMoof ? moof : endOfPrevious)
    var position = base
    var (isFull, hasRows, errors) = (false, false, 0)
    for index in boxes.indices where boxes[index].type == "trun" {
      let (box, error) = try Self.run(boxes, at: index, in: tree)
      if let error, errors < Self.maximumRunErrors {
        note(Diagnostic(.error, error.inPath("moof/traf/trun")), ofTrack: header.trackID)
        errors += 1
      }
      guard let box else { continue }
      let run = FragmentRun(box, defaults: defaults)
      hasRows = hasRows || run.count > 0
      if isFull { continue }
      if let dataOffset = box.dataOffset { position = base &+ UInt64(bitPattern: Int64(dataOffset)) }
      if admits(run, ofTrackAt: place, at: offset) {
        (time, position) = tracks[place].samples.append(run, time: time, offset: position)
      } else {
        isFull = true
      }
    }
    if header.isDurationEmpty {
      // No samples: the default duration passes, unless more is known. ISO/IEC 14496-12, 8.8.7.2
      time &+= Int64(defaults.duration)
      if hasRows {
        list.append(
          .warning, "samples-in-empty-fragment", path: "moof/traf", offset: offset,
          "signals that it has no samples, but has some")
      }
    }
    endOfPrevious = position
    tracks[place].samples.advance(to: time)
  }

  /// The payload of the first box that has one of this kind; `nil` if there is none.
  private static func first<Payload: BoxPayload>(_: Payload.Type, in boxes: [Box]) -> Payload? {
    for index in boxes.indices {
      guard boxes[index].kind.payloadID == ObjectIdentifier(Payload.self) else { continue }
      if let (payload, _) = Box.decodeUnchanged(boxes, at: index, as: Payload.self) { return payload }
      if let payload = boxes[index].payload(Payload.self) { return payload }
    }
    return nil
  }

  private static func run(
    _ boxes: [Box], at index: Int, in tree: borrowing BoxTree
  ) throws(SourceError) -> (TrackRunBox?, ParseError?) {
    if let (run, error) = Box.decodeUnchanged(boxes, at: index, as: TrackRunBox.self) { return (run, error) }
    let decoding = try tree.loaded(boxes[index]).decodePayload()
    return (decoding?.payload as? TrackRunBox, decoding?.error)
  }

  /// Whether the samples of a run are within the limits; if not, reports that.
  private mutating func admits(_ run: borrowing FragmentRun, ofTrackAt place: Int, at offset: Int) -> Bool {
    var exceeded: String?
    if run.count > limits.maximumSamples - tracks[place].samples.count {
      exceeded = "\(limits.maximumSamples) (maximumSamples)"
    } else if !run.takesBytes, run.count > uniformSamplesLeft {
      exceeded = "\(limits.maximumUniformSamples) (maximumUniformSamples)"
    }
    if let exceeded {
      note(
        Diagnostic(
          .error, "limit-exceeded", path: "moof/traf/trun", offset: offset,
          "\(run.count) samples are over the limit of \(exceeded)"), ofTrack: tracks[place].id)
      return false
    }
    if !run.takesBytes { uniformSamplesLeft -= run.count }
    return true
  }

  /// Records a problem with a fragment. Errors mean that samples of the track are missing; `nil` means any track.
  package mutating func note(_ diagnostic: Diagnostic, ofTrack id: UInt32?) {
    list.append(diagnostic)
    guard diagnostic.severity == .error else { return }
    losses[id, default: DiagnosticList(limit: Self.maximumLosses)].append(diagnostic)
  }

  /// Errors because of which samples of a track may be missing.
  package func losses(ofTrack id: UInt32) -> DiagnosticList {
    var found = losses[nil] ?? DiagnosticList(limit: Self.maximumLosses)
    if let own = losses[id] { found.append(own) }
    return found
  }

  /// The samples of a track, as listed by fragments.
  package func samples(ofTrack id: UInt32) -> FragmentedSamples {
    places[id].map { tracks[$0].samples } ?? FragmentedSamples()
  }

  /// The tracks that have fragments.
  package var trackIDs: [UInt32] { tracks.filter(\.hasFragments).map(\.id).sorted() }

  /// Problems with the fragments.
  package var diagnostics: DiagnosticList {
    var list = list
    for track in tracks.sorted(by: { $0.id < $1.id }) {
      guard let first = track.firstBreak else { continue }
      if track.gaps > 0 {
        list.append(
          .note, "decode-time-gap", path: "moof/traf/tfdt", offset: first.offset,
          "\(track.gaps) fragments of track \(track.id) begin after the end of the previous one; "
            + "the first break is at \(first.found), expected at \(first.expected)")
      }
      if track.overlaps > 0 {
        list.append(
          .warning, "decode-time-overlap", path: "moof/traf/tfdt", offset: first.offset,
          "\(track.overlaps) fragments of track \(track.id) begin before the end of the previous one; "
            + "the first break is at \(first.found), expected at \(first.expected)")
      }
    }
    return list
  }
}
