// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Tags in boxes that readers do not find are not replaced by new ones: what hides them is repaired.
@Suite struct HiddenTagTests {
  private static let entry = EditedMovie.entry

  private func findings(_ path: String) throws -> [JSONValue] {
    try #require(mvdump("check", "--json", path).json?["findings"]?.elements)
  }

  /// The command of each finding, by its rule.
  private func commands(_ path: String) throws -> [String: String] {
    var commands: [String: String] = [:]
    for finding in try findings(path) {
      guard let rule = finding["rule"]?.text else { continue }
      commands[rule] = finding["command"]?.text ?? finding["commandTemplate"]?.text ?? ""
    }
    return commands
  }

  /// `vexu` as it is in the fixture, with four bytes of version and flags before its contents.
  private static func withFullBox() throws -> EditedMovie {
    var movie = EditedMovie()
    let inside = try #require(movie.tree["\(entry)/vexu"]).encoded().dropFirst(8)
    movie.remove("\(entry)/vexu")
    try movie.append(fullBox("vexu", Array(inside)), to: entry)
    return movie
  }

  @Test func tagsBehindVersionAndFlagsAreRepairedFirst() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("full.mov", Self.withFullBox().encoded())
    let commands = try commands(path)
    #expect(commands["MV016"]?.hasPrefix("mvedit repair ") == true, "\(commands)")
    #expect(commands["MV035"]?.hasPrefix("mvedit repair ") == true, "\(commands)")
    let fixed = folder.path + "/fixed.mov"
    #expect(mvedit("repair", "-o", fixed, path).code == .success)
    #expect(
      try MovieFile(path: fixed).tracks[0].stereo.baseline == EditedMovie().opened().tracks[0].stereo.baseline
    )
    #expect(try findings(fixed).isEmpty)
  }

  /// New tags beside those that no reader finds would make a movie that cannot be repaired.
  @Test func tagsAreNotWrittenBesideHiddenOnes() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("full.mov", Self.withFullBox().encoded())
    let tagged = mvedit("tag", "--eyes", "left,right", "-o", folder.path + "/o.mov", path)
    #expect(
      tagged.code != .success && tagged.errors.contains("begins with version and flags"), "\(tagged.errors)")
    let cleared = mvedit("tag", "--remove", "all", "-o", folder.path + "/o.mov", path)
    #expect(cleared.code == .success, "\(cleared.errors)")
    #expect(try !MovieFile(path: folder.path + "/o.mov").tracks[0].stereo.hasVideoExtendedUsage)
  }

  /// The disparity is in `cams`, where no reader looks for it: it is moved, not replaced by 0.
  @Test func aMisplacedValueIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    var movie = EditedMovie()
    let value = try #require(movie.tree["\(Self.entry)/vexu/eyes/cmfy/dadj"]).encoded()
    movie.remove("\(Self.entry)/vexu/eyes/cmfy")
    try movie.append(value, to: "\(Self.entry)/vexu/eyes/cams")
    let path = try folder.write("misplaced.mov", movie.encoded())
    let commands = try commands(path)
    #expect(commands["MV024"]?.hasPrefix("mvedit repair ") == true, "\(commands)")
    let fixed = folder.path + "/fixed.mov"
    #expect(mvedit("repair", "-o", fixed, path).code == .success)
    #expect(try MovieFile(path: fixed).tracks[0].stereo.disparityAdjustment?.rawValue == 200)
  }

  /// A child of `vexu` whose size is 0: FFmpeg refuses the movie.
  @Test func aSizeOfZeroIsNamed() throws {
    var movie = EditedMovie()
    try movie.append(u32(0) + code("free") + [0, 0, 0, 0], to: "\(Self.entry)/vexu")
    let found = try movie.opened().check().findings.filter { $0.rule == .named("MV033") }
    #expect(found.count == 1 && found.first?.message.contains("size is 0") == true, "\(found)")
  }

  // MARK: Several sample entries

  /// A movie of two parts with their own sample entries: the second is changed.
  private func joined(_ folder: borrowing TemporaryFolder, _ change: (inout EditedMovie) throws -> Void)
    throws -> String
  {
    var second = EditedMovie()
    try change(&second)
    let first = try folder.write("first.mov", EditedMovie().encoded())
    let path = try folder.write("second.mov", second.encoded())
    let run = mvedit("join", "-o", folder.path + "/joined.mov", first, path)
    #expect(run.code == .success, "\(run.errors)")
    return folder.path + "/joined.mov"
  }

  @Test func theCommandNamesTheEntry() throws {
    let folder = try TemporaryFolder()
    let path = try joined(folder) { movie in
      movie.edit("\(Self.entry)/vexu/eyes/cams/blin", CameraBaselineBox.self) {
        $0.baseline.rawValue = 64_000_000
      }
    }
    let command = try #require(commands(path)["MV092"])
    #expect(command.contains(" --track 1 --entry 2 "), "\(command)")
    let words = command.split(separator: " ").dropFirst().map { $0 == "MM" ? "63" : String($0) }
    #expect(mvedit(words).code == .success)
    let fixed = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
    let baselines = try MovieFile(path: fixed).tracks[0].formatDescriptions.map {
      $0.stereo.baseline?.rawValue
    }
    #expect(baselines == [63_000, 63_000])
    #expect(try commands(fixed)["MV092"] == nil)
  }

  @Test func misplacedBoxesOfEachEntryAreMoved() throws {
    let folder = try TemporaryFolder()
    let path = try joined(folder) { movie in
      movie.remove("\(Self.entry)/hfov")
      try movie.append(box("hfov", u32(70_000)), to: "\(Self.entry)/vexu")
    }
    #expect(try commands(path)["MV034"]?.hasPrefix("mvedit repair ") == true)
    let fixed = folder.path + "/fixed.mov"
    let run = mvedit("repair", "-o", fixed, path)
    #expect(run.code == .success, "\(run.errors)")
    let angles = try MovieFile(path: fixed).tracks[0].formatDescriptions.map {
      $0.stereo.horizontalFieldOfView?.rawValue
    }
    #expect(angles == [63_400, 70_000])
    #expect(try commands(fixed)["MV034"] == nil)
  }

  /// What hides tags of one entry says nothing of those of another.
  @Test func tagsHiddenInAnotherEntry() throws {
    let folder = try TemporaryFolder()
    var hiding = EditedMovie(), wrong = EditedMovie()
    hiding.remove("\(Self.entry)/hfov")
    try hiding.append(box("hfov", u32(70_000)), to: "\(Self.entry)/vexu")
    wrong.edit("\(Self.entry)/vexu/eyes/cams/blin", CameraBaselineBox.self) {
      $0.baseline.rawValue = 64_000_000
    }
    let parts = [
      try folder.write("hiding.mov", hiding.encoded()), try folder.write("wrong.mov", wrong.encoded()),
    ]
    let path = folder.path + "/joined.mov"
    #expect(mvedit(["join", "-o", path] + parts).code == .success)
    let commands = try commands(path)
    #expect(commands["MV034"]?.hasPrefix("mvedit repair ") == true, "\(commands)")
    #expect(commands["MV092"]?.hasPrefix("mvedit tag --baseline ") == true, "\(commands)")
  }

  /// A movie whose samples all have a second entry like the first, without a field of view.
  private static func ofTheSecondEntry() throws -> EditedMovie {
    var movie = EditedMovie()
    var second = try #require(movie.tree["\(Self.entry)"])
    second.children.removeAll { $0.type == "hfov" }
    try movie.append(second.encoded(), to: "\(EditedMovie.tables)/stsd")
    movie.edit("\(EditedMovie.tables)/stsd", SampleDescriptionBox.self) { $0.entryCount = 2 }
    movie.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { table in
      table.entries = .of(
        table.entries.map { entry in
          var entry = entry
          entry.sampleDescriptionIndex = 2
          return entry
        })
    }
    return movie
  }

  /// A box around the sample entries belongs to that of the first sample, whatever the others have.
  @Test func boxesAroundTheEntriesMoveToThatOfTheFirstSample() throws {
    let folder = try TemporaryFolder()
    var movie = try Self.ofTheSecondEntry()
    try movie.append(box("hfov", u32(70_000)), to: "moov/trak")
    let path = try folder.write("around.mov", movie.encoded()), fixed = folder.path + "/fixed.mov"
    let run = mvedit("repair", "-o", fixed, path)
    #expect(run.code == .success, "\(run.errors)")
    let values = try MovieFile(path: fixed).tracks[0].formatDescriptions.map {
      $0.stereo.horizontalFieldOfView?.rawValue
    }
    #expect(values == [63_400, 70_000])
  }

  /// Of two boxes, one of them in the right place, it is not known which is right: both stay, whatever else is repaired.
  @Test func boxesBesideOthersStay() throws {
    let folder = try TemporaryFolder()
    var movie = EditedMovie()
    try movie.append(box("hfov", u32(70_000)), to: "moov/trak")
    movie.edit("\(EditedMovie.tables)/stsd", SampleDescriptionBox.self) { $0.entryCount = 3 }
    let fixed = folder.path + "/fixed.mov"
    let run = mvedit("repair", "-o", fixed, try folder.write("both.mov", movie.encoded()))
    #expect(run.errors.contains("number of entries") || run.output.contains("number of entries"), "\(run)")
    let track = try MovieFile(path: fixed).tracks[0]
    #expect(track.stereo.horizontalFieldOfView?.rawValue == 63_400 && track.box?.first("hfov") != nil)
  }

  /// It is reported once, also where samples have both entries.
  @Test func boxesAroundTheEntriesAreReportedOnce() throws {
    let folder = try TemporaryFolder()
    let path = try joined(folder) { $0.remove("\(Self.entry)/hfov") }
    var tree = try #require(try MovieFile(path: path).tree)
    var value = HorizontalFieldOfViewBox()
    value.fieldOfView.rawValue = 70_000
    try tree.insert(Box("hfov", value), in: "moov/trak[0]")
    let found = try MovieFile(bytes: try tree.encoded()).check().findings.filter { $0.rule.id == "MV034" }
    #expect(found.count == 1, "\(found)")
  }

  /// Only zeros are version and flags: four bytes after a value are padding.
  @Test func aLongFieldOfViewKeepsItsValue() throws {
    let folder = try TemporaryFolder()
    var movie = try Self.withFullBox()
    movie.remove("\(Self.entry)/hfov")
    try movie.append(box("hfov", u32(63_400), u32(1)), to: Self.entry)
    let fixed = folder.path + "/fixed.mov"
    let run = mvedit("repair", "-o", fixed, try folder.write("long.mov", movie.encoded()))
    #expect(run.code == .success, "\(run.errors)")
    let stereo = try MovieFile(path: fixed).tracks[0].stereo
    #expect(stereo.horizontalFieldOfView?.rawValue == 63_400 && stereo.baseline?.rawValue == 63_000)
  }

  /// Nine sample entries are examined. What a tenth says is not known, and neither is the verdict.
  @Test(arguments: [9, 10]) func entriesBeyondTheLimit(count: Int) throws {
    let folder = try TemporaryFolder()
    var parts: [String] = []
    for index in 0..<count {
      var movie = EditedMovie()
      movie.edit("\(Self.entry)/hfov", HorizontalFieldOfViewBox.self) {
        $0.fieldOfView.rawValue = 63_400 + UInt32(index)
      }
      parts.append(try folder.write("\(index).mov", movie.encoded()))
    }
    let path = folder.path + "/joined.mov"
    #expect(mvedit(["join", "-o", path] + parts).code == .success)
    let movie = try MovieFile(path: path)
    #expect(movie.tracks[0].formatDescriptions.count == count)
    let verdict = try #require(movie.check().verdict(.spatial))
    let isKnown = !verdict.reasons.contains { $0.contains("sample description 10, which is not examined") }
    #expect(isKnown == (count < 10) && (verdict.outcome == .pass) == isKnown, "\(verdict)")
  }

  /// What follows a flat beginning counts, in both orders.
  @Test(arguments: [false, true]) func aFlatBeginningDoesNotMakeTheMovieFlat(isFlatFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let spatial = Fixtures.path("spatial.mov"), flat = folder.path + "/flat.mov",
      path = folder.path + "/both.mov"
    #expect(mvedit("strip", "-o", flat, spatial).code == .success)
    let parts = isFlatFirst ? [flat, spatial] : [spatial, flat]
    let run = mvedit(["join", "-o", path] + parts)
    #expect(run.code == .success, "\(run.errors)")
    let movie = try MovieFile(path: path), report = movie.check()
    #expect(movie.classification == .spatial && report.classification == .spatial)
    #expect(report.verdict(.spatial)?.outcome == .pass, "\(report.verdicts)")
    #expect(report.playlist?.requiredVideoLayout == "CH-STEREO")
    #expect(mvdump("probe", path).output.hasPrefix("spatial   multiview"))
  }

  /// The size is part of what an entry says.
  @Test func sizesOfEachEntryAreChecked() throws {
    let folder = try TemporaryFolder()
    let path = try joined(folder) { movie in
      movie.edit(Self.entry, VisualSampleEntry.self) { $0.height = 90 }
    }
    let found = try MovieFile(path: path).check().findings.filter { $0.rule == .entrySize }
    #expect(found.map(\.entry) == [2], "\(found)")
  }

  /// A profile is thousands of bytes, and not for people.
  @Test func profilesAreNotListed() throws {
    let folder = try TemporaryFolder()
    var profile = [UInt8](repeating: 0, count: 200)
    profile.replaceSubrange(0..<4, with: u32(200))
    profile.replaceSubrange(16..<20, with: Array("RGB ".utf8))
    profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
    var movie = EditedMovie()
    try movie.append(box("colr", code("prof"), profile), to: Self.entry)
    let path = try folder.write("profile.mov", movie.encoded())
    #expect(try MovieFile(path: path).tracks[0].colour.iccProfile == profile)
    #expect(!mvdump("info", "--json", path).output.contains("iccProfile"))
  }

  /// Each entry's colours are compared with those of its own pictures.
  @Test func coloursAreThoseOfTheEntry() throws {
    let folder = try TemporaryFolder()
    let flat = folder.path + "/flat.mov", path = folder.path + "/both.mov"
    #expect(mvedit("strip", "-o", flat, Fixtures.path("spatial.mov")).code == .success)
    // The other has colr and VUI of PQ.
    let run = mvedit("join", "-o", path, flat, Fixtures.path("hdr10.mp4"))
    #expect(run.code == .success, "\(run.errors)")
    let alone = try Set(findings(Fixtures.path("hdr10.mp4")).compactMap { $0["rule"]?.text })
    let both = try Set(findings(path).compactMap { $0["rule"]?.text })
    #expect(!both.contains("MV063") && !alone.contains("MV063"), "\(both) \(alone)")
  }
}
