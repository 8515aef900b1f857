// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The plan of a repair: boxes first, then repairs that read all samples, then tags and what is restored from
/// the original.
struct RepairPlan {
  /// The original movie.
  private let original: MovieFile
  private let donor: MovieFile?
  /// The parameter sets of the donor; `nil` without one.
  private let source: RepairDonor?
  /// The comparison of the new movie with the original.
  let verification: RepairVerification
  private let frameRate: FrameRate?
  /// The tracks that are repaired; `nil` for all.
  private let chosen: Set<UInt32>?
  /// The movie with repaired boxes; if samples in fragments must be changed, with tables instead of fragments.
  private var edited: MovieFile
  /// The findings on that movie.
  private var findings: [Finding]
  private var boxSteps: [RepairStep] = []
  private var tracks: [TrackRepair] = []
  private var restoration: DonorRestoration?
  private var copiesTags = false
  /// Whether tags that the movie lacks are taken from the donor, and the others are kept.
  private var completesTags = false
  private var setsEyes: Set<UInt32> = []
  /// The duration of fragments, if the movie becomes fragmented again; otherwise `nil`.
  private(set) var fragmentDuration: MediaTime?
  /// The brands of the movie before its samples went from fragments to tables.
  private var oldFileType: [UInt8]?

  /// The number of passes over boxes: findings that one repair reveals are repaired in the next pass.
  private static let rounds = 4

  init(
    _ movie: MovieFile, donor: MovieFile?, frameRate: FrameRate?, trackIDs: Set<UInt32>?
  ) throws(EditError) {
    if let unknown = trackIDs?.first(where: { id in !movie.tracks.contains { $0.id == id } }) {
      throw EditError(.missingTrack, "the movie has no track \(unknown)")
    }
    original = movie
    edited = movie
    self.donor = donor
    source = try donor.map { donor throws(EditError) in try RepairDonor(donor) }
    self.frameRate = frameRate
    chosen = trackIDs
    findings = movie.check().findings
    verification = RepairVerification(of: movie, findings)
    if movie.container.isFragmented, repairable([.syncSample], trackIDs).isEmpty == false { try flatten() }
    try repairBoxes(trackIDs)
    try refuseTruncation()
    try lookAtTracks(trackIDs)
    if edited.container.isFragmented, tracks.contains(where: \.rewritesMedia) {
      try flatten()
      try lookAtTracks(trackIDs)
    }
    try compareWithDonor()
    if !isEmpty, edited.container.isFragmented, repairFragments() {
      try flatten()
      try lookAtTracks(trackIDs)
      try compareWithDonor()
    }
    for track in edited.tracks where Self.isChosen(track.id, trackIDs) {
      let broken = Set(findings.filter { $0.trackID == track.id }.map(\.rule))
      let isChanged = tracks.contains { $0.track.id == track.id && $0.rewritesMedia }
      if !broken.isDisjoint(with: [.layerNotConfigured, .viewsNotSignalled]) || isChanged {
        setsEyes.insert(track.id)
      }
    }
    if isEmpty { try refuseWhatIsLeft() }
  }

  /// Refuses a movie whose samples are not all in the file: a copy of it would be just as broken, whatever else
  /// was fixed.
  private func refuseTruncation() throws(EditError) {
    let advice: Advice = "The missing data cannot be restored: get the complete file."
    if let cut = findings.first(where: { $0.rule == .samplesOutsideFile && $0.severity == .error }) {
      throw EditError(.damaged, cut.message, advice: advice)
    }
    // Samples of other tracks, and of tracks whose description cannot be read, are not examined by rules.
    guard let size = edited.source.size else { return }
    for track in edited.tracks {
      // If the tables cannot be read, that is another fault.
      guard let samples = try? track.samples() else { continue }
      let external = track.externalMedia
      for sample in samples where !external.contains(sample.descriptionIndex) {
        guard sample.size > 0, sample.range.upperBound > size else { continue }
        throw EditError(
          .damaged,
          "sample \(sample.index) of track \(track.id), of \(sample.size) bytes, reaches beyond the end of the file",
          advice: advice)
      }
    }
  }

