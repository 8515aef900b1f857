// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// Comes to a verdict for each target, from the rules that are broken and from what kind of video it is.
struct Judge {
  private let context: RuleContext
  private let track: TrackFacts?
  /// Computed on first use, because it needs all tables.
  private var readability: Readability { context.readability }
  /// Why the video cannot be judged; empty if it can.
  var unreadable: [String] { readability.reasons }

  init(_ context: RuleContext) {
    self.context = context
    track = context.mainTrack
  }

  /// How many samples were examined.
  var coverage: CheckReport.SampleCoverage? {
    guard let track, track.isHEVC else { return nil }
    let census = track.census
    return census.lookedAt > 0 ? .init(lookedAt: census.lookedAt, total: census.total) : nil
  }

  /// Whether findings for a target are worth telling. Where boxes are damaged what seems to be absent may be there:
  /// then only the damage itself is reported.
  func isReported(_ target: CheckTarget) -> Bool {
    readability.isDamaged ? target == .iso : isApplicable(target)
  }

  /// Whether the movie is made for a target, or means to be.
  func isApplicable(_ target: CheckTarget) -> Bool {
    // A raw stream has no boxes, and all that platforms ask for is in boxes.
    if target != .iso, context.movie.tree == nil { return false }
    switch target {
    case .iso: return true
    case .hls: return context.isFragmented || context.isMediaSegment
    case .immersive: return track?.isProjectionAttempt ?? false
    case .stereo: return track?.isStereoAttempt ?? context.isStereoPhotoAttempt
    case .spatial:
      if track == nil { return context.isStereoPhotoAttempt }
      guard let track, track.isStereoAttempt, track.stereo.isRectilinear else { return false }
      // Other ways to carry two views are not meant to be spatial, unless the cameras are described.
      return track.isSpatialCandidate || track.carriesSecondView || track.describesSecondView
        || !track.cameraValues.isEmpty || track.claimsBothEyes && !track.isFramePacked
    }
  }

  /// The verdict for a target.
  func verdict(_ target: CheckTarget, _ findings: [Finding]) -> TargetVerdict {
    let broken = findings.filter { $0.severity == .error && $0.targets.contains(target) }
    let rules = Set(broken.map(\.rule)).sorted { $0.id < $1.id }
    var verdict = TargetVerdict(
      target: target, outcome: .pass, words: "", confidence: .documented,
      reasons: rules.map { "\($0.id): \($0.title)" })
    if target == .iso {
      verdict.outcome = rules.isEmpty ? .pass : .fail
      verdict.words =
        rules.isEmpty
        ? "no violation found; not everything that the standards require is checked"
        : "\(rules.count == 1 ? "a rule is" : "\(rules.count) rules are") broken"
      if rules.isEmpty, let reason = readability.partial.first {
        verdict.outcome = .unknown
        verdict.words = "no violation found in the part that was checked: " + reason
        verdict.reasons = readability.partial
      }
      return verdict
    }
    guard unreadable.isEmpty else {
      verdict.outcome = .unknown
      verdict.words = "cannot be determined: " + (unreadable.first ?? "")
      verdict.reasons = unreadable
      return verdict
    }
    guard isApplicable(target) else {
      verdict.outcome = .notApplicable
      verdict.words = reasonNotApplicable(target)
      verdict.reasons = []
      return verdict
    }
    let confidences = rules.map(\.confidence)
    if !confidences.isEmpty, !confidences.contains(.documented) {
      verdict.confidence = confidences.contains(.observed) ? .observed : .inferred
    }
    switch target {
    case .spatial, .stereo:
      if context.isStereoPhotoAttempt { return judged(verdict, of: context.photos) }
      if target == .spatial { judgeSpatial(&verdict) } else { judgeStereo(&verdict) }
    case .immersive: judgeImmersive(&verdict)
    case .hls: judgeStreaming(&verdict)
    case .iso: break
    }
    return verdict
  }

  private func reasonNotApplicable(_ target: CheckTarget) -> String {
    if context.isImageFile { return "the file holds images, not a movie" }
    guard let track else { return "the movie has no video track" }
    if context.movie.tree == nil {
      return track.carriesSecondView
        ? "a raw stream with two views: players need it muxed, with hvcC, lhvC and vexu"
        : "a raw stream: players need it muxed"
    }
    switch target {
    case .spatial where track.isStereoAttempt:
      return track.isProjectionAttempt
        ? "the picture has a projection; spatial video is rectilinear"
        : "the two views are not layers of one track and no camera is described, so it can be stereo but not spatial"
    case .spatial, .stereo: return "one view, and nothing signals two"
    case .immersive: return "no projection is signalled: the picture is flat"
    default: return "the movie is not fragmented; HLS accepts only fragmented movies"
    }
  }

