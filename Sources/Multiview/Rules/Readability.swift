// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// Whether a file is sound enough for a prediction. If not, the answer is "unknown" and never a guess.
struct Readability: Sendable {
  /// Why the file is not sound enough, in words; empty if it is.
  private(set) var reasons: [String] = []
  /// The reasons that no rule about boxes, tables or samples reports.
  private(set) var untold: [String] = []
  /// The reasons that are limits: the file may be sound, but only a part of it was examined.
  private(set) var partial: [String] = []
  /// Whether boxes or their fields are damaged, so that what seems to be missing may be present.
  private(set) var isDamaged = false
  private let isFragmented: Bool

  init(_ context: RuleContext) {
    isFragmented = context.isFragmented
    guard let tree = context.movie.tree else {
      noteStream(context)
      return
    }
    guard let moov = tree.first("moov") else {
      if !context.isImageFile {
        reasons.append(
          context.isMediaSegment
            ? "the file is a media segment: its samples are described in another file, the init segment"
            : "the movie box (moov) is missing")
      }
      return
    }
    if moov.first("cmov") != nil { reasons.append("the movie box is compressed (cmov)") }
    noteStructure(tree)
    // Boxes that a limit left unread may also be present.
    let hasUnreadBoxes = !partial.isEmpty
    isDamaged = !reasons.isEmpty
    for item in context.movie.diagnostics
    where item.code == Self.limitCode && !tree.diagnostics.contains(item) {
      addPartial(Self.words(item))
    }
    guard let track = context.mainTrack else { return }
    noteFields(context.fieldDiagnostics, of: track)
    isDamaged = hasUnreadBoxes || reasons.count > partial.count
    note(track)
    for other in context.allFacts where other !== track {
      noteCensus(of: other, words: "track \(other.track.id): ")
    }
    // Another description cannot change the prediction for flat video.
    if track.isStereoAttempt || track.isProjectionAttempt,
      let number = context.unexaminedDescription(of: track)
    {
      addPartial(
        "samples of track \(track.track.id) have sample description \(number), which is not examined")
    }
  }

  private static let limitCode: Diagnostic.Code = "limit-exceeded"

  private mutating func addPartial(_ reason: String) {
    guard !partial.contains(reason) else { return }
    reasons.append(reason)
    partial.append(reason)
  }

  /// The place of a diagnostic and its message.
  private static func words(_ item: Diagnostic) -> String {
    (item.path.isEmpty ? "file" : item.path) + (item.offset.map { " at \($0)" } ?? "") + ": " + item.message
  }

  private mutating func addUntold(_ reason: String) {
    reasons.append(reason)
    untold.append(reason)
  }

  private func path(_ path: String, isBelow container: String) -> Bool {
    path == container || path.hasPrefix(container + "/")
  }

  /// Damage in the boxes that lead to the sample descriptions of video.
  private mutating func noteStructure(_ tree: BoxTree) {
    for item in tree.diagnostics where item.severity == .error {
      guard item.path.isEmpty || path(item.path, isBelow: "moov") else { continue }
      guard item.code != Self.limitCode else {
        if partial.isEmpty { addPartial(Self.words(item)) }
        continue
      }
      reasons.append("the boxes are damaged: " + Self.words(item))
      return
    }
    if tree.diagnostics.omittedErrors > 0 {
      reasons.append("the boxes are damaged in more places than are listed")
    }
  }

  /// Damage in the fields of a track: its tables, its edit list, its headers.
  private mutating func noteFields(_ diagnostics: DiagnosticList, of track: TrackFacts) {
    let parts = ["tkhd", "edts", "mdia"].map { track.track.path + "/" + $0 }
    let entries = track.track.path + "/mdia/minf/stbl/stsd/"
    for item in diagnostics where item.severity == .error && !item.path.hasPrefix(entries) {
      guard parts.contains(where: { path(item.path, isBelow: $0) }) else { continue }
      reasons.append("\(item.path) cannot be read: \(item.message)")
      return
    }
    if diagnostics.omittedErrors > 0 { reasons.append("more boxes cannot be read than are listed") }
  }

  private mutating func noteStream(_ context: RuleContext) {
    guard let track = context.mainTrack else { return }
    noteCensus(of: track)
    if track.analysis.layers.isEmpty || track.census.layers.isEmpty {
      addUntold("no picture could be read from the stream")
    }
  }

