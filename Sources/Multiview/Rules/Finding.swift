// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A violation of a rule.
public struct Finding: Sendable, Hashable {
  /// The rule.
  public var rule: Rule
  /// How bad it is.
  public var severity: Diagnostic.Severity
  /// The targets that it affects: those of the rule that the movie is made for.
  public var targets: [CheckTarget]
  /// The problem in words.
  public var message: String
  /// The path of the box: `moov/trak[0]/mdia/…/lhvC`; empty for the file as a whole.
  public var path: String
  /// The file offset.
  public var offset: Int?
  /// The track.
  public var trackID: UInt32?
  /// The number of the sample entry that it is about, from 1; `nil` if the track has only one, or if it is not about one.
  public var entry: Int?
  /// The sample, from 0; of a raw stream the access unit.
  public var sample: Int?
  /// The value that was found; `nil` if something is absent.
  public var found: String?
  /// The value that should be there.
  public var wanted: String?
  /// What fixes the finding without encoding anything again, were it the only one; `nil` if nothing does.
  ///
  /// ``CheckReport/cure(of:)`` takes other findings into account.
  public var cure: Cure?

  /// Makes a finding.
  public init(
    rule: Rule, severity: Diagnostic.Severity, targets: [CheckTarget], message: String, path: String,
    offset: Int? = nil, trackID: UInt32? = nil, entry: Int? = nil, sample: Int? = nil,
    found: String? = nil, wanted: String? = nil, cure: Cure? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.targets = targets
    self.message = message
    self.path = path
    self.offset = offset
    self.trackID = trackID
    self.entry = entry
    self.sample = sample
    self.found = found
    self.wanted = wanted
    self.cure = cure
  }
}

/// What a rule puts its findings into.
struct FindingSink {
  /// Findings that decide the same. Of each kind there are as many as the limit says, so that none hides a more severe one, or
  /// one that prevents something else.
  private struct Kind {
    let severity: Diagnostic.Severity
    let targets: [CheckTarget]
    var count = 0
  }

  private let rule: Rule
  private let limit: Int
  private var kinds: [Kind] = []
  /// How long a text may be: a net for rules that repeat what the file says.
  private static let maximumText = 1_024
  /// The track that is being checked.
  var trackID: UInt32?
  /// The path and the number of the sample entry that is being checked, if its track has several.
  var entry: (path: String, number: Int)?
  private(set) var findings: [Finding] = []
  /// How many findings were too many to keep.
  private(set) var omitted = 0

  init(_ rule: Rule, limit: Int) {
    self.rule = rule
    self.limit = limit
  }

  /// Adds a finding; of one too many the message is not made, and its place not looked for.
  mutating func add(
    _ message: @autoclosure () -> String, at place: @autoclosure () -> BoxPlace? = nil, sample: Int? = nil,
    found: String? = nil, wanted: String? = nil, cure: Cure? = nil
  ) {
    guard admits(rule.severity, rule.targets) else { return }
    let place = place()
    append(
      message(), path: place?.path ?? "", offset: place?.offset, sample, found, wanted, rule.severity,
      rule.targets, cure)
  }

  /// Adds a finding in a place that has no box of its own; where it is less severe than the rule, or bears on less, this
  /// is said.
  mutating func add(
    _ message: @autoclosure () -> String, path: @autoclosure () -> String, offset: Int?, sample: Int? = nil,
    found: String? = nil, wanted: String? = nil, severity: Diagnostic.Severity? = nil,
    targets: [CheckTarget]? = nil, cure: Cure? = nil
  ) {
    let severity = severity.map { min($0, rule.severity) } ?? rule.severity
    let targets = targets ?? rule.targets
    guard admits(severity, targets) else { return }
    append(message(), path: path(), offset: offset, sample, found, wanted, severity, targets, cure)
  }

  /// Adds what is not there already.
  mutating func addNews(_ evaluate: (inout FindingSink) -> Void) {
    let known = Set(findings), count = findings.count
    evaluate(&self)
    let news = findings[count...].filter { !known.contains($0) }
    findings.replaceSubrange(count..., with: news)
  }

  /// Adds what the reading found wrong.
  mutating func add(_ diagnostic: Diagnostic, cure: Cure? = nil) {
    add(diagnostic.message, path: diagnostic.path, offset: diagnostic.offset, cure: cure)
  }

  /// The number of the sample entry that a path leads to, if it is the one that is being checked.
  private func entry(at path: String) -> Int? {
    guard let entry, path == entry.path || path.hasPrefix(entry.path + "/") else { return nil }
    return entry.number
  }

  /// Whether one more of a kind is kept; counts it.
  private mutating func admits(_ severity: Diagnostic.Severity, _ targets: [CheckTarget]) -> Bool {
    let index = kinds.firstIndex { $0.severity == severity && $0.targets == targets } ?? kinds.count
    if index == kinds.count { kinds.append(Kind(severity: severity, targets: targets)) }
    guard kinds[index].count < limit else {
      omitted += 1
      return false
    }
    kinds[index].count += 1
    return true
  }

  private mutating func append(
    _ message: String, path: String, offset: Int?, _ sample: Int?, _ found: String?, _ wanted: String?,
    _ severity: Diagnostic.Severity, _ targets: [CheckTarget], _ cure: Cure?
  ) {
    var finding = Finding(
      rule: rule, severity: severity, targets: targets, message: message.shortened(to: Self.maximumText),
      path: path, offset: offset, trackID: trackID, entry: entry(at: path), sample: sample,
      found: found?.shortened(to: Self.maximumText), wanted: wanted?.shortened(to: Self.maximumText))
    finding.cure = cure ?? rule.cure
    findings.append(finding)
  }
}