  // MARK: Predictions

  private func judgeSpatial(_ verdict: inout TargetVerdict) {
    let lacking = track?.report.strict?.lacking ?? []
    let named = Self.words(lacking)
    if !verdict.reasons.isEmpty || !lacking.isEmpty {
      verdict.outcome = .fail
      verdict.reasons += lacking.isEmpty ? [] : ["lacks \(named)"]
      let loosely = track?.report.loose?.isSpatial == true && lacking == [.disparityAdjustment]
      verdict.words =
        "predicted: not treated as spatial video"
        + (lacking.isEmpty ? "" : ", as it lacks \(named)")
        + (loosely ? " (the loose reading, which does not need dadj, accepts it)" : "")
      if loosely { verdict.confidence = .observed }
    } else {
      verdict.words = "predicted: treated as spatial video by both the strict and the loose reading"
    }
  }

  /// A file of images is what one of its pairs is.
  private func judged(_ verdict: TargetVerdict, of pairs: [StereoPhoto]) -> TargetVerdict {
    var verdict = verdict
    let name = verdict.target == .spatial ? "spatial photo" : "stereo photo"
    let lacking = verdict.target == .spatial ? pairs.map(\.lacking).min { $0.count < $1.count } ?? [] : []
    guard verdict.reasons.isEmpty, lacking.isEmpty, !pairs.isEmpty else {
      verdict.outcome = .fail
      verdict.words = "predicted: not treated as a \(name)"
      if !lacking.isEmpty {
        let named = lacking.joined(separator: ", ")
        verdict.reasons.append("lacks \(named)")
        verdict.words += ", as it lacks \(named)"
      }
      return verdict
    }
    verdict.words = "predicted: treated as a \(name)"
    // What else Apple's frameworks look for in a photo is not published.
    if verdict.target == .spatial { verdict.confidence = .inferred }
    return verdict
  }

  private static func words(_ lacking: [SpatialVerdict.Requirement]) -> String {
    lacking.map { requirement in
      switch requirement {
      case .multiview: "two signalled layers"
      case .rectilinear: "the flat projection"
      default: requirement.rawValue
      }
    }.joined(separator: ", ")
  }

  private func judgeStereo(_ verdict: inout TargetVerdict) {
    let kind = track?.report.stereoKind ?? .notStereo
    guard verdict.reasons.isEmpty, kind != .notStereo else {
      verdict.outcome = .fail
      verdict.words =
        kind == .notStereo
        ? "predicted: shown flat, one view only" : "predicted: not shown as stereo, or shown wrongly"
      if verdict.reasons.isEmpty { verdict.reasons = ["two views are not signalled, or not present"] }
      return
    }
    switch kind {
    case .multiview: verdict.words = "predicted: shown as stereo, two views as layers of one track"
    case .packed:
      verdict.words = "predicted: shown as stereo where frame packing is supported (visionOS 26)"
      verdict.confidence = .observed
    default: verdict.words = "predicted: stereo, two views in two tracks"
    }
  }

  private func judgeImmersive(_ verdict: inout TargetVerdict) {
    let classification = track?.report.classification ?? .unknown
    let name: String? =
      switch classification {
      case .degrees180: "180° video"
      case .degrees360: "360° video"
      case .wide: "wide field of view video"
      case .immersive: "Apple Immersive Video"
      default: nil
      }
    guard verdict.reasons.isEmpty, let name else {
      verdict.outcome = .fail
      verdict.words = "predicted: shown flat or distorted"
      if verdict.reasons.isEmpty { verdict.reasons = ["no projection that can be shown is signalled"] }
      return
    }
    verdict.words = "predicted: treated as \(name)"
    if classification == .immersive { verdict.confidence = .inferred }
  }

  private func judgeStreaming(_ verdict: inout TargetVerdict) {
    verdict.outcome = verdict.reasons.isEmpty ? .pass : .fail
    verdict.words =
      verdict.reasons.isEmpty
      ? "predicted: fit for HLS, with the playlist attributes below"
      : "predicted: refused by HLS players, or shown flat"
  }
}