  private mutating func note(_ track: TrackFacts) {
    if track.report.classification == .unknown, let fact = track.report.facts.first {
      // For stereo video, the rule about required boxes reports the same.
      if track.isStereoAttempt, !track.stereo.unreadableBoxes.isEmpty {
        reasons.append(fact.text)
      } else {
        addUntold(fact.text)
      }
    }
    guard let description = track.description else { return }
    let damaged = description.diagnostics.first { item in
      item.severity == .error && Self.decisiveCodes.contains(item.code)
        && !item.path.hasSuffix("/must")
    }
    if let damaged { reasons.append("\(damaged.path) cannot be read: \(damaged.message)") }
    if let record = ["hvcC", "lhvC"].first(where: { Self.isDamaged($0, in: description) }) {
      reasons.append("\(record) cannot be read")
      isDamaged = true
    }
    noteParameterSets(track)
    noteLosses(track)
    noteSamples(track)
  }

  private static let decisiveCodes: Set<Diagnostic.Code> = [
    "truncated", "count-exceeds-data", "invalid-size",
  ]

  private static func isDamaged(_ type: FourCC, in description: FormatDescription) -> Bool {
    guard let box = description.box.first(type) else { return false }
    return box.structuralProblem != nil || box.decodeLoadedPayload()?.error != nil
  }

  /// Parameter sets that cannot be read leave open what the layers are.
  private mutating func noteParameterSets(_ track: TrackFacts) {
    guard track.isHEVC else { return }
    for item in track.analysis.diagnostics where item.severity == .error {
      let reason = "\(item.path): \(item.message)"
      if item.code == Self.limitCode { addPartial(reason) } else { addUntold(reason) }
      break
    }
    // The message that assigns the eyes may be in the part that was not read.
    guard track.isMultiview, track.claimsBothEyes,
      track.analysis.eyeAssignment.decidedBy.map({ $0 == .convention }) ?? true
    else { return }
    let unknown = "it is not known which eye a layer is for: "
    if let gap = track.analysis.firstSampleGap {
      let reason = unknown + "only a part of the first sample was read: \(gap.reason)"
      if case .limitExceeded = gap.code { addPartial(reason) } else { addUntold(reason) }
    } else if let damage = track.analysis.damagedEyeMessage {
      addUntold(unknown + damage.words)
    }
  }

  /// Samples that tables or fragments should list but do not. If tables disagree, a rule reports that, and decides.
  private mutating func noteLosses(_ track: TrackFacts) {
    do throws(SourceError) {
      if let limit = try track.track.sampleLosses().first(where: { $0.code == Self.limitCode }) {
        addPartial(Self.words(limit))
      }
      let lost = try track.track.fragmentLosses().first { $0.code != Self.limitCode }
      guard let lost else { return }
      let reason = "samples are missing: " + (lost.path.isEmpty ? "" : lost.path + ": ") + lost.message
      if lost.code == "missing-structure" { addUntold(reason) } else { reasons.append(reason) }
    } catch { addUntold("the samples cannot be found: \(error.reason)") }
  }

  /// Samples that could not be examined to their end.
  private mutating func noteCensus(of track: TrackFacts, words: String = "") {
    guard track.isHEVC, track.description?.isProtected != true else { return }
    let census = track.census
    if let error = census.error { addUntold(words + "the samples cannot be read: \(error.reason)") }
    if let first = census.beyondLimits {
      addPartial(words + "only a part of sample \(first.sample) was examined: \(first.detail)")
    }
  }

  /// Samples that should be present, of which none can be read or none has a picture.
  private mutating func noteSamples(_ track: TrackFacts) {
    noteCensus(of: track)
    guard track.isHEVC, track.description?.isProtected == false else { return }
    if let absence = track.track.absence {
      // A rule reports samples in another file.
      let isTold = track.description.flatMap(track.track.externalReference)?.namesAnotherFile == true
      if isTold { reasons.append(absence.reason) } else { addUntold(absence.reason) }
      return
    }
    let census = track.census
    if census.total == 0, census.lookedAt == 0, !isFragmented, reasons.isEmpty {
      addUntold("the track has no samples")
    }
    // Extractors stand for pictures of other tracks.
    guard census.lookedAt > 0, census.layers.isEmpty, !track.track.hasExtractors else { return }
    if census.outsideFile != nil {
      if track.isStereoAttempt { reasons.append("the samples lie beyond the end of the file") }
    } else if census.unframed != nil {
      if track.isStereoAttempt { reasons.append("the samples are not made of NAL units with lengths") }
    } else if census.beyondLimits == nil, census.otherDescriptions == nil, census.error == nil {
      addUntold("none of the \(census.lookedAt) samples examined holds a picture")
    }
  }
}
