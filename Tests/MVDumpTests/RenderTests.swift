// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MoviePictures
import Multiview
import TestSupport
import Testing

/// `mvdump render`: files that hold the pictures of the library, and nothing half-written.
@Suite struct RenderTests {
  /// The pictures in README are those that the command makes.
  @Test(arguments: ["left", "right"]) func readmeShowsEachEye(_ eye: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/\(eye).png"
    let run = mvdump("render", "--eye", eye, "-o", path, spatial)
    #expect(run.code == .success && run.output.isEmpty)
    #expect(run.errors == "mvdump: \(path): \(eye) eye of sample 0 at 0 s, 320×180\n")
    #expect(contents(path) == contents(PackageFolder.root + "/docs/images/spatial-\(eye).png"))
  }

  @Test func documentsFollowTheirSchema() throws {
    let folder = try TemporaryFolder()
    let schema = try #require(JSONSchema(named: "render"))
    let lines: [[String]] = [
      ["--eye", "both", "-o", "both.png", spatial], ["--layout", "separate", "-o", "%e.png", spatial],
      ["--every", "0.05", "-w", "32", "-o", "%02d.png", spatial],
      ["-o", "raw.yuv", Fixtures.path("two-views.hevc")],
      ["-o", "photo.png", Fixtures.path("pictures/photo.heic")],
      ["--deep", "-o", "deep.png", Fixtures.path("hdr10.mp4")],
    ]
    for line in lines {
      let place = line.map { $0.hasSuffix(".png") || $0.hasSuffix(".yuv") ? folder.path + "/" + $0 : $0 }
      let run = mvdump(["render", "--json"] + place)
      #expect(run.code == .success)
      #expect(SchemaTests.check(run, schema, "\(line)"))
    }
    let names = filesBelow(folder.path)
    #expect(
      names == [
        "00.png", "01.png", "02.png", "both.png", "deep.png", "left.png", "photo.png", "raw.yuv", "right.png",
      ])
  }

  /// A file of planes has one size: which picture differs is said.
  @Test func picturesOfTwoSizes() throws {
    let folder = try TemporaryFolder()
    let stream = Fixtures.bytes("pictures/mv_far.bit").array + Fixtures.bytes("two-views.hevc").array
    let path = try folder.write("two.hevc", stream)
    let run = mvdump("render", "--all", "--layer", "0", "-o", folder.path + "/o.yuv", path)
    #expect(run.errors.contains("the picture of sample 6 differs; write PNG, or trim the movie"))
    #expect(filesBelow(folder.path) == ["two.hevc"])
  }

  /// Y4M and raw planes hold what the library reads, one frame after the other.
  @Test func planesAreThoseOfTheLibrary() throws {
    let folder = try TemporaryFolder()
    let track = try #require(try MovieFile(path: spatial).tracks.first)
    let reader = try track.pictures()
    var expected: [UInt8] = [], planes: [UInt8] = []
    while let group = try reader.next() {
      let left = try PlanarFrame(try #require(group[.left])),
        right = try PlanarFrame(try #require(group[.right]))
      let frame = try PlanarFrame.combining(left: left, right: right, .overUnder)
      if expected.isEmpty { expected = try frame.y4mHeader(rate: track.pictureRate) }
      expected += frame.y4mFrame
      planes += right.bytes
    }
    let y4m = folder.path + "/o.y4m", yuv = folder.path + "/o.yuv"
    #expect(mvdump("render", "--all", "--layout", "over-under", "-o", y4m, spatial).code == .success)
    #expect(contents(y4m) == expected)
    #expect(mvdump("render", "--all", "--eye", "right", "-o", yuv, spatial).code == .success)
    #expect(contents(yuv) == planes)
    let piped = try shell("$MVDUMP render --all --layout over-under -o - \(spatial) | cmp - \(y4m)")
    #expect(piped.status == 0)
  }

  /// A movie whose track is turned and mirrored gives pictures that are.
  @Test func rotationIsApplied() throws {
    let folder = try TemporaryFolder()
    let upright = try #require(try MovieFile(path: spatial).tracks.first)
    let picture = try upright.thumbnail(eye: .left, maximumWidth: 10_000)
    let unit: Int32 = 0x0001_0000
    let matrices: [(TransformationMatrix, Int, Bool)] = [
      (TransformationMatrix(a: 0, b: unit, c: -unit, d: 0), 90, false),
      (TransformationMatrix(a: -unit, b: 0, c: 0, d: -unit), 180, false),
      (TransformationMatrix(a: -unit, b: 0, c: 0, d: unit), 0, true),
    ]
    for (matrix, rotation, isMirrored) in matrices {
      var tree = try #require(try MovieFile(path: spatial).tree)
      try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) { $0.matrix = matrix }
      let path = folder.path + "/\(rotation).mov", png = folder.path + "/\(rotation).png"
      try tree.write(toFile: path)
      #expect(mvdump("render", "--eye", "left", "-o", png, path).code == .success)
      let orientation = try #require(PictureOrientation(rotation: rotation, isMirrored: isMirrored))
      #expect(contents(png) == picture.oriented(orientation).png())
    }
  }

  /// Nothing is written over unasked, and nothing half-written is left.
  @Test func outputsAreSafe() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("there.png", [1, 2, 3])
    let refused = mvdump("render", "-o", path, spatial)
    #expect(
      refused.code == .unreadable && refused.errors.contains("cannot write")
        && refused.errors.contains("--force"))
    #expect(contents(path) == [1, 2, 3])
    #expect(mvdump("render", "-f", "-o", path, spatial).code == .success)
    #expect(contents(path)?.count ?? 0 > 1_000)
    let full = try shell("ulimit -f 8; $MVDUMP render -o out.png \(spatial)", in: folder.path)
    #expect(full.status == 2)
    let stream = try shell("ulimit -f 8; $MVDUMP render --all -o out.y4m \(spatial)", in: folder.path)
    #expect(stream.status == 2)
    let copy = try folder.write("movie.y4m", contents(spatial) ?? [])
    #expect(mvdump("render", "-f", "-o", copy, copy).errors.contains("is the same file as the input"))
    #expect(filesBelow(folder.path) == ["movie.y4m", "there.png"])
  }

  /// Who reads only some pictures has what was wanted.
  @Test func aReaderThatGoesAwayIsNoFailure() throws {
    // More than a pipe holds.
    let folder = try TemporaryFolder()
    let run = try shell(
      "($MVDUMP render --all -o - \(Fixtures.path("two-views-fragmented.mp4")); echo $? > status) | head -c 9",
      in: folder.path)
    #expect(run.output == "YUV4MPEG2" && run.errors.isEmpty, "\(run.errors)")
    #expect(contents(folder.path + "/status") == Array("0\n".utf8))
    let full = try shell("test ! -e /dev/full || $MVDUMP render --all -o - \(spatial) > /dev/full")
    #expect(
      full.status == 2 && full.errors.contains("cannot write standard output: no space left"),
      "\(full.errors)")
  }

  /// What cannot be is refused in words that say what to do.
  @Test func refusals() throws {
    let folder = try TemporaryFolder()
    func errors(_ line: String, _ file: String) -> String {
      var words = ["render"]
      for word in line.split(separator: " ") {
        words.append(word.hasPrefix("OUT") ? folder.path + "/o" + word.dropFirst(3) : String(word))
      }
      let run = mvdump(words + [file])
      #expect(run.code != .success, "\(line)")
      return run.errors
    }
    #expect(errors("", spatial).contains("say where to write"))
    #expect(errors("-o OUT.jpg", spatial).contains("must end in .png, .y4m or .yuv"))
    #expect(
      errors("-o OUT%x.png", spatial).contains("'%x' in the name of the output is not %e, %n, %f, %d or %03d")
    )
    #expect(errors("--all -o OUT%099d.png", spatial).contains("'%099d' in the name of the output"))
    #expect(errors("--layout separate -o OUT.png", spatial).contains("put %e for the eye into the name"))
    #expect(errors("--all -o OUT.png", spatial).contains("put %d for the number into the name"))
    #expect(errors("--all -o OUT%d.y4m", spatial).contains("leave %d out"))
    #expect(errors("--layout anaglyph -o OUT.y4m", spatial).contains("only be written as PNG"))
    #expect(errors("--deep -o OUT.yuv", spatial).contains("--deep is only for PNG"))
    for time in ["1:x", "1:60", "1.", "1/0"] {
      #expect(errors("--at \(time) -o OUT.png", spatial).contains("--at needs a time"), "\(time)")
    }
    #expect(errors("--every 0 -o OUT%d.png", spatial).contains("more than 0"))
    #expect(errors("--sample 1 --all -o OUT.png", spatial).contains("cannot be used together"))
    #expect(errors("--layer 0 --eye left -o OUT.png", spatial).contains("cannot be used together"))
    #expect(errors("--eye left --layout anaglyph -o OUT.png", spatial).contains("--eye both"))
    #expect(
      errors("--at 99 -o OUT.png", spatial).contains(
        "nothing is shown at 99 s: the track shows pictures from 0 s"))
    #expect(errors("--sample 99 -o OUT.png", spatial).contains("there is no sample 99: the track has"))
    #expect(errors("--layer 9 -o OUT.png", spatial).contains("there is no layer 9; the layers are 0, 1"))
    let alpha = Fixtures.path("alpha-layer.mp4"), stream = Fixtures.path("two-views.hevc")
    #expect(
      errors("--eye right -o OUT.png", alpha).contains("there is one view"))
    #expect(errors("--at 1 -o OUT.png", stream).contains("a raw stream has no times"))
    #expect(errors("-o OUT.png", Fixtures.path("timecode.mov")).contains("has no HEVC track"))
    #expect(errors("--json -o -", spatial).contains("pictures and JSON cannot both go to standard output"))
    #expect(filesBelow(folder.path) == [])
  }

  @Test func timesAreUnderstood() throws {
    let folder = try TemporaryFolder()
    var samples: [String] = []
    for time in ["0", "0.0", "2/30", "0:0.1", "0:00:00.099"] {
      let run = mvdump(
        "render", "-f", "-w", "8", "--json-lines", "--at", time, "-o", folder.path + "/a.png", spatial)
      #expect(run.code == .success)
      samples.append(run.output.split(separator: "\"sample\":").last.map { String($0.prefix(2)) } ?? "")
    }
    #expect(samples.map { $0.filter(\.isNumber) } == ["0", "0", "2", "3", "2"])
  }

  /// Of a folder every movie gets its files, each with the pictures that it has by itself, and what cannot be rendered keeps nothing
  /// else from it.
  @Test(arguments: ["1", "3"]) func foldersAreRendered(_ threads: String) throws {
    let folder = try TemporaryFolder()
    let bytes = contents(spatial) ?? [], flat = contents(Fixtures.path("hdr10.mp4")) ?? []
    let single = mvdump("render", "-w", "32", "--eye", "left", "-o", folder.path + "/single.png", spatial)
    #expect(single.code == .success)
    let library = folder.path + "/library"
    try #expect(shell("mkdir -p \(library)/more").status == 0)
    for name in ["a", "b", "more/c"] { _ = try folder.write("library/\(name).mov", bytes) }
    _ = try folder.write("library/d.mp4", contents(Fixtures.path("timecode.mov")) ?? [])
    _ = try folder.write("library/e.mp4", Array(bytes.prefix(700)))
    _ = try folder.write("library/f.txt", [1, 2, 3])
    let run = mvdump(
      "render", "-r", "-w", "32", "--layout", "separate", "--threads", threads, "-o",
      folder.path + "/%n-%e.png",
      library)
    #expect(run.code == .unreadable)
    let names = ["a", "b", "c"].flatMap { ["\($0)-left.png", "\($0)-right.png"] }
    #expect(filesBelow(folder.path).filter { !$0.contains("/") && $0 != "single.png" } == names)
    for name in names where name.contains("left") {
      #expect(contents(folder.path + "/" + name) == contents(folder.path + "/single.png"))
    }
    // In the order of the names, whoever was the first to be done.
    let lines = run.errors.split(separator: "\n").map(String.init)
    let order = [
      "/a-left.png:", "/a-right.png:", "/b-left.png:", "/b-right.png:",
      "d.mp4: has no HEVC track: skipped", "e.mp4: ", "/c-left.png:", "/c-right.png:",
    ]
    #expect(lines.count == order.count)
    for (line, part) in zip(lines, order) { #expect(line.contains(part), "\(run.errors)") }

    let json = mvdump(
      "render", "-r", "--json-lines", "-f", "-w", "8", "-o", folder.path + "/%f.png", library + "/a.mov",
      library + "/b.mov")
    #expect(json.code == .success)
    let documents = json.output.split(separator: "\n")
    #expect(documents.count == 2 && documents[0].contains("a.mov.png") && documents[1].contains("b.mov.png"))
    // A movie without a second eye, and one with.
    _ = try folder.write("library/more/flat.mp4", flat)
    let mixed = mvdump(
      "render", "-r", "-w", "8", "--eye", "right", "-o", folder.path + "/%n.right.png", library + "/more")
    #expect(
      mixed.code == .unreadable && mixed.errors.contains("flat.mp4: there is one view"))
    #expect(contents(folder.path + "/c.right.png") != nil)
  }

  /// Two movies of one name in different folders do not end in one file.
  @Test func namesAreTakenOnce() throws {
    let folder = try TemporaryFolder(), bytes = contents(spatial) ?? []
    try #expect(shell("mkdir -p \(folder.path)/a \(folder.path)/b").status == 0)
    for name in ["a/x.mov", "b/x.mov"] { _ = try folder.write(name, bytes) }
    let run = mvdump("render", "-r", "-f", "-w", "8", "-o", folder.path + "/%n.png", folder.path)
    #expect(run.code == .unreadable)
    #expect(run.errors.contains("x.png: another movie has the same name. Put %f"))
    let several = mvdump("render", "-o", folder.path + "/o.png", spatial, spatial)
    #expect(several.code == .usage && several.errors.contains("put %n for the name of the movie"))
    let stream = mvdump("render", "--all", "-o", "-", spatial, spatial)
    #expect(stream.code == .usage && stream.errors.contains("cannot all go to standard output"))
  }

  /// Where a layer says how opaque pictures are, a PNG has an alpha channel.
  @Test func alphaLayers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/alpha.png"
    #expect(mvdump("render", "-o", path, Fixtures.path("alpha-layer.mp4")).code == .success)
    let picture = try #require(
      try MovieFile(path: Fixtures.path("alpha-layer.mp4")).tracks.first?.pictures().next()?[layer: 0]?.rgb())
    // The type of colours in the header: with alpha.
    #expect(contents(path) == picture.png() && contents(path)?[25] == 6 && picture.hasAlpha)
  }

  /// A damaged picture is written, and what it lacks is said.
  @Test func damageIsReported() throws {
    let folder = try TemporaryFolder()
    var bytes = contents(spatial) ?? []
    let track = try #require(try MovieFile(path: spatial).tracks.first)
    let sample = try #require(try track.samples().sample(at: 0))
    for place in (Int(sample.offset) + Int(sample.size) / 4)..<(Int(sample.offset) + Int(sample.size) / 2) {
      bytes[place] = 0x55
    }
    let path = try folder.write("damaged.mov", bytes)
    let run = mvdump("render", "--eye", "both", "-o", folder.path + "/a.png", path)
    #expect(run.code != .success && run.errors.contains("sample 0"))
  }

  /// The primary image is in no pair, or an image made of another for the right eye.
  @Test(arguments: [[1, 2], [1, 9], [9, 1]] as [[UInt32]]) func primaryImageBesidePairs(pair: [UInt32]) throws
  {
    let photo = try #require(contents(Fixtures.path("pictures/photo.heic")))
    var tree = BoxTree(ByteView(photo), registry: .standard)
    var entry = ItemInfoEntryBox()
    (entry.version, entry.itemID, entry.itemType) = (2, 9, "iden")
    try tree.insert(Box("infe", entry), in: "meta/iinf")
    var reference = SingleItemReferenceBox()
    (reference.fromItemID, reference.toItemIDs) = (9, [2])
    try tree.insert(Box("dimg", reference), in: "meta/iref")
    try tree.edit("meta/pitm", PrimaryItemBox.self) { $0.itemID = 9 }
    var group = EntityToGroupBox()
    (group.groupID, group.entityIDs) = (30, pair)
    try tree.insert(Box("grpl", children: [Box("ster", group)]), in: "meta")
    let folder = try TemporaryFolder()
    let path = try folder.write("pair.heic", try tree.encoded())
    let run = mvdump("render", "--json", "-o", folder.path + "/a.png", path)
    #expect(run.code == .success && run.output.contains("\"item\": 9"), "\(run.output)")
    #expect(mvdump("render", "--item", "2", "-o", folder.path + "/b.png", path).code == .success)
    #expect(contents(folder.path + "/a.png") == contents(folder.path + "/b.png"))
    // Both eyes are still those of the pair.
    let eyes = mvdump("render", "--layout", "separate", "-o", folder.path + "/%e.png", path)
    #expect(eyes.code == .success)
    let second = pair.firstIndex(of: 1) == 0 ? "right" : "left"
    #expect(contents(folder.path + "/\(second).png") == contents(folder.path + "/b.png"))
  }

  /// Photos by other hands: the primary image, or the two eyes, as `mvdump pictures` has it; grids are refused.
  @Test(.enabled(if: Corpus.isPresent)) func photos() throws {
    let folder = try TemporaryFolder(), corpus = try #require(Corpus.folder)
    let schema = try #require(JSONSchema(named: "render"))
    var rendered = 0, refused = 0
    for name in Corpus.files("third-party").filter({ $0.hasSuffix(".heic") }).prefix(4) {
      let path = corpus + "/" + name
      let run = mvdump("render", "-f", "--json", "-w", "16", "-o", folder.path + "/a.png", path)
      if run.code == .success {
        rendered += 1
        #expect(SchemaTests.check(run, schema, name))
        let item = try #require(try MovieFile(path: path).items?.primaryItemID)
        #expect(run.output.contains("\"item\": \(item)") || run.output.contains("\"eye\": \""))
      } else {
        refused += 1
        #expect(
          run.errors.contains("not rendered") || run.errors.contains("decoded"), "\(name): \(run.errors)")
      }
    }
    print("\(rendered) photos are rendered, \(refused) are refused")
    #expect(rendered > 0)
  }
}
