// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The stable name of a rule: `MV012`. It never changes its meaning, and is never given to another rule.
public struct RuleID: RawRepresentable, Hashable, Sendable, Comparable {
  /// The name.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static func < (left: RuleID, right: RuleID) -> Bool { left.rawValue < right.rawValue }
}

extension RuleID: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes an identifier from its name.
  public init(stringLiteral value: String) { rawValue = value }
  /// The name.
  public var description: String { rawValue }
}

/// A purpose that a movie can be made for. Each has its own verdict.
public enum CheckTarget: String, Sendable, Hashable, CaseIterable {
  /// Spatial video on Apple platforms.
  case spatial
  /// Stereo playback on Apple platforms.
  case stereo
  /// Video with a projection on Apple platforms: 180, 360, wide, immersive.
  case immersive
  /// Streaming by HLS: a fragmented movie, or the init segment of one.
  case hls
  /// The ISO standards of the file format and of HEVC.
  case iso
}

extension [CheckTarget] {
  /// Every purpose.
  static let all = CheckTarget.allCases
}

/// How well a statement about what readers do is supported.
public enum CheckConfidence: String, Sendable, Hashable, CaseIterable {
  /// A standard, or documentation of the platform, says so.
  case documented
  /// Seen in the behaviour or the source of readers, and in files that work.
  case observed
  /// Concluded from how the parts work together.
  case inferred
}

/// One thing that is checked: what it is, why it matters and how to fix it, and the check itself.
///
/// A rule is a constant in the file of its family below `Rules/`, and one line in ``all``. docs/check.md lists them.
/// It is a class because a check copies every rule several times.
public final class Rule: Sendable, Identifiable {
  /// The stable name.
  public let id: RuleID
  /// How bad a violation is: an error violates a "shall", a warning a "should"; a note is unusual but legal.
  public let severity: Diagnostic.Severity
  /// What is wrong if the rule is broken, in one line.
  public let title: String
  /// The clause that requires it, or where it was observed.
  public let source: String
  /// How sure the source is.
  public let confidence: CheckConfidence
  /// The targets that a violation affects.
  public let targets: [CheckTarget]
  /// What a violation means for other findings, for repairs and for edits.
  package let traits: Traits
  /// Why it matters.
  public let why: String
  /// What to change.
  public let fix: Advice
  /// What fixes a finding that has no fix of its own; `nil` if nothing does.
  let cure: Cure?
  /// The fixes that may be possible without re-encoding; empty if the fix needs encoding, a choice, or information from
  /// the maker.
  public let cures: [Cure]
  /// Examines a movie.
  let evaluate: @Sendable (RuleContext, inout FindingSink) -> Void

  /// A rule about the file as a whole.
  ///
  /// - Parameters:
  ///   - traits: what a violation means for other findings, for repairs and for edits.
  ///   - cure: what fixes every finding of it.
  ///   - possibleCures: what may fix a finding, if the fix differs between findings.
  init(
    _ id: RuleID, _ severity: Diagnostic.Severity, _ title: String, source: String,
    _ confidence: CheckConfidence = .documented, for targets: [CheckTarget], traits: Traits = [],
    why: String, fix: Advice, cure: Cure? = nil, possibleCures: [Cure] = [],
    movie evaluate: @escaping @Sendable (RuleContext, inout FindingSink) -> Void
  ) {
    (self.id, self.severity, self.title, self.source) = (id, severity, title, source)
    (self.confidence, self.targets, self.traits) = (confidence, targets, traits)
    (self.why, self.fix) = (why, fix)
    (self.cure, self.evaluate) = (cure, evaluate)
    cures = cure.map { [$0] } ?? possibleCures
  }

  /// A rule that is evaluated for every video track.
  convenience init(
    _ id: RuleID, _ severity: Diagnostic.Severity, _ title: String, source: String,
    _ confidence: CheckConfidence = .documented, for targets: [CheckTarget], traits: Traits = [],
    why: String, fix: Advice, cure: Cure? = nil, possibleCures: [Cure] = [],
    track evaluate: @escaping @Sendable (TrackFacts, inout FindingSink) -> Void
  ) {
    self.init(
      id, severity, title, source: source, confidence, for: targets, traits: traits, why: why,
      fix: fix, cure: cure, possibleCures: possibleCures,
      movie: { context, findings in
        for track in context.videoTracks {
          findings.trackID = track.track.isRawStream ? nil : track.track.id
          if context.hasFurther { findings.entry = track.entry }
          evaluate(track, &findings)
          // Findings that are the same for all descriptions are reported once.
          for other in context.further(track) {
            findings.entry = other.entry
            findings.addNews { evaluate(other, &$0) }
          }
        }
      })
  }

