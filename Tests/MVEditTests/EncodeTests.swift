// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@Suite struct EncodeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A Y4M stream of slopes that move, side by side.
  static func y4m(
    width: Int, height: Int, pictures: Int, header: String = "F30:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED"
  ) -> [UInt8] {
    var bytes = Array("YUV4MPEG2 W\(width) H\(height) \(header)\n".utf8)
    for number in 0..<pictures {
      bytes += Array("FRAME\n".utf8) + planes(width: width, height: height, number)
    }
    return bytes
  }

  static func planes(width: Int, height: Int, _ number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      for y in 0..<(height >> shift) {
        for x in 0..<(width >> shift) {
          bytes.append(UInt8(truncatingIfNeeded: 40 + (x * 3 + y * 5 + number * 7 + component * 30) % 160))
        }
      }
    }
    return bytes
  }

  /// What makes a movie of two eyes spatial.
  private static let tags = [
    "--baseline", "63", "--field-of-view", "63.4", "--disparity", "0", "--projection", "rect",
  ]

  @Test func removalsThatMatchNothingAreReported() throws {
    let source = try folder.write("mono.y4m", Self.y4m(width: 16, height: 16, pictures: 1))
    let output = folder.path + "/mono.mov"
    let run = mvedit(
      "encode", "--layout", "mono", "--remove", "hero,com.example.none", "--json", "-o", output, source)
    #expect(run.code == .no && contents(output) != nil, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "encode")?.problems(json) == [] && json["unmatched"]?.elements.count == 2)
    let text = mvedit("encode", "--layout", "mono", "--remove", "hero", "-f", "-o", output, source)
    #expect(text.code == .no && text.errors.contains("there is no 'hero' tag to remove"), "\(text.errors)")
  }

  @Test func theAdviceOnWhereToWriteIsOfThisCommand() {
    let run = mvedit("encode", "--layout", "mono", "source.y4m")
    #expect(run.code == .usage && run.errors.contains("-o FILE or -o -") && !run.errors.contains("--dry-run"))
  }

  /// Without what the cameras were, `check` finds no spatial video, and `encode` says it, with what is missing.
  @Test func whatIsMissingForSpatialVideoIsSaid() throws {
    let source = try folder.write("sbs.y4m", Self.y4m(width: 32, height: 16, pictures: 1))
    let output = folder.path + "/three-d.mov"
    let line = ["encode", "--layout", "side-by-side", "-f", "-o", output]
    for (given, missing) in [
      ([], ["field-of-view", "baseline", "disparity"]),
      (["--baseline", "63", "--disparity", "0"], ["field-of-view"]),
      (["--projection", "halfEquirect"], []), (Self.tags, []),
    ] {
      let run = mvedit(line + given + [source])
      let isSaid = run.errors.contains("3D, not as spatial video")
      #expect(run.code == .success && isSaid == !missing.isEmpty, "\(run.errors)")
      for name in missing { #expect(run.errors.contains("--" + name), "\(run.errors)") }
      let json = mvedit(line + ["--json"] + given + [source]).json
      #expect(json?["missingForSpatial"]?.elements.compactMap(\.text) == missing)
      let isSpatial = mvdump("check", "--json", output).json?["classification"]?.text == "spatial"
      #expect(isSpatial == (given == Self.tags))
    }
    // A raw stream has no tags, and one eye is no 3D.
    for other in [["encode", "--raw", "--layout", "side-by-side"], ["encode", "--layout", "mono"]] {
      let name = other.contains("--raw") ? folder.path + "/raw.hevc" : output
      let run = mvedit(other + ["-f", "-o", name, source])
      #expect(run.code == .success && !run.errors.contains("spatial video"), "\(run.errors)")
    }
  }

  /// The source is not replaced by what is made of it, by none of its names.
  @Test(arguments: ["mono", "separate"]) func theSourceIsNotTheOutput(layout: String) throws {
    let pictures = Self.y4m(width: 64, height: 32, pictures: 1)
    let source = try folder.write("in.y4m", pictures)
    let other = layout == "mono" ? [] : [try folder.write("other.y4m", pictures)]
    for link in ["/link.mov", "/link.hevc"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + link, withDestinationPath: layout == "mono" ? "in.y4m" : "other.y4m")
    }
    for output in [["link.mov"], ["link.mov", "--faststart"], ["link.hevc", "--raw"]] {
      let run = mvedit(
        ["encode", "-f", "--layout", layout, "-o", folder.path + "/" + output[0]] + output.dropFirst() + [
          source
        ]
          + other)
      #expect(
        run.code == .unreadable && run.errors.contains("is the same file as the input"), "\(run.errors)")
      #expect(([source] + other).allSatisfy { contents($0) == pictures }, "\(output)")
    }
  }

  @Test func picturesSideBySideBecomeASpatialMovie() throws {
    let source = try folder.write("sbs.y4m", Self.y4m(width: 128, height: 48, pictures: 3))
    let output = folder.path + "/spatial.mov"
    let run = mvedit(
      ["encode", "--layout", "side-by-side", "--hash", "--check", "--json", "-o", output, source] + Self.tags)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "encode")?.problems(json) == [])
    #expect(json["pictures"]?.integer == 3 && json["layerBytes"]?.elements.count == 2)
    let check = mvdump("check", "--json", output).json
    #expect(check?["classification"]?.text == "spatial", "\(String(describing: check))")
    #expect(check?["findings"]?.elements.contains { $0["severity"]?.text == "error" } != true)
    // Every picture of both layers has a hash, and matches it.
    let verified = mvdump("verify", output)
    #expect(verified.code == .success, "\(verified.output)\(verified.errors)")
    #expect(VideoDecoder.canDecodeViews == false || viewsDecode(output))
  }

  /// Whether FFmpeg decodes three different pictures of each view.
  private func viewsDecode(_ movie: String) -> Bool {
    guard let decoder = VideoDecoder.installed else { return true }
    let left = decoder.pictures(ofMovie: movie, view: 0), right = decoder.pictures(ofMovie: movie, view: 1)
    return Set(left).count == 3 && Set(right).count == 3 && left != right
  }

  /// The report has the bits and the noise of each eye.
  @Test func whatBecameOfEachEyeIsSaid() throws {
    let source = try folder.write("sbs.y4m", Self.y4m(width: 64, height: 32, pictures: 5))
    let line = [
      "encode", "--layout", "side-by-side", "--effort", "1", "--raw", "-f", "-o", folder.path + "/a.hevc",
    ]
    var ratios: [Double] = []
    for more in [["--qp", "40"], ["--qp", "10"], ["--bit-rate", "60k"]] {
      let json = try #require(mvedit(line + more + ["--json", source]).json)
      #expect(JSONSchema(named: "encode")?.problems(json) == [])
      let layers = json["layers"]?.elements ?? []
      #expect(layers.map { $0["eye"]?.text } == ["left", "right"])
      for (layer, bytes) in zip(layers, json["layerBytes"]?.elements ?? []) {
        #expect(layer["bytes"] == bytes)
        // Five pictures of 30 in a second.
        #expect(layer["bitsPerSecond"]?.integer == bytes.integer.map { $0 * 8 * 6 })
        ratios.append(layer["psnr"]?["y"]?.decimal ?? 0)
      }
    }
    #expect(ratios[0] < ratios[2] && ratios[0] > 20 && ratios[2] > 40, "\(ratios)")
    let text = mvedit(line + ["--base-eye", "right", source]).errors
    #expect(
      text.contains("layer 0, right eye: ") && text.contains("PSNR ") && text.contains(" dB"), "\(text)")
    for wrong in [["--bit-rate", "x"], ["--bit-rate", "0"], ["--bit-rate", "8M", "--qp", "3"]] {
      #expect(mvedit(line + wrong + [source]).code == .usage)
    }
  }

  /// Pictures are shown in the order of the source, whatever the order is in which they are coded.
  @Test func orderOfPicturesIsKept() throws {
    let source = try folder.write("sbs.y4m", Self.y4m(width: 32, height: 16, pictures: 12))
    var sizes: [Int] = []
    for (index, more) in [
      [], ["--no-reordering"], ["--effort", "1", "--threads", "3"], ["--keyframe-every", "0"],
      ["--keyframe-every", "0.2"],
    ].enumerated() {
      let output = folder.path + "/\(index).mov"
      let run = mvedit(
        ["encode", "--layout", "side-by-side", "--hash", "--check", "-o", output] + Self.tags + more + [
          source
        ])
      #expect(run.code == .success, "\(run.errors)")
      #expect(mvdump("verify", output).code == .success, "\(more)")
      let check = mvdump("check", "--json", output).json
      #expect(check?["findings"]?.elements.contains { $0["severity"]?.text == "error" } != true, "\(more)")
      let rows = mvdump("samples", "--presented", "--csv", output).output.split(separator: "\n")
      #expect(rows.count == 13, "\(rows)")
      sizes.append(contents(output)?.count ?? 0)
    }
    // Predicted pictures take less than intra pictures do.
    #expect(sizes[0] < sizes[3] && sizes[1] < sizes[3] && sizes[4] < sizes[3], "\(sizes)")
  }

  /// The same pictures by another way are the same movie.
  @Test func allWaysGiveTheSameMovie() throws {
    let whole = Self.y4m(width: 64, height: 32, pictures: 2)
    let direct = try folder.write("direct.y4m", whole)
    var eyes: [[UInt8]] = [[], []],
      stacked: [UInt8] = Array("YUV4MPEG2 W32 H64 F30:1 Ip C420mpeg2 XCOLORRANGE=LIMITED\n".utf8)
    let header = Array("YUV4MPEG2 W32 H32 F30:1 C420mpeg2 XCOLORRANGE=LIMITED\n".utf8)
    eyes = [header, header]
    for number in 0..<2 {
      let bytes = Self.planes(width: 64, height: 32, number)
      stacked += Array("FRAME\n".utf8)
      for eye in 0..<2 { eyes[eye] += Array("FRAME Ip\n".utf8) }
      var start = 0
      for component in 0..<3 {
        let width = component == 0 ? 64 : 32, height = component == 0 ? 32 : 16
        for eye in 0..<2 {
          for row in 0..<height {
            let place = start + row * width + eye * width / 2
            let part = bytes[place..<(place + width / 2)]
            eyes[eye] += part
            stacked += part
          }
        }
        start += width * height
      }
    }
    let left = try folder.write("left.y4m", eyes[0]), right = try folder.write("right.y4m", eyes[1])
    let over = try folder.write("over.y4m", stacked)
    let raw = try folder.write("raw.yuv", (0..<2).flatMap { Self.planes(width: 64, height: 32, $0) })
    func movie(_ arguments: [String]) -> [UInt8]? {
      let output = folder.path + "/\(arguments.joined(separator: "_").hashValue).mov"
      let run = mvedit(["encode", "-o", output] + arguments)
      #expect(run.code == .success, "\(arguments): \(run.errors)")
      return contents(output)
    }
    let first = movie(["--layout", "side-by-side", direct])
    #expect(first != nil && movie(["--layout", "over-under", over]) == first)
    #expect(movie(["--layout", "separate", left, right]) == first)
    #expect(movie(["--layout", "separate", "--right-first", right, left]) == first)
    let piped = folder.path + "/piped.mov"
    let run = mvedit(
      "encode", "--layout", "side-by-side", "-o", piped, "-", input: ByteView(whole))
    #expect(run.code == .success && contents(piped) == first, "\(run.errors)")
    // Raw planes do not say what their range is.
    let planes = movie(["--layout", "side-by-side", "--size", "64x32", "--fps", "30", raw])
    #expect(planes != nil && planes != first)
  }

  /// A movie side by side is a source like the pictures that it was made of, sound and all.
  @Test func aMovieSideBySideBecomesASpatialMovie() throws {
    let source = try folder.write("sbs.y4m", Self.y4m(width: 64, height: 32, pictures: 3))
    let flat = folder.path + "/flat.mov", spatial = folder.path + "/spatial.mov"
    #expect(
      mvedit("encode", "--layout", "mono", "--qp", "0", "--effort", "1", "-o", flat, source).code == .success)
    let run = mvedit("encode", "--layout", "side-by-side", "--check", "-o", spatial, flat)
    #expect(run.code == .success && run.errors.contains("3 pictures of each eye"), "\(run.errors)")
    #expect(mvdump("verify", spatial).code == .success)
    // A movie of two layers says itself which picture is for which eye.
    let again = folder.path + "/again.mov"
    #expect(mvedit("encode", "--qp", "5", "--effort", "1", "-o", again, spatial).code == .success)
    #expect(mvedit("encode", "-o", folder.path + "/no.mov", flat).code == .no)
    #expect(mvedit("encode", "--layout", "side-by-side", "--force", "-o", flat, flat).code != .success)
    // So does a raw stream, which says how many pictures there are in a second.
    let stream = mvedit(
      "encode", "--frames", "1", "--effort", "1", "-o", folder.path + "/stream.mov",
      Fixtures.path("two-views.hevc"))
    #expect(stream.code == .success && stream.errors.contains("of each eye"), "\(stream.errors)")
  }

  @Test func streamsAndSingleEyes() throws {
    let deep = try folder.write(
      "deep.y4m",
      Array("YUV4MPEG2 W16 H16 F25:1 C420p10\nFRAME\n".utf8) + [UInt8](repeating: 1, count: 16 * 16 * 3))
    let stream = folder.path + "/deep.hevc"
    let run = mvedit("encode", "--layout", "mono", "--raw", "--check", "-o", stream, deep)
    #expect(run.code == .success && run.errors.contains("1 picture"), "\(run.errors)")
    #expect(mvdump("verify", stream).code == .success)
    let movie = folder.path + "/deep.mp4"
    #expect(mvedit("encode", "--layout", "mono", "--qp", "10", "-o", movie, deep).code == .success)
    #expect(mvdump("check", movie).code == .success)
    // The right eye may be the base layer: the movie says so, and the eyes stay the same.
    let source = try folder.write("sbs.y4m", Self.y4m(width: 64, height: 32, pictures: 1))
    let right = folder.path + "/right.mov"
    let other = mvedit(
      "encode", "--layout", "side-by-side", "--base-eye", "right", "-o", right, source)
    #expect(other.code == .success, "\(other.errors)")
    #expect(mvdump("eyes", right).output.contains("right"))
  }

  /// Nothing is left of a movie that could not be completed.
  @Test func badSourcesAreRefusedWithTheirPicture() throws {
    let whole = Self.y4m(width: 64, height: 32, pictures: 3)
    let cut = try folder.write("cut.y4m", Array(whole.dropLast(100)))
    let broken = try folder.write(
      "broken.y4m",
      Array(whole.prefix(whole.count / 2)) + Array("noise".utf8) + Array(whole.suffix(whole.count / 2)))
    let left = try folder.write("left.y4m", Self.y4m(width: 32, height: 32, pictures: 3))
    let right = try folder.write("right.y4m", Self.y4m(width: 32, height: 32, pictures: 2))
    let small = try folder.write("small.y4m", Self.y4m(width: 16, height: 32, pictures: 3))
    let odd = try folder.write("odd.y4m", Self.y4m(width: 62, height: 32, pictures: 1))
    let interlaced = try folder.write(
      "fields.y4m", Self.y4m(width: 64, height: 32, pictures: 1, header: "F30:1 It"))
    let full = try folder.write("444.y4m", Self.y4m(width: 64, height: 32, pictures: 1, header: "F30:1 C444"))
    let deep = try folder.write(
      "deep.y4m", Self.y4m(width: 64, height: 32, pictures: 1, header: "F30:1 C420p10"))
    let still = try folder.write("still.y4m", Self.y4m(width: 64, height: 32, pictures: 0))
    let noRate = try folder.write("slow.y4m", Self.y4m(width: 64, height: 32, pictures: 1, header: "F0:0"))
    let raw = try folder.write("raw.yuv", [UInt8](repeating: 7, count: 500))
    let before = filesBelow(folder.path)
    let output = folder.path + "/out.mov"
    let lines: [([String], ExitCode, String)] = [
      (["side-by-side", cut], .unreadable, "picture 2"),
      (["side-by-side", broken], .unreadable, "picture 2"),
      (["separate", left, right], .no, "picture 2"), (["separate", left, small], .no, "16x32"),
      (["side-by-side", odd], .no, "62x32"), (["side-by-side", interlaced], .no, "interlaced"),
      (["side-by-side", full], .no, "C444"), (["side-by-side", deep], .no, "10 bits"),
      (["side-by-side", still], .unreadable, "no pictures"),
      (["side-by-side", noRate], .no, "frame rate"),
      (["side-by-side", raw], .unreadable, "size"),
      (["side-by-side", folder.path + "/gone.y4m"], .unreadable, "no such file"),
      (["side-by-side", "--size", "64x32", "--fps", "30", raw], .unreadable, "picture 0"),
    ]
    for (arguments, code, words) in lines {
      for more in [[], ["--raw"]] where !(words == "frame rate" && more == ["--raw"]) {
        let name = more.isEmpty ? output : folder.path + "/out.hevc"
        let run = mvedit(["encode", "-o", name] + more + ["--layout"] + arguments)
        #expect(run.code == code && run.errors.contains(words), "\(arguments): \(run.code) \(run.errors)")
        #expect(filesBelow(folder.path) == before, "\(arguments)")
      }
    }
  }

  @Test func whatMakesNoSenseIsWrongUsage() {
    let lines: [[String]] = [
      ["x.y4m"], ["--layout", "mono", "x.y4m"], ["--layout", "round", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "-o", "x.mov", "x.y4m", "y.y4m"],
      ["--layout", "separate", "-o", "x.mov", "-", "-"], ["--layout", "mono", "-o", "x.avi", "x.y4m"],
      ["--layout", "mono", "--size", "12", "-o", "x.mov", "x.yuv"],
      ["--layout", "mono", "--pixel-format", "yuv420p", "-o", "x.mov", "x.yuv"],
      ["--layout", "mono", "--fps", "fast", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--qp", "52", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--effort", "6", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--keyframe-every", "often", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--raw", "--faststart", "-o", "x.hevc", "x.y4m"],
      ["--layout", "mono", "--raw", "--reorder", "edit", "-o", "x.hevc", "x.y4m"],
      ["--layout", "mono", "--reorder", "ctts0", "-o", "x.mp4", "x.y4m"],
      ["--layout", "mono", "--right-first", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--base-eye", "left", "-o", "x.mov", "x.y4m"],
      ["--layout", "mono", "--raw", "--baseline", "63", "-o", "x.hevc", "x.y4m"],
    ]
    for line in lines {
      let run = mvedit(["encode"] + line)
      #expect(run.code == .usage && run.output.isEmpty, "\(line): \(run.output)\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("mvedit: "), "\(line)")
    }
  }

  /// What is said of colours and light is in the stream, in the boxes, and in what is encoded again.
  @Test func highDynamicRangeIsSaid() throws {
    let source = try folder.write("planes.yuv", [UInt8](repeating: 2, count: 64 * 32 * 3 * 2))
    let display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
    let raw = folder.path + "/pq.hevc", movie = folder.path + "/pq.mov", again = folder.path + "/again.mp4"
    let line = [
      "encode", "--layout", "mono", "--size", "64x32", "--fps", "24", "--pixel-format", "yuv420p10", "-f",
    ]
    let light = [
      "--colour", "pq", "--range", "limited", "--mastering-display", display, "--light-level", "1000,400",
    ]
    #expect(mvedit(line + light + ["--raw", "-o", raw, source]).code == .success)
    #expect(mvedit(line + light + ["-o", movie, source]).code == .success)
    #expect(mvedit(["encode", "--layout", "mono", "-o", again, movie]).code == .success)
    let keys = ["colour", "masteringDisplay", "contentLightLevel"]
    func said(_ path: String) -> [JSONValue?] {
      let track = mvdump("info", "--json", path).json?["tracks"]?.elements.first
      return keys.map { track?[$0] }
    }
    let wanted = said(movie)
    #expect(wanted[1]?["maxLuminance"]?.integer == 10_000_000, "\(wanted)")
    #expect(wanted[2]?["maxContentLightLevel"]?.integer == 1_000, "\(wanted)")
    #expect(wanted[0]?["transfer"]?.integer == 16, "\(wanted)")
    #expect(said(again) == wanted)
    #expect(Array(said(raw)[1...]) == Array(wanted[1...]))
    // As other tools look for them: in boxes of the sample entry, and in the messages of the record.
    for path in [movie, again] {
      let tree = mvdump("tree", path).output
      #expect(tree.contains("mdcv") && tree.contains("clli"))
      let units = mvdump("nal", path).output
      #expect(units.contains("mastering") || mvdump("params", path).output.contains("mastering"), "\(units)")
    }
    // A source of another tool.
    let copy = folder.path + "/hdr10.mp4", original = Fixtures.path("hdr10.mp4")
    #expect(mvedit(["encode", "--layout", "mono", "--frames", "1", "-o", copy, original]).code == .success)
    #expect(said(copy) == said(original) && said(copy)[1] != nil)
    for wrong in [
      ["--colour", "blue"], ["--colour", "9/16"], ["--colour", "0/1/1"], ["--range", "wide"],
      ["--mastering-display", "G(1,2)"], ["--mastering-display", display + "X"], ["--light-level", "1000"],
      ["--mastering-display", "G(1,2)B(1,2)R(1,2)WP(1,2)L(1,2)"], ["--light-level", "1000,400,2"],
    ] {
      #expect(mvedit(line + wrong + ["-o", raw, source]).code == .usage, "\(wrong)")
    }
  }

  /// What a movie says of its cameras and of itself is said of its pictures when they are encoded again.
  @Test func tagsAndMetadataOfAMovieAreKept() throws {
    let original = Fixtures.path("spatial.mov"), output = folder.path + "/again.mov"
    func track(_ path: String) -> JSONValue? {
      mvdump("info", "--json", path).json?["tracks"]?.elements.first
    }
    let wanted = track(original)?["stereo"]
    let line = ["encode", "--frames", "1", "--effort", "1", "-f", "-o", output]
    #expect(mvedit(line + [original]).code == .success)
    for key in [
      "hasLeftEye", "hasRightEye", "heroEye", "baselineMicrometers", "disparityAdjustment",
      "horizontalFieldOfViewMillidegrees", "projection",
    ] {
      let value = track(output)?["stereo"]?[key]
      #expect(value == wanted?[key], "\(key): \(String(describing: value))")
    }
    #expect(mvdump("info", output).output.contains("2026-11-20T23:19:17Z"))
    // What is asked for comes before it, and another movie instead of it.
    #expect(mvedit(line + ["--baseline", "65", "--remove", "hero", original]).code == .success)
    #expect(track(output)?["stereo"]?["baselineMicrometers"]?.integer == 65_000)
    #expect(track(output)?["stereo"]?["heroEye"]?.text == nil)
    let donor = Fixtures.path("half-equirect-180.mov")
    #expect(mvedit(line + ["--copy-from", donor, original]).code == .success)
    #expect(track(output)?["stereo"]?["projection"]?.text == track(donor)?["stereo"]?["projection"]?.text)
    // One eye has an angle, but no distance to another one; halves are each the picture of an eye.
    #expect(mvedit(line + ["--layout", "mono", original]).code == .success)
    #expect(track(output)?["stereo"]?["horizontalFieldOfViewMillidegrees"]?.integer == 63_400)
    #expect(track(output)?["stereo"]?["baselineMicrometers"]?.integer == nil)
    let packed = mvedit(line + [Fixtures.path("side-by-side-packed.mov")])
    #expect(packed.code == .success, "\(packed.errors)")
    #expect(track(output)?["width"]?.integer == 160)
    #expect(track(output)?["stereo"]?["packing"]?.text == nil)
  }

  /// Pixels that are not square stay so, and a movie that was held upright stays upright.
  @Test func shapeAndOrientationAreKept() throws {
    let header = "F30:1 Ip A4:3 C420mpeg2"
    let source = try folder.write("wide.y4m", Self.y4m(width: 64, height: 32, pictures: 1, header: header))
    let movie = folder.path + "/wide.mov", turned = folder.path + "/turned.mov",
      again = folder.path + "/again.mov"
    #expect(mvedit(["encode", "--layout", "mono", "-o", movie, source]).code == .success)
    var tree = try BoxTree(FileBytes(path: movie), registry: .standard)
    try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) {
      ($0.matrix.a, $0.matrix.b, $0.matrix.c, $0.matrix.d) = (0, 1 << 16, -1 << 16, 0)
      $0.matrix.x = 32 << 16
    }
    try tree.write(toFile: turned)
    let run = mvedit(["encode", "--layout", "mono", "-o", again, turned])
    #expect(run.code == .success, "\(run.errors)")
    for (path, rotation) in [(movie, 0), (turned, 90), (again, 90)] {
      let track = mvdump("info", "--json", path).json?["tracks"]?.elements.first
      #expect(track?["pixelAspectRatio"]?.elements.map(\.integer) == [4, 3], "\(path)")
      #expect(track?["rotation"]?.integer == rotation, "\(path)")
    }
  }
}
