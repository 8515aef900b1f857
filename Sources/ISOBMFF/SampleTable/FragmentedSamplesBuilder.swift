// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The contents of one `traf`: the samples of one track in a movie fragment.
package struct TrackFragment: Sendable {
  /// The header (`tfhd`).
  package var header: TrackFragmentHeaderBox
  /// The decoding time of the first sample; `nil` if absent (`tfdt`).
  package var decodeTime: TrackFragmentDecodeTimeBox?
  /// The runs, in order (`trun`).
  package var runs: [TrackRunBox]
  /// The file offset of the `traf`, for diagnostics; `nil` if unknown.
  package var offset: Int?

  /// Makes a fragment from its boxes.
  package init(
    header: TrackFragmentHeaderBox, decodeTime: TrackFragmentDecodeTimeBox? = nil, runs: [TrackRunBox] = [],
    offset: Int? = nil
  ) {
    self.header = header
    self.decodeTime = decodeTime
    self.runs = runs
    self.offset = offset
  }
}

/// Collects the samples of all tracks from movie fragments, in file order.
///
/// All tracks share one builder, because the data of a track may be placed relative to that of another.
package struct FragmentedSamplesBuilder: Sendable {
  private struct Track {
    var samples: FragmentedSamples
    var hasFragments = false
    var gaps = 0
    var overlaps = 0
    var firstBreak: (offset: Int?, expected: Int64, found: Int64)?
  }

  private let extends: [UInt32: TrackExtendsBox]
  private let limits: Limits
  private var tracks: [UInt32: Track] = [:]
  /// How many more samples whose rows take no bytes may follow, in all tracks together.
  private var uniformSamplesLeft: Int
  private var list: DiagnosticList
  /// Errors that make samples missing, by track; `nil` for those that concern all tracks.
  private var losses: [UInt32?: DiagnosticList] = [:]
  /// How many errors are kept for each track, because any number of tracks may have some.
  private static let maximumLosses = 8

  /// Starts after the samples of the `moov`.
  ///
  /// - Parameters:
  ///   - extends: the `trex` of each track, by track ID.
  ///   - startTimes: the decoding time at which the samples of the `moov` end, by track ID.
  ///   - limits: the limits that apply to the work.
  package init(extends: [TrackExtendsBox], startTimes: [UInt32: Int64] = [:], limits: Limits = .standard) {
    self.extends = Dictionary(extends.map { ($0.trackID, $0) }) { first, _ in first }
    self.limits = limits
    uniformSamplesLeft = limits.maximumUniformSamples
    list = DiagnosticList()
    for (id, time) in startTimes { tracks[id] = Track(samples: FragmentedSamples(startTime: time)) }
  }

  /// Adds the fragments of a `moof` at the file offset `offset`.
  package mutating func append(_ fragments: [TrackFragment], at offset: UInt64) {
    var endOfPrevious = offset
    for fragment in fragments { append(fragment, moof: offset, endOfPrevious: &endOfPrevious) }
  }

  private mutating func append(
    _ fragment: TrackFragment, moof: UInt64, endOfPrevious: inout UInt64
  ) {
    let header = fragment.header
    let id = header.trackID
    let trackExtends = extends[id]
    if trackExtends == nil, tracks[id]?.hasFragments != true {
      list.append(
        .warning, "missing-track-extends", path: "moof/traf", offset: fragment.offset,
        "track \(id) has fragments but no trex: its defaults are treated as 0")
    }
    let defaults = SampleDefaults(header, trackExtends)
    var track = tracks.removeValue(forKey: id) ?? Track(samples: FragmentedSamples())
    defer { tracks[id] = track }

    var time = track.samples.endTime
    if let told = fragment.decodeTime {
      let found = Int64(clamping: told.baseMediaDecodeTime)
      if found != time, track.hasFragments || track.samples.endTime > 0 {
        if track.firstBreak == nil { track.firstBreak = (fragment.offset, time, found) }
        if found > time { track.gaps += 1 } else { track.overlaps += 1 }
      }
      time = found
    }
    track.hasFragments = true

    // What offsets are relative to. ISO/IEC 14496-12, 8.8.7.1
    let base = header.baseDataOffset ?? (header.isDefaultBaseMoof ? moof : endOfPrevious)
    var position = base
    for run in fragment.runs {
      if let dataOffset = run.dataOffset { position = base &+ UInt64(bitPattern: Int64(dataOffset)) }
      guard admits(run, of: track, id, at: fragment.offset) else { break }
      (time, position) = FragmentRun(run, defaults: defaults).split(time: time, offset: position) { part in
        if part.count > 0 { track.samples.append(part) }
      }
    }
    if header.isDurationEmpty {
      // No samples: the default duration passes, unless more is known. ISO/IEC 14496-12, 8.8.7.2
      time &+= Int64(defaults.duration)
      if fragment.runs.contains(where: { !$0.rows.isEmpty }) {
        list.append(
          .warning, "samples-in-empty-fragment", path: "moof/traf", offset: fragment.offset,
          "signals that it has no samples, but has some")
      }
    }
    endOfPrevious = position
    track.samples.advance(to: time)
  }

  /// Whether the samples of a run are within the limits; if not, reports that.
  private mutating func admits(
    _ run: TrackRunBox, of track: Track, _ id: UInt32, at offset: Int?
  ) -> Bool {
    let count = run.rows.count
    let takesBytes = TrackRunBox.Row.bits(run.rows.format) > 0
    var exceeded: String?
    if count > limits.maximumSamples - track.samples.count {
      exceeded = "\(limits.maximumSamples) (maximumSamples)"
    } else if !takesBytes, count > uniformSamplesLeft {
      exceeded = "\(limits.maximumUniformSamples) (maximumUniformSamples)"
    }
    if let exceeded {
      note(
        Diagnostic(
          .error, "limit-exceeded", path: "moof/traf/trun", offset: offset,
          "\(count) samples are over the limit of \(exceeded)"), ofTrack: id)
      return false
    }
    if !takesBytes { uniformSamplesLeft -= count }
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
  package func samples(ofTrack id: UInt32) -> FragmentedSamples { tracks[id]?.samples ?? FragmentedSamples() }

  /// The tracks that have fragments.
  package var trackIDs: [UInt32] { tracks.filter { $0.value.hasFragments }.keys.sorted() }

  /// Problems with the fragments.
  package var diagnostics: DiagnosticList {
    var list = list
    for id in trackIDs {
      guard let track = tracks[id], let first = track.firstBreak else { continue }
      if track.gaps > 0 {
        list.append(
          .note, "decode-time-gap", path: "moof/traf/tfdt", offset: first.offset,
          "\(track.gaps) fragments of track \(id) begin after the end of the previous one; "
            + "the first break is at \(first.found), expected at \(first.expected)")
      }
      if track.overlaps > 0 {
        list.append(
          .warning, "decode-time-overlap", path: "moof/traf/tfdt", offset: first.offset,
          "\(track.overlaps) fragments of track \(id) begin before the end of the previous one; "
            + "the first break is at \(first.found), expected at \(first.expected)")
      }
    }
    return list
  }
}