  /// The rule with this name.
  public static func named(_ id: RuleID) -> Rule? { all.first { $0.id == id } }
}

extension Rule {
  /// What a violation means for other findings, for repairs and for edits.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Other faults may be hidden: something cannot be read, or is not in its place.
    package static let hidesFaults = Traits(rawValue: 1)
    /// Boxes with tags may be hidden: a tag that seems to be missing exists, and a new one would replace it.
    static let hidesTags = Traits(rawValue: 2)
    /// Samples cannot be rewritten: they are missing, contradict the tables, or cannot be read.
    static let blocksRewriting = Traits(rawValue: 4)
    /// A repair changes only boxes, whatever the samples are.
    package static let fixedInBoxes = Traits(rawValue: 8)
    /// A repair reads the NAL units of all samples.
    package static let fixedFromSamples = Traits(rawValue: 16)
    /// If the original movie satisfies the rule, more is lost than tags and records.
    package static let losesContent = Traits(rawValue: 32)
    /// Tags contradict each other or the bitstream, or are out of range: an edit must not cause this.
    package static let contradictsTags = Traits(rawValue: 64)
    /// The warning explains why two views or a projection are not recognized.
    static let explainsVerdict = Traits(rawValue: 128)
  }
}

extension Rule: Hashable {
  /// Rules are equal if their IDs are: an ID is used once.
  public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Rule: CustomStringConvertible {
  /// The name and what is wrong: `MV024: dadj is missing`.
  public var description: String { "\(id): \(title)" }
}

extension Rule {
  /// The document that most rules about stereo boxes rest on.
  static let formatAdditions = "Apple, Spatial and Immersive Media – Format additions 1.9.8"

  /// All rules, by their names. A number is never used twice.
  public static let all: [Rule] =
    ([
      .boxesFit, .fieldsReadable, .movieBoxPresent, .fileTypePresent, .sampleEntryType,
      .recordLacksParameterSets, .enhancementSetsInBaseRecord, .layeredRecordFirst,
      .lengthSizesDiffer, .lengthSizeThree, .arraysHoldTheirType, .layerNotInSamples,
      .layerInSomeSamples, .layerNotConfigured, .secondViewLost, .viewsNotSignalled, .recordProfile,
      .recordSampleFormat, .operatingPointsAbsent, .layersInTwoTracks, .moreThanTwoViews,
      .fieldOfViewAbsent, .baselineAbsent, .disparityAbsent, .noCameraValues, .fieldOfViewZero,
      .baselineZero, .fieldOfViewRange, .disparityRange, .projectionAgainstSpatial,
      .oneEyeForTwoLayers, .requiredBoxUnknown, .boxSizes, .misplacedBox, .fullBoxHeader, .boxVersion,
      .duplicateBox, .striUnreadable, .unknownCode, .auxiliaryLayerAsEye, .packedWithoutPacking,
      .packingNotSignalled, .googleDisagrees, .googleOnly, .lensesAbsent, .referenceDisplaysAbsent,
      .eyeViewUnknown, .eyesContradict, .layerSizesDiffer, .representationFormat, .setsBetweenLayers,
      .layerOrder, .sampleFraming, .displayOrder, .orderCountsDiffer, .syncSample, .sampleTables,
      .samplesOutsideFile, .decodeTimes, .editsOfEyesDiffer, .unevenShift, .colourOfHDRAbsent,
      .colourContradicts, .entrySize, .trackExtendsAbsent, .samplesInInitSegment, .streamingLimits,
      .streamingSampleEntry, .fragmentDecodeTime, .fragmentAddressing, .streamingBrand,
      .movieExtendsFirst, .layerUnknown, .enhancementAlone, .packedLayers, .otherEyeAbsent,
      .packedEyes, .fisheyeUndescribed, .lensesUnused, .notLayers, .mediaSegment, .videoUndecided,
      .mandatoryBoxes, .trackNumbers, .timescale, .externalMedia, .eyesShareView, .lensIncomplete,
      .arrayIncomplete, .secondRecord, .entryCount, .baselineRange, .additionalViews,
      .layerSetsAbsent, .fragmentOfNoTrack, .secondBox, .referenceToNoTrack,
      .displaysDiffer, .dolbyVisionAbsent, .limitReached, .pictureSetsAbsent, .sliceUnreadable,
      .purposeNotMet,
    ] + ofPlaylists + ofPhotos + [
      .referenceToItself, .messagesInRecord, .headerDurations, .headerSize, .quickTimeSound,
      .tracksOfEyesDiffer, .stereoStreamNotLayered,
      .nothingPresented, .beginsAtNoSyncSample,
    ]).sorted { $0.id < $1.id }
}
