// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MoviePictures
import Multiview
import TestSupport
import Testing

/// What `mvedit encode` says where it cannot do what was meant, or what it made may not be what was meant.
@Suite struct EncodeAdviceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  /// The printed line takes the sound, too, which only the other program finds.
  @Test func foreignMoviesKeepTheirSound() throws {
    let film = try folder.write("my film.mkv", Self.matroska + [UInt8](repeating: 0, count: 600))
    let line = ["encode", "--layout", "side-by-side", "-o", "o.mp4"]
    let run = mvedit(line + [film])
    #expect(
      run.errors.contains(
        "ffmpeg -v error -i '\(film)' -vn -c:a aac '\(film).m4a' && ffmpeg -v error -i '\(film)' -pix_fmt yuv420p"
      ), "\(run.errors)")
    #expect(run.errors.hasSuffix(" --output o.mp4 --audio '\(film).m4a' -\n"), "\(run.errors)")
    let given = mvedit(line + ["--audio", Fixtures.path("metadata-keys.mov"), film])
    #expect(!given.errors.contains(" -vn "), "\(given.errors)")
    let raw = mvedit(["encode", "--layout", "mono", "--raw", "-o", "o.hevc", film])
    #expect(raw.errors.contains("| mvedit") && !raw.errors.contains("--audio"), "\(raw.errors)")
  }

  @Test func foreignSoundIsConvertedFirst() throws {
    let pictures = try folder.write("p.y4m", EncodeTests.y4m(width: 64, height: 32, pictures: 1))
    let wave = Array("RIFF\0\0\0\0WAVEfmt ".utf8) + [UInt8](repeating: 0, count: 600)
    for (name, bytes) in [
      ("s.wav", wave), ("s.mp3", [0xFF, 0xFB, 0x90, 0x44] + wave),
      ("s.aac", [0xFF, 0xF1, 0x50, 0x80] + wave),
      ("s.mkv", Self.matroska + wave),
    ] {
      let sound = try folder.write(name, bytes)
      let output = folder.path + "/o.mp4"
      for line in [
        ["encode", "--layout", "side-by-side", pictures],
        ["mux", "--fps", "30", Fixtures.path("two-views.hevc")],
      ] {
        let run = mvedit(line.prefix(1) + ["--audio", sound, "-o", output] + line.dropFirst())
        #expect(
          run.code == .unreadable
            && run.errors.hasSuffix(
              ". Make one of its sound: ffmpeg -v error -i \(sound) -vn -c:a aac \(sound).m4a\n"),
          "\(run.errors)")
      }
    }
  }

  /// The halves of one eye are not two eyes.
  @Test(arguments: ["spatial.mov", "two-tracks-lhv1.mp4"]) func layersAreNotHalves(name: String) {
    for layout in ["side-by-side", "over-under"] {
      let output = folder.path + "/o.mp4"
      let run = mvedit("encode", "--layout", layout, "-o", output, Fixtures.path(name))
      #expect(run.code == .no && run.errors.contains("a layer for each eye"), "\(run.errors)")
      #expect(run.errors.contains("mvdump render --all --eye both -o - FILE | ffmpeg "), "\(run.errors)")
      #expect(contents(output) == nil)
    }
  }

  /// Half of 16:9 is narrower than high; pixels of 2:1 make the eye 16:9 again.
  @Test func squeezedEyesAreNoticed() throws {
    func notices(_ layout: String, _ width: Int, _ height: Int, _ aspect: String) throws -> [JSONValue] {
      let header = "F30:1 Ip A\(aspect) C420mpeg2"
      let source = try folder.write(
        "\(width)x\(height).y4m", EncodeTests.y4m(width: width, height: height, pictures: 1, header: header))
      let run = mvedit(
        "encode", "--json", "--effort", "1", "--layout", layout, "-f", "-o", folder.path + "/o.mov", source)
      let json = try #require(run.json, "\(run.errors)")
      #expect(JSONSchema(named: "encode")?.problems(json) == [])
      return json["notices"]?.elements ?? []
    }
    let half = try notices("side-by-side", 128, 72, "1:1")
    #expect(half.map { $0["kind"]?.text } == ["eyesMayBeSqueezed"])
    #expect(half.first?["message"]?.text?.contains("64x72") == true)
    #expect(try notices("side-by-side", 128, 72, "2:1").isEmpty)
    #expect(try notices("side-by-side", 256, 72, "1:1").isEmpty)
    #expect(try notices("over-under", 128, 72, "1:1").map { $0["kind"]?.text } == ["eyesMayBeSqueezed"])
    #expect(try notices("over-under", 128, 72, "1:2").isEmpty)
    #expect(try notices("over-under", 128, 144, "1:1").isEmpty)
    #expect(try notices("mono", 64, 72, "1:1").isEmpty)
    let squeezed = try folder.write("s.y4m", EncodeTests.y4m(width: 128, height: 72, pictures: 1))
    let said = mvedit("encode", "--layout", "side-by-side", "-f", "-o", folder.path + "/o.mov", squeezed)
    #expect(said.errors.contains("a pixel shape of 2:1 (with FFmpeg: -vf setsar=2)\n"), "\(said.errors)")
  }

  /// What is missing is named with its options, and what a file is before that.
  @Test func sourcesThatAreNotPicturesSaySo() throws {
    let output = ["-o", folder.path + "/o.mov"]
    let line = ["encode", "--layout", "side-by-side"] + output
    let planes = try folder.write("sbs.yuv", EncodeTests.planes(width: 64, height: 32, 0))
    #expect(
      mvedit(line + [planes]).errors
        == "mvedit: \(planes): the source is not Y4M, and the size of raw planes is not known. "
        + "For raw planes, give the size and the frame rate (--size WIDTHxHEIGHT --fps RATE).\n")
    let empty = try folder.write("empty.mov", [])
    #expect(mvedit(line + [empty]).errors == "mvedit: \(empty): is empty\n")
    let list = try folder.write("list.m3u8", Array("#EXTM3U\n#EXT-X-VERSION:7\n".utf8))
    #expect(mvedit(line + [list]).errors.contains("is an HLS playlist"))
    let noRate = try folder.write(
      "slow.y4m", EncodeTests.y4m(width: 64, height: 32, pictures: 1, header: "F0:0"))
    #expect(mvedit(line + [noRate]).errors.contains("Give the frame rate (--fps)."))
    let arguments = line + ["-"]
    let pipe = mvedit(
      arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], "-",
      input: ByteView(try #require(contents(Fixtures.path("spatial.mov")))))
    #expect(pipe.errors.contains("a movie, which cannot be read from a pipe"), "\(pipe.errors)")
    // One movie has no second source.
    let flat = mvedit(["encode"] + output + [Fixtures.path("hdr10.mp4")])
    #expect(!flat.errors.contains("separate") && flat.errors.contains("--layout"), "\(flat.errors)")
  }

  /// The right word is another one here.
  @Test func swappedEyesAreNamedByTheirSource() {
    let run = mvedit("encode", "--layout", "side-by-side", "--swap-eyes", "-o", "o.mov", "sbs.y4m")
    #expect(run.code == .usage && run.errors.contains("did you mean '--right-first'?"), "\(run.errors)")
  }
}
