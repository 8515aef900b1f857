// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

// Rules about whether a track shows anything, and whether it can be played from its beginning.

extension Rule {
  package static let nothingPresented = Rule(
    "MV129", .error, "The edit list presents no sample",
    source: "ISO/IEC 14496-12, 8.6.6", for: .all,
    why: "An edit list determines which part of the media is shown, and when. Its edits are empty, or name "
      + "times at which the media has no samples: nothing is shown, however sound the samples are.",
    fix: "Remove elst, or give it an edit whose media_time is the composition time of the first picture."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard !track.track.edits.isIdentity, let samples = track.samples, samples.count > 0,
      samples.presentation(at: 0) == nil
    else { return }
    findings.add(
      "none of \(samples.count) samples is presented", at: track.place(below: "edts/elst"),
      found: track.track.edits.entriesText, wanted: "media that the track has")
  }

  package static let beginsAtNoSyncSample = Rule(
    "MV130", .warning, "The track does not begin at a sync sample",
    source: "ISO/IEC 14496-12, 8.6.2 and 8.8.3.1", .inferred, for: .all,
    why: "Players start decoding at sync samples. Pictures before the first sync sample are missing or "
      + "damaged: either the beginning of the media was cut off, or the tables do not list where decoding "
      + "can begin. Players cannot seek in a track without sync samples, and may refuse it.",
    fix: "If the first picture is IDR, CRA or BLA, list its sample in stss or in the flags of the fragments. "
      + "Otherwise cut the movie again at such a picture."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let samples = track.samples, samples.sample(at: 0)?.isSync == false else { return }
    let next = samples.first { $0.isSync }?.index
    // Pictures that are no sync samples because of those that follow them (`rap `), or some samples before the first that is right
    // (`roll`). ISO/IEC 14496-12, 10.1 and 10.4
    let hasOtherStarts = track.track.randomAccessGroups.haveMembers
    if hasOtherStarts, next != nil { return }
    let what =
      next.map { "the first sync sample is sample \($0) of \(samples.count)" }
      ?? "none of \(samples.count) samples is a sync sample"
    findings.add(
      what + (hasOtherStarts ? "; where decoding can begin is in sample groups, which few readers know" : ""),
      path: track.path, offset: nil, sample: 0, found: next.map { "sample \($0)" } ?? "none",
      wanted: "sample 0", severity: hasOtherStarts ? .note : nil)
  }
}

extension TrackFacts {
  /// The samples; `nil` if their tables cannot be read.
  fileprivate var samples: TrackSamples? {
    guard !track.isRawStream else { return nil }
    do { return try track.samples() } catch { return nil }
  }
}
