// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import ISOBMFF
import MVEditCommand
import Multiview
import TestSupport
import Testing

@Suite struct TagTests {
  private let folder: TemporaryFolder
  private let movie: String

  init() throws {
    folder = try TemporaryFolder()
    movie = try copied(Fixtures.path("spatial.mov"), to: folder, as: "movie.mov")
  }

  private func stereo(_ path: String) -> JSONValue? {
    mvdump("info", "--json", path).json?["tracks"]?[0]?["stereo"]
  }

  @Test func aDryRunSaysWhatWouldChange() {
    let before = contents(movie)
    let run = mvedit(
      "tag", "--baseline", "19.24", "--hero", "none", "--disparity", "-0.02", "--dry-run", movie)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output.contains("track 1 baseline: 63 mm → 19.24 mm\n"), "\(run.output)")
    #expect(run.output.contains("disparity: 0.02 → -0.02\n"))
    #expect(run.output.contains("hero: left → none\n"))
    #expect(contents(movie) == before)
    #expect(mvedit("tag", "--baseline", "63", "--dry-run", movie).output == "nothing would change\n")
  }

  /// Of layers in two tracks, the eyes are swapped with the base layer, and for both tracks.
  @Test func eyesOfTwoTracksAreSwappedTogether() throws {
    let (made, two) = (folder.path + "/made.mov", folder.path + "/two.mov")
    #expect(mvedit("mux", "--fps", "30", "-o", made, Fixtures.path("two-views.hevc")).code == .success)
    #expect(mvedit("split", "-o", two, made).code == .success)
    let before = mvdump("eyes", two).output
    #expect(before.contains("layer 0: left eye") && before.contains("layer 1: right eye"), "\(before)")
    let output = folder.path + "/swapped.mov"
    let run = mvedit("tag", "--swap-eyes", "--rewrite-message", "-o", output, two)
    #expect(run.code == .success, "\(run.errors)")
    let eyes = mvdump("eyes", output).output
    #expect(eyes.contains("layer 0: right eye") && eyes.contains("layer 1: left eye"), "\(eyes)")
    #expect(!eyes.contains("contradiction"), "\(eyes)")
    // The message of this one is in its samples, which are not changed.
    let other = mvedit(
      "tag", "--swap-eyes", "--rewrite-message", "-o", output + "2", Fixtures.path("two-tracks-lhv1.mp4"))
    #expect(other.code == .no && other.errors.contains("in the samples"), "\(other.errors)")
    #expect(other.errors.contains("(mvedit encode --right-first)"), "\(other.errors)")
    #expect(contents(output + "2") == nil)
  }

  @Test func tagsInPlaceCanBeUndone() throws {
    let before = contents(movie)
    let run = mvedit("tag", "--json", "--remove", "all", "--in-place", movie)
    #expect(run.code == .success && run.errors.isEmpty)
    let json = try #require(run.json)
    #expect(JSONSchema(named: "tag")?.problems(json) == [])
    #expect(json["schema"]?.text == "mvedit.tag/1" && json["written"] == .bool(true))
    #expect(json["changes"]?.elements.isEmpty == false)
    #expect(mvdump("tree", "--path", "**/vexu", movie).output == "offset    size  box\n")
    #expect(mvdump("tree", "--path", "**/hfov", movie).output == "offset    size  box\n")
    #expect(mvedit("tag", "--undo", movie).code == .success)
    #expect(contents(movie) == before)
    #expect(mvedit("tag", "--undo", movie).code == .no)
  }

  @Test func onlyTheTrackThatIsNamedChanges() {
    let donor = Fixtures.path("half-equirect-180.mov")
    for change in [["--remove", "all"], ["--copy-from", donor]] {
      let run = mvedit(["tag", "--dry-run", "--track", "1", "--entry", "1"] + change + [movie])
      #expect(run.code == .success && run.output.contains("track 1 field-of-view"), "\(run.errors)")
      for place in [["--track", "9"], ["--entry", "2"]] {
        let run = mvedit(["tag", "--dry-run"] + place + change + [movie])
        #expect(run.code == .no && run.output.isEmpty, "\(place) \(change): \(run.output)")
      }
    }
  }

  @Test func aDryRunInPlaceSaysWhatInPlaceWould() {
    let fragments = Fixtures.path("two-views-fragmented.mp4")
    let run = mvedit("tag", "--baseline", "63", "--in-place", "--dry-run", fragments)
    #expect(run.code == .no && run.errors.contains("-o"), "\(run.errors)")
  }

  @Test func aMovieThatDoesNotAllowItIsLeftAlone() throws {
    let flat = try copied(Fixtures.path("hdr10.mp4"), to: folder, as: "flat.mp4")
    let before = contents(flat)
    let run = mvedit("tag", "--baseline", "63", "--in-place", flat)
    #expect(run.code == .no && run.output.isEmpty)
    #expect(run.errors.contains("MV041") && run.errors.contains("--packing"), "\(run.errors)")
    #expect(contents(flat) == before)
    #expect(mvedit("tag", "--baseline", "63", "--track", "9", "--dry-run", movie).code == .no)
    #expect(mvedit("tag", "--baseline", "63", "--entry", "2", "--dry-run", movie).code == .no)
    #expect(mvedit("tag", "--baseline", "63", "--dry-run", Fixtures.path("two-views.hevc")).code == .no)
    #expect(mvedit("tag", "--baseline", "63", "--dry-run", folder.path + "/gone.mov").code == .unreadable)
    #expect(mvedit("tag", "--baseline", "63", "--dry-run", Fixtures.path("README.md")).code == .unreadable)
  }

  /// Of several tracks and sample entries, those that are named; without names, all that are meant for tags.
  @Test func onlyTheNamedTrackAndEntryAreTagged() throws {
    func fields(_ path: String) throws -> [[UInt32?]] {
      try MovieFile(path: path).tracks.map {
        $0.formatDescriptions.map { $0.stereo.horizontalFieldOfView?.rawValue }
      }
    }
    func tagged(_ path: String, _ options: String...) throws -> [[UInt32?]] {
      let out = folder.path + "/out.mov"
      let run = mvedit(["tag", "--field-of-view", "70", "--force", "-o", out] + options + [path])
      #expect(run.code == .success, "\(run.errors)")
      return try fields(out)
    }
    // Two entries of one track: the second is a copy of the first.
    var tree = BoxTree(Fixtures.bytes("spatial.mov"))
    let stsd: BoxPath = "moov/trak/mdia/minf/stbl/stsd"
    try tree.insert(try #require(tree[stsd]?.children.first), in: stsd)
    let entries = try folder.write("entries.mov", tree.encoded())
    #expect(try fields(entries) == [[63_400, 63_400]])
    #expect(try tagged(entries, "--entry", "2") == [[63_400, 70_000]])
    #expect(try tagged(entries, "--entry", "1") == [[70_000, 63_400]])
    #expect(try tagged(entries) == [[70_000, 70_000]])
    // Two tracks, one for each layer.
    let tracks = Fixtures.path("two-tracks-lhv1.mp4")
    let ids = try MovieFile(path: tracks).tracks.map(\.id)
    let before = try fields(tracks)
    #expect(ids.count == 2)
    var second = before
    second[1][0] = 70_000
    #expect(try tagged(tracks, "--track", "\(ids[1])") == second)
    var first = before
    first[0][0] = 70_000
    #expect(try tagged(tracks, "--track", "\(ids[0])") == first)
  }

  @Test func aDateThatHeadersHaveNoRoomForIsRefused() {
    let run = mvedit("tag", "--creation-date", "2200-01-01T00:00:00Z", "--dry-run", movie)
    #expect(run.code == .no && run.errors.contains("32 bits for dates"), "\(run.errors)")
  }

  @Test func namesOfOutputsCannotDisturbTheTerminal() {
    let run = mvedit("tag", "--baseline", "60", "-o", folder.path + "/no/\u{1B}[31mx.mov", movie)
    #expect(
      run.code != .success && run.errors.contains("/no/\\u{1b}[31mx.mov") && !run.errors.contains("\u{1B}"))
  }

  @Test func whatMakesNoSenseIsWrongUsage() {
    let lines: [[String]] = [
      ["tag", movie], ["tag", "--baseline", "63", movie], ["tag", "--baseline", "x", "--dry-run", movie],
      ["tag", "--baseline", "-1", "--dry-run", movie], ["tag", "--baseline", "nan", "--dry-run", movie],
      ["tag", "--baseline", "63", "-o", "x.mov", movie, movie], ["tag", "--baseline", "63", "--dry-run"],
      ["tag", "--baseline", "63", "--baseline", "64", "--dry-run", movie],
      ["tag", "--remove", "location", "--keep-free", "-o", "x.mov", movie],
      ["tag", "--remove", "location,", "--dry-run", movie],
      ["tag", "--set", "cameraBaseline=1", "-n", movie],
      ["tag", "--set", "vexu:cameraBaselin=1", "-n", movie], ["tag", "--key", "novalue", "-n", movie],
      ["tag", "--set", "", "-n", movie], ["tag", "--set", ",", "-n", movie],
      ["tag", "--baseline", "60", "--set", "vexu:cameraBaseline=64", "-n", movie],
      ["tag", "--set", "vexu:cameraBaseline=60,vexu:cameraBaseline=64", "-n", movie],
      ["tag", "--key", "a=1", "--key", "a=2", "-n", movie], ["tag", "--disparity", "0.00004", "-n", movie],
      ["tag", "--creation-date", "yesterday", "-n", movie], ["tag", "--undo", "--baseline", "1", movie],
      ["tag", "--baseline", "1", "--in-place", "-o", "x", movie],
      ["tag", "--baseline", "1", "--in-place", "--faststart", movie],
      ["tag", "--baseline", "1", "--in-place", "-", movie], ["tag", "--undo", movie, "-"],
      ["tag", "--baseline", "1", "--in-place", "--keep-dates", movie],
      ["tag", "--undo", "--track", "1", movie], ["tag", "--undo", "--faststart", movie],
      ["tag", "--projection", "spherical", "-n", movie],
      ["tag", "--eyes", "both", "-n", movie], ["tga", movie], ["tag", "--entry", "0", "-n", movie], [],
    ]
    for line in lines {
      let run = mvedit(line)
      #expect(run.code == .usage && run.output.isEmpty, "\(line): \(run.output)\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("mvedit: "), "\(line)")
    }
  }

  @Test func namesAndUnitsOfTheToolSpatialAreUnderstood() {
    let run = mvedit(
      "tag", "--dry-run", "--set", "vexu:cameraBaseline=60.0,vexu:horizontalFieldOfView=70",
      "--set", "vexu:horizontalDisparityAdjustment=-0.5", "--set", "vexu:heroEyeIndicator=right",
      "--set", "vexu:projectionKind=rectilinear", movie)
    #expect(run.code == .success)
    for line in [
      "baseline: 63 mm → 60 mm", "field-of-view: 63.4° → 70°", "disparity: 0.02 → -0.5",
      "hero: left → right",
      "projection: absent → rect",
    ] { #expect(run.output.contains(line + "\n"), "\(line): \(run.output)") }
  }

  @Test func helpNamesEveryOption() {
    let help = mvedit("tag", "--help")
    #expect(help.code == .success)
    for name in ["eyes", "baseline", "copy-from", "in-place", "undo", "force-values", "set", "key"] {
      #expect(help.output.contains("--" + name))
    }
    #expect(mvedit("--help").output.contains("mvedit COMMAND [options] FILE…"))
    #expect(mvedit("--version").output == "mvedit \(MVEdit.version)\n")
    for shell in ["bash", "zsh", "fish"] {
      #expect(mvedit("completions", shell).output.contains("field-of-view"))
    }
  }

  /// Several movies, in place or by a pattern for the names.
  @Test func severalMoviesAreTagged() throws {
    let second = try copied(Fixtures.path("stereo-no-hfov.mov"), to: folder, as: "second.mov")
    let gone = folder.path + "/gone.mov"
    let run = mvedit("tag", "--field-of-view", "70", "-o", folder.path + "/%n-new.mov", movie, gone, second)
    #expect(run.code == .unreadable && run.errors.contains("gone.mov"), "\(run.errors)")
    for name in ["movie-new.mov", "second-new.mov"] {
      let fields = try MovieFile(path: folder.path + "/" + name).tracks.first?.formatDescriptions.first?
        .stereo
      #expect(fields?.horizontalFieldOfView?.rawValue == 70_000, "\(name)")
    }
    // A list of names, from a file.
    let list = try folder.write("list", Array("\(movie)\n\(second)\n".utf8))
    let listed = mvedit("tag", "--field-of-view", "71", "--in-place", "--files-from", list)
    #expect(listed.code == .success, "\(listed.errors)")
    let zeros = try folder.write("zeros", Array("\(movie)\0\(second)\0".utf8))
    let found = mvdump("probe", "--only", "stereo", "-0", "--files-from", zeros)
    #expect(
      found.code == .success && found.output == "\(movie)\0\(second)\0", "\(found.output)\(found.errors)")
    #expect(mvdump("probe", "--only", "immersive", movie).code == .no)
    #expect(mvedit("tag", "--field-of-view", "70", "-o", "same.mov", movie, second).code == .usage)
  }

  /// Tags of two eyes do not go to a movie whose second layer has no configuration.
  @Test(.enabled(if: Corpus.isPresent))
  func tagsOfAnotherCameraNeedLayers() throws {
    let folder = try #require(Corpus.folder)
    let output = self.folder.path + "/out.mov"
    let run = mvedit(
      "tag", "--copy-from", folder + "/apple/stereo_spatial.mp4", "-o", output,
      folder + "/found/2/remux_bin.mp4")
    #expect(run.code == .no && run.errors.contains("lhvC"), "\(run.errors)")
    #expect(contents(output) == nil)
  }

  @Test func anAddressIsAnsweredWithAHint() {
    let run = mvdump("info", "https://example.com/movie.mov")
    #expect(
      run.code == .unreadable
        && run.errors.contains("curl -sfL https://example.com/movie.mov | mvdump info -"))
    let quoted = mvdump("tree", "--depth", "1", "http://example.com/it's?a=1&b").errors
    #expect(quoted.contains("curl -sfL 'http://example.com/it'\\''s?a=1&b' | mvdump tree … -\n"), "\(quoted)")
    for address in ["s3://bucket/movie.mov", "rtmp://example.com/live"] {
      let errors = mvdump("info", address).errors
      #expect(errors.contains("is a URL, and only files are read. Download it first.\n"), "\(errors)")
    }
  }
}
