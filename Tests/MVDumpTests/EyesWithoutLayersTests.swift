// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// What `mvdump eyes` says of eyes that are not layers.
@Suite struct EyesWithoutLayersTests {
  /// A flat fixture as video of another codec, with tracks that each have such a byte of `stri`, and packing.
  private static func movie(_ eyes: [UInt8], packing: String? = nil, in folder: TemporaryFolder) throws
    -> String
  {
    var remade = try RemadeMovie(videoOf: Fixtures.path("hdr10.mp4"))
    let one = try #require(remade.moov.children.first { $0.type == "trak" })
    let samples = remade.samples[0]
    remade.moov.children.removeAll { $0.type == "trak" }
    remade.samples = eyes.map { _ in samples }
    for (index, byte) in eyes.enumerated() {
      var trak = one
      trak.patch("tkhd", at: 12, UInt64(index + 1))
      trak.edit("mdia/minf/stbl/stsd") { stsd in
        stsd.children[0].type = "ap4h"
        stsd.children[0].children = [
          PlainBox(
            "vexu", [],
            [PlainBox("eyes", [], [PlainBox("stri", [0, 0, 0, 0, byte])])]
              + (packing.map { [PlainBox("pack", [], [PlainBox("pkin", [0, 0, 0, 0] + Array($0.utf8))])] }
                ?? []))
        ]
      }
      remade.moov.children.append(trak)
    }
    return try folder.write("movie.mov", remade.encoded())
  }

  private static func check(_ run: ToolRun) throws {
    #expect(SchemaTests.check(run, try #require(JSONSchema(named: "eyes")), "eyes"))
  }

  @Test func twoTracks() throws {
    let folder = try TemporaryFolder()
    let path = try Self.movie([1, 2], in: folder)
    let lines = mvdump("eyes", path).lines
    #expect(lines.filter { $0.hasPrefix("  pictures") } == ["  pictures: left eye", "  pictures: right eye"])
    let run = mvdump("eyes", "--json", path)
    try Self.check(run)
    let tracks = run.json?["tracks"]?.elements ?? []
    #expect(tracks.map { $0["eye"]?.text } == ["left", "right"])
    #expect(tracks.allSatisfy { $0["layers"]?.elements.isEmpty == true })
    #expect(tracks.allSatisfy { $0["decidedBy"]?.text == "stereoViewInformation" })
    let info = mvdump("info", path).output
    #expect(info.contains("the left eye, the other in another track"))
    #expect(info.contains("the right eye, the other in another track"))
  }

  @Test(arguments: [("side", UInt8(3), "left half: left eye"), ("over", 11, "upper half: right eye")])
  func packed(packing: String, byte: UInt8, words: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.movie([byte], packing: packing, in: folder)
    #expect(mvdump("eyes", path).lines.contains { $0.hasPrefix("  pictures: \(words)") })
    let run = mvdump("eyes", "--json", path)
    try Self.check(run)
    let track = run.json?["tracks"]?.elements.first
    #expect(
      track?["packedEyes"]?["first"]?.text == (byte == 3 ? "left" : "right") && track?["eye"]?.text == nil)
  }

  /// A sequence of images with a layer for each eye is no movie, and all commands say so.
  @Test(arguments: ["pict", "auxv"]) func picturesThatAreNoVideo(handler: String) throws {
    let folder = try TemporaryFolder()
    var remade = try RemadeMovie(videoOf: Fixtures.path("spatial.mov"))
    remade.editTracks { _, trak in
      trak.edit("mdia/hdlr") { $0.fields.replaceSubrange(8..<12, with: Array(handler.utf8)) }
    }
    let path = try folder.write("pictures.mov", remade.encoded())
    #expect(mvdump("probe", "--is", "multiview", path).code == .no)
    #expect(mvdump("probe", path).output.hasPrefix("none      -"))
    let info = mvdump("info", path).output
    #expect(info.contains("stereo pictures: both eyes") && !info.contains("spatial video"))
  }

  @Test func photo() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("pair.heic", ImagePicturesTests.spatialPhoto())
    #expect(mvdump("eyes", path).lines == ["stereo pair 30", "  item 1: left eye", "  item 2: right eye"])
    let run = mvdump("eyes", "--json", path)
    try Self.check(run)
    #expect(run.json?["photos"]?.elements.first?["right"]?.integer == 2)
  }
}