  private mutating func compareWithDonor() throws(EditError) {
    guard let donor else { return }
    let targets = edited.tracks.filter { Self.isChosen($0.id, chosen) }
    copiesTags = Self.hasTags(donor.tracks) && !Self.hasTags(targets)
    if copiesTags, chosen != nil {
      let editor = try MovieEditor(edited)
      copiesTags = editor.stereoTracks().contains { Self.isChosen(editor.tracks[$0].id, chosen) }
    }
    if copiesTags { try checkKind() }
    let original = try DonorRestoration(edited, from: donor, trackIDs: chosen)
    restoration = original?.isEmpty == false ? original : nil
    // Values of the cameras could be those of another recording: without the original, only a movie that does
    // not signal its eyes has lost them.
    completesTags = !copiesTags && (original != nil || findings.contains { $0.rule == .viewsNotSignalled })
    if completesTags {
      var editor = try MovieEditor(edited)
      let isOfSameKind: Bool
      do throws(EditError) {
        try checkKind()
        isOfSameKind = true
      } catch {
        guard error.isRefusal else { throw error }
        isOfSameKind = false
      }
      completesTags = isOfSameKind && editor.completeTags(from: donor, onlyTracks: chosen)
    }
  }

  /// Refuses tags of another camera or mode: a track without faults is not compared with the donor otherwise.
  private func checkKind() throws(EditError) {
    guard let source else { return }
    for track in edited.tracks where track.isHEVC && Self.isChosen(track.id, chosen) {
      do throws(EditError) { _ = try source.missing(from: try TrackRepair.ownSets(of: track, edited)) } catch
      {
        guard error.isRefusal else { throw error }
        var error = error.about("the tags of the donor movie belong to other pictures")
        error.advice = "Tags alone can be copied from any movie\(.copyTags)."
        throw error
      }
    }
  }

  /// Returns whether fragments are rewritten, because each must specify its own offsets and times. For a movie
  /// that needs no other repair, ``MovieFragmenter`` does that.
  private mutating func repairFragments() -> Bool {
    let found = findings.filter {
      [.fragmentDecodeTime, .fragmentAddressing].contains($0.rule) && $0.severity == .error
    }
    for finding in found {
      let isTime = finding.rule == .fragmentDecodeTime
      boxSteps.append(
        RepairStep(
          finding.path, isTime ? "decode times of fragments" : "sample positions in fragments",
          old: isTime ? "absent" : finding.found ?? "absolute",
          new: isTime ? "in each" : "relative to their fragment", rule: finding.rule, track: finding.trackID))
    }
    return !found.isEmpty
  }

  /// Whether there is nothing to do.
  var isEmpty: Bool {
    boxSteps.isEmpty && tracks.isEmpty && restoration == nil && !copiesTags && !completesTags
      && !findings.contains { $0.rule == .viewsNotSignalled && $0.trackID.map(setsEyes.contains) == true }
      && setsDisparity.isEmpty
  }

  private static func isChosen(_ id: UInt32?, _ chosen: Set<UInt32>?) -> Bool {
    guard let chosen else { return true }
    return id.map(chosen.contains) ?? false
  }

  /// Returns the findings of some rules that can be fixed.
  private func repairable(_ rules: Set<Rule>, _ chosen: Set<UInt32>?) -> [Finding] {
    findings.filter {
      rules.contains($0.rule) && $0.cure == .repair && Self.isChosen($0.trackID, chosen)
    }
  }

  private mutating func repairBoxes(_ chosen: Set<UInt32>?) throws(EditError) {
    let repaired = try Self.repaired(edited, findings, by: BoxRepair.all, chosen)
    (edited, findings) = (repaired.movie, repaired.findings)
    boxSteps += repaired.steps
  }

  /// A movie with its boxes repaired, and what is wrong with it after that.
  private static func repaired(
    _ movie: MovieFile, _ findings: [Finding], by repairs: [BoxRepair], _ chosen: Set<UInt32>?
  ) throws(EditError) -> (movie: MovieFile, findings: [Finding], steps: [RepairStep]) {
    var (movie, findings, steps) = (movie, findings, [RepairStep]())
    for _ in 0..<rounds {
      var isChanged = false
      for repair in repairs {
        let found = findings.filter {
          repair.rules.contains($0.rule) && $0.cure == .repair && isChosen($0.trackID, chosen)
        }
        guard !found.isEmpty, var tree = movie.tree else { continue }
        do {
          let new = try repair.apply(&tree, RepairCase(movie: movie, findings: found))
          guard !new.isEmpty else { continue }
          movie = try MovieFile(edited: tree)
          steps += new
        } catch { throw EditError(error, source: .unreadable) }
        findings = movie.check().findings
        isChanged = true
      }
      if !isChanged { break }
    }
    return (movie, findings, steps)
  }

