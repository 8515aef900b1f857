// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import ISOBMFF
import MoviePictures
import Multiview
import TestSupport
import Testing

/// What is not in the pictures is kept by `encode`, refused or reported: the form of the source, times, labels, and what samples mean.
@Suite struct EncodedFormTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func y4m(_ name: String, _ header: String = "F30:1 C420mpeg2", pictures: Int = 2) throws -> String {
    try folder.write(name, EncodeTests.y4m(width: 32, height: 32, pictures: pictures, header: header))
  }

  private func encode(_ arguments: [String], to name: String = "out.mov") -> ToolRun {
    mvedit(["encode", "--effort", "1", "-f", "-o", folder.path + "/" + name] + arguments)
  }

  /// A movie of one eye, of a part of a second.
  private func flat(_ name: String, _ arguments: [String] = [], pictures: Int = 4) throws -> String {
    let source = try y4m(name + ".y4m", pictures: pictures)
    let run = encode(["--layout", "mono"] + arguments + [source], to: name)
    #expect(run.code == .success, "\(run.errors)")
    return folder.path + "/" + name
  }

  private func changed(_ path: String, _ change: (inout BoxTree) throws -> Void) throws -> String {
    var tree = try #require(try MovieFile(path: path).tree)
    try change(&tree)
    let name = path.dropLast(4) + "-changed.mov"
    try tree.write(toFile: String(name))
    return String(name)
  }

  private var out: MovieFile { get throws { try MovieFile(path: folder.path + "/out.mov") } }

  // MARK: What a source is

  @Test func moviesAreNotRawPlanes() throws {
    let planes = ["--layout", "mono", "--size", "32x32", "--fps", "30"]
    let movie = try flat("flat.mov")
    for source in [movie, Fixtures.path("two-views.hevc")] {
      let run = encode(planes + [source])
      #expect(run.code == .no && run.errors.contains("is a movie, not raw planes"), "\(run.errors)")
      let pipe = mvedit(
        "encode", "--layout", "mono", "--size", "32x32", "--fps", "30", "-o", folder.path + "/pipe.mov", "-",
        input: ByteView(try #require(contents(source))))
      #expect(pipe.code == .no && pipe.errors.contains("is a movie, not raw planes"), "\(pipe.errors)")
    }
    let plain = try y4m("plain.y4m")
    #expect(encode(planes + [plain]).code == .success)
    let other = encode(["--layout", "mono", "--size", "32x30", plain])
    #expect(other.code == .no && other.errors.contains("32x30"), "\(other.errors)")
    let deep = encode(planes + ["--pixel-format", "yuv420p10", plain])
    #expect(deep.code == .no && deep.errors.contains("with 10 bits are specified"), "\(deep.errors)")
  }

  @Test func streamsInPipesAreCalledStreams() {
    let run = mvedit(
      "encode", "--layout", "mono", "-o", folder.path + "/o.mov", "-", input: Fixtures.bytes("two-views.hevc")
    )
    #expect(run.errors.contains("is a raw HEVC stream, which cannot be read from a pipe"), "\(run.errors)")
  }

  @Test func eyesOfAnotherShapeAreRefused() throws {
    let left = try y4m("left.y4m", "F30:1 A1:1 C420mpeg2")
    for (name, header, words) in [
      ("full", "F30:1 C420mpeg2 XCOLORRANGE=FULL", "ranges of sample values"),
      ("wide", "F30:1 A2:1 C420mpeg2", "shapes of pixels (1:1, 2:1)"),
      ("centred", "F30:1 C420jpeg", "locations of chroma samples"), ("same", "F30:1 A1:1 C420", nil),
    ] as [(String, String, String?)] {
      let right = try y4m(name + ".y4m", header)
      for pair in [[left, right], [right, left]] {
        let run = encode(["--layout", "separate"] + pair)
        #expect(run.code == (words == nil ? .success : .no), "\(name): \(run.errors)")
        if name != "wide" { #expect(run.errors.contains(words ?? ""), "\(run.errors)") }
      }
      if let words { #expect(encode(["--layout", "separate", left, right]).errors.contains(words)) }
    }
  }

  /// 200000:100000 is 2:1; 200001:100000 has no numbers of 16 bits.
  @Test func shapesOfPixelsAreReduced() throws {
    let wide = try y4m("wide.y4m", "F30:1 A200000:100000 C420mpeg2")
    #expect(encode(["--layout", "mono", wide]).code == .success)
    let shape = try out.mainVideoTrack?.sampleEntry?.first(PixelAspectRatioBox.self)
    #expect(shape?.hSpacing == 2 && shape?.vSpacing == 1)
    let odd = encode(["--layout", "mono", try y4m("odd.y4m", "F30:1 A200001:100000 C420mpeg2")])
    #expect(odd.code == .no && odd.errors.contains("A200001:100000"), "\(odd.errors)")
  }

  @Test func impossibleColoursAreRefused() throws {
    let source = try y4m("plain.y4m")
    for (option, value) in [
      ("--colour", "3/3/3"), ("--colour", "9/19/9"), ("--colour", "9/16/99"), ("--light-level", "400,1000"),
      ("--mastering-display", "G(13250,50001)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"),
    ] {
      let run = encode(["--layout", "mono", option, value, source])
      #expect(run.code == .usage && run.errors.contains(option), "\(value): \(run.errors)")
    }
    // 0 is not known.
    for value in ["400,400", "0,100"] {
      #expect(encode(["--layout", "mono", "--light-level", value, source]).code == .success)
    }
  }

  // MARK: Movies that change, or say other things

  @Test func anotherShapeInTheMiddleIsRefused() throws {
    let square = try y4m("square.y4m"), wide = try y4m("wide.y4m", "F30:1 A4:3 C420mpeg2")
    for (name, source, more) in [
      ("a.mov", square, ["--light-level", "1000,100"]), ("b.mov", wide, []),
      ("c.mov", square, ["--light-level", "4000,100"]),
    ] { #expect(encode(["--layout", "mono"] + more + [source], to: name).code == .success) }
    for (second, words) in [("b.mov", "its pixel shape is 4:3"), ("c.mov", "light level")] {
      let joined = folder.path + "/joined-" + second
      let join = mvedit("join", "-o", joined, folder.path + "/a.mov", folder.path + "/" + second)
      #expect(join.code == .success || join.code == .no, "\(join.errors)")
      let run = encode(["--layout", "mono", joined])
      #expect(run.code == .no && run.errors.contains("picture 2: "), "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test func anotherLayoutThanThatOfTheMovieIsRefused() throws {
    let packed = Fixtures.path("side-by-side-packed.mov")
    let run = encode(["--layout", "over-under", packed])
    #expect(run.code == .no && run.errors.contains("the eyes are side by side"), "\(run.errors)")
    #expect(encode(["--layout", "side-by-side", packed]).code == .success)
  }

  // MARK: Times

  /// Pictures that begin after the sound still do at another rate, and that they last shorter is said.
  @Test func aRateKeepsTheStart() throws {
    let source = try flat("flat.mov", ["--audio", Fixtures.path("metadata-keys.mov")], pictures: 30)
    let late = try changed(source) { tree in
      let scale = try #require(tree.movieHeader?.timescale)
      try tree.edit("moov/trak[0]/edts/elst", EditListBox.self) {
        $0.entries.insert(.init(editDuration: UInt64(scale) / 2, mediaTime: -1), at: 0)
      }
    }
    let run = encode(["--layout", "mono", "--fps", "60", "--json", late])
    #expect(run.code == .success, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "encode")?.problems(json) == [])
    let notice = json["notices"]?.elements.first { $0["kind"]?.text == "lengthChanges" }?["message"]?.text
    #expect(notice?.contains("last 0.5 s at the given rate, and 1 s in the source") == true, "\(json)")
    let reader = try #require(try out.mainVideoTrack).pictures()
    #expect(try reader.next()?.presentationTime == MediaTime(value: 1, timescale: 2))
    #expect(try reader.next()?.presentationTime == MediaTime(value: 31, timescale: 60))
    let same = encode(["--layout", "mono", "--fps", "30", "--json", late]).json?["notices"]?.elements ?? []
    #expect(!same.contains { $0["kind"]?.text == "lengthChanges" })
  }

  /// A raw stream says how many pictures there are in a second, and what it does not have is reported.
  @Test func rawStreamsHaveTheRate() throws {
    let plain = try y4m("plain.y4m", "F30000:1001 C420mpeg2")
    #expect(encode(["--layout", "mono", "--raw", plain], to: "plain.hevc").code == .success)
    let mux = mvedit("mux", "--json", "-n", folder.path + "/plain.hevc").json
    #expect(mux?["frameRate"]?.text == "30000/1001")
    #expect(mux?["frameRateSource"]?.text == "sequenceParameterSet")
    let movie = try flat("flat.mov", ["--audio", Fixtures.path("metadata-keys.mov")])
    func notices(_ source: String) throws -> [String] {
      let run = encode(["--layout", "mono", "--raw", "--json", source], to: "raw.hevc")
      let json = try #require(run.json, "\(run.errors)")
      #expect(JSONSchema(named: "encode")?.problems(json) == [])
      return json["notices"]?.elements.compactMap { $0["kind"]?.text } ?? []
    }
    #expect(try notices(movie) == ["trackLeftOut"])
    let uneven = try changed(movie) { tree in
      try tree.edit("moov/trak[0]/mdia/minf/stbl/stts", TimeToSampleBox.self) { table in
        table.entries = .of([
          TimeToSampleBox.Entry(sampleCount: 1, sampleDelta: 60),
          TimeToSampleBox.Entry(sampleCount: 3, sampleDelta: 20),
        ])
      }
    }
    #expect(try notices(uneven) == ["trackLeftOut", "timesLeftOut"])
    for name in ["x.mov", "x.MP4"] {
      let run = encode(["--layout", "mono", "--raw", plain], to: name)
      #expect(run.code == .usage && run.errors.contains("raw stream"), "\(run.errors)")
    }
  }

  // MARK: Other tracks, and labels

  /// What no timescale has is refused at once: before the second picture is found to be cut short.
  @Test func soundThatDoesNotFitIsRefusedBeforeEncoding() throws {
    let odd = try changed(copied(Fixtures.path("metadata-keys.mov"), to: folder, as: "odd.mov")) { tree in
      try tree.edit("moov/mvhd", MovieHeaderBox.self) { $0.timescale = 1_000_003 }
    }
    let whole = EncodeTests.y4m(width: 32, height: 32, pictures: 2, header: "F30000:1001 C420mpeg2")
    let source = try folder.write("short.y4m", whole.dropLast(10))
    let run = encode(["--layout", "mono", "--audio", odd, source])
    #expect(run.code == .no && run.errors.contains("1000003 (\(odd))"), "\(run.errors)")
  }

  @Test func languageAndNameAreKept() throws {
    let source = try changed(try flat("flat.mov")) { tree in
      try tree.edit("moov/trak[0]/mdia") { (media: inout Box) throws(ParseError) in
        // A code of the classic Mac OS: French.
        try media.editAll(MediaHeaderBox.self) { $0.language = 1 }
        try media.editAll(HandlerBox.self) { $0.name = TerminatedString("Caméra 2") }
      }
    }
    for (name, isQuickTime) in [("out.mov", true), ("out.mp4", false)] {
      let run = encode(["--layout", "mono", source], to: name)
      #expect(run.code == .success, "\(run.errors)")
      let track = try #require(try MovieFile(path: folder.path + "/" + name).mainVideoTrack)
      // f, r and a are the letters 6, 18 and 1.
      #expect(track.mediaHeader?.language == UInt16(6 * 1_024 + 18 * 32 + 1))
      let handler = try #require(track.box?["mdia/hdlr"]?.payload(HandlerBox.self))
      #expect(handler.name.text == "Caméra 2" && handler.isNamePascal == isQuickTime)
    }
  }
}
