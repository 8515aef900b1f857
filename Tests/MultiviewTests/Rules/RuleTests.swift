// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct RuleTests {
  private func broken(_ movie: EditedMovie) throws -> Set<RuleID> {
    Set(try movie.opened().check().findings.map(\.rule.id))
  }

  @Test(arguments: RuleCase.all) func firesOnTheOneThing(_ item: RuleCase) throws {
    let good = try item.start()
    let before = try broken(good)
    #expect(!before.contains(item.rule), "it fires on the movie that keeps it")
    var bad = good
    try item.edit(&bad)
    let after = try broken(bad)
    #expect(after.contains(item.rule), "it does not fire on the movie that breaks it; \(after.sorted())")
    let others = after.subtracting(before).subtracting(item.also).subtracting([item.rule])
    #expect(others.isEmpty, "others fire with it: \(others.sorted())")
    #expect(try unexplained(bad.opened().check()) == [])
  }

  // MARK: Explanations

  /// The verdicts of a report that are bad and that no finding explains.
  private func unexplained(_ report: CheckReport) -> [CheckTarget] {
    report.verdicts.filter { verdict in
      switch verdict.outcome {
      case .fail:
        !report.findings.contains { $0.targets.contains(verdict.target) }
      case .unknown:
        !report.findings.contains { $0.severity == .error || ["MV081", "MV100"].contains($0.rule.id) }
      case .pass, .notApplicable: false
      }
    }.map(\.target)
  }

  @Test(arguments: Fixtures.media) func badVerdictsOfFixturesAreExplained(name: String) throws {
    #expect(unexplained(try MovieFile(path: Fixtures.path(name)).check()) == [])
  }

  @Test func badVerdictsOfRealFilesAreExplained() throws {
    guard Corpus.isPresent, let folder = Corpus.folder else { return }
    var judged = 0, explained = 0
    for name in ["apple", "mvhevc", "lhevc", "made", "broken", "third-party"].flatMap({ Corpus.files($0) }) {
      let movie: MovieFile
      do { movie = try MovieFile(path: folder + "/" + name) } catch { continue }
      let report = movie.check()
      #expect(unexplained(report) == [], "\(name)")
      judged += 1
      explained += report.verdicts.count { $0.outcome == .fail || $0.outcome == .unknown }
    }
    print("\(explained) verdicts fail or unknown of \(judged) files, each with a finding")
    #expect(judged > 500 && explained > 500)
  }

  @Test func everyRuleHasACase() {
    let tested = Set(RuleCase.all.map(\.rule))
    // Those of playlists have their cases in `PlaylistRuleTests`, those of photos in `PhotoRuleTests`.
    let others = Set(PlaylistRuleTests.cases.map(\.rule) + PhotoRuleTests.cases.map(\.rule))
    for rule in Rule.all { #expect(tested.contains(rule.id) || others.contains(rule.id), "\(rule.id)") }
  }

  @Test func identifiersAreUniqueAndInOrder() {
    let ids = Rule.all.map(\.id)
    #expect(Set(ids).count == ids.count && ids == ids.sorted())
    for id in ids {
      #expect(id.rawValue.hasPrefix("MV") && id.rawValue.count == 5)
      #expect(Rule.named(id)?.id == id)
    }
  }

  @Test(arguments: Rule.all.map(\.id)) func everyRuleIsExplained(id: RuleID) throws {
    let rule = try #require(Rule.named(id))
    #expect(!rule.title.isEmpty && !rule.title.hasSuffix("."))
    #expect(rule.why.hasSuffix(".") && rule.fix.description.hasSuffix("."))
    #expect(!rule.source.isEmpty && !rule.targets.isEmpty)
  }

  /// The file type box is behind everything else, and a filler is in front, as QuickTime puts it there.
  @Test func aFillerDoesNotStandForTheFileType() throws {
    var movie = EditedMovie()
    let type = try #require(movie.tree["ftyp"]).encoded()
    movie.replace("ftyp", with: box("wide", [UInt8](repeating: 0, count: type.count - 8)))
    try movie.patch { $0 += type }
    let finding = try #require(try movie.opened().check().findings.first { $0.rule.id == "MV004" })
    #expect(finding.cure == .repair && finding.wanted == "ftyp first")
  }

  /// Where no sample is a sync sample, one in a group of random access points is noted, and nothing worse.
  @Test func randomAccessPointsThatAreNoSyncSamples() throws {
    func severity(members: UInt32) throws -> Diagnostic.Severity? {
      var movie = EditedMovie()
      movie.edit("\(RuleCase.tables)/stss", SyncSampleBox.self) { $0.entries = .of([UInt32Record]()) }
      let groups = fullBox("sbgp", Array("rap ".utf8), u32(1), u32(members), u32(1))
      var description = fullBox("sgpd", Array("rap ".utf8), u32(1), u32(1), [0])
      description[8] = 1
      try movie.append(description + (members > 0 ? groups : []), to: RuleCase.tables)
      return try movie.opened().check().findings.first { $0.rule.id == "MV130" }?.severity
    }
    #expect(try severity(members: 1) == .note)
    #expect(try severity(members: 0) == .warning)
  }

  @Test func findingsSayWhereAndWhat() throws {
    var movie = EditedMovie()
    movie.edit("\(RuleCase.entry)/lhvC", LHEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
    let report = try movie.opened().check()
    let finding = try #require(report.findings.first)
    #expect(finding.rule.id == "MV009" && finding.severity == .error)
    #expect(finding.path == "moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC" && finding.offset == 694)
    #expect(finding.found == "2" && finding.wanted == "4" && finding.trackID == 1)
    #expect(finding.targets == [.spatial, .stereo, .iso])
    #expect(report.verdict(.spatial)?.outcome == .fail && report.verdict(.iso)?.outcome == .fail)
  }

  /// The picture parameter set of the second layer may refer to the sequence parameter set of the first.
  @Test func layersMayShareASequenceParameterSet() throws {
    var movie = EditedMovie()
    movie.edit("\(RuleCase.entry)/lhvC", LHEVCConfigurationBox.self) { box in
      box.record.arrays.removeAll { $0.nalUnitType == .sequenceParameterSet }
    }
    try movie.editSet("lhvC", .pictureParameterSet, PictureParameterSet()) { $0.ppsSeqParameterSetID = 0 }
    let report = try movie.opened().check()
    #expect(report.classification == .spatial)
    #expect(report.findings.filter { $0.severity == .error }.map(\.rule.id) == [])
    var strange = movie
    try strange.rewriteSamples { samples in
      for index in samples.indices {
        samples[index] = samples[index].map { $0.layerID == 1 ? $0.moved(toLayer: 5) : $0 }
      }
    }
    #expect(try broken(strange).contains("MV012"))
    // Without samples, the records alone say it.
    movie.edit("\(RuleCase.tables)/stsz", SampleSizeBox.self) { table in
      (table.sampleCount, table.entries) = (0, .of([]))
    }
    #expect(try movie.opened().classification == .spatial)
    #expect(try !broken(movie).contains("MV094"))
  }

  /// A VUI that does not signal a range agrees with any.
  @Test func rangesThatAreNotSignalledDoNotDiffer() throws {
    for hasVUI in [false, true] {
      var movie = EditedMovie()
      try movie.editSPS { $0.vui = hasVUI ? VUIParameters() : nil }
      try movie.append(RuleCase.colr(1, 1, 1, isFullRange: true), to: RuleCase.entry)
      #expect(try !broken(movie).contains("MV063"))
    }
  }

  @Test func optionsChooseRules() throws {
    var movie = EditedMovie()
    movie.remove("\(RuleCase.entry)/lhvC")
    let opened = try movie.opened()
    var options = CheckOptions()
    options.rules = ["MV014"]
    #expect(Set(opened.check(options).findings.map(\.rule.id)) == ["MV014"])
    options.rules = nil
    options.excludedRules = ["MV014"]
    #expect(Set(opened.check(options).findings.map(\.rule.id)) == ["MV015"])
  }
}