  /// Returns the new movie with corrected sample entries: parameter sets that were restored may show further
  /// faults of them, and of the stereo boxes beside them.
  func repairedRecords(of made: MovieFile) throws(EditError) -> (movie: MovieFile, steps: [RepairStep]) {
    guard !tracks.isEmpty else { return (made, []) }
    let repaired = try Self.repaired(
      made, made.check().findings, by: BoxRepair.ofStereoBoxes + BoxRepair.ofRecords, chosen)
    return (repaired.movie, repaired.steps)
  }

  private mutating func lookAtTracks(_ chosen: Set<UInt32>?) throws(EditError) {
    tracks = []
    for track in edited.tracks where track.isHEVC && Self.isChosen(track.id, chosen) {
      let found = findings.filter { $0.trackID == nil || $0.trackID == track.id }
      var broken = Set(
        found.filter {
          // Times that do not follow from the movie can be fixed if the rate is given.
          $0.rule.traits.contains(.fixedFromSamples)
            && ($0.cure != nil || $0.rule == .displayOrder && frameRate != nil)
        }.map(\.rule))
      // A record that cannot be read lacks everything.
      if found.contains(where: { $0.path.hasSuffix("/hvcC") && $0.rule == .fieldsReadable }) {
        broken.insert(.recordLacksParameterSets)
      }
      // Which view is for which eye may be known to the donor.
      // As long as the movie does not signal both views, it is not said to lack a message about them.
      let showsLostEyes: Set<Rule> = [.referenceDisplaysAbsent, .viewsNotSignalled, .layerNotConfigured]
      if source?.messages.isEmpty == false, found.contains(where: { showsLostEyes.contains($0.rule) }) {
        broken.insert(.referenceDisplaysAbsent)
      }
      let isInit = source != nil && track.sampleCount == 0
      guard !broken.isEmpty || isInit else { continue }
      // If only the eyes are wrong, tags are changed.
      if broken == [.viewsNotSignalled], !isInit { continue }
      if let repair = try TrackRepair(
        track, of: edited, broken: broken, donor: source, frameRate: frameRate)
      {
        tracks.append(repair)
      }
    }
  }

  /// Writes the samples of fragments to tables; at the end, they become fragments again.
  private mutating func flatten() throws(EditError) {
    do throws(ParseError) {
      if let tree = edited.tree, let box = tree.first("ftyp") { oldFileType = try tree.whole(box).encoded() }
    } catch { throw .refused(error) }
    let count = Int64(edited.tree?.boxes.count { $0.type == "moof" } ?? 1)
    let main = edited.tracks.first { $0.isHEVC }
    do throws(SourceError) {
      // A fragment ends at the first sync sample after half of the average duration of fragments.
      let length = try main?.samples().endTime ?? 0
      fragmentDuration = MediaTime(
        value: max(1, length / (2 * max(1, count))), timescale: main?.timescale ?? 1)
    } catch { throw EditError(.unreadable, error) }
    edited = try MovieFlattener(edited).plannedMovie()
    // Findings about streams are not reported for a movie without fragments, but they remain.
    let before = findings.filter { $0.rule.traits.contains(.fixedFromSamples) && $0.cure == .repair }
    findings = edited.check().findings
    findings += before.filter { old in
      !findings.contains { $0.rule == old.rule && $0.trackID == old.trackID }
    }
  }

  private static func hasTags(_ tracks: [Track]) -> Bool {
    tracks.contains { $0.formatDescriptions.contains { !StereoTags($0.stereo).isEmpty } }
  }

