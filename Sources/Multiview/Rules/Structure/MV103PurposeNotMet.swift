// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  /// Broken where a verdict is bad for what is not there, and no other rule tells: the verdicts come last, so the report
  /// adds it.
  static let purposeNotMet = Rule(
    "MV103", .error, "What the movie is made for is not all there",
    source:
      "ISO/IEC 14496-15, 9.6; ISO/IEC 14496-12, 8.3.3; Apple HEVC Stereo Video Interoperability Profile",
    .inferred, for: [.spatial, .stereo, .immersive, .hls],
    why: "Boxes or parameter sets show that two views or a projection are meant, and part of what that "
      + "takes is missing: a layer, or the track that held it.",
    mend: "Mux again from a source that has all of it, or take away what claims it, and the movie is honest "
      + "2D."
  ) { (_: RuleContext, _: inout FindingSink) in }

  /// Rules that only warn, and yet say why two views or a projection are not taken for what they are.
  private static let tellingWarnings: Set<RuleID> = ["MV039", "MV042", "MV044", "MV079"]

  /// A finding where verdicts are bad and none of `findings` says why. What spatial lacks beside stereo other rules warn of.
  static func unexplained(
    _ verdicts: [TargetVerdict], _ findings: [Finding], _ context: RuleContext
  ) -> [Finding] {
    let isTold = { (target: CheckTarget, byAny: Bool) in
      findings.contains { finding in
        finding.targets.contains(target)
          && (byAny || finding.severity == .error || tellingWarnings.contains(finding.rule))
      }
    }
    let isStereoBad = verdicts.contains { $0.target == .stereo && $0.outcome == .fail }
    let isStereoTold = !isStereoBad || isTold(.stereo, false)
    let bad = verdicts.filter { verdict in
      verdict.outcome == .fail && !isTold(verdict.target, verdict.target == .spatial && isStereoTold)
    }
    guard let first = bad.first else { return [] }
    var sink = FindingSink(purposeNotMet, limit: context.options.maximumFindingsPerRule)
    sink.trackID = context.mainTrack.flatMap { $0.track.isRawStream ? nil : $0.track.id }
    var reasons: [String] = []
    for verdict in bad { reasons += verdict.reasons.filter { !reasons.contains($0) } }
    sink.add(
      reasons.isEmpty ? first.words : reasons.joined(separator: "; "), path: context.mainTrack?.path ?? "",
      offset: context.mainTrack?.place?.offset)
    return sink.findings.map { finding in
      var finding = finding
      finding.targets = bad.map(\.target)
      return finding
    }
  }
}
