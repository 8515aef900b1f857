// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import TestSupport
import Testing

/// The images of a file of images: two pictures of streams whose pictures are known.
@Suite struct ImagePicturesTests {
  private static let photo = Fixtures.path("pictures/photo.heic")

  @Test func eachImageIsDecoded() throws {
    let lines = mvdump("pictures", "--csv", Self.photo).lines
    let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let image = try #require(PictureTruth.fixtures["intra_d"]?.first)
    let thumbnail = try #require(PictureTruth.fixtures["rx_444_8"]?.first)
    try #require(rows.count == 2)
    // No track, then the number of the item.
    #expect(rows.map { $0[1...2].joined(separator: ",") } == [",1", ",2"])
    #expect(rows.map { $0[12...14].map(String.init) } == [image.hashes, thumbnail.hashes])
    #expect(rows.allSatisfy { $0[15] == "match" })
  }

  @Test(arguments: ["pictures", "verify"]) func documents(command: String) throws {
    let schema = try #require(JSONSchema(named: command))
    let run = mvdump(command, "--json", Self.photo)
    #expect(SchemaTests.check(run, schema, command))
    #expect(run.output.contains("\"images\""))
  }

  @Test func imagesAreVerified() {
    let run = mvdump("verify", Self.photo)
    #expect(run.code == .success)
    #expect(run.lines.count == 2)
    #expect(run.lines.first?.hasPrefix("item 1  layer 0  1 picture  1 hash matches  sound") == true)
  }

  /// Where samples are chosen, images are not.
  @Test func samplesAreNoImages() {
    let run = mvdump("pictures", "--samples", "0", Self.photo)
    #expect(run.errors.contains("has no HEVC track"))
  }
}
