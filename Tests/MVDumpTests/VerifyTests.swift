// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// `mvdump verify`: what it says of streams that are not sound.
@Suite struct VerifyTests {
  /// A stream with other picture parameter sets.
  private static func stream(
    _ name: String, _ change: (inout PictureParameterSet) -> Void
  ) throws -> [UInt8] {
    let units = try AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).map { try $0.get() }
    return AnnexBNALUnits.join(
      try units.map { unit in
        guard unit.type == .pictureParameterSet else { return unit }
        var set = unit.rbsp.decode(PictureParameterSet()).value
        change(&set)
        return try NALUnit(unit.header, set)
      })
  }

  /// A stream as HM writes it: 4:0:0, with a flag that announces what its slices lack.
  @Test func namesADeviationOfTheReferenceEncoder() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.write("whole.bit", try Self.stream("rx_400_8") { _ in })
    #expect(mvdump("verify", whole).code == .success && !mvdump("verify", whole).output.contains("cause"))
    let path = try folder.write(
      "deviating.bit", try Self.stream("rx_400_8") { $0.ppsSliceChromaQpOffsetsPresentFlag = true })
    let run = mvdump("verify", path)
    #expect(run.code == .no && run.output.contains("not ok"))
    #expect(
      run.output.contains("pps_slice_chroma_qp_offsets_present_flag") && run.output.contains("7.3.6.1"),
      "\(run.output)")
    let json = mvdump("verify", "--json", path).json?["tracks"]?[0]?["layers"]?[0]
    #expect(json?["problem"]?.text?.contains("possible cause") == true)
  }

  private static let found = "found/2/mono_slice_chroma_qp.bit"

  @Test(.enabled(if: Corpus.files("found/2").contains(found))) func aFoundStream() throws {
    let folder = try #require(Corpus.folder)
    let run = mvdump("verify", folder + "/" + Self.found)
    #expect(run.code == .no && run.output.contains("possible cause"))
  }

  /// Samples that are not found are no pictures that decode.
  @Test func lostSamplesAreNotSound() throws {
    let folder = try TemporaryFolder()
    let sizes = try #require(
      try MovieFile(path: Fixtures.path("spatial.mov")).tree?["moov/trak/mdia/minf/stbl/stsz"])
    var bytes = Fixtures.bytes("spatial.mov").array
    // The count.
    bytes.replaceSubrange(sizes.offset + 16..<sizes.offset + 20, with: [0, 0, 0, 2])
    let path = try folder.write("lost.mov", bytes)
    for form in [[], ["--json"], ["--csv"]] {
      let run = mvdump(["verify"] + form + [path])
      #expect(run.code == .unreadable && run.errors.contains("not all samples were found"), "\(form): \(run)")
      // The rows agree with that.
      #expect(run.output.contains("not all samples were found"), "\(form): \(run)")
      #expect(!run.output.contains("  ok") && !run.output.contains("\"sound\": true"), "\(form): \(run)")
    }
    let run = mvdump("render", "--all", "-o", folder.path + "/lost.y4m", path)
    #expect(run.code == .no && run.errors.contains("not all samples were found"), "\(run.errors)")
  }

  /// What is said of a movie with other samples, each line without the place.
  private static func verify(
    _ fixture: String = "spatial.mov", _ change: (inout [[NALUnit]]) throws -> Void
  ) throws -> ToolRun {
    var movie = EditedMovie(fixture)
    try movie.rewriteSamples(change)
    return mvdump("verify", "-", input: ByteView(try movie.encoded()))
  }

  /// A movie that was cut within a group of pictures: none of them can be decoded, and none is said to be sound.
  @Test func aMovieWithoutARandomAccessPicture() throws {
    let run = try Self.verify { $0[0] = $0[1] }
    #expect(run.code == .no, "\(run)")
    #expect(
      run.output.contains(
        "0 pictures  no hash compared  4 not decoded  not ok  sample 0: layer 0: a random "),
      "\(run.output)")
    // A stream may be cut out of a broadcast.
    var stream: [UInt8] = []
    _ = try MovieFile(path: spatial).tracks[0].extract(layers: [0, 1]) {
      stream += $0
      return true
    }
    let units = try AnnexBNALUnits(ByteView(stream)).map { try $0.get() }
    let cut = AnnexBNALUnits.join(
      units.filter { !($0.type.isSliceSegment && $0.type.isRandomAccessPoint) })
    #expect(mvdump("verify", "-", input: ByteView(cut)).code == .success)
  }

  /// A lost picture is missed though no other refers to it: of either eye, and of both.
  @Test func aPictureThatNothingRefersTo() throws {
    for layer: UInt8 in [0, 1] {
      let run = try Self.verify {
        $0[3].removeAll { $0.layerID == layer && $0.type.isSliceSegment }
      }
      #expect(run.code == .no, "\(run)")
      let line = try #require(run.lines.first { $0.contains("layer \(layer),") })
      #expect(line.contains("1 not decoded  not ok  sample 3: has no picture of layer \(layer)"), "\(line)")
    }
    let run = try Self.verify { $0[3] = [] }
    #expect(run.code == .no && run.lines.count == 2, "\(run)")
    for (layer, line) in run.lines.enumerated() {
      #expect(line.hasSuffix("not ok  sample 3: has no picture of layer \(layer)"), "\(line)")
    }
  }

  /// A layer that no eye sees may have fewer pictures, and a muxer may put the layers of a time into two samples.
  @Test func layersThatAreAbsentByRight() throws {
    let alpha = try Self.verify("alpha-layer.mp4") { samples in
      let last = samples.count - 1
      samples[last].removeAll { $0.layerID > 0 }
    }
    #expect(alpha.code == .success, "\(alpha)")
    var clip = try BrokenClip(MovieFile(path: spatial))
    clip.splitLayers(marksSync: false)
    let split = mvdump("verify", "-", input: ByteView(clip.encoded))
    #expect(split.code == .success && split.output.contains("4 pictures"), "\(split)")
  }

  /// Of two pictures that are not right, the one is named of which the other is predicted.
  @Test func theDamagedPictureIsNamed() throws {
    let run = try Self.verify { samples in
      let place = samples[1].lastIndex { $0.layerID == 1 && $0.type.isSliceSegment } ?? 0
      let unit = samples[1][place]
      samples[1][place] = try #require(
        NALUnit(
          ByteView(unit.bytes.prefix(unit.bytes.count / 2).array + [UInt8](repeating: 0xA5, count: 40))))
    }
    #expect(run.code == .no, "\(run)")
    let line = try #require(run.lines.first { $0.contains("layer 1,") })
    #expect(line.contains("not ok  sample 1: ") && !line.contains("predicted"), "\(line)")
  }

  /// A file without a movie has nothing that decodes, and nothing that is damaged.
  @Test func withoutAMovieNothingIsAnswered() throws {
    let folder = try TemporaryFolder()
    let tree = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tree)
    let moov = try #require(tree.first("moov"))
    var bytes = Fixtures.bytes("spatial.mov").array
    bytes.replaceSubrange(moov.offset + 4..<moov.offset + 8, with: Array("skip".utf8))
    let cut = try folder.write("cut.mov", bytes)
    for command in ["verify", "samples", "eyes", "pictures"] {
      let run = mvdump(command, cut)
      #expect(run.code == .unreadable && run.errors.contains("has no movie (moov)"), "\(command): \(run)")
    }
  }

  @Test func aNamedTrackOfAnotherCodecIsNamed() {
    let run = mvdump("verify", "-t", "2", Fixtures.path("metadata-keys.mov"))
    #expect(run.code == .success && run.output.contains("track 2  is not HEVC: skipped"), "\(run)")
    let pictures = mvdump("pictures", "-t", "2", Fixtures.path("metadata-keys.mov"))
    #expect(pictures.code == .unreadable && pictures.errors.contains("track 2 is not HEVC"))
  }
}
