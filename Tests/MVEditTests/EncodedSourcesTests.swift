// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import CommandLineSupport
import ISOBMFF
import MoviePictures
import Multiview
import TestSupport
import Testing

/// What movies say of their pictures beside the samples: it is kept, done, refused or reported, and never dropped silently.
@Suite struct EncodedSourcesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of one eye, 64x32, almost as its source.
  private func flat(_ pictures: Int = 1, _ more: [String] = []) throws -> String {
    let source = try folder.write("flat.y4m", EncodeTests.y4m(width: 64, height: 32, pictures: pictures))
    let movie = folder.path + "/flat.mov"
    let run = mvedit(
      ["encode", "--layout", "mono", "--qp", "0", "--effort", "1", "-f", "-o", movie] + more + [source])
    #expect(run.code == .success, "\(run.errors)")
    return movie
  }

  /// A second of pictures with two of sound and one of timed metadata.
  private func movieWithTracks() throws -> String {
    try flat(
      30,
      [
        "--audio", Fixtures.path("metadata-keys.mov"), "--metadata-from",
        Fixtures.path("timed-metadata.mov"),
      ])
  }

  /// A copy of a movie with a change of its boxes.
  private func changed(
    _ path: String, _ name: String, _ change: (inout BoxTree) throws -> Void
  ) throws -> String {
    var tree = try #require(try MovieFile(path: path).tree)
    try change(&tree)
    try tree.write(toFile: folder.path + "/" + name)
    return folder.path + "/" + name
  }

  private func aperture(_ width: UInt32, _ height: UInt32, _ right: Int32, _ down: Int32) -> CleanApertureBox
  {
    var aperture = CleanApertureBox()
    (aperture.widthN, aperture.heightN) = (width, height)
    (aperture.horizOffN, aperture.vertOffN) = (right, down)
    return aperture
  }

  private func clipped(_ path: String, _ name: String, _ aperture: CleanApertureBox) throws -> String {
    try changed(path, name) { tree in
      try tree.insert(Box("clap", aperture), in: "moov/trak[0]/mdia/minf/stbl/stsd/hvc1")
    }
  }

  /// The planes of the first picture.
  private func planes(_ path: String) throws -> PlanarFrame {
    let reader = try #require(try MovieFile(path: path).mainVideoTrack).pictures()
    return try PlanarFrame(try #require(try reader.next()?.layers.first))
  }

  @Test func onlyTheCleanApertureIsEncoded() throws {
    // From column 4 and row 6.
    let source = try clipped(try flat(), "clipped.mov", aperture(48, 24, -4, 2))
    let output = folder.path + "/cut.mov"
    let run = mvedit("encode", "--layout", "mono", "--qp", "0", "-o", output, source)
    #expect(run.code == .success, "\(run.errors)")
    let track = try #require(try MovieFile(path: output).mainVideoTrack)
    #expect(track.sampleEntry?.first(CleanApertureBox.self) == nil)
    #expect(track.header?.width == 48 << 16 && track.header?.height == 24 << 16)
    let whole = try planes(source), cut = try planes(output)
    #expect(cut.width == 48 && cut.height == 24)
    for plane in 0..<3 {
      let shift = plane == 0 ? 0 : 1
      for y in 0..<(24 >> shift) {
        for x in 0..<(48 >> shift) {
          let wanted = Int(whole.planes[plane][(y + 6 >> shift) * (64 >> shift) + x + 4 >> shift])
          let found = Int(cut.planes[plane][y * (48 >> shift) + x])
          #expect(abs(wanted - found) <= 4, "plane \(plane), \(x), \(y)")
        }
      }
    }
  }

  /// The aperture is one of both halves together, and the eyes meet in the middle of the picture: their halves are whole.
  @Test func halvesAreEncodedWhole() throws {
    let output = folder.path + "/halves.mov"
    for (name, part) in [
      ("left.mov", aperture(48, 24, -4, 2)), ("odd.mov", aperture(47, 24, -4, 2)),
      ("centred.mov", aperture(60, 32, 0, 0)),
    ] {
      let source = try clipped(try flat(), name, part)
      for (layout, width, height) in [("side-by-side", 32, 32), ("over-under", 64, 16)] {
        let run = mvedit("encode", "--layout", layout, "--effort", "1", "-f", "-o", output, source)
        #expect(run.code == .success, "\(name), \(layout): \(run.errors)")
        let track = try #require(try MovieFile(path: output).mainVideoTrack)
        #expect(track.sampleEntry?.first(CleanApertureBox.self) == nil)
        #expect(track.header?.width == UInt32(width) << 16 && track.header?.height == UInt32(height) << 16)
        let frame = try planes(output)
        #expect(frame.width == width && frame.height == height, "\(name), \(layout)")
      }
      #expect(try notices(["--layout", "side-by-side", source]) == ["apertureLeftOut"])
    }
    let packed = try clipped(
      Fixtures.path("side-by-side-packed.mov"), "packed.mov", aperture(300, 180, 0, 0))
    #expect(try notices([packed]) == ["apertureLeftOut"])
    #expect(try planes(folder.path + "/notices.mov").width == 160)
  }

  /// 4:2:0 cannot be cut at odd columns: then the movie has the aperture of its source.
  @Test func anOddCleanApertureIsKept() throws {
    // An odd width, and an even one that begins at an odd column: half of 64 − 48, and one.
    for (width, offset) in [(UInt32(47), Int32(-4)), (48, 1)] {
      let source = try clipped(try flat(), "odd\(width).mov", aperture(width, 24, offset, 2))
      let output = folder.path + "/odd-again.mov"
      let run = mvedit("encode", "--layout", "mono", "-f", "-o", output, source)
      #expect(run.code == .success, "\(run.errors)")
      let track = try #require(try MovieFile(path: output).mainVideoTrack)
      #expect(track.sampleEntry?.first(CleanApertureBox.self) == aperture(width, 24, offset, 2))
      #expect(track.header?.width == width << 16 && track.header?.height == 24 << 16)
      #expect(try planes(output).width == 64)
      // The clean aperture, the production aperture, and what is encoded.
      let widths = ["clef", "prof", "enof"].map {
        track.box?.first("tapt")?.first($0)?.payload(TrackApertureDimensionsBox.self)?.width
      }
      #expect(widths == [width << 16, 64 << 16, 64 << 16])
      #expect(mvdump("check", output).code == .success)
    }
  }

  @Test func fieldsAreRefused() throws {
    let source = try changed(try flat(), "fields.mov") { tree in
      var fields = FieldHandlingBox()
      fields.fieldCount = 2
      try tree.insert(Box("fiel", fields), in: "moov/trak[0]/mdia/minf/stbl/stsd/hvc1")
    }
    let run = mvedit("encode", "--layout", "mono", "-o", folder.path + "/no.mov", source)
    #expect(run.code == .no && run.errors.contains("interlaced"), "\(run.errors)")
  }

  /// The kinds of the notices of a run, and the end of each in the text.
  private func notices(_ arguments: [String]) throws -> [String] {
    let output = folder.path + (arguments.contains("--raw") ? "/notices.hevc" : "/notices.mov")
    let line = ["encode", "--effort", "1", "--frames", "1", "-f", "-o", output]
    let json = try #require(mvedit(line + ["--json"] + arguments).json)
    #expect(JSONSchema(named: "encode")?.problems(json) == [])
    let text = mvedit(line + arguments).errors
    let notices = json["notices"]?.elements ?? []
    for notice in notices { #expect(text.contains(notice["message"]?.text ?? "?"), "\(text)") }
    return notices.map { $0["kind"]?.text ?? "" }
  }

  @Test func whatIsLeftOutIsReported() throws {
    let whole = try movieWithTracks()
    let text = try changed(whole, "text.mov") { tree in
      try tree.edit("moov/trak[1]/mdia/hdlr", HandlerBox.self) { $0.handlerType = "text" }
    }
    #expect(try notices(["--layout", "mono", text]) == ["trackLeftOut"])
    #expect(try notices(["--layout", "mono", Fixtures.path("alpha-layer.mp4")]) == ["alphaLeftOut"])
    #expect(try notices(["--raw", "--layout", "mono", Fixtures.path("alpha-layer.mp4")]) == ["alphaLeftOut"])
    // Timed metadata is copied, and so is sound.
    #expect(try notices(["--layout", "mono", whole]) == [])
    // The layers of one video in two tracks.
    #expect(try notices([Fixtures.path("two-tracks-lhv1.mp4")]) == [])
    let turned = try changed(try flat(), "turned.mov") { tree in
      try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) {
        $0.matrix = TransformationMatrix(a: -1 << 16, b: 0, c: 0, d: -1 << 16, x: 64 << 16, y: 32 << 16)
      }
    }
    #expect(try notices(["--layout", "side-by-side", turned]) == ["orientationLeftOut"])
    #expect(try notices(["--layout", "mono", turned]) == [])
  }

  /// The corners of a turned picture are those of the movie, whatever the size of the source was.
  @Test func turnedHalvesBeginAtTheCorner() throws {
    let packed = Fixtures.path("side-by-side-packed.mov")
    let size = try planes(packed)
    for (index, (matrix, x, y)) in [
      (TransformationMatrix(a: -1 << 16, b: 0, c: 0, d: -1 << 16, x: 320 << 16, y: 180 << 16), 160, 180),
      (TransformationMatrix(a: 0, b: 1 << 16, c: -1 << 16, d: 0, x: 180 << 16, y: 0), 180, 0),
      (TransformationMatrix(a: 0, b: -1 << 16, c: 1 << 16, d: 0, x: 0, y: 320 << 16), 0, 160),
      (TransformationMatrix(a: 1 << 16, b: 0, c: 0, d: 1 << 16, x: 7 << 16, y: 9 << 16), 7, 9),
    ].enumerated() {
      let source = try changed(packed, "turned-\(index).mov") { tree in
        try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) { $0.matrix = matrix }
      }
      let output = folder.path + "/turned-again.mov"
      let run = mvedit("encode", "--effort", "1", "--frames", "1", "-f", "-o", output, source)
      #expect(run.code == .success, "\(run.errors)")
      let header = try #require(try MovieFile(path: output).mainVideoTrack?.header)
      #expect(header.width == 160 << 16 && header.height == 180 << 16, "\(size.width)x\(size.height)")
      #expect([header.matrix.x, header.matrix.y] == [Int32(x) << 16, Int32(y) << 16], "\(matrix)")
      #expect(
        [header.matrix.a, header.matrix.b, header.matrix.c, header.matrix.d]
          == [matrix.a, matrix.b, matrix.c, matrix.d])
    }
  }

  /// Sound and timed metadata end with the pictures.
  @Test(arguments: [["--layout", "mono"], ["--layout", "mono", "--fps", "25"]])
  func soundEndsWithThePictures(more: [String]) throws {
    let output = folder.path + "/short.mov"
    let run = mvedit(
      ["encode", "--effort", "1", "--frames", "12", "-o", output] + more + [try movieWithTracks()])
    #expect(run.code == .success, "\(run.errors)")
    let movie = try MovieFile(path: output)
    let video = try #require(movie.mainVideoTrack?.duration?.seconds)
    let sound = try #require(movie.tracks.first { $0.mediaType == .audio })
    // The last packet may last longer than the pictures, and some come before the first sound that is heard.
    let scale = try #require(movie.tree?.first("moov")?.first(MovieHeaderBox.self)?.timescale)
    let heard = Double(try #require(sound.header).duration) / Double(scale)
    #expect(abs(heard - video) < 0.03, "\(heard), \(video)")
    let metadata = try #require(movie.tracks.first { $0.mediaType == .metadata })
    #expect(Double(try #require(metadata.header).duration) / Double(scale) < video + 0.03)
    #expect(try #require(sound.duration).seconds < video + 0.2)
    #expect(mvdump("check", output).code == .success)
  }

  /// What is not copied does not keep sound from being cut, and sound that begins after the pictures is left out.
  @Test func onlyCopiedTracksMatterForTheEndOfSound() throws {
    let whole = try movieWithTracks()
    let output = folder.path + "/short.mov"
    func encoded(_ arguments: [String]) throws -> MovieFile {
      let run = mvedit(
        ["encode", "--layout", "mono", "--effort", "1", "--frames", "12", "-f", "-o", output] + arguments)
      #expect(run.code == .success, "\(run.errors)")
      #expect(mvdump("check", output).code == .success)
      return try MovieFile(path: output)
    }
    // A table of pictures that cannot be cut.
    let padded = try changed(whole, "padded.mov") { tree in
      try tree.insert(Box("padb", PaddingBitsBox()), in: "moov/trak[0]/mdia/minf/stbl")
    }
    #expect(mvedit("trim", "--to", "0.4", "-n", padded).errors.contains("padb"))
    for arguments in [[padded], ["--audio", padded, whole]] {
      let movie = try encoded(arguments)
      let sound = try #require(movie.tracks.first { $0.mediaType == .audio }?.duration)
      #expect(sound.seconds < 0.6, "\(arguments): \(sound.seconds)")
    }
    let stubborn = try changed(whole, "stubborn.mov") { tree in
      try tree.edit("moov/trak[1]/edts/elst", EditListBox.self) { list in
        for index in list.entries.indices { list.entries[index].mediaRateInteger = -1 }
      }
    }
    let run = mvedit(
      "encode", "--layout", "mono", "--effort", "1", "--frames", "12", "-f", "-o", output, stubborn)
    #expect(run.code == .success && run.errors.contains("track 2 cannot be cut"), "\(run)")
    let late = try changed(whole, "late.mov") { tree in
      try tree.edit("moov/trak[1]/edts/elst", EditListBox.self) {
        $0.entries.insert(.init(editDuration: 10_000_000, mediaTime: -1), at: 0)
      }
      try tree.remove("moov/trak[2]")
      try tree.remove("moov/trak[0]")
    }
    let silent = try encoded(["--audio", late, whole])
    #expect(!silent.tracks.contains { $0.mediaType == .audio })
  }

  @Test func eyesThatDifferAreRefused() throws {
    func source(_ name: String, _ header: String) throws -> String {
      try folder.write(name, EncodeTests.y4m(width: 32, height: 32, pictures: 2, header: header))
    }
    let left = try source("left.y4m", "F30:1 C420mpeg2 XCOLORRANGE=LIMITED")
    let slow = try source("slow.y4m", "F25:1 C420mpeg2 XCOLORRANGE=LIMITED")
    let full = try source("full.y4m", "F30:1 C420mpeg2 XCOLORRANGE=FULL")
    let open = try source("open.y4m", "F30:1 C420mpeg2")
    for (right, more, words) in [
      (slow, [], "frame rates"), (full, [], "range"), (slow, ["--raw"], "frame rates"),
      (slow, ["--fps", "30"], nil), (full, ["--range", "limited"], nil), (open, [], nil),
    ] as [(String, [String], String?)] {
      let output = folder.path + (more == ["--raw"] ? "/pair.hevc" : "/pair.mov")
      let run = mvedit(
        ["encode", "--layout", "separate", "--effort", "1", "-f", "-o", output] + more + [left, right])
      #expect(run.code == (words == nil ? .success : .no), "\(right): \(run.errors)")
      #expect(run.errors.contains(words ?? ""), "\(run.errors)")
    }
  }

  @Test func samplesThatAreTooHighAreRefused() throws {
    // 1024 in the last sample of each picture.
    var bytes = [UInt8](repeating: 0, count: 16 * 16 * 3)
    bytes[bytes.count - 1] = 4
    let header = Array("YUV4MPEG2 W16 H16 F25:1 C420p10\nFRAME\n".utf8)
    let high = try folder.write("high.y4m", header + bytes), raw = try folder.write("high.yuv", bytes)
    let output = folder.path + "/high.mov"
    let given = ["--size", "16x16", "--fps", "25", "--pixel-format", "yuv420p10"]
    for source in [[high], given + [raw]] {
      let run = mvedit(["encode", "--layout", "mono", "-o", output] + source)
      #expect(run.code == .no && run.errors.contains("1024"), "\(run.errors)")
      #expect(contents(output) == nil)
    }
  }

  /// Fragments with unsigned offsets, for players that show pictures late if offsets have signs.
  @Test func theOrderIsWrittenByAnEdit() throws {
    let source = try folder.write("sbs.y4m", EncodeTests.y4m(width: 32, height: 16, pictures: 12))
    for (more, isEdit) in [([], false), (["--reorder", "edit"], true)] {
      for fragments in [[], ["--fragment", "0.1"]] {
        let output = folder.path + "/edit.mp4"
        let run = mvedit(
          ["encode", "--layout", "side-by-side", "--effort", "1", "-f", "-o", output] + more + fragments
            + [source])
        #expect(run.code == .success, "\(run.errors)")
        let track = try #require(try MovieFile(path: output).mainVideoTrack)
        let offsets = try track.samples().map { $0.compositionTime - $0.decodeTime }
        #expect(offsets.contains { $0 < 0 } == !isEdit, "\(more), \(fragments): \(offsets)")
        // The first picture is composed when the edit begins.
        let start = track.box?.first("edts")?.first(EditListBox.self)?.entries.first?.mediaTime
        let first = try track.samples().map(\.compositionTime).min()
        #expect(start == first && (first ?? 0 > 0) == isEdit)
        let rows = mvdump("samples", "--presented", "--csv", output).output.split(separator: "\n")
        #expect(rows.count == 13)
      }
    }
  }

  /// Y4M has no name for planes of green, blue and red: programs would take them for luma and chroma.
  @Test func greenBlueAndRedAreNotY4M() throws {
    let movie = folder.path + "/444.mov"
    #expect(
      mvedit("mux", "--fps", "30", "-o", movie, Fixtures.path("pictures/rx_444_8.bit")).code == .success)
    let coloured = try changed(movie, "gbr.mov") { tree in
      let colour = ColourInformationBox(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
      try tree.edit("moov/trak[0]/mdia/minf/stbl/stsd/hvc1") { (entry: inout Box) throws(ParseError) in
        entry.children.removeAll { $0.type == "colr" }
        entry.children.append(Box("colr", colour, in: .visualSampleEntry))
      }
    }
    let output = folder.path + "/out"
    let plain = mvdump("render", "-o", output + ".y4m", movie)
    #expect(plain.code == .success, "\(plain.errors)")
    let refused = mvdump("render", "-o", output + "2.y4m", coloured)
    #expect(refused.code != .success && refused.errors.contains("PNG"), "\(refused.errors)")
    #expect(contents(output + "2.y4m") == nil)
    #expect(mvdump("render", "-o", output + ".yuv", coloured).code == .success)
  }

  /// What is not decoded here is decoded by another program, in a line that runs as it is.
  @Test func otherCodecsComeThroughAPipe() throws {
    var bytes = Fixtures.bytes("metadata-keys.mov").array
    let entry = try #require(
      try MovieFile(path: Fixtures.path("metadata-keys.mov")).mainVideoTrack?.sampleEntry)
    bytes.replaceSubrange(entry.offset + 4..<entry.offset + 8, with: Array("avc1".utf8))
    let movie = try folder.write("side by side.mov", bytes)
    let run = mvedit("encode", "--layout", "side-by-side", "-o", folder.path + "/o.mov", movie)
    #expect(run.code == .unreadable)
    #expect(
      run.errors.contains(
        "the codec of the video is avc1, and only HEVC is decoded. Let FFmpeg decode it: ffmpeg -v error -i '\(movie)' "
          + "-pix_fmt yuv420p -f yuv4mpegpipe - | mvedit encode --layout side-by-side --output "
          + "\(folder.path)/o.mov --audio '\(movie)' --metadata-from '\(movie)' -\n"), "\(run.errors)")
    let other = try folder.write("other.mkv", [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 600))
    let answer = mvedit("encode", "-o", "o.mov", other)
    #expect(
      answer.errors.hasSuffix("| mvedit encode --output o.mov --layout ARRANGEMENT --audio \(other).m4a -\n"),
      "\(answer.errors)")
    let left = try folder.write("left.y4m", EncodeTests.y4m(width: 64, height: 32, pictures: 1))
    let pair = mvedit("encode", "--layout", "separate", "-o", "o.mov", left, Fixtures.path("spatial.mov"))
    #expect(pair.errors.contains("spatial.mov: is a movie; with two sources"), "\(pair.errors)")
    let missing = mvedit("encode", "--layout", "separate", "-o", "o.mov", left, "missing.y4m")
    #expect(missing.errors.hasPrefix("mvedit: missing.y4m: no such file"), "\(missing.errors)")
  }

  /// What tags are refused for is known before all pictures are encoded: here, before the second is found to be cut short.
  @Test func tagsAreRefusedBeforeEncoding() throws {
    let whole = EncodeTests.y4m(width: 64, height: 32, pictures: 2)
    let source = try folder.write("short.y4m", whole.dropLast(10))
    for (options, words) in [
      (["--hero", "left"], "MV041"), (["--track", "9", "--baseline", "63"], "track 9"), ([], "ends"),
    ] {
      let run = mvedit(
        ["encode", "--layout", "mono", "--effort", "1", "-o", folder.path + "/o.mov"] + options + [source])
      #expect(run.code != .success && run.errors.contains(words), "\(options): \(run.errors)")
    }
  }
}
