// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import ISOBMFF
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
    }
    let run = mvdump("render", "--all", "-o", folder.path + "/lost.y4m", path)
    #expect(run.code == .no && run.errors.contains("not all samples were found"), "\(run.errors)")
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