  /// The findings that remain, of the rules that repairs are about.
  private var left: [Finding] {
    let done = Set(tracks.flatMap { $0.steps.compactMap(\.rule) })
    return findings.filter {
      $0.severity == .error && $0.cure == nil && !done.contains($0.rule)
        && $0.targets.contains { $0 != .spatial }
        && ($0.rule.traits.contains(.fixedFromSamples)
          || BoxRepair.all.contains { [rule = $0.rule] in $0.rules.contains(rule) })
    }
  }

  private func refuseWhatIsLeft() throws(EditError) {
    guard let first = left.first else { return }
    let rules = Set(left.map(\.rule.id)).sorted().map(\.description).joined(separator: ", ")
    throw .refused(
      "the problems found (\(rules)) cannot be repaired: \(first.message)",
      advice: "See what can be done\(.explain(rule: first.rule.id.rawValue)).")
  }

  // MARK: Execution

  /// Returns what makes a movie fragmented again that was fragmented; `nil` for other movies.
  func fragmenter(_ made: MovieFile) throws(EditError) -> MovieFragmenter? {
    guard let fragmentDuration else { return nil }
    var fragmenter = try MovieFragmenter(made)
    fragmenter.duration = fragmentDuration
    fragmenter.oldFileType = oldFileType
    fragmenter.writesIndex = indexes("sidx") > 0
    return fragmenter
  }

  /// The indexes of the old fragments that the new ones lack.
  private var lostIndexes: [RepairStep] {
    guard fragmentDuration != nil else { return [] }
    var steps: [RepairStep] = []
    if indexes("sidx") > 1 {
      steps.append(RepairStep("sidx", "segment indexes", old: "\(indexes("sidx"))", new: "1"))
    }
    if indexes("mfra") > 0 {
      steps.append(RepairStep("mfra", "table of random access to fragments", old: "present", new: "removed"))
    }
    return steps
  }

  private func indexes(_ type: FourCC) -> Int { original.tree?.boxes.count { $0.type == type } ?? 0 }

  /// The only repair, if it is to rewrite the samples of one track; otherwise `nil`.
  var onlyRebuilding: RebuiltMovie? {
    guard tracks.count == 1, let repair = tracks.first, repair.rewritesMedia, fragmentDuration == nil,
      restoration?.changesTracks != true, repair.movie.tree?.trailingRange.isEmpty != false
    else { return nil }
    return RebuiltMovie(repair, frameRate: frameRate)
  }

  /// Returns the movie as it will be, without changes of tags and metadata.
  ///
  /// - Parameter makeOutput: opens an output for media that are rewritten.
  func carriedOut(
    _ makeOutput: () throws(EditError) -> any MediaOutput
  ) throws(EditError) -> (movie: MovieFile, steps: [RepairStep]) {
    var made = edited
    do {
      let inBoxes = tracks.filter { !$0.rewritesMedia }
      if !inBoxes.isEmpty, var tree = made.tree {
        for repair in inBoxes { try repair.apply(to: &tree) }
        made = try MovieFile(edited: tree)
      }
      for (number, repair) in tracks.filter(\.rewritesMedia).enumerated() {
        let isFirst = number == 0 && inBoxes.isEmpty
        guard let here = isFirst ? repair : try repair.again(in: made) else { continue }
        let output = try makeOutput()
        let rebuilt = RebuiltMovie(here, frameRate: frameRate)
        let moov = try rebuilt.write(to: output)
        made = try MovieFile(
          source: try output.complete(
            with: ByteView(try moov.encoded() + rebuilt.trailingBytes().array)), limits: original.limits)
      }
      if let restoration, restoration.changesTracks, var tree = made.tree {
        try restoration.apply(to: &tree)
        made = try restoration.withDurations(restoration.addTracks(to: MovieFile(edited: tree)))
      }
    } catch { throw EditError(error, source: .failed) }
    return try repairedRecords(of: made)
  }

  /// Returns an editor that sets tags and metadata of the new movie.
  func editor(of made: MovieFile) throws(EditError) -> MovieEditor {
    var editor = try MovieEditor(made)
    if copiesTags, let donor {
      if chosen == nil {
        try editor.copyTags(from: donor)
      } else {
        let targets = editor.stereoTracks().filter { Self.isChosen(editor.tracks[$0].id, chosen) }
        try editor.copyTags(from: donor, to: targets, entry: nil)
      }
    } else {
      if completesTags, let donor { editor.completeTags(from: donor, onlyTracks: chosen) }
      setMissingTags(&editor, of: made)
    }
    restoration?.apply(to: &editor)
    return editor
  }

