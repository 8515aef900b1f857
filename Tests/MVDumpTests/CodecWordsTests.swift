// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import TestSupport
import Testing

/// What a track is called whose sample entry has one type for many codecs: the descriptor and the stream say which.
@Suite struct CodecWordsTests {
  /// A movie with sound whose descriptor has another object type.
  private func movie(_ change: (inout [UInt8], _ objectType: Int) -> Void) throws -> ToolRun {
    let folder = try TemporaryFolder()
    var bytes = Fixtures.bytes("edit-list-trim.mp4").array
    // esds, version and flags, a descriptor of a stream with ID and flags, then one of a decoder.
    let esds = try #require(
      (0..<(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == Array("esds".utf8) })
    let decoder = try #require(
      (esds + 8..<esds + 32).first {
        bytes[$0] == 4 && bytes[$0 + 5] == 0x40 || bytes[$0] == 4 && bytes[$0 + 2] == 0x40
      })
    let objectType = bytes[decoder + 2] == 0x40 ? decoder + 2 : decoder + 5
    change(&bytes, objectType)
    return mvdump("info", try folder.write("movie.mp4", bytes))
  }

  @Test(arguments: [
    (0x40, "AAC (mp4a.40.2)"), (0x6B, "MPEG-1 audio (mp4a.6B)"), (0x69, "MPEG-2 audio (mp4a.69)"),
    (0x67, "MPEG-2 AAC (mp4a.67)"), (0xDD, "Vorbis (mp4a.DD)"), (0xAD, "Opus (mp4a.AD)"),
    (0xA5, "Dolby Digital (mp4a.A5)"), (0xE1, "QCELP (mp4a.E1), 8 kHz, mono"), (0xA9, "DTS (mp4a.A9)"),
  ])
  func sound(type: Int, words: String) throws {
    let run = try movie { bytes, place in bytes[place] = UInt8(type) }
    #expect(run.output.contains("audio track 2  \(words)"), "\(run.output)")
  }

  /// Real movies, whose codecs are those that FFmpeg's ffprobe and the streams themselves say.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ("format__isobmff__testdata__mp3.mp4", "MP3 (mp4a.6B), 44.1 kHz, mono"),
      ("tests__data__vbr_requires_parsespeed_1.mp4", "Vorbis (mp4a.DD), 44.1 kHz, mono"),
      ("isoparser__src__test__resources__MOV00006.3gp", "AMR (samr), 8 kHz, mono"),
    ])
  func realMovies(name: String, words: String) throws {
    let run = mvdump("info", try #require(Corpus.folder) + "/found/2/" + name)
    #expect(run.output.contains(words), "\(run.output)")
  }

  /// Files of devices, in which nothing is wrong: a private type of one maker is not an error.
  @Test(.enabled(if: Corpus.isPresent), arguments: ["realshort.mp4", "c608-itunes.mp4", "canon.cr3"])
  func filesOfDevicesHaveNoError(name: String) throws {
    let run = mvdump("check", "--json", try #require(Corpus.folder) + "/found/2/" + name)
    // Two of them were cut off after the boxes, so that samples are missing.
    let errors = run.json?["findings"]?.elements.filter {
      $0["severity"]?.text == "error" && $0["rule"]?.text != "MV058"
    }
    #expect(errors?.isEmpty == true, "\(run.output)")
    #expect(!run.output.contains("cannot be determined"))
  }

  /// The brand is that of Motion JPEG 2000, which nothing should replace.
  @Test(.enabled(if: Corpus.isPresent)) func aBrandOfAnotherStandardIsRight() throws {
    let run = mvdump("check", "--json", try #require(Corpus.folder) + "/found/2/repair-mj2-brand.mj2")
    #expect(
      run.json?["findings"]?.elements.contains { $0["rule"]?.text == "MV004" } == false, "\(run.output)")
  }
}
