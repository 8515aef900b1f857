// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What a check covers.
public struct CheckOptions: Sendable, Hashable {
  /// The rules that are checked; `nil` for all.
  public var rules: Set<RuleID>?
  /// Rules that are not checked.
  public var excludedRules: Set<RuleID> = []
  /// How many samples of a track are read.
  public var maximumSamples = 3_000
  /// How many findings of one rule are kept, of each severity and each set of targets.
  public var maximumFindingsPerRule = 20

  /// Everything, with the usual bounds.
  public init() {}
}

/// The prediction for one target.
public struct TargetVerdict: Sendable, Hashable {
  /// The answer.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// Nothing that is known is in the way.
    case pass
    /// Something does.
    case fail
    /// The movie is not made for it.
    case notApplicable
    /// The file is too damaged for a prediction.
    case unknown
  }

  /// For what.
  public var target: CheckTarget
  /// The answer.
  public var outcome: Outcome
  /// The answer in words.
  public var words: String
  /// How sure the answer is.
  public var confidence: CheckConfidence
  /// The reasons: the rules that are broken, what is missing, what cannot be read.
  public var reasons: [String]
}

/// The outcome of a check.
public struct CheckReport: Sendable, Hashable {
  /// What kind of video it is.
  public var classification: Classification
  /// A verdict for each target, in the order of ``CheckTarget``.
  public var verdicts: [TargetVerdict] = []
  /// Spatial in the strict reading, which WebKit's source has: field of view, baseline and disparity adjustment are all
  /// there. `nil` if that cannot be determined, or there is no video.
  public var strict: SpatialVerdict?
  /// Spatial in the loose reading, which does without the disparity adjustment.
  public var loose: SpatialVerdict?
  /// The broken rules, the worst first.
  public var findings: [Finding] = []
  /// How many findings were too many to keep.
  public var omittedFindings = 0
  /// Why the file cannot be judged; empty if it can.
  public var unreadable: [String] = []
  /// How many samples were read, and how many there are; `nil` if none were needed.
  public var samples: SampleCoverage?
  /// The attributes for a playlist; `nil` if there is nothing to stream.
  public var playlist: PlaylistAttributes?

  /// How much of the media was read.
  public struct SampleCoverage: Sendable, Hashable {
    /// How many samples were read.
    public var lookedAt: Int
    /// How many there are.
    public var total: Int
  }

  /// The verdict for a target.
  public func verdict(_ target: CheckTarget) -> TargetVerdict? { verdicts.first { $0.target == target } }

  /// The worst finding; `nil` without any.
  public var worst: Diagnostic.Severity? { findings.map(\.severity).max() }

  /// Whether no rule is broken and nothing is too damaged to judge; `strictly` warnings count, too.
  public func isClean(strictly: Bool = false) -> Bool {
    guard unreadable.isEmpty else { return false }
    guard let worst else { return true }
    return worst < (strictly ? .warning : .error)
  }
}

extension MovieFile {
  /// Checks the movie against the rules, and predicts what platforms make of it.
  ///
  /// Reads boxes, parameter sets, and the headers of NAL units in samples; pictures are not decoded.
  public func check(_ options: CheckOptions = CheckOptions()) -> CheckReport {
    if options.rules == nil {
      // Rules need all samples. Tables that are read first are not read once more for the first sample alone; what cannot be read
      // is reported by the rules.
      for track in tracks where track.mediaType == .video { _ = try? track.samples() }
    }
    return CheckReport(RuleContext(self, options))
  }

  /// The findings of some rules that affect the targets of the movie, without a verdict. Tables that these rules do not
  /// examine are not read.
  ///
  /// - Parameters:
  ///   - rules: the rules.
  ///   - maximumSamples: how many samples of a track are looked into.
  package func findings(of rules: Set<Rule>, maximumSamples: Int) -> [Finding] {
    var options = CheckOptions()
    options.rules = Set(rules.map(\.id))
    options.maximumSamples = maximumSamples
    let context = RuleContext(self, options)
    return CheckReport.findings(of: rules, context, Judge(context))
  }
}

extension CheckReport {
  init(_ context: RuleContext) {
    let judge = Judge(context), options = context.options
    // Usually all are.
    let asked = options.asksEverything ? Rule.all : Rule.all.filter { options.asks($0.id) }
    var (findings, omitted) = Self.evaluate(asked, context, judge)
    verdicts = CheckTarget.allCases.map { judge.verdict($0, findings) }
    if options.asks(Rule.purposeNotMet.id) {
      // What another rule would tell, were it asked, is not reported here.
      let unasked = options.asksEverything ? [] : Rule.all.filter { !options.asks($0.id) }
      let others = Self.evaluate(unasked, context, judge).list
      let all = findings + others
      let told = others.isEmpty ? verdicts : CheckTarget.allCases.map { judge.verdict($0, all) }
      findings += Rule.unexplained(told, all, context)
    }
    findings.sort { ($1.severity, $0.rule.id) < ($0.severity, $1.rule.id) }
    let refused = Set(findings.compactMap(\.cure)).filter { !context.allows($0) }
    for index in findings.indices where findings[index].cure.map(refused.contains) == true {
      findings[index].cure = nil
    }
    self.findings = findings
    omittedFindings = omitted
    classification = context.mainTrack?.report.classification ?? context.movie.classification
    strict = context.mainTrack?.report.strict
    loose = context.mainTrack?.report.loose
    unreadable = judge.unreadable
    samples = judge.coverage
    playlist = PlaylistAttributes(context)
  }

  fileprivate static func findings(of rules: Set<Rule>, _ context: RuleContext, _ judge: Judge) -> [Finding] {
    Rule.all.filter { rules.contains($0) }.flatMap { rule in
      var sink = FindingSink(rule, limit: context.options.maximumFindingsPerRule)
      rule.evaluate(context, &sink)
      return sink.findings.filter { $0.targets.contains(where: judge.isApplicable) }
    }
  }

  /// The findings of these rules, and the number of findings that were not kept.
  private static func evaluate(
    _ rules: [Rule], _ context: RuleContext, _ judge: Judge
  ) -> (list: [Finding], omitted: Int) {
    var findings: [Finding] = []
    var omitted = 0
    let limit = context.options.maximumFindingsPerRule
    for rule in rules {
      var sink = FindingSink(rule, limit: limit)
      rule.evaluate(context, &sink)
      // A rule that bears on nothing the movie is made for is no news.
      for var finding in sink.findings {
        finding.targets = finding.targets.filter(judge.isReported)
        if !finding.targets.isEmpty { findings.append(finding) }
      }
      omitted += sink.omitted
    }
    return (findings, omitted)
  }
}

extension CheckOptions {
  /// Whether no rule is left out.
  var asksEverything: Bool { rules == nil && excludedRules.isEmpty }

  func asks(_ id: RuleID) -> Bool { (rules?.contains(id) ?? true) && !excludedRules.contains(id) }
}