  /// Sets what the new movie lacks and there is only one value for, in the sample entries that lack it: others of a track may
  /// describe samples of one view.
  private func setMissingTags(_ editor: inout MovieEditor, of made: MovieFile) {
    // Without a value, it is not treated as spatial; a shift of 0 is the only value that changes nothing.
    let found = made.findings(of: [.viewsNotSignalled, .disparityAbsent], maximumSamples: 2)
    for finding in found where finding.cure != nil && finding.cure != .merge {
      guard let id = finding.trackID, Self.isChosen(id, chosen),
        let index = editor.tracks.firstIndex(where: { $0.id == id })
      else { continue }
      let entry = (finding.entry ?? 1) - 1
      guard editor.tracks[index].entries.indices.contains(entry) else { continue }
      if finding.rule == .disparityAbsent {
        guard setsDisparity.contains(id),
          editor.tracks[index].entries[entry].stereo.disparityAdjustment == nil
        else { continue }
        editor.tracks[index].entries[entry].stereo.disparityAdjustment = DisparityRatio(rawValue: 0)
      } else if setsEyes.contains(id), editor.tracks[index].entries[entry].stereo.eyes == nil {
        editor.tracks[index].entries[entry].stereo.eyes = [.leftEye, .rightEye]
      }
    }
  }

  /// The tracks that lack only the shift of their views.
  private var setsDisparity: Set<UInt32> {
    Set(
      findings.filter { $0.rule == .disparityAbsent && $0.cure != nil && Self.isChosen($0.trackID, chosen) }
        .compactMap(\.trackID))
  }

  /// Returns what is wrong with the new movie.
  func examined(_ made: MovieFile) throws(EditError) -> ExaminedRepair {
    do { return try verification.examined(made) } catch { throw EditError(.failed, error) }
  }

  /// Returns the report.
  ///
  /// - Parameter examined: what is wrong with the new movie; `nil` if it cannot be examined before it is written.
  func report(
    _ editor: MovieEditor, _ steps: [RepairStep], examined: ExaminedRepair? = nil
  ) -> RepairReport {
    var report = RepairReport()
    let corrected = boxSteps.compactMap { settled($0, in: editor.movie) }
    report.steps = corrected + tracks.flatMap(\.steps) + steps + lostIndexes + (restoration?.steps ?? [])
    for change in editor.changes {
      if let step = restoration?.step(for: change) {
        report.steps.append(step)
      } else {
        report.changes.append(change)
      }
    }
    let done = Set(report.steps.compactMap(\.rule))
    report.left =
      examined?.errors ?? findings.filter { $0.severity == .error && !done.contains($0.rule) }
    report.add(revealed: examined?.revealed ?? [])
    return report
  }

  /// Returns a step with what the new movie has: durations in headers are corrected before samples get other
  /// times, which change them again; `nil` if they are as they were.
  private func settled(_ step: RepairStep, in made: MovieFile) -> RepairStep? {
    guard step.rule == .headerDurations,
      restoration?.changesTracks == true || tracks.contains(where: { $0.rewritesMedia || $0.rewritesTimes }),
      let new = Self.duration(at: step.place, of: made)
    else { return step }
    var step = step
    step.new = new
    return step.old == new ? nil : step
  }

  /// Returns the duration in a header, in words; `nil` if there is no such header.
  private static func duration(at place: String, of movie: MovieFile) -> String? {
    guard let path = BoxPath(place), let box = movie.tree?[path],
      let header = box.decodePayload()?.payload as? any TimedHeader,
      let timescale = (header as? MediaHeaderBox)?.timescale
        ?? movie.tree?.movieHeader?.timescale
    else { return nil }
    return HeaderDurations.Item.words(header.knownDuration, timescale)
  }

  /// Returns the report on a movie that needs no repair, or for which there is none.
  var emptyReport: RepairReport {
    var report = RepairReport()
    report.left = findings.filter { $0.severity == .error }
    return report
  }
}
